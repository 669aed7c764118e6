"""Cuts between scenes, by PySceneDetect, which the extra `scenes` installs; it gets our frames, so times are exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from veridical.errors import InputError
from veridical.media.clips.read import Clip

_LONGEST = 256
"""The size of the frames that are compared, which is about the one that PySceneDetect scales to by itself."""


def scene_cuts(clip: Clip, *, threshold: float = 27.0, shortest: float = 0.6) -> tuple[Fraction, ...]:
    """The times of a clip's cuts, ascending, in seconds from its first frame: the starts of scenes' first frames.

    PySceneDetect's content detector finds them. `threshold` is the mean change of hue, saturation and brightness, on
    scales of 0 to 255, that makes a cut; cuts less than `shortest` seconds apart become one. The clip is read as a
    stream. Raises `InputError` for an incomplete clip, arguments out of range, or if the extra is not installed.
    """
    if not 0 < threshold <= 255 or not 0 <= shortest <= 3600:
        raise InputError(
            f"scene cuts: threshold {threshold:g} and shortest {shortest:g}: 0 to 255 and 0 to 3600 allowed"
        )
    try:
        from scenedetect.common import FrameTimecode, Timecode
        from scenedetect.detectors import ContentDetector
    except ImportError:
        raise InputError("scene cuts need PySceneDetect: install it with `pip install 'veridical[scenes]'`") from None
    detector: Any = ContentDetector(threshold=threshold, min_scene_len=float(shortest))
    rate = clip.rate or (Fraction(clip.count) / clip.duration if clip.duration else Fraction(1))
    cuts, code = [], None
    for frame in clip.frames(longest=_LONGEST):
        code = FrameTimecode(Timecode(frame.pts, frame.time_base), fps=rate)
        cuts += detector.process_frame(code, frame.pixels[:, :, ::-1].copy())
    cuts += detector.post_process(code)
    return tuple(sorted({cut.pts * clip.time_base for cut in cuts}))
