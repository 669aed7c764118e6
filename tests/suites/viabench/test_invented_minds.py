"""Invented observers of VIA-Bench, with one fault and with two: the verdict names what is so, and nothing else."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from tests.curtailed import in_four_of_five
from tests.suites.viabench.test_attacks import (
    OBSERVERS as RUN,
)
from tests.suites.viabench.test_attacks import (
    guess,
    live,
    ordinary,
    refusing,
    sees_but,
    unusual,
    usual,
)
from veridical.stats import wilson
from veridical.suite.evidence import Evidence
from veridical.suites.viabench.analysis.estimates import decisive
from veridical.suites.viabench.presentation.findings import NAMED_FROM, verdict
from veridical.suites.viabench.puzzles.puzzle import NOT_SURE, opposite

SEES, LITTLE, CHANCE = "sees", "sees little", "at chance"
RECALLS, IN_PART, AVOIDS = "recalls the usual", "recalls in part", "avoids the usual"
LOSES, LOSES_ORDINARY, TURNED = "loses the unusual", "loses the ordinary", "depends on polarity"
MISSING, OPEN = "undetermined: answers missing", "undetermined"
ANSWERS = 0.01
"""The largest share of runs whose verdict may name what is not so."""
RUNS, TRIED = 20, 5
"""Replicates, and how many of them are run here on all observers: all 20 gave no wrong name in 860 verdicts."""


def both(first, second):
    """One mind where `first` has something to say, else another."""

    def option(stimulus, rng, repeat):
        chosen = first(stimulus, rng, repeat)
        return second(stimulus, rng, repeat) if chosen is ... else chosen

    return option


def where(among, mind):
    return lambda stimulus, rng, repeat: mind(stimulus, rng, repeat) if among(stimulus) else ...


def often(share, mind):
    return lambda stimulus, rng, repeat: mind(stimulus, rng, repeat) if rng.random() < share else ...


def of(*categories):
    return lambda stimulus: stimulus.category in categories


def hard(stimulus):
    return stimulus.factors["difficulty"] == 3


def guesses(stimulus, rng, _):
    return guess(stimulus, rng)


def recalls(stimulus, rng, _):
    return usual(stimulus) or guess(stimulus, rng)


def avoids(stimulus, rng, _):
    others = [option for option in live(stimulus) if option != usual(stimulus)]
    return others[int(rng.integers(len(others)))]


def sees(stimulus, *_):
    return stimulus.label


def contrary(stimulus, rng, _):
    others = [option for option in live(stimulus) if option != stimulus.label]
    return others[int(rng.integers(len(others)))]


def leaves_open(*_):
    return NOT_SURE


def turned_round(stimulus, *_):
    turned = stimulus.factors["polarity"] == "reversed"
    return opposite(stimulus.label) if turned else ...


def neighbor(stimulus, rng, _):
    """The option beside the true one, as it was shown."""
    options = stimulus.truth["options"]
    return options[(options.index(stimulus.label) + 1) % len(options)]


ONE_FAULT = {
    **{name: mind for name, mind in RUN.items() if "five" not in name},
    "sees all": (sees, {SEES}),
    "lapses on what is hard": (both(where(hard, guesses), sees), {SEES}),
    "sees half, guesses the rest": (sees_but(0.5), {SEES, LITTLE}),
    "contrary": (contrary, {CHANCE}),
    "the option beside": (neighbor, {CHANCE}),
    "recalls what is hard": (both(where(hard, recalls), sees), {RECALLS, IN_PART}),
    "recalls motion": (both(where(of("motion"), recalls), sees), {IN_PART, RECALLS}),
    "recalls color and motion": (both(where(of("color", "motion"), recalls), sees), {IN_PART, RECALLS}),
    "leaves open half of all": (both(often(0.5, leaves_open), sees), {SEES, LITTLE}),
    "refuses one in a hundred": (refusing(0.01), {SEES}),
    "refuses one in five ordinary": (refusing(0.2, ordinary), {MISSING}),
}
TWO_FAULTS = {
    "recalls half, guesses half": (both(often(0.5, recalls), guesses), {RECALLS}),
    "recalls half, leaves open half": (both(often(0.5, recalls), leaves_open), {RECALLS}),
    "recalls and lapses": (both(often(0.4, recalls), both(often(0.2, guesses), sees)), {RECALLS, IN_PART}),
    "guesses the unusual, recalls color": (
        both(where(of("color"), recalls), both(where(unusual, guesses), sees)),
        {IN_PART, RECALLS, LOSES},
    ),
    "deaf to polarity, guesses the unusual": (
        both(where(unusual, guesses), both(turned_round, sees)),
        {TURNED, LOSES, CHANCE},
    ),
    "deaf to polarity, recalls": (both(often(0.6, recalls), both(turned_round, sees)), {RECALLS, IN_PART, TURNED}),
    "avoids half, guesses half": (both(often(0.5, avoids), guesses), {AVOIDS, CHANCE}),
    "avoids half, sees half": (both(often(0.5, avoids), sees), {AVOIDS}),
    "recalls anomalies, avoids the rest": (
        both(where(of("anomalies"), recalls), avoids),
        {IN_PART, AVOIDS, CHANCE, LITTLE, LOSES, LOSES_ORDINARY},
    ),
    "leaves open the ordinary, guesses the unusual": (
        both(where(ordinary, leaves_open), guesses),
        {LOSES_ORDINARY, CHANCE},
    ),
    "guesses the ordinary, lapses": (
        both(where(ordinary, guesses), both(often(0.1, guesses), sees)),
        {LOSES_ORDINARY},
    ),
    "refuses the hard unusual, recalls the rest": (
        both(where(lambda s: hard(s) and unusual(s), lambda *_: None), recalls),
        {MISSING},
    ),
    "refuses one in twelve unusual, recalls": (both(often(1 / 12, refusing(1, unusual)), recalls), {RECALLS, MISSING}),
}
OBSERVERS = ONE_FAULT | TWO_FAULTS
"""Observers, each with the names that are right for it; a verdict without a name is none too many."""


@pytest.fixture(scope="module")
def base(items, observed):
    """A run's result on every third puzzle, with the stimulus of each of its rows."""
    result = observed("simulated", mechanism="sees").result()
    kept = result.outcomes["family"].unique(maintain_order=True).gather_every(3)
    rows = result.outcomes.filter(pl.col("family").is_in(kept.implode()))
    by_id = {stimulus.id: stimulus for stimulus in items.stimuli}
    return replace(result, outcomes=rows), [by_id[each] for each in rows["stimulus"]]


