"""The demonstration: three observers on tricks; one sees for itself, one is led by words, one believes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from veridical import verbs
from veridical.judges.judged import NOT_JUDGED
from veridical.records import POINTS, Estimate, Json
from veridical.verbs import sets

SET: dict[str, Json] = {"units": 2, "height": 180, "rate": 12, "tricks": ["cups", "coin", "lapping", "levitation"]}
"""Small clips of the families that the judge by rule can mark."""
SETTINGS = {"stance": ["vision-only", "forensic"]}
OBSERVERS: dict[str, dict[str, Json]] = {
    "autonomous": {"mechanism": "autonomous"},
    "language-led": {"mechanism": "language-led"},
    "believer": {"mechanism": "believer"},
}
_MARKS: dict[str, Json] = {"score": "cpa", "stance": "forensic"}
_COLUMNS: dict[str, tuple[str, dict[str, Json]]] = {
    "no words": ("probe accuracy", {"under": "vision-only"}),
    "lie": ("probe accuracy", {"under": "lie"}),
    "silence": ("probe accuracy", {"under": "silence"}),
    "effect": ("effect of a lie", {"against": "vision-only"}),
    "if false": ("effect of a lie", {"against": "vision-only", "lie": "false"}),
    "takes it": ("takes the lie", {"under": "lie"}),
    "gain A": ("spotlight gain", {"type": "lie", **_MARKS}),
    "loss D": ("agency loss", _MARKS),
}
_LEGEND = """\
Percent of right answers to questions about what is where in a trick, without words, under a lie, and in silence; what
the lie changes, in points, over all questions and where it is false; and how often its word is taken there. Gain A:
CPA, marks for how it is done, under a lie − without words; loss D: without words − in silence; by rule. The autonomous
observer hears nothing, the language-led one is lost in silence, the believer takes every lie."""


def demonstration(out: Path, progress: Callable[[int, int], None] | None = None) -> tuple[list[str], dict[str, Json]]:
    """Writes the demonstration to a folder: `set`, a run per observer, and `report.html`.

    Returns the results, as lines for people and as facts for machines. A folder that already holds a demonstration is
    reused. `progress` is called with the number of observers asked, and their total.
    """
    stimuli = sets.make("magicbench", out=out / "set", **SET)
    runs: dict[str, verbs.RunResult] = {}
    for name, model_args in OBSERVERS.items():
        runs[name] = verbs.run(
            stimuli,
            "veridical/simulated",
            out=out / name,
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
    lines = [f"{len(stimuli.stimuli):,} clips of tricks and honest controls in {stimuli.folder}", ""]
    lines.append(f"{'observer':16}" + "".join(f"{name:>10}" for name in _COLUMNS))
    for name, run in runs.items():
        every = run.estimates()
        values = {column: _found(every, *place) for column, place in _COLUMNS.items()}
        facts[name] = {column: each.value if each else None for column, each in values.items()} | {
            "counts": str(run.counts)
        }
        lines.append(f"{name:16}" + "".join(f"{_shown(each):>10}" for each in values.values()))
    return [*lines, "", *_LEGEND.splitlines(), "", f"Report: {page}"], facts


def _found(estimates: Sequence[Estimate], metric: str, where: dict[str, Json]) -> Estimate | None:
    """The estimate in a slice, whoever judged."""
    for each in estimates:
        own = {key: level for key, level in each.slice.items() if key not in ("judge", "rubric")}
        if each.metric == metric and own == where and each.slice.get("judge") != NOT_JUDGED:
            return each
    return None


def _shown(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return "–"
    if estimate.unit == POINTS:
        return f"{estimate.value:+.0f}".replace("-", "−")
    return f"{100 * estimate.value:.0f}"
