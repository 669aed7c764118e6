"""What HOCA-Bench draws."""

from __future__ import annotations

from veridical.stimulus_set.describe import PublishedCounts
from veridical.suite.parts import DesignPart
from veridical.suites.hocabench.physics.make import PANELS, SEQUENCE, chunks, make, verify
from veridical.suites.hocabench.taxonomy import SUB_TYPES

DESIGN = DesignPart(
    families=(*SUB_TYPES, PANELS, SEQUENCE),
    factors={
        "layer": str,
        "sub_type": str,
        "scene": str,
        "style": str,
        "camera": str,
        "anomalies": int,
        "event": float,
        "taken_from": str,
        "source_model": str,
        "theme": str,
        "scene_type": str,
    },
    chunks=chunks,
    make=make,
    verify=verify,
    published=PublishedCounts(
        source="the paper, section 3.3: 630 single anomalies, 630 real clips, 120 with several, 59 for grounding",
        counts={"variant": {"violating": 630, "plausible": 630, "panels": 120, "sequence": 59}},
    ),
)
"""`layer` and `sub_type` are those of the anomaly, of a control those of the event that it is the control of.

`scene` is what hosts the event, `style` and `camera` how it is filmed, `anomalies` how many there are at a time or one
after the other, `event` when it begins, in seconds. `source_model`, `theme` and `scene_type` come with releases.
"""
