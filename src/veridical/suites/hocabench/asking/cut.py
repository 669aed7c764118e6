"""Where clips are cut: before, at or after the event; and the frames of those with several anomalies."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from veridical.errors import InputError
from veridical.media.derive import Arguments, Cut, Rule, StimulusMedia, count_frames, frames_of

END = "end"
UNTIL: dict[str, Cut | None] = {
    "before": Cut("event", "-1/2"),
    "event": Cut("event"),
    "after-0.5": Cut("event", "1/2"),
    "after-1": Cut("event", "1"),
    END: None,
}
"""Where a clip is cut, by level of the setting `until`; `None` is its end."""


def cut_of(stimulus: StimulusMedia, until: str) -> Fraction | None:
    """When a clip is cut, in seconds from its first frame; `None` if it has no event, or no time before the cut.

    At "end" it is the duration of the clip.
    """
    cut, medium = UNTIL[until], stimulus.media[0]
    if medium.duration is None:
        raise InputError(f"{medium.file}: the set does not state its duration: make or import the set again")
    return Fraction(medium.duration) if cut is None else cut.time(stimulus)


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
