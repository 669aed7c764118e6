"""What MagiC draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.media.decode import Decoded
from veridical.records import Chunk, Stimulus
from veridical.stimulus_set import NotMeasurable
from veridical.suite.parts import DesignPart
from veridical.suites.magic.options import MagicOptions
from veridical.suites.magic.stimuli import FACTORS, PHOTO, ROOM, TABLE


def chunks(options: MagicOptions) -> list[Chunk]:
    """The scenes of a set, a unit each."""
    return [Chunk(kind, k) for kind in options.scenes for k in range(options.units)]


def make(options: MagicOptions, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The questions about one scene, each with the bytes of its picture."""
    raise NotImplementedError


def verify(stimulus: Stimulus, media: Sequence[Decoded]) -> str | NotMeasurable | None:  # noqa: ARG001
    """`None` if the picture shows the things of the scene where they are said to be."""
    return NotMeasurable("the truth of a picture of others is its author's")


DESIGN = DesignPart(families=(ROOM, TABLE, PHOTO), factors=FACTORS, chunks=chunks, make=make, verify=verify)
