"""Rules that derive media from the media of a stimulus: frames of its clips, or its picture with marks.

A rule has a name, a version and arguments. Their digest identifies the output: a rule whose output changes gets a new
version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from hashlib import sha256
from typing import Protocol

from veridical.errors import InputError
from veridical.media.clips.read import Clip, ClipSpan
from veridical.media.clips.sample import require_sampling, sample_frames, times_of
from veridical.media.draw import encode_png
from veridical.media.pictures import Picture, encode_jpeg
from veridical.records import Json, Medium, canonical

Arguments = Mapping[str, Json]
_FINEST = 1000
"""Moments are stated in seconds as floating-point numbers: the nearest thousandth or coarser fraction is meant."""


class StimulusMedia(Protocol):
    """The part of a stimulus that a rule sees; its output may depend on nothing else."""

    @property
    def id(self) -> str: ...
    @property
    def media(self) -> Sequence[Medium]: ...
    @property
    def factors(self) -> Mapping[str, Json]: ...
    @property
    def truth(self) -> Mapping[str, Json]: ...


Product = tuple[bytes, Mapping[str, Json]]
"""The bytes of a derived medium, and its facts as JSON."""
Count = Callable[[StimulusMedia, Arguments], int]
Make = Callable[[StimulusMedia, Sequence[Picture | Clip], Arguments], Iterator[Product]]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A named, versioned rule. `counting` and `making` are pure and importable by name, so any process can run them.

    `making` gets the stimulus's decoded media and yields the number of products that `counting` returns without
    decoding. Both raise `InputError`, which names the stimulus, if the rule does not apply. A rule that `draws` depends
    on Matplotlib's version up to the minor number.
    """

    name: str
    version: int
    counting: Count
    making: Make
    arguments: Arguments
    draws: bool = False

    def count(self, stimulus: StimulusMedia) -> int:
        """The number of media that the rule derives from a stimulus, for plans."""
        return self.counting(stimulus, self.arguments)

    def make(self, stimulus: StimulusMedia, media: Sequence[Picture | Clip]) -> Iterator[Product]:
        """The derived media in order, one at a time."""
        return self.making(stimulus, media, self.arguments)

    @cached_property
    def identity(self) -> dict[str, Json]:
        """Everything that determines the rule's output for a stimulus."""
        identity = {"name": self.name, "version": self.version, "arguments": dict(self.arguments)}
        if self.draws:
            identity["matplotlib"] = _matplotlib()
        return identity

    @cached_property
    def digest(self) -> str:
        """The sha256 of the identity, in hex."""
        return sha256(canonical(self.identity).encode()).hexdigest()


@cache
def _matplotlib() -> str:
    """The minor version of Matplotlib; reading it takes as long as making a trial."""
    from importlib.metadata import version

    return ".".join(version("matplotlib").split(".")[:2])


@dataclass(frozen=True, slots=True)
class Cut:
    """The place where a clip is cut: `after` seconds, a fraction, after a moment in the stimulus's factors or truth."""

    moment: str
    after: str = "0"

    def time(self, stimulus: StimulusMedia) -> Fraction | None:
        """The cut in seconds from the clip's first frame; a cut after the end of the clip is its end.

        `None` for a stimulus that does not state the moment, or that has no time before the cut.
        """
        moment = stimulus.factors.get(self.moment, stimulus.truth.get(self.moment))
        clip = next((medium for medium in stimulus.media if medium.kind == "video"), None)
        if moment is None or clip is None:
            return None
        cut = Fraction(moment).limit_denominator(_FINEST) + Fraction(self.after)
        return min(cut, _duration(clip)) if cut > 0 else None


