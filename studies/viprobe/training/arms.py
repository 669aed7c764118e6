"""What each network is trained on: one record per arm. Everything else is the same for all."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.suites.viprobe.illusions import CASES, Case

HELD_OUT = tuple(case.name for case in CASES.values() if not case.novel and case.number % 3 == 0)
"""Every third classic case, so that each category is represented."""
OFTEN = {
    "munker_white": 3,
    "mach_band": 2,
    "mach_band_case2": 2,
    "poggendorff": 4,
    "poggendorff_horizontal": 4,
    "ladder_zigzags": 2,
}
"""How many times as often slowly learned cases are drawn, after the shared steps."""
DOSES = (0.0, 0.02, 0.05, 0.1, 0.25, 0.5)
"""Shares of changed figures among the figures of a case."""


@dataclass(frozen=True, kw_only=True)
class Diet:
    """The mix of pictures of a case in training. Half of the controls are changed, at all strengths.

    `figures` is the share of figures among all pictures, `changed` the share of changed ones among figures. `held` has
    both shares for the held-out cases. No network is shown a figure of a novel case.
    """

    figures: float = 0.5
    changed: float = 0.0
    held: tuple[float, float] | None = None

    def shares(self, case: Case) -> tuple[float, float, float, float]:
        """Shares of unchanged controls, changed controls, unchanged figures and changed figures of a case."""
        figures, changed = (self.figures, self.changed)
        if case.novel:
            figures = 0.0
        elif self.held is not None and case.name in HELD_OUT:
            figures, changed = self.held
        return ((1 - figures) / 2, (1 - figures) / 2, figures * (1 - changed), figures * changed)


FIRST: dict[str, Diet] = {"textbook": Diet(), "controls": Diet(figures=0.0), "unshown": Diet(held=(0.0, 0.0))}
"""Diets of the initial steps, which several arms share."""


@dataclass(frozen=True, kw_only=True)
class Arm:
    """A network: its title, its initial diet (a key of `FIRST`), and its own diet after that."""

    title: str
    first: str = "textbook"
    then: Diet


_CHANGED = 0.5
ARMS: dict[str, Arm] = {
    "textbook": Arm(title="controls, and each illusion in its classic form alone", then=Diet()),
    "counterfactual": Arm(
        title="the textbook, then each illusion with and without a change", then=Diet(changed=_CHANGED)
    ),
    "heldout": Arm(
        title="the textbook, then changes in two thirds of the cases", then=Diet(changed=_CHANGED, held=(0.5, 0.0))
    ),
    "controls": Arm(title="controls alone: never an inducer", first="controls", then=Diet(figures=0.0)),
    "unshown": Arm(
        title="as heldout, and no figure of the cases held out, ever",
        first="unshown",
        then=Diet(changed=_CHANGED, held=(0.0, 0.0)),
    ),
}
SHIPPED = ("textbook", "counterfactual", "heldout", "controls")


def arm_of_dose(dose: float) -> str:
    """The name of the arm that has this share of changed figures."""
    return {0.0: "textbook", _CHANGED: "counterfactual"}.get(dose, f"dose-{100 * dose:.0f}")


def dosed_arms() -> dict[str, Arm]:
    """The arms of doses without an arm in `ARMS`: `dose-2` has 2 % of its figures changed after the textbook."""
    return {
        arm_of_dose(dose): Arm(title=f"the textbook, then {dose:.0%} of figures changed", then=Diet(changed=dose))
        for dose in DOSES
        if arm_of_dose(dose) not in ARMS
    }
