"""Clips of several scenes as clips of one scene each, with what tables say of them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.media.clips.scenes import scene_cuts
from veridical.media.clips.write import encode_clip
from veridical.media.decode import Clip, decode
from veridical.stimulus_set.imported import LeftOut
from veridical.stimulus_set.imported.files_inside import content_of
from veridical.suites.hocabench.annotate.videos import KEPT, described
from veridical.suites.hocabench.releases.clips import Clips
from veridical.suites.hocabench.releases.reasons import BROKEN, UnusableError
from veridical.suites.hocabench.releases.rows import RIGHTS

SHORT = "a scene that is too short"
UNEVEN = "a clip of several scenes without a constant rate"
TABLE = "scenes.csv"


class Split(NamedTuple):
    """How many clips were read and how many scenes written, and what was left out."""

    clips: int
    scenes: int
    left_out: Sequence[LeftOut]

    @property
    def reasons(self) -> Mapping[str, int]:
        """How many were left out for each kind of reason."""
        return dict(Counter(each.reason for each in self.left_out))


def split(place: Path, out: Path, *, shortest: float = 2.0) -> Split:
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
    cells, left_out = described(place, clips)
    rows: list[Mapping[str, str]] = []
    for number, file in enumerate(clips.files, start=1):
        try:
            clips.facts(file)
            for row in _scenes(file, out, number, Fraction(shortest), left_out):
                texts = cells.get(file.resolve(), {})
                kept = texts if row["whole"] else {key: texts[key] for key in texts if key != KEPT[0]}
                rows.append({**kept, **row, "from": file.relative_to(place).as_posix()})
        except UnusableError as error:
            left_out.append(LeftOut(file.relative_to(place).as_posix(), error.reason, error.detail))
    if not rows:
        raise InputError(f"no scene of {place} can be used; the first: {left_out[0].detail}")
    write_whole(out / TABLE, _table(rows).encode())
    return Split(len(clips.files), len(rows), left_out)


def _scenes(
    file: Path, out: Path, number: int, shortest: Fraction, left_out: list[LeftOut]
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
            raise UnusableError(UNEVEN, f"{file}: {len(cuts) + 1} scenes, and frames that are unevenly spaced")
        bounds = list(pairwise((Fraction(0), *cuts, clip.duration)))
        frames = groupby(clip.frames(), key=lambda frame: sum(frame.time >= cut for cut in cuts))
        for place, group in frames:
            start, end = bounds[place]
            if end - start < shortest:
                detail = f"{file}: scene {place + 1} takes {float(end - start):.2f} s: {float(shortest):g} s are needed"
                left_out.append(LeftOut(f"{file.name}, scene {place + 1}", SHORT, detail))
                continue
            name = f"{number:05d}-{place + 1:02d}.mp4"
            write_whole(out / name, encode_clip((frame.pixels for frame in group), clip.rate))
            yield _row(name, start, end, whole=False)
    except InputError as error:
        if "PySceneDetect" in str(error):
            raise
        raise UnusableError(BROKEN, str(error)) from error


def _row(name: str, start: Fraction, end: Fraction, *, whole: bool) -> Mapping[str, str]:
    return {"file": name, "begin": f"{float(start):.6f}", "end": f"{float(end):.6f}", "whole": "1" if whole else ""}


def _table(rows: Sequence[Mapping[str, str]]) -> str:
    columns = ["file", "from", "begin", "end", *KEPT, *RIGHTS]
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerows([columns, *([row.get(column, "") for column in columns] for row in rows)])
    return text.getvalue()
