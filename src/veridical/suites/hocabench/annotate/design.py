"""Sets of raw clips, and the labeled stimuli that an annotated run comes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from veridical.errors import InputError
from veridical.media.decode import Decoded
from veridical.records import Chunk, FactorTypes, Stimulus
from veridical.stimulus_set import NotMeasurable
from veridical.suite.parts import DesignPart
from veridical.suites.hocabench.annotate.adopt import adopted
from veridical.suites.hocabench.annotate.options import AnnotateOptions

NAME = "hoca-annotate"
FAMILY, RAW = "videos", "raw"
QUESTION = "What in this clip could not happen?"
FACTORS: FactorTypes = {"described": bool}


def _chunks(options: AnnotateOptions) -> NoReturn:  # noqa: ARG001 (no option changes it)
    raise InputError(f"{NAME} draws nothing: `veridical import videos FOLDER --out SET` makes a set of your clips")


def _make(options: AnnotateOptions, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:  # noqa: ARG001
    yield from ()


def _verify(stimulus: Stimulus, media: Sequence[Decoded]) -> NotMeasurable:  # noqa: ARG001 (there is no truth yet)
    return NotMeasurable("a raw clip, whose truth is not known")


DESIGN = DesignPart(families=(FAMILY,), factors=FACTORS, chunks=_chunks, make=_make, verify=_verify, adopt=adopted)
