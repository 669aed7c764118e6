"""The demonstration: four embedded observers, asked about the same pictures.

One measures the picture, and one never looks. Two are trained networks of the same architecture: one was trained on
textbook figures, the other on changed figures as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from veridical import verbs
from veridical.base.processes import cores, map_processes
from veridical.records import Estimate, Json
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.observers import LEARNED
from veridical.suites.viprobe.options import DEMO
from veridical.suites.viprobe.presentation.conclusions import conclusions_of
from veridical.verbs import sets

OBSERVERS = ("pixel", "prior", f"{LEARNED}textbook", f"{LEARNED}counterfactual")
_LEGEND = """\
Percent of pictures with both questions answered right. O: original figures; P: perturbed figures, in which one target
is changed; OC, PC: their controls, without what makes the illusion. I = (O − P) − (OC − PC).
The two learned observers are networks of the same architecture, with the same number of training steps. Both see most
changes in controls. learned-textbook was never shown a changed figure, and misses most changes in figures."""


def demonstration(out: Path, progress: Callable[[int, int], None] | None = None) -> tuple[list[str], dict[str, Json]]:
    """Writes the demonstration to a folder: `set`, a run per observer, and `report.html`.

    Returns the results, as lines for people and as facts for machines. A folder that already holds a demonstration is
    reused: nothing is drawn or asked again. `progress` is called with the number of observers asked, and their total.
    """
    stimuli = sets.make("viprobe", out=out / "set", **DEMO)
    tell = progress or (lambda done, total: None)  # noqa: ARG005 (nobody listens)
    tell(0, len(OBSERVERS))
    runs: dict[str, verbs.RunResult] = {}
    for name in map_processes(ask_observer, str(out), OBSERVERS, cores()):
        runs[name] = verbs.open_run(out / name)
        runs[name].estimates(), conclusions_of(runs[name].outcomes())  # while the others are still asked
        tell(len(runs), len(OBSERVERS))
    runs = {name: runs[name] for name in OBSERVERS}
    page = verbs.write_report(list(runs.values()), out / "report.html", stimuli=stimuli)
    facts: dict[str, Json] = {"report": str(page), "pictures": len(stimuli.stimuli)}
    rows: list[tuple[str, ...]] = [("veridical/", *TYPES, "I, points", "verdict")]
    for name, run in runs.items():
        estimates = run.estimates()
        verdict = conclusions_of(run.outcomes()).yes_no[0].name
        rates = {variant: _rate(estimates, variant) for variant in TYPES}
        interaction = next(each.value for each in estimates if each.metric == "I" and not each.slice)
        facts[f"veridical/{name}"] = {"PFA": rates, "I": interaction, "verdict": verdict, "counts": str(run.counts)}
        cells = (f"{100 * rate:.0f}" for rate in rates.values())
        rows.append((name, *cells, "–" if interaction is None else f"{interaction:+.0f}", verdict))
    opening = f"{len(stimuli.stimuli):,} pictures of {DEMO['units']} units per case in {stimuli.folder}"
    lines = [opening, "", *_aligned(rows)]
    return [*lines, "", *_LEGEND.splitlines(), "", f"Report: {page}"], facts


def ask_observer(job: Json, item: Json) -> Json:
    """Asks an observer, `item`, about the set of a demonstration in the folder `job`; returns the observer."""
    verbs.run(Path(job, "set"), f"veridical/{item}", out=Path(job, item), show="quiet", analyze=False)
    return item


def _rate(estimates: Sequence[Estimate], variant: str) -> float:
    """The rate on a picture type; it is always defined, since unanswered pictures count as well."""
    value = next(each.value for each in estimates if each.metric == "PFA" and each.slice == {"variant": variant})
    assert value is not None
    return value


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines with columns of one width: the first and the last to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place in (0, len(row) - 1) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
