"""A record of a release, normalized: what is annotated, when, and which options describe it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

import numpy as np

from veridical.records import Json
from veridical.suites.hocabench.names import domain_named, interaction_named, layer_named, sub_type_named
from veridical.suites.hocabench.releases.cells import (
    CONTRADICTED,
    LACKING,
    NO_INDEX,
    SUB_TYPE,
    TEXT,
    UnusableError,
    intervals_of,
    text_of,
    texts_of,
)
from veridical.suites.hocabench.releases.tables import Record
from veridical.suites.hocabench.stimuli import Anomaly, Options
from veridical.suites.hocabench.taxonomy import SUB_TYPES

Kind = Literal["violating", "panels", "sequence", "real"]
NEEDED = ("scene_description", "anomaly_phenomenon", "normal_phenomenon")
OPTIONAL = ("type", "category", "interaction_judgment")
"""Annotated keys that a clip with one anomaly needs, and those that may be missing, which is counted."""
SLICES = ("source_model", "theme", "scene_type")
RIGHTS = ("license", "attribution")
NO_OPTIONS = "its options cannot be used: four different ones with the true answer among them are needed"
_LONGEST_INDEX, _SHOWN, _OPTIONS = 100, 60, 4
_TASKS: dict[str, Kind] = {
    **dict.fromkeys(("multi", "panels", "several"), "panels"),
    **dict.fromkeys(("grounding", "temporal", "sequence", "sequences"), "sequence"),
    "single": "violating",
}
_REAL = re.compile(r"real(?:[\W_]*(?:world|videos?|clips?))*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An annotation of a clip; `lacking` are optional keys that it does not have, `doubts` what could not be used."""

    place: str
    kind: Kind
    sub_types: tuple[str, ...]
    anomaly: Anomaly | None
    intervals: tuple[tuple[float, float], ...]
    options: Options | None
    question: str | None
    description: str | None
    prompt: str | None
    slices: Mapping[str, str | None]
    rights: Mapping[str, str]
    lacking: tuple[str, ...]
    doubts: tuple[str, ...]


def index_of(record: Record, number: int) -> str:
    """The index of a record, or `number` where it has none; raises `UnusableError` for one that is no name."""
    if "index" not in record.cells:
        return str(number)
    text = text_of(record.cells["index"], "index", record.place)
    if not text or len(text) > _LONGEST_INDEX or not text.isprintable() or set("/?&") & set(text):
        allowed = f"1 to {_LONGEST_INDEX} characters without / ? & are allowed"
        raise UnusableError(NO_INDEX, f"{record.place}: index {text[:_SHOWN]!r}: {allowed}")
    return text


def row_of(record: Record, index: str) -> Row:
    """The row of a record; raises `UnusableError` for one whose truth is not clear."""
    place, cells = record.place, record.cells

    def read(key: str) -> str:
        return text_of(cells.get(key), key, place)

    listed = tuple(dict.fromkeys(name for part in (cells, *record.parts) for name in _sub_types(part, place)))
    intervals = [pair for part in (cells, *record.parts) for pair in intervals_of(part, place)]
    kind = _kind(record, read, listed, len(intervals))
    if kind != "real" and not listed:
        raise UnusableError(LACKING, f"{place}: the key 'sub_category' is missing")
    if kind == "sequence" and not intervals:
        raise UnusableError(LACKING, f"{place}: the key 'intervals' is missing")
    if kind == "panels" and len(listed) < 2:
        raise UnusableError(LACKING, f"{place}: several anomalies are annotated, but one sub-type is named")
    anomaly = _anomaly(read, listed, place) if kind == "violating" else None
    options, doubts = _options(cells, anomaly, index, place) if anomaly else (None, ())
    return Row(
        place=place,
        kind=kind,
        sub_types=listed,
        anomaly=anomaly,
        intervals=tuple(intervals),
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


def _sub_types(cells: Mapping[str, Json], place: str) -> list[str]:
    names = []
    for text in texts_of(cells.get("sub_category"), "sub_category", place):
        name = sub_type_named(text)
        if name is None:
            known = ", ".join(SUB_TYPES)
            raise UnusableError(SUB_TYPE, f"{place}: sub-type '{text[:_SHOWN]}': {known} are known")
        names.append(name)
    return names


def _kind(record: Record, read: Callable[[str], str], listed: tuple[str, ...], intervals: int) -> Kind:
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


def _anomaly(read: Callable[[str], str], listed: tuple[str, ...], place: str) -> Anomaly:
    """The only anomaly of a record, whose type and category go with its sub-type."""
    if len(listed) != 1:
        raise UnusableError(TEXT, f"{place}: one anomaly is annotated, but {len(listed)} sub-types are named")
    for key in NEEDED:
        if not read(key):
            raise UnusableError(LACKING, f"{place}: the key '{key}' is missing")
    kind = SUB_TYPES[listed[0]]
    for key, named, true in (
        ("type", layer_named(read("type")), kind.layer),
        ("category", domain_named(read("category")), kind.domain),
    ):
        if read(key) and named != true:
            raise UnusableError(CONTRADICTED, f"{place}: {key} '{read(key)[:_SHOWN]}': {kind.title} is of {true}")
    return Anomaly(
        sub_type=kind.name,
        scene=read("scene_description"),
        anomaly=read("anomaly_phenomenon"),
        normal=read("normal_phenomenon"),
        interaction=interaction_named(read("interaction_judgment")),
    )


def _options(
    cells: Mapping[str, Json], anomaly: Anomaly, index: str, place: str
) -> tuple[Options | None, tuple[str, ...]]:
    """The options of Task III: listed with an answer, or the true description among distractors, shuffled by index."""
    texts = texts_of_lines(cells.get("options"), "options", place)
    true = text_of(cells.get("answer"), "answer", place)
    distractors = texts_of_lines(cells.get("distractors"), "distractors", place)
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
    return Options(texts=tuple(texts), true=true, sub_types=kinds), ()


def texts_of_lines(value: Json, what: str, place: str) -> list[str]:
    """The texts of a cell that may hold commas: a list, a list as JSON, or lines; leading letters are left out.

    >>> texts_of_lines("A. It rises, slowly.\\nB. It melts.", "options", "row 1")
    ['It rises, slowly.', 'It melts.']
    """
    if isinstance(value, str) and value.strip()[:1] not in ("[", "{"):
        value = [line for line in value.splitlines() if line.strip()]
    texts = texts_of(value, what, place)
    lettered = [re.fullmatch(rf"\(?{letter}[.):]\s*(.+)", text, re.DOTALL) for letter, text in zip("ABCD", texts)]  # noqa: B905
    return [match[1] for match in lettered if match] if texts and all(lettered) else texts