def answered(base, mind, seed):
    """The result of a mind's replies, with all that a verdict takes."""
    result, stimuli = base
    rng = np.random.default_rng(seed)
    options = [mind(stimulus, rng, 1) for stimulus in stimuli]
    letters = [
        None if option is None else chr(ord("A") + stimulus.truth["options"].index(option))
        for stimulus, option in zip(stimuli, options, strict=True)
    ]
    right = [option == stimulus.label for stimulus, option in zip(stimuli, options, strict=True)]
    status = ["refused" if option is None else "answered" for option in options]
    rows = result.outcomes.with_columns(
        pl.Series("answer", letters, dtype=pl.String), pl.Series("correct", right), pl.Series("status", status)
    )
    evidence = Evidence.of({"ask": rows, "grade": result.evidence.outcomes("grade").clear()})
    return replace(result, outcomes=rows, evidence=evidence, estimates=decisive(evidence))


def test_few_verdicts_on_invented_observers_name_what_is_not_so(base):
    assert len(OBSERVERS) >= 30
    assert len(TWO_FAULTS) >= 10
    wrong, named, runs = [], 0, 0
    for name, (mind, names) in OBSERVERS.items():
        for seed in range(TRIED):
            found = verdict(answered(base, mind, seed))
            runs += 1
            named += found.name in names - {OPEN}
            wrong += [(name, seed, found)] if found.name not in names | {OPEN} else []
    low, high = wilson(len(wrong) / runs, runs)
    rate = f"{100 * len(wrong) / runs:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
    said = f"{len(wrong)} of {runs} verdicts name what is not so: {rate}; {named} name what is so"
    sys.stdout.write(f"{said}\n")
    assert len(wrong) / runs <= ANSWERS, (said, [(name, seed, found.name) for name, seed, found in wrong])


def lapsing(mind):
    return both(often(0.1, guesses), mind)


WITH_LAPSES = {SEES: lapsing(sees), RECALLS: lapsing(recalls), CHANCE: guesses, AVOIDS: lapsing(avoids)}
"""Observers with one lapse in ten."""


def first_units(base, count):
    result, stimuli = base
    units = sorted({stimulus.unit for stimulus in stimuli}, key=lambda unit: unit.split("/")[::-1])[:count]
    rows = result.outcomes.filter(pl.col("unit").is_in(units))
    return replace(result, outcomes=rows), [stimulus for stimulus in stimuli if stimulus.unit in units]


@pytest.mark.parametrize("name", NAMED_FROM)
def test_so_many_units_are_given_their_verdict(base, name):
    def named(count):
        own = first_units(base, count)
        return in_four_of_five(lambda seed: verdict(answered(own, WITH_LAPSES[name], seed)).name == name, RUNS)

    assert named(NAMED_FROM[name])
    assert not named(NAMED_FROM[name] // 3)
