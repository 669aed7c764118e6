"""A user's raw clips as a set to annotate, with what tables say of them; clips of several scenes as clips of one."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count, groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.media.clips.scenes import scene_cuts
from veridical.media.clips.write import encode_clip
from veridical.media.decode import Clip, decode
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imports import ExcludedItem, Import, ImportItem
from veridical.stimulus_set.imports.item import content_of
from veridical.stimulus_set.imports.write_import import CLIP_NOT_OPENED
from veridical.suite.releases import UnusableItemError, tables_in, text_of, use_each
from veridical.suites.hocabench.annotate.design import DESCRIPTION, FACTORS, FAMILY, NAME, QUESTION, RAW
from veridical.suites.hocabench.releases.release import Clips
from veridical.suites.hocabench.releases.rows import NO_CLIP, REPEATED, RIGHTS, SLICES
from veridical.suites.hocabench.releases.tables import FORMS, AnnotationRecord, records

KEPT = (DESCRIPTION, "prompt", *SLICES)
"""Columns beside the clip's name that are kept."""
ABOUT: dict[str, Json] = {
    "source": "clips on the user's disk",
    "license": "not stated",
    "attribution": "not stated",
    "may_be_passed_on": None,
}
SHORT = "a scene that is too short"


def read_videos(place: Path) -> Import:
    """All clips of a folder, with what its tables say of them.

    Clips that cannot be opened are left out with the reason, as are rows without a clip. Raises `InputError` for a
    place that is no folder or has no clip.
    """
    if not place.is_dir():
        raise InputError(f"{place} is no folder: a folder of clips is needed")
    clips = Clips(place)
    cells, left_out = cells_by_clip(place, clips)
    numbers = count(1)

    def item(file: Path) -> ImportItem:
        clips.facts(file)
        return _item(file, _path(place, file), cells.get(file.resolve(), {}), next(numbers))

    items, unusable = use_each(((_path(place, file), file) for file in clips.files), item)
    left_out += unusable
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


def cells_by_clip(place: Path, clips: Clips) -> tuple[dict[Path, Mapping[str, str]], list[ExcludedItem]]:
    """What tables in the folder say of each clip, and the rows that say it of none."""
    cells: dict[Path, Mapping[str, str]] = {}

    def read(record: AnnotationRecord) -> None:
        wanted = ("clip", *KEPT, *RIGHTS)
        texts = {key: text_of(value, key) for key, value in record.cells.items() if key in wanted}
        if not texts.get("clip"):
            raise UnusableItemError(NO_CLIP, "the key 'file' is missing")
        file = clips.file(texts.pop("clip")).resolve()
        if file in cells:
            raise UnusableItemError(REPEATED, f"{file.name} is described already")
        cells[file] = texts

    listed = (record for table in tables_in(place, FORMS)[1] for record in records(table))
    _, left_out = use_each(((record.place, record) for record in listed), read)
    return cells, left_out


def _path(place: Path, file: Path) -> str:
    return file.relative_to(place).as_posix()


def _item(file: Path, path: str, texts: Mapping[str, str], number: int) -> ImportItem:
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
    return ImportItem(record=record, files=(file,), places=(f"media/{FAMILY}/{index}",), rights=rights)


class SceneSplit(NamedTuple):
    """How many clips were read and how many scenes written, and what was left out."""

    clips: int
    scenes: int
    left_out: Sequence[ExcludedItem]

    @property
    def reasons(self) -> Mapping[str, int]:
        """How many were left out for each kind of reason."""
        return dict(Counter(each.reason for each in self.left_out))


def split(place: Path, out: Path, *, shortest: float = 2.0) -> SceneSplit:
    """The scenes of all clips of a folder, in a new or empty folder `out` that `veridical import videos` reads.

    A clip of one scene is copied byte for byte; scenes of others are encoded anew, without sound. A table in `out` has
    for each scene the clip that it is from, its begin and end there in seconds, and what the tables of the folder say
    of that clip, except descriptions of clips of several scenes, which may be about another scene. Scenes of less than
    `shortest` seconds are left out. Raises `InputError` where there is no clip or PySceneDetect is missing.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is no new or empty folder: choose another")
    clips = Clips(place)
    if not clips.files:
        raise InputError(f"{place} holds no clip")
    cells, left_out = cells_by_clip(place, clips)
    rows: list[Mapping[str, str]] = []
    for number, file in enumerate(clips.files, start=1):
        try:
            clips.facts(file)
            for row in _scenes(file, out, number, Fraction(shortest), left_out):
                texts = cells.get(file.resolve(), {})
                kept = texts if row["whole"] else {key: texts[key] for key in texts if key != KEPT[0]}
                rows.append({**kept, **row, "from": _path(place, file)})
        except UnusableItemError as error:
            left_out.append(ExcludedItem(_path(place, file), error.reason, error.detail))
    if not rows:
        raise InputError(f"no scene of {place} can be used; the first: {left_out[0].detail}")
    write_whole(out / "scenes.csv", _table(rows).encode())
    return SceneSplit(len(clips.files), len(rows), left_out)


def _scenes(
    file: Path, out: Path, number: int, shortest: Fraction, left_out: list[ExcludedItem]
) -> Iterator[Mapping[str, str]]:
    """Writes the scenes of a clip, and gives the row of each."""
    content = content_of(file)
    try:
        clip = decode(content, str(file))
        assert isinstance(clip, Clip)
        cuts = scene_cuts(clip)
        if not cuts:
            name = f"{number:05d}{file.suffix.lower()}"
            write_whole(out / name, content)
            yield _row(name, Fraction(0), clip.duration, whole=True)
            return
        if clip.rate is None:
            raise UnusableItemError(
                "a clip of several scenes without a constant rate",
                f"{file}: {len(cuts) + 1} scenes, and frames that are unevenly spaced",
            )
        bounds = list(pairwise((Fraction(0), *cuts, clip.duration)))
        frames = groupby(clip.frames(), key=lambda frame: sum(frame.time >= cut for cut in cuts))
        for place, group in frames:
            start, end = bounds[place]
            if end - start < shortest:
                detail = f"{file}: scene {place + 1} takes {float(end - start):.2f} s: {float(shortest):g} s are needed"
                left_out.append(ExcludedItem(f"{file.name}, scene {place + 1}", SHORT, detail))
                continue
            name = f"{number:05d}-{place + 1:02d}.mp4"
            write_whole(out / name, encode_clip((frame.pixels for frame in group), clip.rate))
            yield _row(name, start, end, whole=False)
    except UnusableItemError:
        raise
    except InputError as error:
        if "PySceneDetect" in str(error):
            raise
        raise UnusableItemError(CLIP_NOT_OPENED, str(error)) from error


def _row(name: str, start: Fraction, end: Fraction, *, whole: bool) -> Mapping[str, str]:
    return {"file": name, "begin": f"{float(start):.6f}", "end": f"{float(end):.6f}", "whole": "1" if whole else ""}


def _table(rows: Sequence[Mapping[str, str]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, ("file", "from", "begin", "end", *KEPT, *RIGHTS), extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
