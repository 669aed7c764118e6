"""A record of a release, normalized: what is annotated, when, and which options describe it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from string import ascii_uppercase
from typing import Literal
from zlib import crc32

import numpy as np

from veridical.records import Json
from veridical.suite.releases import SHOWN, TEXT, UnusableItemError, number_of, text_of, without_letters
from veridical.suites.hocabench.names import domain_named, interaction_named, layer_named, sub_type_named
from veridical.suites.hocabench.releases.tables import AnnotationRecord
from veridical.suites.hocabench.stimuli import Anomaly, TaskOptions
from veridical.suites.hocabench.taxonomy import SUB_TYPES

Kind = Literal["violating", "panels", "sequence", "real"]
NEEDED = ("scene_description", "anomaly_phenomenon", "normal_phenomenon")
OPTIONAL = ("type", "category", "interaction_judgment")
"""Annotated keys that a clip with one anomaly needs, and those that may be missing, which is counted."""
SLICES = ("source_model", "theme", "scene_type")
RIGHTS = ("license", "attribution")
NO_CLIP, REPEATED, LACKING = "no clip is named", "a repeated annotation", "a missing key"
INTERVAL = "an interval that ends before it starts"
NO_OPTIONS = "its options cannot be used: four different ones with the true answer among them are needed"
_OPTIONS = 4
_TASKS: dict[str, Kind] = {
    **dict.fromkeys(("multi", "panels", "several"), "panels"),
    **dict.fromkeys(("grounding", "temporal", "sequence", "sequences"), "sequence"),
    "single": "violating",
}
_REAL = re.compile(r"real(?:[\W_]*(?:world|videos?|clips?))*")
_NUMBER = r"(-?\d{1,9}(?:\.\d{1,9})?)"
_PAIR = re.compile(rf"[\[(]?\s*{_NUMBER}\s*s?\s*(?:-|–|to|,)\s*{_NUMBER}\s*s?\s*[\])]?")
_SLACK = Fraction(1, 10)
"""By how many seconds a rounded end may exceed the clip; the interval then ends with the clip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """An annotation of a clip; `lacking` are optional keys that it does not have, `doubts` what could not be used."""

    kind: Kind
    sub_types: tuple[str, ...]
    anomaly: Anomaly | None
    intervals: list[tuple[float, float]]
    options: TaskOptions | None
    question: str | None
    description: str | None
    prompt: str | None
    slices: Mapping[str, str | None]
    rights: Mapping[str, str]
    lacking: tuple[str, ...]
    doubts: tuple[str, ...]


def annotation_of(record: AnnotationRecord, index: str) -> Annotation:
    """The annotation of a record; raises `UnusableItemError` for one whose truth is not clear."""
    cells = record.cells

    def read(key: str) -> str:
        return text_of(cells.get(key), key)

    listed = tuple(dict.fromkeys(name for part in (cells, *record.parts) for name in _sub_types(part)))
    intervals = [pair for part in (cells, *record.parts) for pair in intervals_of(part)]
    kind = _kind(record, read, listed, len(intervals))
    if kind != "real" and not listed:
        raise UnusableItemError(LACKING, "the key 'sub_category' is missing")
    if kind == "sequence" and not intervals:
        raise UnusableItemError(LACKING, "the key 'intervals' is missing")
    if kind == "panels" and len(listed) < 2:
        raise UnusableItemError(LACKING, "several anomalies are annotated, but one sub-type is named")
    anomaly = _anomaly(read, listed) if kind == "violating" else None
    options, doubts = _options(cells, anomaly, index) if anomaly else (None, ())
    return Annotation(
        kind=kind,
        sub_types=listed,
        anomaly=anomaly,
        intervals=intervals,
        options=options,
        question=read("question") or None,
        description=read("description") or read("scene_description") or None,
        prompt=read("prompt") or None,
        slices={key: read(key) or None for key in SLICES},
        rights={key: read(key) for key in RIGHTS if read(key)},
        lacking=tuple(key for key in OPTIONAL if anomaly and not read(key)),
        doubts=doubts,
    )


def is_real(text: str) -> bool:
    """Whether a type, a task or the name of a folder or table means real clips.

    >>> [is_real(text) for text in ("Real", "real-world videos", "realistic", "")]
    [True, True, False, False]
    """
    return _REAL.fullmatch(text.strip().casefold()) is not None


def texts_of(value: Json, what: str) -> list[str]:
    """The texts of a cell: a list, a list as JSON text, or text with commas, semicolons or bars between.

    >>> texts_of("Gravity Anomaly; Collision Anomaly", "sub_category")
    ['Gravity Anomaly', 'Collision Anomaly']
    """
    value = _as_json(value)
    if isinstance(value, dict):
        value = list(value.values())
    parts = value if isinstance(value, list) else re.split(r"[;,|]", text_of(value, what))
    return [text for part in parts if (text := text_of(part, what))]


def intervals_of(cells: Mapping[str, Json]) -> list[tuple[float, float]]:
    """The intervals of a record, in seconds; raises `UnusableItemError` for one that cannot be read or ends early.

    >>> intervals_of({"intervals": "1.5-4; 5 to 6"}), intervals_of({"start": "1", "end": 2.5})
    ([(1.5, 4.0), (5.0, 6.0)], [(1.0, 2.5)])
    """
    value = _as_json(cells.get("intervals"))
    if value is None and ("start" in cells or "end" in cells):
        value = [cells.get("start"), cells.get("end")]
    if isinstance(value, str):
        pairs = [_PAIR.fullmatch(part.strip()) for part in value.split(";") if part.strip()]
        if not all(pairs):
            raise UnusableItemError(INTERVAL, f"interval '{value[:SHOWN]}': START-END in seconds is needed")
        value = [[pair[1], pair[2]] for pair in pairs if pair]
    is_pair = isinstance(value, list) and len(value) == 2 and not any(isinstance(each, list | dict) for each in value)
    listed = value if isinstance(value, list) and not is_pair else [] if value is None else [value]
    return [_interval(each) for each in listed]


