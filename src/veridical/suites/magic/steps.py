"""StepSense by rule: which steps of a rationale about our scenes can be checked, and which of them are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veridical.answers.region_mentions import mentions
from veridical.records import Json
from veridical.suites.magic.claims import claims_of_steps
from veridical.suites.magic.language.dismissals import dismissed_boxes
from veridical.suites.magic.stimuli import StepClaim

EXHAUSTIVE, PLACE, RELATION, DESCRIPTION = PATTERNS = ("exhaustive", "place", "relation", "description")
_LOOKS = ("color", "material", "size")


def errors_of(steps: Sequence[str], claims: Sequence[StepClaim], relevant: Sequence[int], boxes: int) -> set[str]:
    """The patterns of errors in the steps of a rationale, with the claims that they make.

    - exhaustive: every box is mentioned, although not all are relevant; a box that is only set aside does not count.
    - place: a thing of the scene is put into another's box, or out of its own.
    - relation: two things stand to each other otherwise than stated.
    - description: a thing has another color, material or size, or no such thing is in the scene.

    >>> errors_of(["I look at R1, R2 and R3."], [], [2], boxes=3)
    {'exhaustive'}
    """
    wrong = [claim for claim in claims if claim["value"] != claim["true"]]
    patterns = {RELATION for claim in wrong if claim["kind"] == "relation"}
    patterns |= {DESCRIPTION if claim["true"] == "none" else PLACE for claim in wrong if claim["kind"] == "place"}
    patterns |= {DESCRIPTION for claim in wrong if claim["kind"] in _LOOKS}
    every = range(1, boxes + 1)
    if set(every) - set(relevant) and considered_boxes(steps, every) >= set(every):
        patterns.add(EXHAUSTIVE)
    return patterns


def considered_boxes(steps: Sequence[str], boxes: Sequence[int]) -> set[int]:
    """The boxes that steps mention otherwise than to set them aside."""
    looked_at: set[int] = set()
    for step in steps:
        named = {number for mention in mentions(step, False) for number in mention.numbers}
        looked_at |= named - set(dismissed_boxes(step, list(boxes)))
    return looked_at


SCORES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("checkable", "right_steps"), (0.0, 10_000.0)),
    **dict.fromkeys((f"error_{name}" for name in PATTERNS), (0.0, 1.0)),
}
"""The scores that a rule gives the steps of a rationale, with the range of each."""


class CheckedStep(NamedTuple):
    """A step, what it claims, and whether all of that is right; `None` where it claims nothing that can be checked."""

    text: str
    claims: tuple[StepClaim, ...]
    right: bool | None

    @property
    def wrong(self) -> tuple[StepClaim, ...]:
        """The claims that are not so."""
        return tuple(claim for claim in self.claims if claim["value"] != claim["true"])


def check_steps(
    steps: Sequence[str], graph: Mapping[str, Json] | None, relevant: Sequence[int] | None = None
) -> list[CheckedStep]:
    """Each step with its claims, and whether it is right: all of its claims are, and it has one.

    >>> mug = {"name": "mug", "color": "red", "material": "metal", "size": "small", "box": [0, 0, 9, 9], "number": 1}
    >>> [each.right for each in
    ...  check_steps(["It is a room.", "R1 shows a mug.", "It is green."], {"things": [mug], "relations": []})]
    [None, True, False]
    """
    made = []
    for step, claims in zip(steps, claims_of_steps(steps, graph, relevant), strict=True):
        right = all(claim["value"] == claim["true"] for claim in claims) if claims else None
        made.append(CheckedStep(step, tuple(claims), right))
    return made


def step_scores(
    steps: Sequence[str], graph: Mapping[str, Json] | None, relevant: Sequence[int], boxes: int
) -> dict[str, float]:
    """The scores of `SCORES` for the steps of a rationale; none without a graph.

    `graph` has the numbers of the boxes as they are shown; `relevant` are the numbers of those that matter, of `boxes`.
    """
    if graph is None:
        return {}
    every = check_steps(steps, graph, relevant)
    scores = {"checkable": sum(each.right is not None for each in every), "right_steps": sum(map(_is_right, every))}
    patterns = errors_of(steps, [claim for each in every for claim in each.claims], relevant, boxes)
    return {
        **{name: float(min(value, 10_000)) for name, value in scores.items()},
        **{f"error_{name}": float(name in patterns) for name in PATTERNS},
    }


def _is_right(step: CheckedStep) -> bool:
    return step.right is True


def renumber_graph(graph: Mapping[str, Json] | None, stored: Sequence[int]) -> dict[str, Json] | None:
    """A graph with the numbers of a view, whose boxes are, in their order, those with the numbers `stored`.

    A thing whose box the view does not show has no number.

    >>> renumber_graph({"things": [{"name": "mug", "number": 4}], "relations": []}, [2, 4])["things"]
    [{'name': 'mug', 'number': 2}]
    """
    if graph is None:
        return None
    numbers = {old: new for new, old in enumerate(stored, start=1)}
    things = [{**thing, "number": numbers.get(thing["number"])} for thing in graph["things"]]
    return {**graph, "things": things}
