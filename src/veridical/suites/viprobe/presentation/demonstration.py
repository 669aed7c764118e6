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
from veridical.suites.viprobe.sequential.part import SEQUENTIAL
from veridical.verbs import sets

OBSERVERS = ("pixel", "prior", f"{LEARNED}textbook", f"{LEARNED}counterfactual")
_LEFT = (0, 6, 8)
"""The columns of names."""
_LEGEND = """\
Percent of pictures with both questions answered right. O: original figures; P: perturbed figures, in which one target
is changed; OC, PC: their controls, without what makes the illusion. I = (O − P) − (OC − PC).
The two learned observers are networks of the same architecture, with the same number of training steps. Both see most
changes in controls. learned-textbook was never shown a changed figure, and misses most changes in figures.
The last two columns are of runs that stop at a verdict: how many questions they took, each chosen by the replies before
it, and what they come to."""


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
    rows: list[tuple[str, ...]] = [("veridical/", *TYPES, "I, points", "verdict", "questions", "verdict in rounds")]
    for name, run in runs.items():
        estimates = run.estimates()
        verdict = conclusions_of(run.outcomes()).yes_no[0].name
        rates = {variant: _rate(estimates, variant) for variant in TYPES}
        interaction = next(each.value for each in estimates if each.metric == "I" and not each.slice)
        taken = verbs.open_run(_rounds_of(out, name)).rounds
        assert taken is not None
        facts[f"veridical/{name}"] = {"PFA": rates, "I": interaction, "verdict": verdict, "counts": str(run.counts)} | {
            "rounds": {"questions": taken.questions, "verdict": taken.standing.verdict, "rule": taken.standing.rule}
        }
        cells = (f"{100 * rate:.0f}" for rate in rates.values())
        effect = "–" if interaction is None else f"{interaction:+.0f}"
        rows.append((name, *cells, effect, verdict, f"{taken.questions:,}", taken.standing.verdict))
    opening = f"{len(stimuli.stimuli):,} pictures of {DEMO['units']} units per case in {stimuli.folder}"
    lines = [opening, "", *_aligned(rows)]
    return [*lines, "", *_LEGEND.splitlines(), "", f"Report: {page}"], facts


def ask_observer(job: Json, item: Json) -> Json:
    """Asks an observer, `item`, about the set of a demonstration in the folder `job`, and in rounds; returns it."""
    model = f"veridical/{item}"
    verbs.run(Path(job, "set"), model, out=Path(job, item), show="quiet", analyze=False)
    design = sets.design("viprobe", **SEQUENTIAL.values)
    verbs.run(design, model, out=_rounds_of(Path(job), item), stop_at="verdict", show="quiet", analyze=False)
    return item


def _rounds_of(out: Path, name: str) -> Path:
    """The folder of an observer's run in rounds."""
    return out / "rounds" / name


def _rate(estimates: Sequence[Estimate], variant: str) -> float:
    """The rate on a picture type; it is always defined, since unanswered pictures count as well."""
    value = next(each.value for each in estimates if each.metric == "PFA" and each.slice == {"variant": variant})
    assert value is not None
    return value


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines with columns of one width: names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place in _LEFT else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
