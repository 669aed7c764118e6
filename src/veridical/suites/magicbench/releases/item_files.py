"""The files of a release: those with items, which count, and results and summaries, which are not read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from veridical.base.places import in_order
from veridical.errors import InputError
from veridical.records import Json
from veridical.suites.magicbench.releases.cells import first_of, loaded

_FOLDERS = ("", "data", "annotations", "dataset_samples")
_ITEM = ("video_filename", "visual_timeline", "frames_folder")
_RESULT = ("model_output", "model_prediction", "raw_output", "judge_result")
ITEMS, RESULTS, OTHER = "items", "results", "neither items nor results"


class Record(NamedTuple):
    """An item as it stands in a file, and its place for messages."""

    place: str
    cells: Mapping[str, Json]


class ItemFiles(NamedTuple):
    """The folder of a release, its items in order, the files that they are from, and the files that are not read."""

    root: Path
    records: Sequence[Record]
    files: Sequence[str]
    not_read: Mapping[str, str]


def item_files(place: Path) -> ItemFiles:
    """The items of a folder, or of one file.

    Results of models and summaries beside the items are named, with what they are, and count for nothing. Raises
    `InputError` where there are no items, a file of a folder is no JSON, or two files have items of the same id.
    """
    if not place.is_dir():
        return ItemFiles(place.parent, list(_records(place, loaded(place))), [place.name], {})
    folders = [place / name for name in _FOLDERS if (place / name).is_dir()]
    paths = [path for folder in folders for path in in_order(folder.glob("*.json")) if path.is_file()]
    held: dict[Path, list[Record]] = {}
    not_read: dict[str, str] = {}
    for path in paths:
        content = loaded(path)
        kind = kind_of(content)
        if kind == ITEMS:
            held[path] = list(_records(path, content))
        else:
            not_read[path.relative_to(place).as_posix()] = kind
    if not held:
        raise InputError(f"{place} holds no JSON file with items (id, video_filename, visual_timeline)")
    _require_apart(held)
    return ItemFiles(
        place, [each for records in held.values() for each in records], [path.name for path in held], not_read
    )


def kind_of(content: Json) -> str:
    """What a JSON file holds, by the keys of its objects.

    >>> kind_of([{"id": "a", "visual_timeline": []}]), kind_of({"Total": {"count": 302}})
    ('items', 'neither items nor results')
    """
    rows = [row for row in rows_of(content) if isinstance(row, dict)]
    if any(key in row for row in rows for key in _RESULT):
        return RESULTS
    return ITEMS if any(key in row for row in rows for key in _ITEM) else OTHER


def rows_of(content: Json) -> Sequence[Json]:
    """The rows of a file: those of a list, or the values of an object, or of the list that it holds."""
    if isinstance(content, dict):
        inner = next((content[key] for key in ("data", "items", "samples") if isinstance(content.get(key), list)), None)
        return inner if inner is not None else list(content.values())
    return content if isinstance(content, list) else []


def _records(path: Path, content: Json) -> Iterator[Record]:
    rows = rows_of(content)
    if not rows:
        raise InputError(f"{path}: a list of items is needed")
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise InputError(f"{path}, item {number}: an object is needed")
        yield Record(f"{path.name}, item {number}", row)


def _require_apart(held: Mapping[Path, Sequence[Record]]) -> None:
    taken: dict[str, Path] = {}
    for path, records in held.items():
        for name in dict.fromkeys(first_of(record.cells, "id", "video_id") for record in records):
            if name is not None and str(name) in taken:
                both = f"{taken[str(name)].name} and {path.name}"
                raise InputError(f"{both} both have the item '{str(name)[:60]}': name one of the files")
            taken[str(name)] = path
