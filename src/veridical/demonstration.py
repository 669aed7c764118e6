"""The demonstration: one observer that looks and one that recalls, on the same pictures, told apart by the figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from veridical import sets, verbs
from veridical.records import Estimate, Json
from veridical.report import format_estimate

UNITS = 2
OBSERVERS = ("veridical/pixel", "veridical/prior")


@dataclass(frozen=True)
class Shown:
    """What the demonstration found, as lines for people and as facts for machines."""

    lines: tuple[str, ...]
    facts: dict[str, Json]


def demo(out: Path) -> Shown:
    """The demonstration, written to a folder: `set`, a run per observer, and `report.html`.

    A folder that holds a demonstration already is taken up, not drawn or asked again.
    """
    stimuli = sets.make("viprobe", out=out / "set", units=UNITS, variants=("O", "P", "OC", "PC"))
    runs = {name: verbs.run(stimuli, name, out=out / name.split("/")[1]) for name in OBSERVERS}
    page = verbs.write_report(list(runs.values()), out / "report.html", stimuli=stimuli)
    lines = [f"{len(stimuli.stimuli):,} pictures of {UNITS} units per case in {stimuli.folder}"]
    facts: dict[str, Json] = {"report": str(page), "pictures": len(stimuli.stimuli)}
    for name, run in runs.items():
        estimates = run.estimates()
        cells = {variant: _cells(estimates, variant) for variant in ("O", "P", "OC", "PC")}
        extremes = {variant: {"lowest": min(values), "highest": max(values)} for variant, values in cells.items()}
        overall = {metric: _overall(estimates, metric) for metric in ("PFA", "I", "R")}
        facts[name] = {"PFA by case and strength": extremes, **{key: each.value for key, each in overall.items()}}
        lines += ["", f"{name}: {run.counts}", *_told(extremes, overall)]
    lines += [
        "",
        "pixel looks, and is right everywhere; prior recalls, and fails whatever was changed.",
        f"Report: {page}",
    ]
    return Shown(tuple(lines), facts)


def _told(extremes: Mapping[str, Mapping[str, float]], overall: Mapping[str, Estimate]) -> list[str]:
    told = [f"  {metric} {format_estimate(each)}" for metric, each in overall.items()]
    for variant, values in extremes.items():
        told.append(f"  PFA on {variant}, over cases and strengths: {values['lowest']:.0%} to {values['highest']:.0%}")
    return told


def _cells(estimates: list[Estimate], variant: str) -> list[float]:
    return [
        each.value
        for each in estimates
        if each.metric == "PFA"
        and "alpha" in each.slice
        and each.slice["variant"] == variant
        and each.value is not None
    ]


def _overall(estimates: list[Estimate], metric: str) -> Estimate:
    return next(each for each in estimates if each.metric == metric and not each.slice)
