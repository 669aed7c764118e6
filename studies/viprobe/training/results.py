"""Access to the study's records, and whether the expected results came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from studies.viprobe.training.arms import HELD_OUT
from veridical.records import Json
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.verdicts.names import LOSES, LOSS, VERIDICAL

GOOD, GONE, ENOUGH = 0.95, 0.10, 22
"""Minimum accuracy where it was trained; maximum where it recalls; minimum number of cases."""
CLASSIC = [case.name for case in CASES.values() if not case.novel]
DECLINED = "no_pair"
"""The metric of reply pairs without an answer: for these networks, those that they decline."""
VERDICTS = {LOSS: LOSES, VERIDICAL: frozenset({VERIDICAL})}
"""Expected verdicts, each with the names that satisfy it: memory override is a kind of loss."""

Record = dict[str, Json]


class Expected(NamedTuple):
    """An expected result, whether it was met, and the observed figures."""

    words: str
    kept: bool
    observed: str


class Results:
    """The records of a study, by way of testing, arm and seed."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.records: list[Record] = sorted(
            records, key=lambda each: (each["seed"], each["arm"], each.get("change", ""))
        )
        self.seeds: list[int] = sorted({each["seed"] for each in self.records})

    def of(self, way: str, arm: str, change: str | None = None) -> list[Record]:
        """The records of an arm, one per seed."""
        return [
            each for each in self.records if each["way"] == way and each["arm"] == arm and each.get("change") == change
        ]

    def on_fresh(self) -> Results:
        """The results on the set that was used for no choice, as if it were the exam."""
        return Results(each | {"way": "asked"} for each in self.records if each["way"] == "fresh")

    def case_rates(self, way: str, arm: str, variant: str) -> dict[str, list[float]]:
        """The rates of each case, novel ones included, on a picture type, one per seed."""
        rates: dict[str, list[float]] = {}
        for each in self.of(way, arm):
            for case, kind, value, *_ in (*each["cases"], *each["novel"]["cases"]):
                if kind == variant:
                    rates.setdefault(case, []).append(value)
        return rates

    def mean_rates(self, arm: str, variant: str, cases: Sequence[str]) -> list[float]:
        """The mean rates on a picture type over cases, one per seed, in the way "asked"."""
        rates = self.case_rates("asked", arm, variant)
        by_seed = zip(*(rates[case] for case in cases if case in rates), strict=True)
        return [sum(values) / len(values) for values in by_seed]


def expected(results: Results) -> Iterator[Expected]:
    """The results that the training of the networks predicts, by seed."""
    yield from _rates(results, "textbook", ("O", "OC", "PC"), at_least=GOOD)
    yield from _rates(results, "textbook", ("P",), at_most=GONE)
    yield _verdict(results, "textbook", LOSS)
    yield _named(results, "textbook", LOSS, CLASSIC)
    for each in results.of("asked", "counterfactual"):
        good = [case for case in CLASSIC if all(value >= GOOD for name, _, value, *_ in each["cases"] if name == case)]
        words = (
            f"counterfactual, seed {each['seed']}: O, P, OC, PC at least {GOOD:.0%} on {ENOUGH} of {len(CLASSIC)} cases"
        )
        yield Expected(words, len(good) >= ENOUGH, f"on {len(good)}")
    yield _verdict(results, "counterfactual", VERIDICAL)
    yield _named(results, "heldout", LOSS, HELD_OUT)


def read_of(record: Record) -> tuple[int, int, int]:
    """Over the classic cases: figures that the probe gets right, that the network gets right, and their number."""
    parts = [part for part in record["read"] if part[0] in CLASSIC]
    right, own, n = (sum(part[k] for part in parts) for k in (1, 2, 3))
    return right, own, n


def named(record: Record, verdict: str) -> list[str]:
    """The cases that have this verdict."""
    return [case for case, name in record["verdicts"].items() if case and name in VERDICTS[verdict]]


def _rates(
    results: Results, arm: str, types: Sequence[str], *, at_least: float = 0.0, at_most: float = 1.0
) -> Iterator[Expected]:
    bound = f"at least {at_least:.0%}" if at_least else f"at most {at_most:.0%}"
    for variant in types:
        values = [each["rates"][variant][0] for each in results.of("asked", arm)]
        kept = bool(values) and all(at_least <= value <= at_most for value in values)
        yield Expected(f"{arm}: {variant} {bound}, each seed", kept, spread(values))


def _verdict(results: Results, arm: str, verdict: str) -> Expected:
    names = [each["verdicts"][""] for each in results.of("asked", arm)]
    return Expected(
        f"{arm}: {verdict} overall, each seed", bool(names) and VERDICTS[verdict].issuperset(names), ", ".join(names)
    )


def _named(results: Results, arm: str, verdict: str, cases: Sequence[str]) -> Expected:
    records = results.of("asked", arm)
    tallies, kept = [], bool(records)
    for each in records:
        called = set(named(each, verdict))
        kept &= called == set(cases)
        extra = len(called - set(cases))
        tallies.append(f"{len(called & set(cases))} of {len(cases)}" + (f" and {extra} others" if extra else ""))
    which = "each case" if len(cases) == len(CLASSIC) else "the cases held out, and no other"
    return Expected(f"{arm}: {verdict} in {which}, each seed", kept, "; ".join(tallies))


def spread(values: Sequence[float], show: Callable[[float], str] = lambda value: f"{100 * value:.1f}") -> str:
    """The mean over seeds, with the minimum and maximum."""
    if not values:
        return "–"
    mean = sum(values) / len(values)
    return f"{show(mean)} ({show(min(values))} to {show(max(values))})" if len(values) > 1 else show(mean)


def all_types(record: Record) -> list[str]:
    """The rates on O, P, OC and PC in percent, with their intervals."""
    return [interval(record["rates"][variant]) for variant in TYPES]


def interval(estimate: Sequence[float | None], scale: float = 100.0, digits: int = 1) -> str:
    """A figure with its interval; – for what is undefined."""
    value, low, high = ("–" if part is None else f"{scale * part:.{digits}f}" for part in estimate[:3])
    return f"{value} [{low}, {high}]".replace("-", "−") if {value, low, high} != {"–"} else "–"
