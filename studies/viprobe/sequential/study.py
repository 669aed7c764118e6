"""The study of sequential verdicts: many runs of each observer, kept as they end, and what they come to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from studies.viprobe.sequential.observers import FEW, NEW
from studies.viprobe.sequential.runs import Ended, ended, of_catalogue, of_new
from studies.viprobe.validation.observers import CATALOGUE, Observer
from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.records import Json
from veridical.stats import Cells, Interval
from veridical.suite.rates import mean_rate
from veridical.suites.viprobe.sequential.case_standing import LOST
from veridical.suites.viprobe.verdicts import names

SEED = 110_300
"""Smaller seeds were used while the rules were being made."""

CLEAREST: Mapping[str, str] = {
    names.VERIDICAL: "perfect",
    names.WEAK: "weak vision",
    names.LOSS: "recalls every figure, inducers not recited",
    names.MIXED: "recalls half of the cases",
    names.ILLUSION: "illusory_percept, default",
    names.BLIND: "recites to everything",
    names.LANGUAGE: "language_limited, default",
    names.INVERTED: "inverted",
}
"""The clearest observer of each verdict, which has more runs."""

PERCEIVERS = ("perfect", "perceiver, σ .05", "perceiver, σ .15", "veridical, default")
"""Those that see clearly, whose median is promised: they have a tenth of the clearest observers' runs at least."""

_SAVED_AFTER = 10
TENTH = "recalls a tenth of the cases"
TO_THE_END = f"{TENTH}, asked to the end"
Progress = Callable[[int, int], None]


def observers() -> dict[str, Observer]:
    """All observers of the study, by name."""
    return {**CATALOGUE, **{name: late.observer for name, late in NEW.items()}}


def measure(
    path: Path, runs: int, clearest: int, only: Sequence[str] | None = None, progress: Progress | None = None
) -> list[Json]:
    """The results of all runs; those that the file has are not made again, the others are added to it.

    Raises `InputError` for a file that has something else.
    """
    kept = {(each["observer"], each["number"]): each for each in _kept(path)}
    wanted = list(_wanted(runs, clearest, only))
    for done, item in enumerate(wanted, 1):
        if item not in kept:
            kept[item] = result(*item)
            if not done % _SAVED_AFTER or done == len(wanted):
                lines = (json.dumps(each, ensure_ascii=False) for each in kept.values())
                write_whole(path, "".join(f"{line}\n" for line in lines).encode())
        if progress is not None:
            progress(done, len(wanted))
    return [kept[item] for item in wanted]


def _wanted(runs: int, clearest: int, only: Sequence[str] | None) -> Iterator[tuple[str, int]]:
    """All observers in turn, so that what is stopped early has some runs of each."""
    everyone = [*observers(), TO_THE_END]
    many = {**dict.fromkeys(PERCEIVERS, max(runs, clearest // 10)), **dict.fromkeys(CLEAREST.values(), clearest)}
    for number in range(max(runs, clearest)):
        for name in everyone:
            if number < many.get(name, runs) and name in (only or everyone):
                yield name, number


def _kept(path: Path) -> Iterator[Json]:
    if not path.exists():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found = json.loads(line)
            yield {**found, "observer": str(found["observer"]), "number": int(found["number"])}
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path}, line {number}: not a result of this study") from None


def result(name: str, number: int) -> Json:
    """How one run of an observer ended, and whether that is right, acceptable or wrong."""
    seed, to_the_end = SEED + number, name == TO_THE_END
    own = TENTH if to_the_end else name
    answers = of_new(NEW[own], seed) if own in NEW else of_catalogue(CATALOGUE[own], seed)
    run = ended(answers, seed, to_the_end=to_the_end)
    standing = run.standing
    return {
        "observer": name,
        "number": number,
        "verdict": standing.verdict,
        "rule": standing.rule,
        "questions": run.questions,
        "open cases": len(standing.families),
        "mark": mark(own, run),
        "found": own == TENTH and (standing.verdict == names.MIXED or _named(run)),
    }


def mark(name: str, run: Ended) -> str:
    """Right, acceptable or wrong; that one who recalls a tenth sees is no error where these cases are named as open."""
    may, verdict = observers()[name].overall, run.standing.verdict
    if verdict in may.right:
        return "right"
    if name == TENTH and verdict == names.VERIDICAL:
        return "acceptable" if _named(run) or set(FEW) <= set(run.standing.families) else "wrong"
    return "acceptable" if verdict in may.acceptable or verdict == names.MISSING else "wrong"


def _named(run: Ended) -> bool:
    """Whether the evidence names the few cases as lost."""
    lost = " ".join(each for each in run.standing.evidence if each.startswith(LOST))
    return all(name in lost for name in FEW)


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The runs of one observer: questions to the end (median, 90th percentile), shares with intervals, and rules."""

    observer: str
    runs: int
    median: float
    most: float
    right: tuple[float, Interval]
    wrong: tuple[float, Interval]
    open: int
    rules: Mapping[str, int]
    verdicts: Mapping[str, int]


def summaries(results: Iterable[Json]) -> list[Summary]:
    """The summary of each observer, in the order of the catalogue."""
    by_observer: dict[str, list[Json]] = {name: [] for name in (*observers(), TO_THE_END)}
    for each in results:
        by_observer[each["observer"]].append(each)
    return [_summary(name, runs) for name, runs in by_observer.items() if runs]


def _summary(name: str, runs: Sequence[Json]) -> Summary:
    questions = [each["questions"] for each in runs]
    return Summary(
        observer=name,
        runs=len(runs),
        median=float(np.median(questions)),
        most=float(np.quantile(questions, 0.9, method="higher")),
        right=share([each["mark"] == "right" for each in runs]),
        wrong=share([each["mark"] == "wrong" for each in runs]),
        open=sum(each["rule"] is None for each in runs),
        rules=_counts((each["rule"] or "none").split(":")[0] for each in runs),
        verdicts=_counts(each["verdict"] for each in runs),
    )


def share(hits: Sequence[bool]) -> tuple[float, Interval]:
    """The share of runs with its 95 % interval (mid-P)."""
    sums = np.array(hits, float)[:, None, None]
    return mean_rate(Cells(sums, np.ones((len(hits), 1)), np.zeros(len(hits), np.int64)), 0, (1.0,))


def _counts(values: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return dict(sorted(counts.items(), key=lambda each: -each[1]))
