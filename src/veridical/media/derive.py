"""Rules that derive media from the media of a stimulus: frames of its clips, or its picture with marks.

A rule has a name, a version and arguments. Their digest identifies the output: a rule whose output changes gets a new
version.
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
Count = Callable[[Pictured, Arguments], int]
Make = Callable[[Pictured, Sequence[Picture | Clip], Arguments], Iterator[Product]]


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

    def count(self, stimulus: Pictured) -> int:
        """The number of media that the rule derives from a stimulus, for plans."""
        return self.counting(stimulus, self.arguments)

    def make(self, stimulus: Pictured, media: Sequence[Picture | Clip]) -> Iterator[Product]:
        """The derived media in order, one at a time."""
        return self.making(stimulus, media, self.arguments)

    @cached_property
    def identity(self) -> dict[str, Json]:
        """Everything that determines the rule's output for a stimulus."""
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
    """The rule `uniform-N`: the N frames of each clip on display at the centers of N equal bins, as PNG pictures.

    The facts of each have its exact time, which is `pts` steps of `time_base` seconds from the clip's first frame, and
    the `requested` time. There are always N pictures: a clip with few frames repeats some of them.
    """
    require_count(count)
    return Rule(
        name=f"uniform-{count}", version=1, counting=count_frames, making=make_frames, arguments={"frames": count}
    )


def count_frames(stimulus: Pictured, arguments: Arguments) -> int:
    """The number of clips times the frames per clip."""
    clips = sum(medium.kind == "video" for medium in stimulus.media)
    if not clips:
        raise InputError(f"stimulus {stimulus.id!r} has no clip: no frames can be taken from it")
    return clips * int(arguments["frames"])


def make_frames(stimulus: Pictured, media: Sequence[Picture | Clip], arguments: Arguments) -> Iterator[Product]:
    """The frames of all clips in order; `medium` is the index of the clip among the stimulus's media."""
    count_frames(stimulus, arguments)
    for place, clip in enumerate(media):
        if not isinstance(clip, Clip):
            continue
        for sample in sampled(clip, uniform(clip, arguments["frames"])):
            frame = sample.frame
            times = {"pts": frame.pts, "time_base": str(frame.time_base), "requested": str(sample.requested)}
            yield encode_png(frame.pixels), {"medium": place, "frame": frame.index, **times}
