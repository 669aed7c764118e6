"""What VI-Probe draws."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Stimulus
from veridical.stimulus_set.describe import PublishedCounts
from veridical.suite.parts import CriticalRegion, DesignPart
from veridical.suites.viprobe.balance import describe
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.illusions.make import chunks, make, outline
from veridical.suites.viprobe.illusions.verify import verify


def critical(stimulus: Stimulus) -> Sequence[CriticalRegion]:
    """Where the pictures of a base item differ by what is changed, all parts together; none of imported pictures."""
    boxes = stimulus.truth.get("regions")
    return [boxes] if boxes else []


DESIGN = DesignPart(
    families=tuple(CASES),
    factors={"alpha": float, "congruent": bool, "side": str},
    chunks=chunks,
    make=make,
    verify=verify,
    outline=outline,
    describe=describe,
    critical=critical,
    published=PublishedCounts(
        source="Sun et al. 2026, Table 1, as printed", counts={"variant": {"O": 870, "P": 8700, "OC": 870, "PC": 8700}}
    ),
)
"""`alpha` is the signed strength of the change in [-1, 1], 0 for an unchanged figure, null where no target is drawn.

`congruent` tells whether the change goes the way of the illusory impression (null: no change, or the impression has no
direction); `side` is that of the target that changes, null where all do.
"""
