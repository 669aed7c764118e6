"""The clip of a released item: its video, or its frames as a clip."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise
from math import ceil
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.clips.write import encode_clip
from veridical.media.decode import decode_picture
from veridical.stimulus_set.imports import EmbeddedFile
from veridical.stimulus_set.imports.item import content_of
from veridical.stimulus_set.imports.write_import import CLIP_NOT_OPENED
from veridical.suite.releases import OUTSIDE, SHOWN, UnusableItemError, clip_facts, clips_by_name, errors_as, file_in
from veridical.suites.magicbench.releases.timeline import TimelineEntry, place_at

_FOLDERS = ("", "final_clips_dataset", "frames", "videos", "clips")
"""Where videos and folders of frames are looked for."""
_FASTEST = 60
"""The highest rate, in frames per second, of a clip that is made of frames."""
_ALONE = Fraction(1, 4)
"""How long a single frame is shown, in seconds."""


class ReleaseFilm(NamedTuple):
    """The file of a clip, or how its bytes are made; its size in px and its duration in seconds."""

    file: Path | EmbeddedFile
    width: int
    height: int
    duration: Fraction

    @property
    def made(self) -> bool:
        """Whether the clip is made of frames."""
        return isinstance(self.file, EmbeddedFile)


class Films:
    """The clips of one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def film(self, video: str, folder: str, entries: Sequence[TimelineEntry]) -> ReleaseFilm:
        """The clip of an item: its video where there is one, else its frames.

        Raises `UnusableItemError` where there is neither, where a frame is missing or cannot be opened, and for a
        clip that is too long.
        """
        file = self._file(video) if video else None
        if file is not None:
            return ReleaseFilm(file, *clip_facts(file))
        if not entries or not any(entry.name for entry in entries):
            what = f"there is no file '{video[:SHOWN]}'" if video else "the key 'video_filename' is missing"
            raise UnusableItemError("no clip and no frames", f"{what}, and there are no frames")
        files = [self._frame(folder, entry.name) if entry.name else None for entry in entries]
        whole = [file for file in files if file is not None]
        if len(whole) < len(files):
            first = entries[files.index(None)].name
            count = f"{len(files) - len(whole):,} of {len(files):,} frames are missing"
            raise UnusableItemError("missing frames", f"{count}, the first is '{first[:SHOWN]}'")
        return _of_frames(whole, entries)

    def _file(self, name: str) -> Path | None:
        endings = _endings(name)
        paths = ["/".join((*filter(None, (folder,)), *parts)) for parts in endings for folder in _FOLDERS]
        file = file_in(self.root, (f"{path}{suffix}" for path in paths for suffix in ("", ".mp4")))
        same = self._by_name.get(endings[-1][-1], []) if file is None else []
        return same[0] if len(same) == 1 else file

    def _frame(self, folder: str, name: str) -> Path | None:
        inner = [*(_endings(folder) if folder else ()), ()]
        paths = ("/".join((*filter(None, (root,)), *parts, *_endings(name)[0])) for parts in inner for root in _FOLDERS)
        return file_in(self.root, paths)

    @cached_property
    def _by_name(self) -> Mapping[str, list[Path]]:
        return clips_by_name(self.root)


def _endings(name: str) -> list[tuple[str, ...]]:
    """A path as it may stand in a folder: whole, then without its first parts, as for one of another machine.

    >>> _endings("D:\\\\frames\\\\magic_1")
    [('frames', 'magic_1'), ('magic_1',)]
    """
    parts = tuple(part for part in re.split(r"[\\/]+", name) if part not in ("", "."))
    if ".." in parts or "\0" in name:
        raise UnusableItemError(OUTSIDE, f"{name[:SHOWN]!r} is no path inside the folder")
    parts = tuple(part for part in parts if not re.fullmatch(r"[A-Za-z]:", part))
    if not parts:
        raise UnusableItemError(OUTSIDE, f"{name[:SHOWN]!r} names no file")
    return [parts[start:] for start in range(len(parts))]


def _of_frames(files: Sequence[Path], entries: Sequence[TimelineEntry]) -> ReleaseFilm:
    """The clip of frames: each is shown from its time on, at the rate at which the nearest two follow each other."""
    with errors_as(CLIP_NOT_OPENED):
        height, width = _picture(files[0]).shape[:2]
    rate, count = slots(entries)

    def frames() -> Iterator[NDArray[np.uint8]]:
        shown = (place_at(entries, float((slot + Fraction(1, 2)) / rate)) for slot in range(count))
        for at, repeats in groupby(shown):
            pixels = _picture(files[at])
            if pixels.shape[:2] != (height, width):
                raise InputError(f"{files[at]} has another size than the first frame, {width}x{height}")
            yield from (pixels[: height - height % 2, : width - width % 2] for _ in repeats)

    file = EmbeddedFile(f"the frames from {files[0].name} on", lambda: encode_clip(frames(), rate))
    return ReleaseFilm(file, width - width % 2, height - height % 2, count / rate)


def slots(entries: Sequence[TimelineEntry]) -> tuple[Fraction, int]:
    """The rate of a clip that is made of frames, per second, and its number of frames.

    >>> slots([TimelineEntry(time, "a.jpg", None) for time in (0.0, 0.5, 1.5)])
    (Fraction(2, 1), 4)
    """
    gaps = [Fraction(two.time - one.time).limit_denominator(1000) for one, two in pairwise(entries)]
    gap = max(min(gaps, default=_ALONE), Fraction(1, _FASTEST))
    return 1 / gap, max(1, ceil(Fraction(entries[-1].time).limit_denominator(1000) / gap) + 1)


def _picture(file: Path) -> NDArray[np.uint8]:
    return decode_picture(content_of(file), str(file))
