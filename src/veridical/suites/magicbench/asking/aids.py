"""Frames with an aid: a ring around what matters, the same ring elsewhere, or what matters magnified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.clips.read import Clip
from veridical.media.clips.sample import require_sampling, sample_frames
from veridical.media.derive import Arguments, Product, Rule, StimulusMedia, count_frames, frame_times
from veridical.media.draw import Curve, Patch, Scene, rasterise
from veridical.media.pictures import Picture, encode_jpeg
from veridical.records import Json

NONE, RING, PLACEBO, MAGNIFIED, DENSE = "none", "ring", "placebo", "magnified", "dense"
AIDS = (NONE, RING, PLACEBO, MAGNIFIED, DENSE)
"""No aid; a ring around the critical box, or around the placebo box; the critical box magnified; more frames."""
BOXES = {RING: "critical", PLACEBO: "placebo", MAGNIFIED: "critical"}
"""The rows of boxes in a stimulus's truth that an aid follows."""
MORE = "uniform-64"
"""The sampling of `dense`: about ten frames per second of our clips."""
RED = (230, 30, 30)
QUALITY = 92
"""Other than in the first stage: a cache of replies must not answer what is asked again with the reply that was bad."""
_APART = Fraction(13, 100)
"""How far, in seconds, the time of a frame may be from that of its box, which stands for a quarter of a second."""
_LONGEST = 768


def aided_frames(sampling: str, aid: str) -> Rule:
    """The frames that a named rule of sampling takes, with an aid; frames without a box of its kind are as they are.

    Rings are ellipses through the corners of a box, so that they cover nothing of it. Magnified is the smallest part of
    the frame's own shape around the box, enlarged to the whole frame. Raises `InputError` for an unknown aid.

    >>> aided_frames("4fps", "ring").name, aided_frames("4fps", "dense").arguments["sampling"]
    ('4fps-ring', 'uniform-64')
    """
    if aid not in AIDS:
        raise InputError(f"aid {aid!r}: {', '.join(AIDS)} are allowed")
    taken = MORE if aid == DENSE else sampling
    require_sampling(taken)
    arguments = {"sampling": taken, "longest": _LONGEST, "quality": QUALITY, "aid": aid}
    return Rule(name=f"{sampling}-{aid}", version=1, counting=count_aided, making=make_aided, arguments=arguments)


def count_aided(stimulus: StimulusMedia, arguments: Arguments) -> int:
    """The number of frames; raises `InputError` for a clip without boxes of the kind that the aid needs."""
    boxes_of(stimulus, str(arguments["aid"]))
    return count_frames(stimulus, arguments)


def boxes_of(stimulus: StimulusMedia, aid: str) -> Sequence[Sequence[float]]:
    """The rows (seconds, x0, y0, x1, y1) that an aid follows, empty for one that follows none."""
    if aid not in BOXES:
        return ()
    rows: Sequence[Sequence[float]] = stimulus.truth.get(BOXES[aid]) or ()
    if not rows:
        raise InputError(f"stimulus {stimulus.id!r} has no {BOXES[aid]} boxes: an aid {aid!r} needs them")
    return rows


def make_aided(stimulus: StimulusMedia, media: Sequence[Picture | Clip], arguments: Arguments) -> Iterator[Product]:
    """The frames in order; the facts of each have the box that was used, or none."""
    aid = str(arguments["aid"])
    rows = boxes_of(stimulus, aid)
    for place, times in frame_times(stimulus, arguments):
        clip = media[place]
        if not isinstance(clip, Clip):
            raise InputError(f"{stimulus.media[place].file} is no clip, but a clip in the table")
        for sample in sample_frames(clip, times, arguments["longest"]):
            pixels, box = sample.frame.pixels, box_at(rows, sample.requested)
            if box is not None:
                scale = pixels.shape[1] / clip.width
                own = (box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale)
                pixels = magnify(pixels, own) if aid == MAGNIFIED else draw_ring(pixels, own)
            frame = sample.frame
            facts: dict[str, Json] = {"medium": place, "frame": frame.index, "box": None if box is None else list(box)}
            facts |= {"pts": frame.pts, "time_base": str(frame.time_base), "requested": str(sample.requested)}
            yield encode_jpeg(pixels, arguments["quality"]), facts


def box_at(rows: Sequence[Sequence[float]], time: Fraction) -> tuple[float, float, float, float] | None:
    """The box (x0, y0, x1, y1) of the row nearest to a time, `None` where none is near.

    >>> box_at([(2.0, 0, 0, 8, 8), (2.25, 1, 0, 9, 8)], Fraction(9, 4)), box_at([(2.0, 0, 0, 8, 8)], Fraction(1))
    ((1, 0, 9, 8), None)
    """
    near = min(rows, key=lambda row: abs(Fraction(row[0]) - time), default=None)
    if near is None or abs(Fraction(near[0]) - time) > _APART:
        return None
    return near[1], near[2], near[3], near[4]


def draw_ring(pixels: NDArray[np.uint8], box: tuple[float, float, float, float]) -> NDArray[np.uint8]:
    """A picture with a red ring, edged in white, through the corners of a box."""
    height, width, _ = pixels.shape
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    stroke = max(2.0, max(width, height) / 160)
    across, down = ((box[k + 2] - box[k]) / 2**0.5 + stroke for k in (0, 1))
    turns = np.linspace(0, 2 * np.pi, 181)
    points = tuple((float(x + across * np.cos(turn)), float(y + down * np.sin(turn))) for turn in turns)
    ring = (Curve(points, 1.8 * stroke, (255, 255, 255)), Curve(points, stroke, RED))
    return rasterise(Scene(width, height, (255, 255, 255), (Patch(0, 0, pixels), *ring)))


def magnify(pixels: NDArray[np.uint8], box: tuple[float, float, float, float]) -> NDArray[np.uint8]:
    """The part of a picture around a box, of the picture's shape, enlarged to the size of the picture."""
    from PIL import Image

    height, width, _ = pixels.shape
    share = min(1.0, max((box[2] - box[0]) / width, (box[3] - box[1]) / height, 1 / min(width, height)))
    wide, high = share * width, share * height
    x0 = min(max((box[0] + box[2] - wide) / 2, 0.0), width - wide)
    y0 = min(max((box[1] + box[3] - high) / 2, 0.0), height - high)
    part = (x0, y0, x0 + wide, y0 + high)
    return np.asarray(Image.fromarray(pixels).resize((width, height), Image.Resampling.BICUBIC, box=part))
