"""StepSense by rule: which steps of a rationale about our scenes can be checked, and which of them are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veridical.records import Json
from veridical.suites.magic.claims import claims_of_steps
from veridical.suites.magic.errors import PATTERNS, errors_of
from veridical.suites.magic.stimuli import Claim

SCORES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("checkable", "right_steps"), (0.0, 10_000.0)),
    **dict.fromkeys((f"error_{name}" for name in PATTERNS), (0.0, 1.0)),
}
"""The scores that a rule gives the steps of a rationale, with the range of each."""


class Checked(NamedTuple):
    """A step, what it claims, and whether all of that is right; `None` where it claims nothing that can be checked."""

    text: str
    claims: tuple[Claim, ...]
    right: bool | None

    @property
    def wrong(self) -> tuple[Claim, ...]:
        """The claims that are not so."""
        return tuple(claim for claim in self.claims if claim["value"] != claim["true"])


def checked(
    steps: Sequence[str], graph: Mapping[str, Json] | None, relevant: Sequence[int] | None = None
) -> list[Checked]:
    """Each step with its claims, and whether it is right: all of its claims are, and it has one.

    >>> mug = {"name": "mug", "color": "red", "material": "metal", "size": "small", "box": [0, 0, 9, 9], "number": 1}
    >>> [each.right for each in
    ...  checked(["It is a room.", "R1 shows a mug.", "It is green."], {"things": [mug], "relations": []})]
    [None, True, False]
    """
    made = []
    for step, claims in zip(steps, claims_of_steps(steps, graph, relevant), strict=True):
        right = all(claim["value"] == claim["true"] for claim in claims) if claims else None
        made.append(Checked(step, tuple(claims), right))
    return made


def step_scores(
    steps: Sequence[str], graph: Mapping[str, Json] | None, relevant: Sequence[int], boxes: int
) -> dict[str, float]:
    """The scores of `SCORES` for the steps of a rationale; none without a graph.

    `graph` has the numbers of the boxes as they are shown; `relevant` are the numbers of those that matter, of `boxes`.
    """
    if graph is None:
        return {}
    every = checked(steps, graph, relevant)
    scores = {"checkable": sum(each.right is not None for each in every), "right_steps": sum(map(_is_right, every))}
    patterns = errors_of(steps, [claim for each in every for claim in each.claims], relevant, boxes)
    return {
        **{name: float(min(value, 10_000)) for name, value in scores.items()},
        **{f"error_{name}": float(name in patterns) for name in PATTERNS},
    }


def _is_right(step: Checked) -> bool:
    return step.right is True


def renumbered(graph: Mapping[str, Json] | None, stored: Sequence[int]) -> dict[str, Json] | None:
    """A graph with the numbers of a view, whose boxes are, in their order, those with the numbers `stored`.

    A thing whose box the view does not show has no number.

    >>> renumbered({"things": [{"name": "mug", "number": 4}], "relations": []}, [2, 4])["things"]
    [{'name': 'mug', 'number': 2}]
    """
    if graph is None:
        return None
    numbers = {old: new for new, old in enumerate(stored, start=1)}
    things = [{**thing, "number": numbers.get(thing["number"])} for thing in graph["things"]]
    return {**graph, "things": things}
