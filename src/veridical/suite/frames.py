"""Clips in messages: whole, or as frames with their times; the same frames for settings that are compared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from veridical.errors import InputError
from veridical.records import Media, Stimulus, Text, Trial

if TYPE_CHECKING:
    from veridical.media.derive import Rule
    from veridical.suite.stages import AskingOptions

FRAMES, NATIVE = VIDEO = ("frames", "native")
"""Levels of a setting `video`: frames of a clip, or the clip itself, for models whose provider takes clips."""


def clip_parts(asking: AskingOptions, stimulus: Stimulus, rule: Rule, video: str = FRAMES) -> tuple[Text | Media, ...]:
    """The clips of a stimulus as parts of a message: frames by a rule of `media.derive.frames_of`, or whole clips.

    Before each frame stands its place and the time at which it is on display, in seconds from the clip's first frame.
    Times are those that the rule requests, so they are known before the frames are made. Raises `InputError` for a
    stimulus without clips and for an unknown level of `video`.
    """
    from veridical.media.derive import frame_times

    if video not in VIDEO:
        raise InputError(f"video {video!r}: {' and '.join(VIDEO)} are allowed")
    clips = list(frame_times(stimulus, rule.arguments))
    if video == NATIVE:
        return tuple(Media.of(stimulus.media[place]) for place, _ in clips)
    frames = iter(asking.derived(stimulus, rule))
    parts: list[Text | Media] = []
    for number, (_, times) in enumerate(clips, start=1):
        clip = f"Clip {number} of {len(clips)}, frame" if len(clips) > 1 else "Frame"
        for index, time in enumerate(times, start=1):
            parts += [Text(f"{clip} {index} of {len(times)}, at {seconds(time)} s:"), next(frames)]
    return tuple(parts)


def seconds(time: Fraction) -> str:
    """A time to hundredths of a second, rounded half to even.

    >>> seconds(Fraction(5, 4)), seconds(Fraction(1, 3))
    ('1.25', '0.33')
    """
    hundredths = round(time * 100)
    return f"{hundredths // 100}.{hundredths % 100:02}"


def same_frames(trials: Iterable[Trial], apart: Collection[str] = ()) -> tuple[Trial, ...]:
    """The trials, if all on a stimulus show the same media, so that their settings can be compared.

    `apart` names the settings whose levels show media of their own, such as `video`: media may differ between these
    levels, and only between these. Raises `InputError`, in one line, for a stimulus of which other settings show other
    media.
    """
    whole = tuple(trials)
    first: dict[tuple[str, ...], tuple[list[Media], Trial]] = {}
    for trial in whole:
        media = [part for message in trial.messages for part in message.parts if isinstance(part, Media)]
        key = (trial.stage, trial.stimulus, *(trial.settings.get(name, "") for name in apart))
        earlier, other = first.setdefault(key, (media, trial))
        if media != earlier:
            raise InputError(
                f"stimulus {trial.stimulus!r} is shown with {_differing(trial.settings, other.settings)} by "
                f"{len(media)} media, with {_differing(other.settings, trial.settings)} by {len(earlier)} others: "
                "settings that are compared must show the same frames"
            )
    return whole


def _differing(settings: Mapping[str, str], others: Mapping[str, str]) -> str:
    """The settings that differ from others, in words."""
    return ", ".join(f"{name}={level}" for name, level in settings.items() if others.get(name) != level) or "the same"
