"""Rules that derive media from the media of a stimulus: frames of its clips, or its picture marked.

A rule has a name, a version and arguments. Their digest names what it makes, so that what stands under a digest is
never made otherwise; a rule whose output changes gets a new version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Protocol

from veridical.errors import InputError
from veridical.media.clips.read import Clip
from veridical.media.clips.sample import require_count, sampled, uniform
from veridical.media.draw import encode_png
from veridical.media.pictures import Picture
from veridical.records import Json, Medium, canonical

Arguments = Mapping[str, Json]


class Pictured(Protocol):
    """What a rule sees of a stimulus, and all that what it makes may depend on."""

    @property
    def id(self) -> str: ...
    @property
    def media(self) -> Sequence[Medium]: ...
    @property
    def factors(self) -> Mapping[str, Json]: ...
    @property
    def truth(self) -> Mapping[str, Json]: ...


Product = tuple[bytes, Mapping[str, Json]]
"""The bytes of a derived medium, and what is known of it, as JSON."""
Count = Callable[[Pictured, Arguments], int]
Make = Callable[[Pictured, Sequence[Picture | Clip], Arguments], Iterator[Product]]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A named, versioned rule. `counting` and `making` are pure, and importable by name, to run in any process.

    `making` gets the stimulus's decoded media and yields as many products as `counting`, which decodes nothing, says.
    Both raise `InputError`, which names the stimulus, where the rule does not apply. A rule that `draws` depends on
    Matplotlib's version up to the minor number, as pictures do.
    """

    name: str
    version: int
    counting: Count
    making: Make
    arguments: Arguments
    draws: bool = False

    def count(self, stimulus: Pictured) -> int:
        """How many media the rule derives from a stimulus; plans need no more."""
        return self.counting(stimulus, self.arguments)

    def make(self, stimulus: Pictured, media: Sequence[Picture | Clip]) -> Iterator[Product]:
        """The derived media in order, one at a time."""
        return self.making(stimulus, media, self.arguments)

    @cached_property
    def identity(self) -> dict[str, Json]:
        """All that determines what the rule makes of a stimulus."""
        identity = {"name": self.name, "version": self.version, "arguments": dict(self.arguments)}
        if self.draws:
            from importlib.metadata import version

            identity["matplotlib"] = ".".join(version("matplotlib").split(".")[:2])
        return identity

    @cached_property
    def digest(self) -> str:
        """The sha256 of the identity, in hex."""
        return sha256(canonical(self.identity).encode()).hexdigest()


def uniform_frames(count: int) -> Rule:
    """The rule `uniform-N`: from each clip the N frames on display at the centers of N equal bins, as PNG pictures.

    Each has its exact time beside it: `pts` steps of `time_base` seconds from the clip's first frame, and the time that
    was `requested`. A clip with few frames gives one of them more than once: there are always N.
    """
    require_count(count)
    return Rule(
        name=f"uniform-{count}", version=1, counting=count_frames, making=make_frames, arguments={"frames": count}
    )


def count_frames(stimulus: Pictured, arguments: Arguments) -> int:
    """Frames per clip times clips."""
    clips = sum(medium.kind == "video" for medium in stimulus.media)
    if not clips:
        raise InputError(f"stimulus {stimulus.id!r} has no clip: no frames can be taken from it")
    return clips * int(arguments["frames"])


def make_frames(stimulus: Pictured, media: Sequence[Picture | Clip], arguments: Arguments) -> Iterator[Product]:
    """The frames of all clips in order; `medium` is the place of the clip among the stimulus's media."""
    count_frames(stimulus, arguments)
    for place, clip in enumerate(media):
        if not isinstance(clip, Clip):
            continue
        for sample in sampled(clip, uniform(clip, arguments["frames"])):
            frame = sample.frame
            times = {"pts": frame.pts, "time_base": str(frame.time_base), "requested": str(sample.requested)}
            yield encode_png(frame.pixels), {"medium": place, "frame": frame.index, **times}
