"""A user's raw clips as a set to annotate, with the descriptions that some of them may have."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from veridical.base.places import in_order
from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imported import Import, Item, LeftOut
from veridical.suites.hocabench.annotate.design import FACTORS, FAMILY, NAME, QUESTION, RAW
from veridical.suites.hocabench.annotate.progress import DESCRIPTION
from veridical.suites.hocabench.releases.cells import text_of
from veridical.suites.hocabench.releases.clips import Clips
from veridical.suites.hocabench.releases.reasons import NO_CLIP, REPEATED, UnusableError
from veridical.suites.hocabench.releases.rows import RIGHTS, SLICES
from veridical.suites.hocabench.releases.tables import FORMS, records

KEPT = (DESCRIPTION, "prompt", *SLICES)
"""Columns beside the clip's name that are kept."""
ABOUT: dict[str, Json] = {
    "source": "clips on the user's disk",
    "license": "not stated",
    "attribution": "not stated",
    "may_be_passed_on": None,
}


def read_videos(place: Path) -> Import:
    """All clips of a folder, with what its tables say of them.

    Clips that cannot be opened are left out with the reason, as are rows without a clip. Raises `InputError` for a
    place that is no folder or has no clip.
    """
    if not place.is_dir():
        raise InputError(f"{place} is no folder: a folder of clips is needed")
    clips = Clips(place)
    cells, left_out = described(place, clips)
    items: list[Item] = []
    for file in clips.files:
        path = file.relative_to(place).as_posix()
        try:
            clips.facts(file)
        except UnusableError as error:
            left_out.append(LeftOut(path, error.reason, error.detail))
        else:
            items.append(_item(file, path, cells.get(file.resolve(), {}), len(items) + 1))
    if not items and not left_out:
        raise InputError(f"{place} holds no clip")
    return Import(
        name="videos",
        title="Clips to annotate",
        suite=NAME,
        items=items,
        about=ABOUT,
        facts={"described": sum(item.record.truth.get(DESCRIPTION) is not None for item in items)},
        left_out=left_out,
        factors=FACTORS,
        kinds=("video",),
    )


def described(place: Path, clips: Clips) -> tuple[dict[Path, Mapping[str, str]], list[LeftOut]]:
    """What tables in the folder say of each clip, and the rows that say it of none."""
    tables = [path for path in in_order(place.iterdir()) if path.suffix.lower() in FORMS and path.name[0] != "."]
    cells: dict[Path, Mapping[str, str]] = {}
    left_out = []
    for record in (record for table in tables if table.is_file() for record in records(table)):
        try:
            texts = {key: text_of(value, key, record.place) for key, value in record.cells.items() if key in _READ}
            if not texts.get("clip"):
                raise UnusableError(NO_CLIP, f"{record.place}: the key 'file' is missing")
            file = clips.file(texts.pop("clip"), record.place).resolve()
            if file in cells:
                raise UnusableError(REPEATED, f"{record.place}: {file.name} is described already")
            cells[file] = texts
        except UnusableError as error:
            left_out.append(LeftOut(record.place, error.reason, error.detail))
    return cells, left_out


_READ = ("clip", *KEPT, *RIGHTS)


def _item(file: Path, path: str, texts: Mapping[str, str], number: int) -> Item:
    index = f"{number:05d}"
    described = {key: texts[key] for key in KEPT if texts.get(key)}
    record = Stimulus(
        id=f"{FAMILY}/{index}/{RAW}",
        suite=NAME,
        family=FAMILY,
        unit=f"{FAMILY}/{index}",
        variant=RAW,
        category=FAMILY,
        question=QUESTION,
        label=None,
        seed=0,
        factors={"described": DESCRIPTION in described},
        truth={"imported": "videos", "file": path, **described},
    )
    rights = {key: texts[key] for key in RIGHTS if texts.get(key)}
    return Item(record=record, files=(file,), places=(f"media/{FAMILY}/{index}",), rights=rights)
