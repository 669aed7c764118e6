"""The demonstration: three embedded observers on every puzzle. One measures, one recalls, one reads the words alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from veridical import verbs
from veridical.records import Estimate, Json
from veridical.verbs import sets

UNITS, SIZE = 3, 384
OBSERVERS: dict[str, tuple[str, dict[str, Json]]] = {
    "measures": ("pixel", {}),
    "recalls": ("simulated", {"mechanism": "recalls", "sees": 0.4}),
    "reads the words": ("text", {}),
}
_COLUMNS = {
    "unusual": ("accuracy", {"variant": "unusual"}),
    "ordinary": ("accuracy", {"variant": "ordinary"}),
    "chance": ("chance", {}),
    "pull": ("pull of the usual", {}),
}
_LEGEND = """\
Percent right on illusions and anomalies, and on their ordinary counterparts. Pull of the usual: accuracy where the
usual answer is right − where it is wrong, in points. The observer that measures declines the puzzles whose answer is
not in the pixels; the one that recalls sees 40 % of the pictures and gives the usual answer to the others."""


def demonstration(out: Path, progress: Callable[[int, int], None] | None = None) -> tuple[list[str], dict[str, Json]]:
    """Writes the demonstration to a folder: `set`, a run per observer, and `report.html`.

    Returns the results, as lines for people and as facts for machines. A folder that already holds a demonstration is
    reused. `progress` is called with the number of observers asked, and their total.
    """
    stimuli = sets.make("viabench", out=out / "set", units=UNITS, size=SIZE)
    runs: dict[str, verbs.RunResult] = {}
    for name, (model, model_args) in OBSERVERS.items():
        folder = out / name.replace(" ", "-")
        runs[name] = verbs.run(
            stimuli, f"veridical/{model}", out=folder, model_args=model_args, repeats=1, show="quiet", analyze=False
        )
        if progress is not None:
            progress(len(runs), len(OBSERVERS))
    page = verbs.write_report(list(runs.values()), out / "report.html", stimuli=stimuli)
    facts: dict[str, Json] = {"report": str(page), "pictures": len(stimuli.stimuli)}
    lines = [f"{len(stimuli.stimuli):,} items of {UNITS} units per puzzle in {stimuli.folder}", ""]
    lines.append(f"{'observer':16}" + "".join(f"{name:>10}" for name in _COLUMNS))
    for name, run in runs.items():
        values = {column: _value(run.estimates(), *place) for column, place in _COLUMNS.items()}
        facts[name] = {**values, "counts": str(run.counts)}
        lines.append(f"{name:16}" + "".join(f"{_shown(column, value):>10}" for column, value in values.items()))
    return [*lines, "", *_LEGEND.splitlines(), "", f"Report: {page}"], facts


def _value(estimates: Sequence[Estimate], metric: str, where: dict[str, Json]) -> float | None:
    return next((each.value for each in estimates if each.metric == metric and dict(each.slice) == where), None)


def _shown(column: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:+.0f}".replace("-", "−") if column == "pull" else f"{100 * value:.0f}"
