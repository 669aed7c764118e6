"""The annotations of a release as records: JSON, JSON Lines or CSV, with the keys that releases use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from veridical.errors import InputError
from veridical.records import Json
from veridical.suite.releases import frame_in, json_lines, objects_in, readable, strict_json

FORMS = (".json", ".jsonl", ".csv", ".tsv")
_LARGEST = 256 * 2**20
KEYS: dict[str, tuple[str, ...]] = {
    "index": ("question_id", "id", "index", "video_id", "uid"),
    "clip": ("video", "video_path", "video_name", "video_file", "file", "file_name", "filename", "path", "clip"),
    "type": ("type", "layer"),
    "category": ("category", "domain"),
    "sub_category": ("sub_category", "subcategory", "sub_type", "subtype", "sub_categories", "sub_types"),
    "scene_description": ("scene_description", "scene"),
    "anomaly_phenomenon": ("anomaly_phenomenon", "anomaly", "anomaly_description"),
    "interaction_judgment": ("interaction_judgment", "interaction_judgement", "interaction"),
    "normal_phenomenon": ("normal_phenomenon", "normal"),
    "source_model": ("source_model", "model", "generator", "source"),
    "prompt": ("prompt", "text_prompt"),
    "theme": ("theme",),
    "scene_type": ("scene_type",),
    "intervals": ("intervals", "interval", "time_intervals", "timestamps", "segments", "temporal_grounding"),
    "start": ("start", "start_time"),
    "end": ("end", "end_time"),
    "task": ("task", "subset", "task_type", "split"),
    "question": ("question",),
    "options": ("options", "choices"),
    "answer": ("answer",),
    "distractors": ("distractors",),
    "real": ("real", "is_real"),
    "description": ("description", "caption"),
    "license": ("license",),
    "attribution": ("attribution",),
}
"""What a record has, with the keys that releases use for it; the first that a record fills counts."""
_LISTS = ("anomalies", "annotations", "labels", "annotation")
"""Keys whose value is a list of anomalies of one clip, or one such object."""
_HOLDING = ("data", "annotations", "items", "videos", "samples")
_KNOWN = {own: key for key, names in KEYS.items() for own in names}


class AnnotationRecord(NamedTuple):
    """An annotation as it stands in a table: its place for messages, and its cells by the names of `KEYS`.

    `parts` are the anomalies of one clip, where they are listed. `unused` are keys that nothing reads, `table` is the
    stem of the file.
    """

    place: str
    cells: Mapping[str, Json]
    parts: tuple[Mapping[str, Json], ...]
    unused: tuple[str, ...]
    table: str


def records(path: Path) -> Iterator[AnnotationRecord]:
    """The records of a table, in order; raises `InputError` where it cannot be read as its form, or holds none."""
    suffix = path.suffix.lower()
    if suffix == ".jsonl":
        rows = list(json_lines(path, _LARGEST, strict_json))
    elif suffix == ".json":
        rows = list(objects_in(path, _listed(path)))
    else:
        cells = frame_in(path, _LARGEST).iter_rows(named=True)
        rows = [(f"{path.name}, row {number}", row) for number, row in enumerate(cells, start=1)]
    if not rows:
        raise InputError(f"{path} holds no annotation")
    for place, row in rows:
        yield _record(place, row, path.stem)


def _record(place: str, row: Mapping[str, Json], table: str) -> AnnotationRecord:
    listed = {key: value for key, value in row.items() if _bare(key) in _LISTS and isinstance(value, list | dict)}
    cells, unused = _cells({key: value for key, value in row.items() if key not in listed})
    parts: list[Mapping[str, Json]] = []
    for value in listed.values():
        for part in value if isinstance(value, list) else [value]:
            inner, more = _cells(part) if isinstance(part, dict) else ({"sub_category": part}, ())
            parts.append(inner)
            unused += more
    if len(parts) == 1:
        return AnnotationRecord(place, {**parts[0], **cells}, (), unused, table)
    return AnnotationRecord(place, cells, tuple(parts), unused, table)


def _cells(row: Mapping[str, Json]) -> tuple[dict[str, Json], tuple[str, ...]]:
    named: dict[str, tuple[int, Json]] = {}
    unused = []
    for name, value in row.items():
        key = _KNOWN.get(_bare(name))
        if key is None:
            unused.append(name)
        elif value not in (None, [], {}) and (not isinstance(value, str) or value.strip()):
            rank = KEYS[key].index(_bare(name))
            named[key] = min(named.get(key, (rank, value)), (rank, value), key=lambda each: each[0])
    return {key: value for key, (_, value) in named.items()}, tuple(unused)


def _bare(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.strip().casefold()).strip("_")


def _listed(path: Path) -> list[Json]:
    with readable(path, _LARGEST):
        whole = strict_json(path.read_bytes())
    if isinstance(whole, dict):
        inner = next((whole[key] for key in _HOLDING if isinstance(whole.get(key), list)), None)
        one = inner is None and not all(isinstance(value, dict) for value in whole.values())
        whole = [whole] if one else inner if inner is not None else [_by_clip(key, whole[key]) for key in whole]
    if not isinstance(whole, list):
        raise InputError(f"{path}: a list of objects is needed, or one object by the name of each clip")
    return whole


def _by_clip(name: str, row: dict[str, Json]) -> dict[str, Json]:
    return row if any(_KNOWN.get(_bare(key)) == "clip" for key in row) else {"video": name, **row}
