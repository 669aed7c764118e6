"""The annotated format: one JSON object a line, a question with its picture, boxes, and a chain of labeled steps.

`docs/files.md` states the format.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, get_args

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StrictBool, StrictStr

from veridical.base.files import write_whole
from veridical.base.path_checks import sort_paths
from veridical.errors import InputError
from veridical.records import Box, Json, Stimulus, canonical
from veridical.stimulus_set.imports import Import, ImportItem
from veridical.stimulus_set.imports.item import content_of, file_inside
from veridical.suite.releases import (
    SHOWN,
    TEXT,
    FilledText,
    Text,
    UnusableItemError,
    file_in,
    json_lines,
    model_from,
    use_each,
)
from veridical.suites.magic.regions.choose import Numbering, area, overlap
from veridical.suites.magic.regions.pipeline import clip
from veridical.suites.magic.releases.items import NO_ANSWER, NO_PICTURE, QUESTION_REASONS, name_of, photo, picture_size
from veridical.suites.magic.stimuli import FACTORS, NAME, PHOTO, Chain, ChainKind, QuestionType, Step

LINES, ABOUT, PICTURES = "annotated.jsonl", "about.json", "pictures"
"""The files of an annotated folder: the records, where they are from, and the folder of pictures."""
ANNOTATED: ChainKind = "annotated"
"""The kind of a chain that a model wrote."""
_STEP = ("text", "correct", "correction")
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
        "chain": chain and {"by": chain["by"], "steps": [{key: step[key] for key in _STEP} for step in chain["steps"]]},
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
    return {"kind": ANNOTATED, "by": by, "steps": steps}


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


def _picture_of(stimulus: Stimulus) -> str:
    """The path of a stimulus's picture in an annotated folder: the name of its unit."""
    suffix = PurePosixPath(stimulus.media[0].file).suffix
    return f"{PICTURES}/{stimulus.unit.removeprefix(f'{PHOTO}/')}{suffix}"


MOST_BOXES, MOST_STEPS = 99, 1000
"""How many boxes a record, and how many steps its chain may have."""
Portion = Literal["dev", "test", "weak"]
PORTIONS: tuple[str, ...] = get_args(Portion)
_LARGEST, _LONGEST_RIGHT = 2**30, 1000
_USUAL: dict[str, Json] = {
    "source": "records annotated as MagiC's are, from a copy on disk",
    "license": "not stated",
    "attribution": "the authors of MagiC, and of the pictures",
    "may_be_passed_on": None,
}
_BAD_BOX, _BAD_STEP = "an empty box or one outside the picture", "a step that cannot be used"
_REASONS = {
    **QUESTION_REASONS,
    **dict.fromkeys(("short_answer", "full_answer"), NO_ANSWER),
    "boxes": "no boxes",
    **dict.fromkeys(("boxes.box", "boxes.relevant"), _BAD_BOX),
    "chain.by": TEXT,
    "chain.steps": "a chain of zero steps",
    **{f"chain.steps.{name}": _BAD_STEP for name in _STEP},
}
_Corner = Annotated[float, Field(strict=True, allow_inf_nan=False)]


class _RecordBox(BaseModel):
    box: tuple[_Corner, _Corner, _Corner, _Corner]
    relevant: StrictBool


class _RecordStep(BaseModel):
    text: FilledText
    correct: StrictBool | None = None
    correction: Text = ""


class _RecordChain(BaseModel):
    by: StrictStr | None = None
    steps: list[_RecordStep] = Field(min_length=1)


class AnnotatedRecord(BaseModel):
    """A record of the annotated format; of the names that a field may have, the first that is there counts.

    Names are checked where the picture is looked for.
    """

    model_config = ConfigDict(loc_by_alias=False)

    question: FilledText
    short_answer: FilledText = Field(validation_alias=AliasChoices("short_answer", "answer"))
    full_answer: FilledText = Field(validation_alias=AliasChoices("full_answer", "fullAnswer"))
    type: QuestionType = Field(validation_alias=AliasChoices("type", "question_type"))
    picture: Text = Field("", validation_alias=AliasChoices("picture", "image", "image_path"))
    chain: _RecordChain | None = None
    id: Json = Field(None, validation_alias=AliasChoices("id", "question_id"))
    boxes: list[_RecordBox] = Field(min_length=1, max_length=MOST_BOXES)
    portion: Portion | None = None
    taken_from: Literal["release", "gqa", "weak", "generator"] | None = None


