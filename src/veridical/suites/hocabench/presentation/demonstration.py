"""The demonstration: three embedded observers on clips of every sub-type. Two have a mechanism, one measures motion."""

from __future__ import annotations

from veridical.suites.hocabench.options import DEMO
from veridical.verbs.results.demonstration import Demonstration

demonstration = Demonstration(
    suite="hocabench",
    drawn=DEMO,
    asked={"settings": {"frames": ["uniform-16"]}, "judge": "rule"},
    observers={
        "existence only": ("simulated", {"mechanism": "lag"}),
        "oddness": ("simulated", {"mechanism": "oddness"}),
        "motion": ("motion", {}),
    },
    counted="clips",
    opening=lambda clips, folder: f"{clips:,} clips of all eighteen sub-types in {folder}",
    columns={
        "violating": ("says implausible", {"variant": "violating"}),
        "plausible": ("says implausible", {"variant": "plausible"}),
        "explained": ("says implausible", {"variant": "explained"}),
        "ont.": ("accuracy", {"task": "description", "layer": "ontological"}),
        "caus.": ("accuracy", {"task": "description", "layer": "causal"}),
        "H-Index": ("h_index", {"weighting": "paper"}),
    },
    width=11,
    legend="""\
Percent of clips called implausible: violating ones, their plausible controls, and controls whose odd event has a cause
that is seen. Ont., caus.: percent of right descriptions of ontological and causal anomalies. The observer of existence
notices what is wrong with things, not with laws; that of oddness calls the explained odd, too. Motion compares frames
and reads no words, so that it declines the other tasks. Explanations are marked by rule.""",
)
