"""Clips as streams of frames with exact times.

Times are integers in the clip's time base, counted from its first frame: what the container adds in front (a start
offset, frames that an edit list discards) is taken off. A clip that is not whole is unusable and says so; it is never
a shorter clip.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.clips.container import Table, decoded, table_of
from veridical.media.clips.display import UnusableError, displayed

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

LARGEST_FILE = 2**30
"""The most bytes that a clip's file may have."""
MOST_PIXELS = 2**38
"""The most pixels that all frames of a clip may have together."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A frame: its place, its time in whole steps of `time_base` from the first frame, and its pixels as of a picture.

    A frame is on display from its own time until that of the next.
    """

    index: int
    pts: int
    time_base: Fraction
    pixels: NDArray[np.uint8]

    @property
    def time(self) -> Fraction:
        """Seconds from the clip's first frame."""
        return self.pts * self.time_base


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clip:
    """A clip that is decoded anew each time `frames` is called; its pixels are never all in memory.

    `pts` has one integer per frame, in order of display, the first being 0, which stands at `start` in the file; `rate`
    is in frames per second, and `None` where it varies. `duration` ends with the last frame's display. Width and height
    are as displayed, after rotation.
    """

    name: str
    width: int
    height: int
    start: int
    pts: tuple[int, ...] = field(repr=False)
    time_base: Fraction
    rate: Fraction | None
    duration: Fraction
    content: bytes = field(repr=False)

    @classmethod
    def open(cls, content: bytes, name: str) -> Clip:
        """The clip in these bytes. Raises `InputError`, which names the file, for what holds none, or half of one."""
        if len(content) > LARGEST_FILE:
            raise InputError(f"{name} is larger than {LARGEST_FILE >> 20} MB, the most that is read of a clip")
        try:
            table = table_of(content, name)
            if table.missing:
                raise _unusable(name, sum(1 for _ in decoded(content, name)), table)
            first = next(decoded(content, name), None)
            if first is None:
                raise _unusable(name, 0, table)
            height, width, _ = displayed(first).shape
        except UnusableError as error:
            raise InputError(f"{name}: unusable clip: {error}") from error
        start = table.pts[0]
        if width * height * len(table.pts) > MOST_PIXELS:
            raise InputError(f"{name} has {len(table.pts)} frames of {width}x{height}: more pixels than are read")
        return cls(
            name=name,
            width=width,
            height=height,
            start=start,
            pts=tuple(pts - start for pts in table.pts),
            time_base=table.time_base,
            rate=table.rate,
            duration=(table.end - start) * table.time_base,
            content=content,
        )

    @property
    def count(self) -> int:
        """Number of frames."""
        return len(self.pts)

    @property
    def times(self) -> tuple[Fraction, ...]:
        """When each frame begins to be on display, in seconds from the first."""
        return tuple(pts * self.time_base for pts in self.pts)

    def frames(self, only: Container[int] | None = None) -> Iterator[Frame]:
        """The frames in order, or those alone whose place is in `only`; all are decoded, and checked, in either case.

        Raises `InputError` where a frame cannot be decoded, is not the one that is due, or has another size.
        """
        index = -1
        for index, frame in enumerate(decoded(self.content, self.name)):
            if index >= self.count or frame.pts != self.start + self.pts[index]:
                raise InputError(f"{self.name}: unusable clip: decoded {index} of {self.count} frames")
            if only is None or index in only:
                yield Frame(index, self.pts[index], self.time_base, self._shown(index, frame))
        if index + 1 < self.count:
            raise InputError(f"{self.name}: unusable clip: decoded {index + 1} of {self.count} frames")

    def _shown(self, index: int, frame: VideoFrame) -> NDArray[np.uint8]:
        try:
            pixels = displayed(frame)
        except UnusableError as error:
            raise InputError(f"{self.name}: unusable clip: {error}") from error
        height, width, _ = pixels.shape
        if (height, width) != (self.height, self.width):
            raise InputError(
                f"{self.name}: unusable clip: frame {index} is {width}x{height}, the first {self.width}x{self.height}"
            )
        return pixels


def _unusable(name: str, count: int, table: Table) -> InputError:
    of = f"{len(table.pts) + table.missing} frames" if table.missing >= 0 else "more frames: the file is cut"
    return InputError(f"{name}: unusable clip: decoded {count} of {of}")
