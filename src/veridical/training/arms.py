"""What each network is taught: one record an arm; everything else is the same for all."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.stimuli.illusions import CASES, Case

HELD_OUT = tuple(case.name for case in CASES.values() if not case.novel and case.number % 3 == 0)
"""A third of the classic cases: every third, so that each category has some."""
DOSES = (0.0, 0.02, 0.05, 0.1, 0.25, 0.5)
"""Shares of changed figures among the figures of a case."""


@dataclass(frozen=True, kw_only=True)
class Arm:
    """What is shown of a case besides its controls, half of which have a change, at every strength.

    `figures` is the share of figures among its pictures, and `changed` the share of changed ones among these. `held`
    are both shares for the cases held out. No arm is ever shown a figure of a novel case.
    """

    title: str
    figures: float = 0.5
    changed: float = 0.0
    held: tuple[float, float] | None = None

    def shares(self, case: Case) -> tuple[float, float, float, float]:
        """The shares of unchanged and changed controls, of unchanged and changed figures, among a case's pictures."""
        figures, changed = (self.figures, self.changed)
        if case.novel:
            figures = 0.0
        elif self.held is not None and case.name in HELD_OUT:
            figures, changed = self.held
        return ((1 - figures) / 2, (1 - figures) / 2, figures * (1 - changed), figures * changed)


ARMS: dict[str, Arm] = {
    "textbook": Arm(title="controls, and each illusion in its classic form alone"),
    "counterfactual": Arm(title="controls, and each illusion with and without a change", changed=0.5),
    "heldout": Arm(title="two thirds of the cases as counterfactual, a third as textbook", changed=0.5, held=(0.5, 0)),
    "controls": Arm(title="controls alone: never an inducer", figures=0.0),
    "unshown": Arm(title="two thirds of the cases as counterfactual, a third as controls", changed=0.5, held=(0, 0)),
}
SHIPPED = ("textbook", "counterfactual", "heldout", "controls")


def dosed_arms() -> dict[str, Arm]:
    """The arms of the doses that no other arm is: `dose-2` has 2 % of its figures changed."""
    others = {arm.changed for arm in ARMS.values()}
    return {f"dose-{100 * dose:.0f}": dosed(dose) for dose in DOSES if dose not in others}


def dosed(changed: float) -> Arm:
    """The textbook's training with some changed figures among its figures."""
    return Arm(title=f"textbook with {changed:.0%} of its figures changed", changed=changed)
