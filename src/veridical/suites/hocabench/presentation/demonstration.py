"""The demonstration: three embedded observers on clips of every sub-type. Two have a mechanism, one measures motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from veridical import verbs
from veridical.records import Estimate, Json
from veridical.suites.hocabench.presentation.judging import NOT_JUDGED
from veridical.verbs import sets

SET: dict[str, Json] = {"units": 1, "height": 180, "rate": 10, "panels": 1, "sequences": 3}
SETTINGS = {"frames": ["uniform-16"]}
OBSERVERS: dict[str, tuple[str, dict[str, Json]]] = {
    "existence only": ("simulated", {"mechanism": "lag"}),
    "oddness": ("simulated", {"mechanism": "oddness"}),
    "motion": ("motion", {}),
}
_COLUMNS: dict[str, tuple[str, dict[str, Json]]] = {
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
    runs: dict[str, verbs.RunResult] = {}
    for name, (model, model_args) in OBSERVERS.items():
        runs[name] = verbs.run(
            stimuli,
            f"veridical/{model}",
            out=out / name.replace(" ", "-"),
            model_args=model_args,
            settings=SETTINGS,
            judge="rule",
            show="quiet",
            analyze=False,
        )
        if progress is not None:
            progress(len(runs), len(OBSERVERS))
    page = verbs.write_report(list(runs.values()), out / "report.html", stimuli=stimuli)
    facts: dict[str, Json] = {"report": str(page), "clips": len(stimuli.stimuli)}
    lines = [f"{len(stimuli.stimuli):,} clips of all eighteen sub-types in {stimuli.folder}", ""]
    lines.append(f"{'observer':16}" + "".join(f"{name:>11}" for name in _COLUMNS))
    for name, run in runs.items():
        values = {column: _value(run.estimates(), *place) for column, place in _COLUMNS.items()}
        facts[name] = {**values, "counts": str(run.counts)}
        lines.append(f"{name:16}" + "".join(f"{_shown(value):>11}" for value in values.values()))
    return [*lines, "", *_LEGEND.splitlines(), "", f"Report: {page}"], facts


def _value(estimates: Sequence[Estimate], metric: str, where: dict[str, Json]) -> float | None:
    """The value in a slice, whoever judged."""
    for each in estimates:
        own = {key: level for key, level in each.slice.items() if key not in ("judge", "rubric")}
        if each.metric == metric and own == where and each.slice.get("judge") != NOT_JUDGED:
            return each.value
    return None


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f}"
