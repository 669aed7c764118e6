"""The four patterns of errors that the paper finds in failed reasoning (section 5.3), by rule on our scenes."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.answers.region_mentions import mentions
from veridical.suites.magic.language.dismissals import dismissed
from veridical.suites.magic.stimuli import Claim

EXHAUSTIVE, PLACE, RELATION, DESCRIPTION = PATTERNS = ("exhaustive", "place", "relation", "description")
_LOOKS = ("color", "material", "size")


def errors_of(steps: Sequence[str], claims: Sequence[Claim], relevant: Sequence[int], boxes: int) -> set[str]:
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
    if set(every) - set(relevant) and considered(steps, every) >= set(every):
        patterns.add(EXHAUSTIVE)
    return patterns


def considered(steps: Sequence[str], boxes: Sequence[int]) -> set[int]:
    """The boxes that steps mention otherwise than to set them aside."""
    looked_at: set[int] = set()
    for step in steps:
        named = {number for mention in mentions(step, False) for number in mention.numbers}
        looked_at |= named - set(dismissed(step, list(boxes)))
    return looked_at