def read_annotated(place: Path) -> Import:
    """The records of a file of JSON Lines, or of those in a folder, with the pictures in the same folder.

    A record that cannot be used is left out with the reason. Raises `InputError` where no record is found, and for a
    line that is no JSON object.
    """
    root = place if place.is_dir() else place.parent
    files = sort_paths(path for path in place.glob("*.jsonl") if path.is_file()) if place.is_dir() else [place]
    ids: dict[str, str] = {}

    def use(raw: tuple[str, dict[str, Json]]) -> ImportItem:
        where, value = raw
        item = _item(root, model_from(AnnotatedRecord, value, _REASONS))
        first = ids.setdefault(item.record.id, where)
        if first != where:
            raise UnusableItemError("an id that is repeated", f"the id of {first}")
        return item

    items, left_out = use_each(((raw[0], raw) for path in files for raw in json_lines(path, _LARGEST)), use)
    if not items and not left_out:
        raise InputError(f"{place} holds no record (.jsonl); GQA's files are read by 'veridical import gqa'")
    return Import(
        name=NAME,
        title="MagiC, annotated records",
        suite=NAME,
        items=items,
        about={**_USUAL, **_about(root)},
        facts={"files": [path.name for path in files]},
        left_out=left_out,
        factors=FACTORS,
        kinds=("image",),
    )


def _item(root: Path, record: AnnotatedRecord) -> ImportItem:
    """The item of a record, whose picture lies in the folder `root`; raises `UnusableItemError` for one of no use."""
    file = file_in(root, [record.picture]) if record.picture else None
    if file is None:
        raise UnusableItemError(NO_PICTURE, f"there is no file '{record.picture[:SHOWN]}'")
    # The name of a picture is its path without the folder of pictures and the suffix.
    parts = PurePosixPath(record.picture).with_suffix("").parts
    parts = parts[1:] if parts[0] in {PICTURES, "images"} and len(parts) > 1 else parts
    name = "/".join(name_of(part, "picture") for part in parts)
    made = photo(
        picture=name,
        identity=name_of(record.id, "id"),
        kind=record.type,
        question=record.question,
        short=record.short_answer.lower(),
        full=record.full_answer,
        numbering=_numbering(record.boxes, picture_size(file)),
        chains=[_chain(record.chain)] if record.chain else [],
        factors={"portion": record.portion, "taken_from": record.taken_from or "release"},
    )
    return ImportItem(record=made, files=(file,), places=(f"media/{name}",))


def _numbering(stated: Sequence[_RecordBox], size: tuple[int, int]) -> Numbering:
    """The boxes of a record, the first is R1, in a picture of this (width, height).

    Raises `UnusableItemError` where one is empty or outside the picture, two overlap, or none is relevant.
    """
    boxes = [Box(*map(math.floor, each.box[:2]), *map(math.ceil, each.box[2:])) for each in stated]
    for number, box in enumerate(boxes, 1):
        if not area(box) or clip(box, size) != box:
            detail = f"R{number}, {list(box)}, is empty or not in {size[0]}x{size[1]} px"
            raise UnusableItemError(_BAD_BOX, detail)
    for (one, box), (two, other) in combinations(enumerate(boxes, 1), 2):
        if overlap(box, other):
            raise UnusableItemError("overlapping boxes", f"R{one} and R{two} overlap")
    relevant = [number for number, each in enumerate(stated, 1) if each.relevant]
    if not relevant:
        raise UnusableItemError("no relevant box", "no box is relevant")
    return Numbering(boxes, relevant, [number for number in range(1, len(boxes) + 1) if number not in relevant])


def _chain(stated: _RecordChain) -> Chain:
    """The chain of a record; raises `UnusableItemError` unless the wrong steps are those that have a correction."""
    if len(stated.steps) > MOST_STEPS:
        detail = f"its chain has {len(stated.steps):,} steps: at most {MOST_STEPS:,} are read"
        raise UnusableItemError(_BAD_STEP, detail)
    steps: list[Step] = []
    for number, step in enumerate(stated.steps, 1):
        if (step.correct is False) != bool(step.correction):
            has = "a correction, but is not wrong" if step.correction else "no correction, but is wrong"
            raise UnusableItemError(_BAD_STEP, f"step {number} has {has}")
        correction = step.correction or None
        steps.append({"text": step.text, "correct": step.correct, "correction": correction, "claims": []})
    return {"kind": ANNOTATED, "by": (stated.by or "").strip() or None, "steps": steps}


def _about(root: Path) -> dict[str, Json]:
    """What a folder says of its source and rights, where it does."""
    path = file_inside(root, ABOUT)
    if path is None:
        return {}
    try:
        about = json.loads(content_of(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no JSON that can be read") from error
    kept = {key: about.get(key) for key in RIGHTS} if isinstance(about, dict) else {}
    texts = {key: value for key, value in kept.items() if isinstance(value, str) and len(value) <= _LONGEST_RIGHT}
    passed_on = kept.get("may_be_passed_on")
    return {**texts, "may_be_passed_on": passed_on if isinstance(passed_on, bool) else None}