def frames_of(sampling: str, *, longest: int | None = 768, quality: int | None = 90, cut: Cut | None = None) -> Rule:
    """The rule that derives the frames of each clip that a named rule of sampling takes (see `clips.sample.times_of`).

    Frames are scaled down so that no side is longer than `longest` pixels (`None`: never), and stored as JPEG pictures
    of this `quality`, 1 to 100, with chroma at half the size, or losslessly as PNG with `None`. The facts of each have
    its exact time, which is `pts` steps of `time_base` seconds from the clip's first frame, and the `requested` time in
    seconds. A clip with few frames repeats some of them where the rule of sampling has more times. With `cut`, only the
    part of each clip before it is sampled: all requested times lie in [0, cut). Raises `InputError` for an
    unknown rule of sampling, and for a size or a quality out of range.

    >>> frames_of("uniform-16").arguments
    {'sampling': 'uniform-16', 'longest': 768, 'quality': 90}
    >>> frames_of("uniform-16", cut=Cut("event", "-1/2")).name
    'uniform-16-until-event-0.5'
    """
    require_sampling(sampling)
    if longest is not None and not 16 <= longest <= 4096:
        raise InputError(f"frames of {longest} pixels: the longest side has 16 to 4096, or that of the clip")
    if quality is not None and not 1 <= quality <= 100:
        raise InputError(f"JPEG quality {quality}: 1 to 100 is allowed, or none for PNG")
    name = sampling
    arguments: dict[str, Json] = {"sampling": sampling, "longest": longest, "quality": quality}
    if cut is not None:
        after = float(Fraction(cut.after))
        name += f"-until-{cut.moment}" + (f"{after:+g}" if after else "")
        arguments["cut"] = [cut.moment, cut.after]
    return Rule(name=name, version=1, counting=count_frames, making=make_frames, arguments=arguments)


def frame_times(stimulus: StimulusMedia, arguments: Arguments) -> Iterator[tuple[int, tuple[Fraction, ...]]]:
    """For each clip of a stimulus, its index among the media and the times that `frames_of` requests, in seconds.

    Nothing is decoded. Raises `InputError` for a stimulus without clips, and for one that cannot be cut as requested.
    """
    clips = [(place, medium) for place, medium in enumerate(stimulus.media) if medium.kind == "video"]
    if not clips:
        raise InputError(f"stimulus {stimulus.id!r} has no clip: no frames can be taken from it")
    for place, medium in clips:
        end, last = _duration(medium), Fraction(medium.last or 0)
        if "cut" in arguments:
            moment, after = arguments["cut"]
            cut = Cut(moment, after).time(stimulus)
            if cut is None:
                raise InputError(
                    f"stimulus {stimulus.id!r} has no {moment} with time before it: it cannot be cut there"
                )
            end, last = cut, max(Fraction(0), min(last, cut - end / (medium.frames or 1)))
        yield place, times_of(arguments["sampling"], ClipSpan(medium.file, end, last))


def _duration(medium: Medium) -> Fraction:
    if medium.duration is None or medium.last is None:
        raise InputError(f"{medium.file}: the set does not state its duration: make or import the set again")
    return Fraction(medium.duration)


def count_frames(stimulus: StimulusMedia, arguments: Arguments) -> int:
    """The number of frames of all clips together."""
    return sum(len(times) for _, times in frame_times(stimulus, arguments))


def make_frames(stimulus: StimulusMedia, media: Sequence[Picture | Clip], arguments: Arguments) -> Iterator[Product]:
    """The frames of all clips in order; `medium` is the index of the clip among the stimulus's media."""
    for place, times in frame_times(stimulus, arguments):
        clip = media[place]
        if not isinstance(clip, Clip):
            raise InputError(f"{stimulus.media[place].file} is no clip, but a clip in the table")
        for sample in sample_frames(clip, times, arguments["longest"]):
            frame = sample.frame
            facts = {"pts": frame.pts, "time_base": str(frame.time_base), "requested": str(sample.requested)}
            content = (
                encode_jpeg(frame.pixels, arguments["quality"]) if arguments["quality"] else encode_png(frame.pixels)
            )
            yield content, {"medium": place, "frame": frame.index, **facts}
