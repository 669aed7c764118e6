"""The demonstration: three observers on a few scenes, one perfect, one that lists every box, one that never heals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from veridical.records import Json
from veridical.suites.magic.analysis.views import ACCURACY, MASKED
from veridical.verbs import sets
from veridical.verbs.results.demonstration import Column, demonstrated

UNITS = 4
SETTINGS = {"view": ["all-boxes", *reversed(MASKED)], "correcting": ["prompted"]}
OBSERVERS: dict[str, tuple[str, dict[str, Json]]] = {
    "perfect": ("simulated", {}),
    "lists every box": ("simulated", {"mechanism": "exhaustive"}),
    "never heals": ("simulated", {"mechanism": "stubborn"}),
}
_HEALED: dict[str, Json] = {"injection": "prefill", "correcting": "prompted", "chain_by": "generator"}
_COLUMNS: dict[str, Column] = {
    "precision": ("magiscore precision", {}),
    "recall": ("magiscore recall", {}),
    "answers": ("accuracy", {}),
    "covering": ("view effect", {"view": MASKED[0], "against": MASKED[1], "of": ACCURACY, "by": "reader"}),
    "heals": ("heals", _HEALED),
    "denies": ("over-correction", _HEALED),
}
_LEGEND = """\
Percent: precision and recall of the boxes that the reasoning mentions, right answers, mistakes in given reasoning that
are named and corrected, and right reasoning called wrong. Covering: points of answers lost if what the relevant boxes
show is covered, beyond those lost with the others covered. Judged by rule."""


def demonstration(out: Path, progress: Callable[[int, int], None] | None = None) -> tuple[list[str], dict[str, Json]]:
    """Writes the demonstration to a folder: `set`, a run per observer, and `report.html`.

    Returns the results, as lines for people and as facts for machines. A folder that already holds a demonstration is
    reused. `progress` is called with the number of observers asked, and their total.
    """
    stimuli = sets.make("magic", out=out / "set", units=UNITS)
    asked = demonstrated(stimuli, OBSERVERS, out, progress, settings=SETTINGS, judge="rule")
    questions = len(stimuli.stimuli)
    opening = f"{questions:,} questions about {questions // 5:,} scenes in {stimuli.folder}"
    return asked.told(opening, {"questions": questions}, _COLUMNS, _LEGEND, width=11)
