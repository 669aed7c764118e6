"""The files of GQA and AiR-D in a folder: where they stand, and scene graphs and questions read from them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, Field

from veridical.errors import InputError
from veridical.records import Box, Json
from veridical.suite.releases import FilledText, model_from, readable
from veridical.suites.magic.releases.items import NO_ANSWER, QUESTION_REASONS, name_of
from veridical.suites.magic.stimuli import QuestionType


def members(path: Path) -> Iterator[tuple[str, Json]]:
    """The members of a file that holds one JSON object, one after another: not all of them stand in memory at a time.

    Raises `InputError` where the file cannot be read or holds anything else.
    """
    decoder, space = json.JSONDecoder(), re.compile(r"[\s,]*")
    with readable(path, 4 * 2**30):
        text = path.read_text("utf-8")
        at = text.find("{") + 1
        if not at or text[: at - 1].strip():
            raise ValueError("no object")
        while text[at := space.match(text, at).end()] != "}":  # type: ignore[union-attr]
            name, at = decoder.raw_decode(text, at)
            colon = text.index(":", at)
            if not isinstance(name, str) or text[at:colon].strip():
                raise ValueError("no member")
            value, at = decoder.raw_decode(text, space.match(text, colon + 1).end())  # type: ignore[union-attr]
            yield name, value


GRAPHS = "val_sceneGraphs.json"
QUESTIONS = ("val_balanced_questions.json", "val_all_questions.json")
"""The files of questions; the first that is there is read."""
PICTURES = "images"
MAPS = "fixmaps_corr"
"""AiR-D's folder of saliency maps of correct answers (in `aggregated_maps`), a picture named by each question's id."""
OTHER_MAPS = ("fixmaps", "fixmaps_incorr")
PICTURES_OF_VAL = 10_696
"""How many scene graphs GQA's val split has."""

_DEPTH, _FARTHEST = 4, 10**6
_OTHER_SPLITS = re.compile(r"(train|test|testdev|challenge|submission)_\w*(questions|sceneGraphs)\w*(\.json)?")


class Files(NamedTuple):
    """The files in a folder; `maps` is `None` where there is no saliency, `others` are files of other splits."""

    graphs: Path
    questions: Path
    pictures: Path
    maps: Path | None
    others: list[str]


class GqaGraph(NamedTuple):
    """The scene graph of a picture: its size in pixels, and the box of each object by its id."""

    width: int
    height: int
    boxes: dict[str, Box]


class GqaQuestion(NamedTuple):
    """A question of GQA with the ids of the objects that it and its answer are about."""

    id: str
    picture: str
    kind: str
    text: str
    short: str
    full: str
    objects: frozenset[str]


def files_in(folder: Path, *, saliency: bool) -> Files:
    """The files of GQA in a folder, in any folder inside it, and with `saliency` AiR-D's maps.

    Raises `InputError` with one line that names what is missing.
    """
    if not folder.is_dir():
        needed = "GQA's files and AiR-D's are needed in one" if saliency else "GQA's files are needed in one"
        raise InputError(f"{folder} is no folder: {needed}")
    places: dict[str, Path] = {}
    others = []
    wanted = {GRAPHS, *QUESTIONS, PICTURES, MAPS, *OTHER_MAPS}
    for path, folders, names in os.walk(folder):
        inside = Path(path)
        for name in sorted([*names, *folders]):
            if name in wanted and (name in folders) == (name in {PICTURES, MAPS, *OTHER_MAPS}):
                places.setdefault(name, inside / name)
            elif _OTHER_SPLITS.fullmatch(name):
                others.append((inside / name).relative_to(folder).as_posix())
        deep = len(inside.relative_to(folder).parts) >= _DEPTH
        folders[:] = [] if deep else sorted(name for name in folders if name not in wanted)
    _require(folder, places, others, saliency=saliency)
    questions = next(places[name] for name in QUESTIONS if name in places)
    return Files(places[GRAPHS], questions, places[PICTURES], places.get(MAPS), sorted(others))


