"""Frames for the task about several anomalies: it takes four times as many, and only of the clips that it is about."""

from __future__ import annotations

from dataclasses import replace

from veridical.errors import InputError
from veridical.media.derive import Arguments, Pictured, Rule, count_frames, frames_of


def several_frames(sampling: str, *, longest: int | None, quality: int | None) -> Rule:
    """The rule of `veridical.media.derive.frames_of`, for clips without a sub-type of their own alone.

    >>> several_frames("uniform-64", longest=None, quality=90).name
    'uniform-64-of-several'
    """
    rule = frames_of(sampling, longest=longest, quality=quality)
    return replace(rule, name=f"{sampling}-of-several", counting=count_several)


def count_several(stimulus: Pictured, arguments: Arguments) -> int:
    """The number of frames; raises `InputError` for a clip whose anomalies are not several."""
    if stimulus.factors.get("sub_type") is not None or not stimulus.truth.get("sub_types"):
        raise InputError(f"stimulus {stimulus.id!r} has no several anomalies: it is not asked for them")
    return count_frames(stimulus, arguments)
