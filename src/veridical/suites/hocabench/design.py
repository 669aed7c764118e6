"""What HOCA-Bench draws."""

from __future__ import annotations

from veridical.stimulus_set.describe import PublishedCounts
from veridical.suite.parts import DesignPart
from veridical.suites.hocabench.physics.make import PANELS, SEQUENCE, chunks, make, verify
from veridical.suites.hocabench.stimuli import FACTORS
from veridical.suites.hocabench.taxonomy import SUB_TYPES

DESIGN = DesignPart(
    families=(*SUB_TYPES, PANELS, SEQUENCE),
    factors=FACTORS,
    chunks=chunks,
    make=make,
    verify=verify,
    published=PublishedCounts(
        source="the paper, section 3.3: 630 single anomalies, 630 real clips, 120 with several, 59 for grounding",
        counts={"variant": {"violating": 630, "plausible": 630, "panels": 120, "sequence": 59}},
    ),
)
