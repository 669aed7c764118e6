"""The boxes and the chain of an annotated record, checked."""

from __future__ import annotations

import math
from itertools import combinations

from veridical.records import Box, Json
from veridical.suites.magic.regions.choose import Numbering, area, shared
from veridical.suites.magic.regions.pipeline import clipped
from veridical.suites.magic.releases.reasons import (
    BAD_BOX,
    BAD_STEP,
    INCOMPLETE,
    NO_BOXES,
    NO_RELEVANT,
    NO_STEPS,
    OVERLAPPING,
    UnusableError,
    text_of,
)
from veridical.suites.magic.stimuli import Chain, Step

MOST_BOXES, MOST_STEPS = 99, 1000
"""How many boxes a record, and how many steps its chain may have."""
_CORNERS = 4


def numbering_of(value: Json, size: tuple[int, int], where: str) -> Numbering:
    """The boxes of a record, the first is R1, in a picture of this (width, height).

    Raises `UnusableError` where one is empty or outside the picture, two overlap, or none is relevant.
    """
    if not isinstance(value, list) or not 0 < len(value) <= MOST_BOXES:
        raise UnusableError(NO_BOXES, f"{where}: 'boxes' is a list of 1 to {MOST_BOXES} boxes")
    boxes, relevant = [], []
    for number, each in enumerate(value, 1):
        box = _box(each.get("box")) if isinstance(each, dict) else None
        if box is None or not isinstance(each.get("relevant"), bool):
            example = '{"box": [x0, y0, x1, y1], "relevant": true}'
            raise UnusableError(BAD_BOX, f"{where}: R{number} is not as in {example}")
        if not area(box) or clipped(box, size) != box:
            shown = list(box)
            raise UnusableError(BAD_BOX, f"{where}: R{number}, {shown}, is empty or not in {size[0]}x{size[1]} px")
        boxes.append(box)
        relevant += [number] if each["relevant"] else []
    for (one, box), (two, other) in combinations(enumerate(boxes, 1), 2):
        if shared(box, other):
            raise UnusableError(OVERLAPPING, f"{where}: R{one} and R{two} overlap")
    if not relevant:
        raise UnusableError(NO_RELEVANT, f"{where}: no box is relevant")
    return Numbering(boxes, relevant, [number for number in range(1, len(boxes) + 1) if number not in relevant])


def _box(value: Json) -> Box | None:
    numbers = [each for each in value if type(each) in (int, float)] if isinstance(value, list) else []
    if len(numbers) != _CORNERS or not all(math.isfinite(each) for each in numbers):
        return None
    return Box(*map(math.floor, numbers[:2]), *map(math.ceil, numbers[2:]))


def chain_in(value: Json, where: str) -> Chain | None:
    """The chain of a record, which may have none; raises `UnusableError` for one without steps, or a step of no use."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise UnusableError(INCOMPLETE, f"{where}: 'chain' is an object with 'by' and 'steps'")
    steps = value.get("steps")
    if not isinstance(steps, list) or not steps:
        raise UnusableError(NO_STEPS, f"{where}: its chain has no steps")
    if len(steps) > MOST_STEPS:
        raise UnusableError(BAD_STEP, f"{where}: its chain has {len(steps):,} steps: at most {MOST_STEPS:,} are read")
    by = text_of(value.get("by"), "by", where) or None
    return {"kind": "annotated", "by": by, "steps": [_step(step, k, where) for k, step in enumerate(steps, 1)]}


def _step(value: Json, number: int, where: str) -> Step:
    """A step; one that is labeled wrong has its correction, and no other has one."""
    values = value if isinstance(value, dict) else {}
    text = text_of(values.get("text"), "text", where)
    correct, correction = values.get("correct"), text_of(values.get("correction"), "correction", where) or None
    if not text or correct not in (True, False, None) or not (correct is None or isinstance(correct, bool)):
        raise UnusableError(BAD_STEP, f"{where}: step {number} lacks its text, or 'correct' is not true, false or null")
    if (correct is False) != (correction is not None):
        has = "no correction, but is wrong" if correction is None else "a correction, but is not wrong"
        raise UnusableError(BAD_STEP, f"{where}: step {number} has {has}")
    return {"text": text, "correct": correct, "correction": correction, "claims": []}
