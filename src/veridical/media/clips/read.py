"""Clips as streams of frames with exact times.

Times are integers in the clip's time base, counted from its first frame: a start offset and frames that an edit list
discards are removed. An incomplete clip is refused; it is never read as a shorter clip.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.clips.changes import FrameDisplay
from veridical.media.clips.container import (
    FrameTable,
    UnusableClipError,
    decoded_frames,
    displayed_pixels,
    packets_of,
    size_of,
    table_of,
)

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

LARGEST_FILE = 2**30
"""The maximum number of bytes of a clip's file."""
MOST_PIXELS = 2**38
"""The maximum number of pixels of all frames of a clip together."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A frame: its index, its time in whole steps of `time_base` from the first frame, and its pixels, scaled or not.

    A frame is on display from its own time until the time of the next frame.
    """

    index: int
    pts: int
    time_base: Fraction
    pixels: NDArray[np.uint8]

    @property
    def time(self) -> Fraction:
        """Seconds from the clip's first frame."""
        return self.pts * self.time_base


class ClipSpan(NamedTuple):
    """The times of a clip: its duration, and the time from which its last frame is on display, both in seconds."""

    name: str
    duration: Fraction
    last: Fraction


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clip:
    """A clip that each call of `frames` decodes again; its pixels are never all in memory.

    `pts` has one integer per frame, in display order. The first is 0 and is stored in the file as `start`. `rate` is in
    frames per second, `None` if it varies. `duration` ends with the display of the last frame. Width and height are as
    displayed, after rotation.
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
        """The clip in these bytes. Raises `InputError`, which names the file, for a missing or incomplete clip."""
        if len(content) > LARGEST_FILE:
            raise InputError(f"{name} is larger than {LARGEST_FILE >> 20} MB, the maximum for a clip")
        try:
            table = table_of(content, name)
            if table.missing:
                raise _unusable(name, sum(1 for _ in decoded_frames(content, name)), table)
            first = next(decoded_frames(content, name), None)
            if first is None:
                raise _unusable(name, 0, table)
            width, height = size_of(first)
        except UnusableClipError as error:
            raise InputError(f"{name}: unusable clip: {error}") from error
        start = table.pts[0]
        if width * height * len(table.pts) > MOST_PIXELS:
            raise InputError(f"{name} has {len(table.pts)} frames of {width}x{height}: more pixels than are supported")
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
        """The start of each frame's display, in seconds from the first frame."""
        return tuple(pts * self.time_base for pts in self.pts)

    @property
    def span(self) -> ClipSpan:
        """The times that rules of sampling rest on."""
        return ClipSpan(self.name, self.duration, self.pts[-1] * self.time_base)

    def frames(self, only: Container[int] | None = None, longest: int | None = None) -> Iterator[Frame]:
        """The frames in order, or only those whose index is in `only`; all are decoded and checked in either case.

        Pixels are scaled down so that no side is longer than `longest` pixels; `None` keeps them as they are. Raises
        `InputError` if a frame cannot be decoded, has an unexpected time, or has another size.
        """
        index, display = -1, FrameDisplay()
        for index, frame in enumerate(decoded_frames(self.content, self.name)):
            if index >= self.count or frame.pts != self.start + self.pts[index]:
                raise InputError(f"{self.name}: unusable clip: decoded {index} of {self.count} frames")
            if only is None or index in only:
                yield Frame(index, self.pts[index], self.time_base, self._shown(index, frame, longest, display))
        if index + 1 < self.count:
            raise InputError(f"{self.name}: unusable clip: decoded {index + 1} of {self.count} frames")

    def _shown(self, index: int, frame: VideoFrame, longest: int | None, display: FrameDisplay) -> NDArray[np.uint8]:
        try:
            width, height = size_of(frame)
            if (width, height) == (self.width, self.height):
                return displayed_pixels(frame, longest, display)
            problem = f"frame {index} is {width}x{height}, frame 0 {self.width}x{self.height}"
        except UnusableClipError as error:
            problem = str(error)
        raise InputError(f"{self.name}: unusable clip: {problem}")


def common_start(one: Clip, other: Clip) -> int:
    """How many frames two clips begin with that are decoded from the same packets, in the order of display."""
    first, second = (packets_of(clip.content, clip.name) for clip in (one, other))
    if next(first) != next(second):
        return 0
    count = 0
    for packet, same, *times in zip(first, second, one.pts, other.pts, strict=False):
        if packet != same or any(packet[0] != clip.start + at for clip, at in zip((one, other), times, strict=True)):
            break
        count += 1
    return count


def _unusable(name: str, count: int, table: FrameTable) -> InputError:
    of = f"{len(table.pts) + table.missing} frames" if table.missing >= 0 else "more frames: the file is cut"
    return InputError(f"{name}: unusable clip: decoded {count} of {of}")
