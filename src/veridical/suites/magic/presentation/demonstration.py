"""The demonstration: three observers on a few scenes, one perfect, one that lists every box, one that never heals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from veridical import verbs
from veridical.judges.judged import NOT_JUDGED
from veridical.records import Estimate, Json
from veridical.suites.magic.analysis.views import ACCURACY, MASKED
from veridical.verbs import sets

UNITS = 4
VIEWS = ("all-boxes", *reversed(MASKED))
OBSERVERS: dict[str, dict[str, Json]] = {
    "perfect": {},
    "lists every box": {"mechanism": "exhaustive"},
    "never heals": {"mechanism": "stubborn"},
}
_HEALED: dict[str, Json] = {"injection": "prefill", "correcting": "prompted", "chain_by": "generator"}
_COLUMNS: dict[str, tuple[str, dict[str, Json]]] = {
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
    runs: dict[str, verbs.RunResult] = {}
    for name, model_args in OBSERVERS.items():
        runs[name] = verbs.run(
            stimuli,
            "veridical/simulated",
            out=out / name.replace(" ", "-"),
            model_args=model_args,
            settings={"view": list(VIEWS), "correcting": ["prompted"]},
            judge="rule",
            show="quiet",
            analyze=False,
        )
        if progress is not None:
            progress(len(runs), len(OBSERVERS))
    page = verbs.write_report(list(runs.values()), out / "report.html", stimuli=stimuli)
    facts: dict[str, Json] = {"report": str(page), "questions": len(stimuli.stimuli)}
    lines = [f"{len(stimuli.stimuli):,} questions about {len(stimuli.stimuli) // 5:,} scenes in {stimuli.folder}", ""]
    lines.append(f"{'observer':16}" + "".join(f"{name:>11}" for name in _COLUMNS))
    for name, run in runs.items():
        values = {column: _value(run.estimates(), *place) for column, place in _COLUMNS.items()}
        facts[name] = {**values, "counts": str(run.counts)}
        lines.append(f"{name:16}" + "".join(f"{_shown(column, value):>11}" for column, value in values.items()))
    return [*lines, "", *_LEGEND.splitlines(), "", f"Report: {page}"], facts


def _value(estimates: Sequence[Estimate], metric: str, where: dict[str, Json]) -> float | None:
    """The value in a slice, whoever judged."""
    for each in estimates:
        own = {key: level for key, level in each.slice.items() if key not in ("judge", "rubric")}
        if each.metric == metric and own == where and each.slice.get("judge") != NOT_JUDGED:
            return each.value
    return None


def _shown(column: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:+.0f}".replace("-", "−") if column == "covering" else f"{100 * value:.0f}"