def clip_intervals(intervals: list[tuple[float, float]], duration: Fraction) -> list[tuple[float, float]]:
    """The intervals, none of which leaves the clip; an end that is rounded up is that of the clip.

    Raises `UnusableItemError` for an interval outside.
    """
    for start, end in intervals:
        if start < 0 or start >= duration or end > duration + _SLACK:
            detail = f"interval {start:g} to {end:g} s: the clip takes {float(duration):g} s"
            raise UnusableItemError("an interval outside the clip", detail)
    return [(start, min(end, float(duration))) for start, end in intervals]


def _interval(value: Json) -> tuple[float, float]:
    if isinstance(value, dict):
        value = [value.get("start", value.get("start_time")), value.get("end", value.get("end_time"))]
    numbers = [number_of(each) for each in value] if isinstance(value, list) else []
    start, end = numbers if len(numbers) == 2 else (None, None)
    if start is None or end is None:
        raise UnusableItemError(INTERVAL, f"interval {str(value)[:SHOWN]!r}: two numbers of seconds are needed")
    if end <= start:
        raise UnusableItemError(INTERVAL, f"interval {start:g} to {end:g} s: the end must be after the start")
    return start, end


def _as_json(value: Json) -> Json:
    """The list or object that text holds as JSON; any other value unchanged."""
    if not isinstance(value, str) or value.strip()[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _sub_types(cells: Mapping[str, Json]) -> list[str]:
    names = []
    for text in texts_of(cells.get("sub_category"), "sub_category"):
        name = sub_type_named(text)
        if name is None:
            known = ", ".join(SUB_TYPES)
            raise UnusableItemError("an unknown sub-type", f"sub-type '{text[:SHOWN]}': {known} are known")
        names.append(name)
    return names


def _kind(record: AnnotationRecord, read: Callable[[str], str], listed: tuple[str, ...], intervals: int) -> Kind:
    """What a record annotates: as it states, else as its table is called, else by what it has."""
    if read("real").casefold() in ("1", "true", "yes") or is_real(read("type")):
        return "real"
    for text in (read("task"), record.table):
        words = re.findall(r"[a-z]+", text.casefold())
        if is_real(text):
            return "real"
        stated = next((_TASKS[word] for word in words if word in _TASKS), None)
        if stated is not None and "choice" not in words:
            return stated
    if len(listed) > 1 and not intervals:
        return "panels"
    whole = all(read(key) for key in NEEDED)
    return "sequence" if intervals > 1 or len(listed) > 1 or (intervals and not whole) else "violating"


def _anomaly(read: Callable[[str], str], listed: tuple[str, ...]) -> Anomaly:
    """The only anomaly of a record, whose type and category go with its sub-type."""
    if len(listed) != 1:
        raise UnusableItemError(TEXT, f"one anomaly is annotated, but {len(listed)} sub-types are named")
    for key in NEEDED:
        if not read(key):
            raise UnusableItemError(LACKING, f"the key '{key}' is missing")
    kind = SUB_TYPES[listed[0]]
    for key, named, true in (
        ("type", layer_named(read("type")), kind.layer),
        ("category", domain_named(read("category")), kind.domain),
    ):
        if read(key) and named != true:
            detail = f"{key} '{read(key)[:SHOWN]}': {kind.title} is of {true}"
            raise UnusableItemError("a type or category of another sub-type", detail)
    return Anomaly(
        sub_type=kind.name,
        scene=read("scene_description"),
        anomaly=read("anomaly_phenomenon"),
        normal=read("normal_phenomenon"),
        interaction=interaction_named(read("interaction_judgment")),
    )


def _options(cells: Mapping[str, Json], anomaly: Anomaly, index: str) -> tuple[TaskOptions | None, tuple[str, ...]]:
    """The options of Task III: listed with an answer, or the true description among distractors, shuffled by index."""
    texts, true = texts_of_lines(cells.get("options"), "options"), text_of(cells.get("answer"), "answer")
    distractors = texts_of_lines(cells.get("distractors"), "distractors")
    if not texts and not distractors:
        return None, ()
    if not texts:
        true = anomaly.anomaly
        order = np.random.default_rng(crc32(index.encode())).permutation(len(distractors) + 1)
        texts = [(true, *distractors)[k] for k in order]
    elif re.fullmatch(r"\(?[A-Da-d][).]?", true) and len(texts) == _OPTIONS:
        true = texts["ABCD".index(true.strip("().").upper())]
    if len(texts) != _OPTIONS or len({" ".join(text.split()) for text in texts}) != _OPTIONS or true not in texts:
        return None, (NO_OPTIONS,)
    kinds = tuple(anomaly.sub_type if text == true else None for text in texts)
    return TaskOptions(texts=tuple(texts), true=true, sub_types=kinds), ()


def texts_of_lines(value: Json, what: str) -> list[str]:
    """The texts of a cell that may hold commas: a list, a list as JSON, or lines; leading letters are left out.

    >>> texts_of_lines("A. It rises, slowly.\\nB. It melts.", "options")
    ['It rises, slowly.', 'It melts.']
    """
    if isinstance(value, str) and value.strip()[:1] not in ("[", "{"):
        value = [line for line in value.splitlines() if line.strip()]
    texts = texts_of(value, what)
    if len(texts) > len(ascii_uppercase):
        return texts
    return list(without_letters(dict(zip(ascii_uppercase, texts, strict=False))).values())
