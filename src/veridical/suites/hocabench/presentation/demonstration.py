"""The demonstration: three embedded observers on clips of every sub-type. Two have a mechanism, one measures motion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from veridical.records import Json
from veridical.verbs import sets
from veridical.verbs.results.demonstration import Column, demonstrated

SET: dict[str, Json] = {"units": 1, "height": 180, "rate": 10, "panels": 1, "sequences": 3}
SETTINGS = {"frames": ["uniform-16"]}
OBSERVERS: dict[str, tuple[str, dict[str, Json]]] = {
    "existence only": ("simulated", {"mechanism": "lag"}),
    "oddness": ("simulated", {"mechanism": "oddness"}),
    "motion": ("motion", {}),
}
_COLUMNS: dict[str, Column] = {
    "violating": ("says implausible", {"variant": "violating"}),
    "plausible": ("says implausible", {"variant": "plausible"}),
    "explained": ("says implausible", {"variant": "explained"}),
    "ont.": ("accuracy", {"task": "description", "layer": "ontological"}),
    "caus.": ("accuracy", {"task": "description", "layer": "causal"}),
    "H-Index": ("h_index", {"weighting": "paper"}),
}
_LEGEND = """\
Percent of clips called implausible: violating ones, their plausible controls, and controls whose odd event has a cause
that is seen. Ont., caus.: percent of right descriptions of ontological and causal anomalies. The observer of existence
notices what is wrong with things, not with laws; that of oddness calls the explained odd, too. Motion compares frames
and reads no words, so that it declines the other tasks. Explanations are marked by rule."""


def demonstration(out: Path, progress: Callable[[int, int], None] | None = None) -> tuple[list[str], dict[str, Json]]:
    """Writes the demonstration to a folder: `set`, a run per observer, and `report.html`.

    Returns the results, as lines for people and as facts for machines. A folder that already holds a demonstration is
    reused. `progress` is called with the number of observers asked, and their total.
    """
    stimuli = sets.make("hocabench", out=out / "set", **SET)
    asked = demonstrated(stimuli, OBSERVERS, out, progress, settings=SETTINGS, judge="rule")
    clips = len(stimuli.stimuli)
    opening = f"{clips:,} clips of all eighteen sub-types in {stimuli.folder}"
    return asked.told(opening, {"clips": clips}, _COLUMNS, _LEGEND, width=11)
