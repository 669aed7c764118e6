"""What MagicBench draws."""

from __future__ import annotations

from veridical.stimulus_set.describe import PublishedCounts
from veridical.suite.parts import DesignPart
from veridical.suites.magicbench.make import chunks, make, verify
from veridical.suites.magicbench.stimuli import FACTORS, RELEASE
from veridical.suites.magicbench.tricks.trick import FAMILIES

DESIGN = DesignPart(
    families=(*FAMILIES, RELEASE),
    factors=FACTORS,
    chunks=chunks,
    make=make,
    verify=verify,
    published=PublishedCounts(
        source="the paper, section 3.2: clips by the type of what is said over them",
        counts={"linguistic_type": {"A": 146, "B": 91, "C": 83, "D": 82}},
    ),
)
"""What a set of MagicBench can be asked to hold."""
