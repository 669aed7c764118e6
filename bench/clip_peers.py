"""Other readers of clips, each where it is installed: the frames on display at some times, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.numbered import Pixels
from veridical.media.clips.read import Clip
from veridical.media.clips.sample import sample_frames

Reader = Callable[[Path, Sequence[Fraction]], Iterator[Pixels]]


def ours(path: Path, times: Sequence[Fraction]) -> Iterator[Pixels]:
    """The clip is opened, read to its end and checked, as for every run."""
    for sample in sample_frames(Clip.open(path.read_bytes(), path.name), times):
        yield sample.frame.pixels


def opencv(path: Path, times: Sequence[Fraction]) -> Iterator[Pixels]:
    """In sequence: the last frame that does not begin after the time, by OpenCV's own times."""
    cv2: Any = import_module("cv2")
    cv2.setNumThreads(1)
    clip = cv2.VideoCapture(str(path))
    held = clip.read()[1]
    due = list(times)
    while due:
        more = clip.grab()
        begins = clip.get(cv2.CAP_PROP_POS_MSEC) / 1000 if more else float("inf")
        # A microsecond allows for the rounding of times.
        while due and due[0] < begins - 1e-6:
            due.pop(0)
            yield held[:, :, ::-1]
        if more and due:
            held = clip.retrieve()[1]


def decord(path: Path, times: Sequence[Fraction]) -> Iterator[Pixels]:
    """By index: the frame whose stated start is the last that is not later than the time."""
    clip: Any = import_module("decord").VideoReader(str(path), num_threads=1)
    starts = clip.get_frame_timestamp(range(len(clip)))[:, 0]
    for time in times:
        yield clip[max(int((starts <= float(time)).sum()) - 1, 0)].asnumpy()


def torchcodec(path: Path, times: Sequence[Fraction]) -> Iterator[Pixels]:
    """By time, in its exact mode; it holds all frames at once."""
    decoders: Any = import_module("torchcodec.decoders")
    clip = decoders.VideoDecoder(str(path), num_ffmpeg_threads=1, dimension_order="NHWC")
    yield from clip.get_frames_played_at([float(time) for time in times]).data.numpy()


READERS: dict[str, Reader] = {"veridical": ours, "OpenCV": opencv, "decord": decord, "torchcodec": torchcodec}
PACKAGES = {"OpenCV": "cv2", "decord": "decord", "torchcodec": "torchcodec"}


def installed() -> dict[str, Reader]:
    """Our reader, and the others that are installed."""
    return {name: read for name, read in READERS.items() if name not in PACKAGES or find_spec(PACKAGES[name])}
