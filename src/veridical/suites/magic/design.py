"""What MagiC draws."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Stimulus
from veridical.suite.parts import CriticalRegion, DesignPart
from veridical.suites.magic.scenes.make import chunks, make, outline, verify
from veridical.suites.magic.stimuli import FACTORS, PHOTO, ROOM, TABLE


def critical(stimulus: Stimulus) -> Sequence[CriticalRegion]:
    """The relevant boxes."""
    boxes = stimulus.truth["boxes"]
    return [[boxes[number - 1]] for number in stimulus.truth["relevant"]]


DESIGN = DesignPart(
    families=(ROOM, TABLE, PHOTO),
    factors=FACTORS,
    chunks=chunks,
    make=make,
    verify=verify,
    outline=outline,
    critical=critical,
)
"""What a set of MagiC can be asked to hold."""
