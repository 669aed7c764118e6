"""Reading the annotated format: MagiC's published records, or those that our pipeline writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path, PurePosixPath

from veridical.base.places import in_order
from veridical.errors import InputError
from veridical.media.pictures import decode_picture
from veridical.records import Json
from veridical.stimulus_set.imported import Import, Item, LeftOut
from veridical.stimulus_set.imported.item import content_of, inside
from veridical.suites.magic.releases.annotated import ABOUT, PICTURES, RIGHTS, chain_in, numbering_of
from veridical.suites.magic.releases.items import (
    INCOMPLETE,
    NO_ANSWER,
    NO_PICTURE,
    NO_QUESTION,
    PICTURE_UNREADABLE,
    REPEATED,
    TYPE,
    UnusableError,
    name_of,
    photo,
    text_of,
)
from veridical.suites.magic.stimuli import FACTORS, NAME, QUESTION_TYPES

ALIASES: dict[str, tuple[str, ...]] = {
    "id": ("id", "question_id"),
    "picture": ("picture", "image", "image_path"),
    "type": ("type", "question_type"),
    "short_answer": ("short_answer", "answer"),
    "full_answer": ("full_answer", "fullAnswer"),
}
"""Other names for the keys of a record; the first that is there counts."""
RELEASE = "release"
LARGEST = 2**30
"""The maximum number of bytes of a file of records."""
TAKEN_FROM, PORTIONS = (RELEASE, "gqa", "weak", "generator"), ("dev", "test", "weak")
_USUAL: dict[str, Json] = {
    "source": "records annotated as MagiC's are, from a copy on disk",
    "license": "not stated",
    "attribution": "the authors of MagiC, and of the pictures",
    "may_be_passed_on": None,
}
_LONGEST_RIGHT = 1000


def read_annotated(place: Path) -> Import:
    """The records of a file of JSON Lines, or of those in a folder, with the pictures in the same folder.

    A record that cannot be used is left out with the reason. Raises `InputError` where no record is found, for a line
    that is no JSON object, and for a path of a picture that leaves the folder.
    """
    root = place if place.is_dir() else place.parent
    files = in_order(path for path in place.glob("*.jsonl") if path.is_file()) if place.is_dir() else [place]
    items: list[Item] = []
    left_out: list[LeftOut] = []
    ids: dict[str, str] = {}
    for path in files:
        for where, record in _records(path):
            try:
                item = item_of(root, record, where)
                if ids.setdefault(item.record.id, where) != where:
                    raise UnusableError(REPEATED, f"{where}: the id of {ids[item.record.id]}")
                items.append(item)
            except UnusableError as error:
                left_out.append(LeftOut(where, error.reason, error.detail))
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


def item_of(root: Path, record: Mapping[str, Json], where: str) -> Item:
    """The item of a record, whose picture lies in the folder `root`; raises `UnusableError` for one of no use."""
    values = {**record, **{key: next((record[own] for own in names if own in record), None) for key, names in _ALIASES}}
    texts = {key: text_of(values.get(key), key, where) for key in ("question", "short_answer", "full_answer", "type")}
    if not texts["question"]:
        raise UnusableError(NO_QUESTION, f"{where}: the question is empty")
    if not texts["short_answer"] or not texts["full_answer"]:
        raise UnusableError(NO_ANSWER, f"{where}: it lacks its short or its full answer")
    if texts["type"] not in QUESTION_TYPES:
        raise UnusableError(TYPE, f"{where}: type {texts['type'][:40]!r}: {', '.join(QUESTION_TYPES)} are known")
    file, name = _picture(root, values.get("picture"), where)
    chain = chain_in(values.get("chain"), where)
    made = photo(
        picture=name,
        identity=name_of(values.get("id"), "id", where),
        kind=texts["type"],
        question=texts["question"],
        short=texts["short_answer"].lower(),
        full=texts["full_answer"],
        numbering=numbering_of(values.get("boxes"), _size(file, where), where),
        chains=[chain] if chain else [],
        factors={
            "portion": _one_of(values.get("portion"), "portion", PORTIONS, where),
            "taken_from": _one_of(values.get("taken_from"), "taken_from", TAKEN_FROM, where) or RELEASE,
        },
    )
    return Item(record=made, files=(file,), places=(f"media/{name}",))


_ALIASES = tuple(ALIASES.items())


def _records(path: Path) -> Iterator[tuple[str, dict[str, Json]]]:
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST >> 30} GB, the most that is read of records")
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise InputError(f"{path}, line {number}: no JSON that can be read") from error
                if not isinstance(record, dict):
                    raise InputError(f'{path}, line {number}: an object is needed, as in {{"id": "1", …}}')
                yield f"{path.name}, line {number}", record
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _about(root: Path) -> dict[str, Json]:
    """What a folder says of its source and rights, where it does."""
    path = inside(root, ABOUT)
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


def _picture(root: Path, value: Json, where: str) -> tuple[Path, str]:
    """The file of a picture and its name, which is its path without the folder of pictures and the suffix."""
    name = text_of(value, "picture", where)
    try:
        file = inside(root, name) if name else None
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if file is None:
        raise UnusableError(NO_PICTURE, f"{where}: there is no file '{name[:60]}'")
    parts = PurePosixPath(name).with_suffix("").parts
    parts = parts[1:] if parts[0] in {PICTURES, "images"} and len(parts) > 1 else parts
    return file, "/".join(name_of(part, "picture", where) for part in parts)


def _size(file: Path, where: str) -> tuple[int, int]:
    try:
        return _decoded_size(file)
    except InputError as error:
        raise UnusableError(PICTURE_UNREADABLE, f"{where}: {error}") from None


@lru_cache(maxsize=64)
def _decoded_size(file: Path) -> tuple[int, int]:
    height, width, _ = decode_picture(content_of(file), str(file)).shape
    return width, height


def _one_of(value: Json, name: str, levels: tuple[str, ...], where: str) -> str | None:
    if value is None or (isinstance(value, str) and value in levels):
        return str(value) if value is not None else None
    raise UnusableError(INCOMPLETE, f"{where}: {name} {str(value)[:40]!r}: {', '.join(levels)} are known")
