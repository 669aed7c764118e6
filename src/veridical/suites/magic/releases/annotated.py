"""The annotated format: one JSON object a line, a question with its picture, boxes, and a chain of labeled steps.

`docs/files.md` states the format.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path, PurePosixPath

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.records import Box, Json, Stimulus, canonical
from veridical.suites.magic.regions.choose import Numbering, area, overlap
from veridical.suites.magic.regions.pipeline import clip
from veridical.suites.magic.releases.items import (
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
from veridical.suites.magic.stimuli import PHOTO, Chain, Step

LINES, ABOUT, PICTURES = "annotated.jsonl", "about.json", "pictures"
"""The files of an annotated folder: the records, where they are from, and the folder of pictures."""
ANNOTATED = "annotated"
"""The kind of a chain that a model wrote."""
RIGHTS = ("source", "license", "attribution", "may_be_passed_on")


def record_of(stimulus: Stimulus) -> dict[str, Json]:
    """A stimulus as a record of the annotated format, less what is null; `read_annotated` gives it back.

    Of its chains the first that a model wrote counts. Scenes of ours become pictures like any other: their graph and
    their rule are not part of the format.
    """
    truth = stimulus.truth
    relevant = set(truth["relevant"])
    chain = next((chain for chain in truth["chains"] if chain["kind"] == ANNOTATED), None)
    record = {
        "id": stimulus.id.rpartition("/")[2],
        "picture": _picture_of(stimulus),
        "type": stimulus.category,
        "question": stimulus.question,
        "short_answer": truth["short"],
        "full_answer": truth["full"],
        "boxes": [{"box": box, "relevant": number in relevant} for number, box in enumerate(truth["boxes"], 1)],
        "chain": chain and {"by": chain["by"], "steps": [_labeled(step) for step in chain["steps"]]},
        "portion": stimulus.factors.get("portion"),
        "taken_from": stimulus.factors.get("taken_from"),
    }
    return {key: value for key, value in record.items() if value is not None}


def chain_of(by: str, texts: Sequence[str]) -> Chain:
    """The chain of steps of a model's that nobody has labeled.

    >>> chain_of("model-x", ["I look at R1."])["steps"][0]["correct"] is None
    True
    """
    steps: list[Step] = [{"text": text, "correct": None, "correction": None, "claims": []} for text in texts]
    return {"kind": "annotated", "by": by, "steps": steps}


def write_annotated(
    stimuli: Sequence[Stimulus], read: Callable[[str], bytes], folder: Path, about: Mapping[str, Json]
) -> None:
    """Writes stimuli as an annotated folder; `read` gives the bytes of a medium, `about` says where they are from.

    The same stimuli give the same bytes; the records are written last. Raises `InputError` where two pictures have one
    name, or the folder cannot be written.
    """
    pictures: dict[str, bytes] = {}
    try:
        for stimulus in stimuli:
            name, content = _picture_of(stimulus), read(stimulus.media[0].file)
            if pictures.setdefault(name, content) != content:
                raise InputError(f"{stimulus.id}: another picture is '{name}' already")
        for name, content in pictures.items():
            write_whole(folder / name, content)
        text = json.dumps(dict(about), indent=2, ensure_ascii=False, sort_keys=True)
        write_whole(folder / ABOUT, f"{text}\n".encode())
        write_whole(folder / LINES, "".join(f"{canonical(record_of(each))}\n" for each in stimuli).encode())
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}") from error


def _labeled(step: Mapping[str, Json]) -> dict[str, Json]:
    return {"text": step["text"], "correct": step["correct"], "correction": step["correction"]}


def _picture_of(stimulus: Stimulus) -> str:
    """The path of a stimulus's picture in an annotated folder: the name of its unit."""
    suffix = PurePosixPath(stimulus.media[0].file).suffix
    return f"{PICTURES}/{stimulus.unit.removeprefix(f'{PHOTO}/')}{suffix}"


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
        if not area(box) or clip(box, size) != box:
            shown = list(box)
            raise UnusableError(BAD_BOX, f"{where}: R{number}, {shown}, is empty or not in {size[0]}x{size[1]} px")
        boxes.append(box)
        relevant += [number] if each["relevant"] else []
    for (one, box), (two, other) in combinations(enumerate(boxes, 1), 2):
        if overlap(box, other):
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
