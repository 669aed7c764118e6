"""The clip of a released item: its video, or its frames as a clip."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise
from math import ceil
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.base.places import in_order
from veridical.errors import InputError
from veridical.media.clips.write import encode_clip
from veridical.media.decode import Clip, decode, decode_picture
from veridical.stimulus_set.imported import Embedded
from veridical.stimulus_set.imported.item import content_of, inside
from veridical.suites.magicbench.releases.cells import BROKEN, FRAMES, LONG, MISSING, OUTSIDE, UnusableError
from veridical.suites.magicbench.releases.timeline import LONGEST, Entry, place_at

FOLDERS = ("", "final_clips_dataset", "frames", "videos", "clips")
"""Where videos and folders of frames are looked for."""
SUFFIXES = (".mp4", ".mov", ".webm", ".mkv", ".m4v", ".avi")
"""What counts as a video in a listing of a folder; what the file holds decides whether it can be used."""
FASTEST = 60
"""The highest rate, in frames per second, of a clip that is made of frames."""
_ALONE = Fraction(1, 4)
"""How long a single frame is shown, in seconds."""
_SHOWN = 60


class Film(NamedTuple):
    """The file of a clip, or how its bytes are made; its size in px and its duration in seconds."""

    file: Path | Embedded
    width: int
    height: int
    duration: Fraction

    @property
    def made(self) -> bool:
        """Whether the clip is made of frames."""
        return isinstance(self.file, Embedded)


class Films:
    """The clips of one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def film(self, video: str, folder: str, entries: Sequence[Entry], place: str) -> Film:
        """The clip of an item: its video where there is one, else its frames.

        Raises `UnusableError` where there is neither, where a frame is missing or cannot be opened, and for a clip that
        is too long.
        """
        file = self._file(video, place) if video else None
        if file is not None:
            return _opened(file, place)
        if not entries or not any(entry.name for entry in entries):
            what = f"there is no file '{video[:_SHOWN]}'" if video else "the key 'video_filename' is missing"
            raise UnusableError(MISSING, f"{place}: {what}, and there are no frames")
        files = [self._frame(folder, entry.name, place) if entry.name else None for entry in entries]
        whole = [file for file in files if file is not None]
        if len(whole) < len(files):
            first = entries[files.index(None)].name
            count = f"{len(files) - len(whole):,} of {len(files):,} frames are missing"
            raise UnusableError(FRAMES, f"{place}: {count}, the first is '{first[:_SHOWN]}'")
        return _of_frames(whole, entries, place)

    def _file(self, name: str, place: str) -> Path | None:
        for parts in _endings(name, place):
            for folder in FOLDERS:
                for suffix in ("", ".mp4"):
                    file = self._inside("/".join((*filter(None, (folder,)), *parts)) + suffix, place)
                    if file is not None:
                        return file
        same = self._by_name.get(_endings(name, place)[-1][-1], [])
        return same[0] if len(same) == 1 else None

    def _frame(self, folder: str, name: str, place: str) -> Path | None:
        for parts in [*(_endings(folder, place) if folder else ()), ()]:
            for root in FOLDERS:
                path = "/".join((*filter(None, (root,)), *parts, *_endings(name, place)[0]))
                file = self._inside(path, place)
                if file is not None:
                    return file
        return None

    def _inside(self, path: str, place: str) -> Path | None:
        try:
            return inside(self.root, path)
        except InputError as error:
            raise UnusableError(OUTSIDE, f"{place}: {error}") from None

    @cached_property
    def _by_name(self) -> dict[str, list[Path]]:
        made: dict[str, list[Path]] = {}
        for path in in_order(self.root.rglob("*")):
            if path.suffix.lower() in SUFFIXES and path.is_file() and not path.is_symlink():
                made.setdefault(path.name, []).append(path)
        return made


def _endings(name: str, place: str) -> list[tuple[str, ...]]:
    """A path as it may stand in a folder: whole, then without its first parts, as for one of another machine.

    >>> _endings("D:\\\\frames\\\\magic_1", "item 1")
    [('frames', 'magic_1'), ('magic_1',)]
    """
    parts = tuple(part for part in re.split(r"[\\/]+", name) if part not in ("", "."))
    if ".." in parts or "\0" in name:
        raise UnusableError(OUTSIDE, f"{place}: {name[:_SHOWN]!r} is no path inside the folder")
    parts = tuple(part for part in parts if not re.fullmatch(r"[A-Za-z]:", part))
    if not parts:
        raise UnusableError(OUTSIDE, f"{place}: {name[:_SHOWN]!r} names no file")
    return [parts[start:] for start in range(len(parts))]


def _opened(file: Path, place: str) -> Film:
    try:
        clip = decode(content_of(file), str(file))
    except InputError as error:
        raise UnusableError(BROKEN, f"{place}: {error}") from None
    if not isinstance(clip, Clip) or not clip.duration:
        raise UnusableError(BROKEN, f"{place}: {file.name} is no clip with a duration")
    if clip.duration > LONGEST:
        raise UnusableError(LONG, f"{place}: its clip takes {float(clip.duration):,.0f} s: at most {LONGEST} s")
    return Film(file, clip.width, clip.height, clip.duration)


def _of_frames(files: Sequence[Path], entries: Sequence[Entry], place: str) -> Film:
    """The clip of frames: each is shown from its time on, at the rate at which the nearest two follow each other."""
    try:
        height, width = _picture(files[0]).shape[:2]
    except InputError as error:
        raise UnusableError(BROKEN, f"{place}: {error}") from None
    rate, count = slots(entries)

    def frames() -> Iterator[NDArray[np.uint8]]:
        shown = (place_at(entries, float((slot + Fraction(1, 2)) / rate)) for slot in range(count))
        for at, repeats in groupby(shown):
            pixels = _picture(files[at])
            if pixels.shape[:2] != (height, width):
                raise InputError(f"{files[at]} has another size than the first frame, {width}x{height}")
            yield from (pixels[: height - height % 2, : width - width % 2] for _ in repeats)

    file = Embedded(f"the frames of {place}", lambda: encode_clip(frames(), rate))
    return Film(file, width - width % 2, height - height % 2, count / rate)


def slots(entries: Sequence[Entry]) -> tuple[Fraction, int]:
    """The rate of a clip that is made of frames, per second, and its number of frames.

    >>> slots([Entry(time, "a.jpg", None) for time in (0.0, 0.5, 1.5)])
    (Fraction(2, 1), 4)
    """
    gaps = [Fraction(two.time - one.time).limit_denominator(1000) for one, two in pairwise(entries)]
    gap = max(min(gaps, default=_ALONE), Fraction(1, FASTEST))
    return 1 / gap, max(1, ceil(Fraction(entries[-1].time).limit_denominator(1000) / gap) + 1)


def _picture(file: Path) -> NDArray[np.uint8]:
    return decode_picture(content_of(file), str(file))
