"""The page on the observers that come with the library, tested on pictures as they are drawn now, with clutter."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from studies.viprobe.training.arms import ARMS, SHIPPED
from studies.viprobe.training.examine import exam, verdicts_by_case
from studies.viprobe.training.results import CLASSIC, interval
from studies.viprobe.training.study import LEVELS, SEED, UNITS
from veridical.base.markdown import table
from veridical.errors import InputError
from veridical.records import Estimate
from veridical.stimulus_set import StimulusSet
from veridical.suite.results import Result, find
from veridical.suites.viprobe.analysis.estimates import estimates
from veridical.suites.viprobe.analysis.missing_answers import withhold
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers import LEARNED
from veridical.suites.viprobe.observers.learned_observers.network import Network
from veridical.suites.viprobe.observers.learned_observers.weights import FOLDER, read_weights
from veridical.verbs import sets

_COLUMNS = ("network", "seed", "way", "pictures", "case", "figure", "verdict")
SHOWN = (*TYPES, "OS", "PS")
Verdicts = Mapping[str, str]
"""Verdicts by case, with the overall one under the empty name."""

_TEXT = """\
# The shipped observers, on pictures as they are drawn now

Written by `python -m studies.viprobe examine`. [learned-observers.md](learned-observers.md) describes the training of
each network and the results of 3 seeds. Since these networks were trained, some figures are drawn differently
(irradiation's backgrounds, Ehrenstein's sides, the positions of shafts, discs and pills, the cords' stripes), and
pictures with clutter are new (OS, PS: the same targets and elements, scattered). Here the four networks are tested
without retraining on a reproducible set of the {cases} classic cases:
seed {seed}, {units} units per case, {levels} strengths, both polarities. None of them was trained on clutter.

## Overall

PFA in percent, with the same intervals as for any run; declined questions count as incorrect. OS, PS, PC − PS and
PS − P are over the {cluttered} cases that have pictures with clutter; differences are in points.

{overall}

## Verdicts by case, against the training

What each network was trained to do is known. *Changes shown*: cases of which it saw changed figures in training; *held
out*: cases of which it saw the classic figure alone; *no figure*: cases of which it saw controls alone. P is the mean
over these cases.

{counted}

## Verdicts that changed

{changed}

## Clutter, case by case

PFA of perturbed pictures in percent (n {n} pairs each): controls, clutter, figures; and the share of replies on clutter
(OS and PS) that were declined.

{clutter}
"""


class Examined(NamedTuple):
    """A network's outcomes on the classic cases, with its results and verdicts."""

    name: str
    result: Result
    verdicts: Verdicts


def examine(
    folder: Path, *, units: int = UNITS, levels: int = LEVELS, progress: Callable[[int, int], None] | None = None
) -> list[Examined]:
    """The four observers, tested on a set that is made in the folder, or resumed there."""
    test = exam(_set(folder, units, levels))
    examined = []
    for done, name in enumerate(SHIPPED, 1):
        outcomes = test.answered(Network(read_weights(FOLDER / f"{LEARNED}{name}.npz")))
        outcomes = outcomes.filter(pl.col("family").is_in(CLASSIC))
        estimated = withhold(estimates(outcomes), outcomes)
        examined.append(Examined(name, Result(name, outcomes, estimated), verdicts_by_case(outcomes)))
        if progress is not None:
            progress(done, len(SHIPPED))
    return examined


def before(path: Path) -> Mapping[str, Verdicts]:
    """The study's verdicts on the shipped seed, by network and case, from the table beside its page.

    Raises `InputError` for a file that is no such table.
    """
    verdicts: dict[str, dict[str, str]] = {}
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        rows = csv.DictReader(file)
        if lacking := [name for name in _COLUMNS if name not in (rows.fieldnames or ())]:
            raise InputError(f"{path} is not the table of a study: it has no column '{lacking[0]}'")
        for row in rows:
            if row["figure"] == "verdict" and (row["seed"], row["way"], row["pictures"]) == ("0", "asked", ""):
                verdicts.setdefault(row["network"], {})[row["case"]] = row["verdict"]
    return verdicts


def page(examined: Sequence[Examined], former: Mapping[str, Verdicts]) -> str:
    """The page, with verdicts compared with former ones."""
    outcomes = examined[0].result.outcomes
    units = outcomes["unit"].n_unique() // len(CLASSIC)
    levels = outcomes.filter(pl.col("variant") == "P")["alpha"].n_unique()
    cluttered = [case for case in CLASSIC if not outcomes.filter(_amid(case)).is_empty()]
    heads = [*SHOWN, "PC − PS", "PS − P", "declined", "verdict, before", "verdict, now"]
    changed = list(_changed(examined, former))
    clutter = [row for each in examined for row in _clutter(each, cluttered)]
    return _TEXT.format(
        cases=len(CLASSIC),
        seed=SEED,
        units=units,
        levels=levels,
        cluttered=len(cluttered),
        n=units * levels,
        overall=table(["network", *heads], [_overall(each, former) for each in examined]),
        counted=table(["network", "trained on", "cases", "P", "verdicts by case"], list(_counted(examined))),
        changed=table(["network", "case", "before", "now", *TYPES], changed) if changed else "None.",
        clutter=table(["network", "case", "PC", "PS", "P", "declined"], clutter),
    )


def _counted(examined: Sequence[Examined]) -> Iterator[list[str]]:
    """How many cases have which verdict, for cases of which a network was and was not shown changes."""
    for each in examined:
        groups: dict[str, list[str]] = {}
        for case in CLASSIC:
            groups.setdefault(_diet(each.name, case), []).append(case)
        for diet, cases in groups.items():
            names = Counter(each.verdicts[case] for case in cases)
            rates = [find(each.result, "PFA", {"case": case, "variant": "P"}) for case in cases]
            values = [rate.value for rate in rates if rate is not None and rate.value is not None]
            seen = f"{100 * sum(values) / len(values):.0f}" if values else "–"
            counts = ", ".join(f"{name} {count}" for name, count in names.most_common())
            yield [each.name, diet, str(len(cases)), seen, counts]


def _diet(network: str, case: str) -> str:
    """What a network was shown of the figures of a case."""
    _, _, unchanged, changed = ARMS[network].then.shares(CASES[case])
    return "changes shown" if changed else "held out" if unchanged else "no figure"


def _set(folder: Path, units: int, levels: int) -> StimulusSet:
    out = folder / "shipped"
    return sets.make("viprobe", out=out, cases=("classic",), variants=SHOWN, units=units, levels=levels, seed=SEED)


def _amid(case: str) -> pl.Expr:
    return (pl.col("family") == case) & pl.col("variant").is_in(("OS", "PS"))


def _overall(each: Examined, former: Mapping[str, Verdicts]) -> list[str]:
    rates = [_rate(find(each.result, "PFA", {"variant": variant})) for variant in SHOWN]
    gaps = [_rate(find(each.result, metric, {}), 1.0) for metric in ("clutter_gap", "figure_gap")]
    outcomes = each.result.outcomes
    declined = 100 * outcomes.filter(pl.col("status") != "answered").height / outcomes.height
    return [each.name, *rates, *gaps, f"{declined:.1f}", former.get(each.name, {}).get("", "–"), each.verdicts[""]]


def _changed(examined: Sequence[Examined], former: Mapping[str, Verdicts]) -> Iterator[list[str]]:
    for each in examined:
        for case in ("", *CLASSIC):
            was, is_now = former.get(each.name, {}).get(case), each.verdicts.get(case, "–")
            if was is not None and was != is_now:
                where = {"case": case} if case else {}
                rates = [_percent(find(each.result, "PFA", {**where, "variant": variant})) for variant in TYPES]
                yield [each.name, case or "all", was, is_now, *rates]


def _clutter(each: Examined, cases: Sequence[str]) -> Iterator[list[str]]:
    for case in cases:
        rates = [_percent(find(each.result, "PFA", {"case": case, "variant": name})) for name in ("PC", "PS", "P")]
        amid = each.result.outcomes.filter(_amid(case))
        declined = 100 * amid.filter(pl.col("status") != "answered").height / amid.height
        yield [each.name, case, *rates, f"{declined:.0f}"]


def _rate(estimate: Estimate | None, scale: float = 100.0) -> str:
    if estimate is None:
        return "–"
    return interval((estimate.value, estimate.low, estimate.high), scale)


def _percent(estimate: Estimate | None) -> str:
    return "–" if estimate is None or estimate.value is None else f"{100 * estimate.value:.0f}"
