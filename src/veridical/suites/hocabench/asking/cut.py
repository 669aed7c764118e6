"""Frames of a part of the clips: up to a cut before, at or after the event, or of those with several anomalies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from veridical.errors import InputError
from veridical.media.clips.read import Clip, ClipSpan
from veridical.media.clips.sample import require_sampling, sample_frames, times_of
from veridical.media.derive import Arguments, Product, Rule, StimulusMedia, count_frames, frames_of
from veridical.media.draw import encode_png
from veridical.media.pictures import Picture, encode_jpeg

END = "end"
UNTIL: dict[str, str | None] = {"before": "-1/2", "event": "0", "after-0.5": "1/2", "after-1": "1", END: None}
"""Where a clip is cut: so many seconds after its event, as a fraction; `None` is its end."""

_FINEST = 1000


def cut_frames(sampling: str, until: str, *, longest: int | None, quality: int | None) -> Rule:
    """The rule that samples the part of a clip before the cut: all requested times lie in [0, cut).

    `sampling`, `longest` and `quality` are those of `veridical.media.derive.frames_of`; `until` is a name in `UNTIL`
    other than "end". A cut after the end of the clip is its end. Raises `InputError` for an unknown sampling.

    >>> cut_frames("uniform-16", "before", longest=None, quality=90).name
    'uniform-16-until-before'
    """
    require_sampling(sampling)
    arguments = {"sampling": sampling, "longest": longest, "quality": quality, "after": UNTIL[until]}
    return Rule(
        name=f"{sampling}-until-{until}", version=1, counting=count_until, making=make_until, arguments=arguments
    )


def cut_of(stimulus: StimulusMedia, until: str) -> Fraction | None:
    """When a clip is cut, in seconds from its first frame; `None` if it has no event, or no time before the cut.

    At "end" it is the duration of the clip.
    """
    return _cut(stimulus, UNTIL[until])


def _cut(stimulus: StimulusMedia, after: str | None) -> Fraction | None:
    medium = stimulus.media[0]
    if medium.duration is None:
        raise InputError(f"{medium.file}: the set does not state its duration: make or import the set again")
    duration = Fraction(medium.duration)
    if after is None:
        return duration
    event = stimulus.factors.get("event")
    if event is None:
        return None
    cut = Fraction(event).limit_denominator(_FINEST) + Fraction(after)
    return min(cut, duration) if cut > 0 else None


def cut_times(stimulus: StimulusMedia, arguments: Arguments) -> tuple[Fraction, ...]:
    """The requested times of the rule, in seconds. Raises `InputError` for a stimulus without a clip or an event."""
    if not stimulus.media or stimulus.media[0].kind != "video":
        raise InputError(f"stimulus {stimulus.id!r} has no clip: no frames can be taken from it")
    cut = _cut(stimulus, arguments["after"])
    if cut is None:
        raise InputError(f"stimulus {stimulus.id!r} has no event with time before it: it cannot be cut there")
    medium = stimulus.media[0]
    step = Fraction(medium.duration or 0) / (medium.frames or 1)
    last = max(Fraction(0), min(Fraction(medium.last or 0), cut - step))
    return times_of(arguments["sampling"], ClipSpan(medium.file, cut, last))


def count_until(stimulus: StimulusMedia, arguments: Arguments) -> int:
    """The number of frames from the part before the cut."""
    return len(cut_times(stimulus, arguments))


def make_until(stimulus: StimulusMedia, media: Sequence[Picture | Clip], arguments: Arguments) -> Iterator[Product]:
    """The frames of the part before the cut, in order, with their exact and their requested times."""
    clip = media[0]
    if not isinstance(clip, Clip):
        raise InputError(f"{stimulus.media[0].file} is no clip, but a clip in the table")
    for sample in sample_frames(clip, cut_times(stimulus, arguments), arguments["longest"]):
        frame, quality = sample.frame, arguments["quality"]
        content = encode_jpeg(frame.pixels, quality) if quality else encode_png(frame.pixels)
        times = {"pts": frame.pts, "time_base": str(frame.time_base), "requested": str(sample.requested)}
        yield content, {"medium": 0, "frame": frame.index, **times}


def several_frames(sampling: str, *, longest: int | None, quality: int | None) -> Rule:
    """The rule of `veridical.media.derive.frames_of`, for clips without a sub-type of their own alone.

    >>> several_frames("uniform-64", longest=None, quality=90).name
    'uniform-64-of-several'
    """
    rule = frames_of(sampling, longest=longest, quality=quality)
    return replace(rule, name=f"{sampling}-of-several", counting=count_several)


def count_several(stimulus: StimulusMedia, arguments: Arguments) -> int:
    """The number of frames; raises `InputError` for a clip whose anomalies are not several."""
    if stimulus.factors.get("sub_type") is not None or not stimulus.truth.get("sub_types"):
        raise InputError(f"stimulus {stimulus.id!r} has no several anomalies: it is not asked for them")
    return count_frames(stimulus, arguments)