def _require(folder: Path, places: dict[str, Path], others: list[str], *, saliency: bool) -> None:
    missing = [] if GRAPHS in places else [GRAPHS]
    missing += [] if any(name in places for name in QUESTIONS) else [" or ".join(QUESTIONS)]
    missing += [] if PICTURES in places else [f"the folder '{PICTURES}'"]
    if saliency and MAPS not in places:
        present = [name for name in OTHER_MAPS if name in places]
        only = f" (only {' and '.join(present)}; maps of correct answers alone are used)" if present else ""
        missing.append(f"AiR-D's folder '{MAPS}'{only}")
    if missing:
        split = f"; {', '.join(sorted(others)[:3])} of another split cannot stand for it" if others else ""
        raise InputError(f"{folder} lacks {', '.join(missing)}{split}")


def graphs_of(path: Path) -> dict[str, GqaGraph]:
    """The scene graphs of pictures by the pictures' ids.

    Objects without a box are passed over. Raises `InputError` for a file that is none of scene graphs, and for one with
    more pictures than the val split has, in which another split is mixed.
    """
    graphs: dict[str, GqaGraph] = {}
    for picture, value in members(path):
        if len(graphs) == PICTURES_OF_VAL:
            raise InputError(
                f"{path} has more than {PICTURES_OF_VAL:,} pictures, the val split's: another split is mixed in"
            )
        content: Mapping[str, Json] = value if isinstance(value, dict) else {}
        sides = [side for side in (content.get("width"), content.get("height")) if isinstance(side, int) and side > 0]
        objects = content.get("objects")
        if not isinstance(objects, dict) or len(sides) < 2:
            raise InputError(
                f"{path}: picture '{picture[:40]}' has no width, height and objects: no scene graph of GQA"
            )
        boxes = {name: _box(thing) for name, thing in objects.items()}
        graphs[picture] = GqaGraph(sides[0], sides[1], {name: box for name, box in boxes.items() if box is not None})
    return graphs


class _Types(BaseModel):
    structural: QuestionType


class _QuestionRecord(BaseModel):
    types: _Types
    question: FilledText
    answer: FilledText
    full_answer: FilledText = Field(alias="fullAnswer")


_REASONS = {**QUESTION_REASONS, "types": QUESTION_REASONS["type"], **dict.fromkeys(("answer", "fullAnswer"), NO_ANSWER)}


def question_of(name: str, value: Json) -> GqaQuestion:
    """A question from its record; raises `UnusableError` for one that is incomplete or of an unknown type."""
    record = model_from(_QuestionRecord, value, _REASONS)
    return GqaQuestion(
        id=name_of(name, "id"),
        picture=name_of(value.get("imageId"), "imageId"),
        kind=record.types.structural,
        text=record.question,
        short=record.answer.lower(),
        full=record.full_answer,
        objects=objects_of(value),
    )


def objects_of(value: Json) -> frozenset[str]:
    """The ids of the objects that a question is annotated with, in its words, its answers and its program.

    >>> program = [{"operation": "relate", "argument": "cart,near,s (1039872)"}, {"argument": "mug (-)"}]
    >>> sorted(objects_of({"annotations": {"question": {"2": "1039893"}, "answer": {}}, "semantic": program}))
    ['1039872', '1039893']
    """
    annotations = value.get("annotations") if isinstance(value, dict) else None
    program = value.get("semantic") if isinstance(value, dict) else None
    texts = [
        text
        for part in (annotations.values() if isinstance(annotations, dict) else ())
        for text in (part.values() if isinstance(part, dict) else ())
    ]
    for step in program if isinstance(program, list) else ():
        argument = step.get("argument") if isinstance(step, dict) else None
        texts += re.findall(r"\(([\d, ]{1,500})\)", argument) if isinstance(argument, str) else []
    return frozenset(name for text in texts if isinstance(text, str) for name in re.findall(r"\w+", text))


def _box(thing: Json) -> Box | None:
    sides = [thing.get(name) for name in "xywh"] if isinstance(thing, dict) else []
    whole: list[int] = [side for side in sides if isinstance(side, int) and abs(side) < _FARTHEST]
    if len(whole) < len("xywh"):
        return None
    x, y, width, height = whole
    return Box(x, y, x + width, y + height)
