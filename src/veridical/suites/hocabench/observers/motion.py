"""A baseline that looks at changes between frames, and knows no law.

A clip is odd to it if one change between neighboring frames is much larger than the usual one. It answers when that
was, too. What it cannot tell from changes, it declines.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from veridical.observers.plumbing import UserTurn

SUDDEN = 3.0
"""From how many times the usual change on, a change is sudden."""
_LEAST = 0.15
"""A change below this, in 8-bit values, counts as this much: nothing is infinitely sudden."""
_SIDE = 96
SAMPLING = "uniform-16"
_TIME = re.compile(r"(?:at )?([0-9]{1,6}(?:\.[0-9]{1,3})?) s:")
_DURATION = re.compile(r"\blasts ([0-9]{1,6}(?:\.[0-9]{1,3})?) s\b")
UNSEEN = "I was shown no clip."
UNABLE = "I compare frames, and cannot tell this from their differences."


def reply(seen: UserTurn) -> str:
    """The reply to what a user's last turn shows and asks; it declines what is no yes-no question and no interval."""
    frames, times = _frames(seen)
    if len(frames) < 3:
        return UNSEEN
    sizes = changes(frames)
    if "Yes or No" in seen.text:
        return "No" if is_sudden(sizes) else "Yes"
    if "START to END" in seen.text:
        end = _DURATION.search(seen.text)
        start = times[int(np.argmax(sizes)) + 1]
        return f"Answer: {start:.2f} to {float(end[1]) if end else times[-1]:.2f}"
    return UNABLE


def changes(frames: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The mean difference of gray values between neighboring frames, shape (frames − 1,)."""
    return np.array([float(np.abs(b - a).mean()) for a, b in pairwise(frames)])


def suddenness(sizes: NDArray[np.float64]) -> float:
    """How many times the median change the largest one is.

    >>> suddenness(np.array([1.0, 1.0, 9.0, 1.0]))
    9.0
    """
    return float(sizes.max() / max(_LEAST, float(np.median(sizes))))


def is_sudden(sizes: NDArray[np.float64]) -> bool:
    """Whether one change is at least `SUDDEN` times the median one.

    >>> is_sudden(np.array([1.0, 1.0, 9.0, 1.0])), is_sudden(np.array([1.0, 1.5, 2.0, 1.5]))
    (True, False)
    """
    return suddenness(sizes) >= SUDDEN


def _frames(seen: UserTurn) -> tuple[list[NDArray[np.float64]], list[float]]:
    """Small gray frames with their times in seconds: those of the message, or samples of a whole clip."""
    from veridical.media.decode import Clip, Picture, decode

    frames: list[NDArray[np.float64]] = []
    times = [float(each) for each in _TIME.findall(seen.text)]
    for place, content in enumerate(seen.media):
        medium = decode(content, f"medium {place + 1}")
        if isinstance(medium, Picture):
            frames.append(gray(medium.pixels))
        elif isinstance(medium, Clip):
            from veridical.media.clips.sample import sample_frames, times_of

            wanted = times_of(SAMPLING, medium.span)
            frames = [gray(sample.frame.pixels) for sample in sample_frames(medium, wanted)]
            times = [float(time) for time in wanted]
    return frames, times if len(times) >= len(frames) else [float(k) for k in range(len(frames))]


def gray(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Gray values, the longer side reduced to at most `_SIDE` by whole steps."""
    step = max(1, max(pixels.shape[:2]) // _SIDE)
    rows, columns = (side // step for side in pixels.shape[:2])
    used = pixels[: rows * step, : columns * step]
    # Sums of whole numbers are exact, and much faster than means.
    by_row = used.reshape(rows, step, -1).sum(1, dtype=np.uint32)
    return np.asarray(by_row.reshape(rows, columns, 3 * step).sum(2) / (3 * step**2))
