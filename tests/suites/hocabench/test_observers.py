"""Verdicts on observers whose mechanism is known: the suite's own, and others that it does not contain."""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest

from tests.curtailed import in_four_of_five
from tests.suites.hocabench.outcomes import observed, planned, quick, run
from veridical.stats import wilson
from veridical.suite.unseen_regions import UNSEEN
from veridical.suites.hocabench.analysis import ANALYSIS
from veridical.suites.hocabench.analysis.verdict import (
    BLIND,
    LAG,
    LITTLE,
    MISSING,
    NAMED_FROM,
    ODD,
    ODDNESS,
    OPEN,
    POSSIBLE,
    REVERSE,
    SEES,
    TERMS,
    VAGUE,
    WITHOUT_CONTROLS,
    verdict,
)
from veridical.suites.hocabench.observers.simulation import MECHANISMS, HocabenchMechanism
from veridical.suites.hocabench.taxonomy import SUB_TYPES

SEEDS = 20
EXPECTED = {"perfect": SEES, "lag": LAG, "odd": ODD, "oddness": ODDNESS, "credulous": POSSIBLE}
TASKS = (("task", ("plausibility", "description")),)


def asked(units=4, **more):
    return planned(units, TASKS, **more)


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_suites_observers_have_the_verdict_of_their_mechanism(name):
    found = [verdict(observed(asked(), MECHANISMS[name], seed)) for seed in range(3)]
    assert [each.name for each in found] == [EXPECTED[name]] * 3
    assert all(each.sentence and each.sure for each in found)
    assert (found[0].tone == "good") == (name == "perfect")


@pytest.fixture(scope="module")
def tables():
    """The estimates of each of the suite's observers, by metric and slice."""
    every = planned(2, panels=6, sequences=6)
    return {
        name: {
            (each.metric, frozenset(each.slice.items())): each.value
            for each in ANALYSIS.estimates(observed(every, mechanism))
        }
        for name, mechanism in MECHANISMS.items()
    }


@pytest.mark.parametrize(
    ("name", "hits", "false", "explained"),
    [
        ("perfect", (1, 1), 0, 0),
        ("lag", (1, 0), 0, 0),
        ("odd", (1, 1), 1, 1),
        ("oddness", (1, 1), 0, 1),
        ("credulous", (0, 0), 0, 0),
    ],
)
def test_the_suites_observers_have_the_table_that_their_definition_implies(tables, name, hits, false, explained):
    def value(metric, **where):
        return tables[name][metric, frozenset(where.items())]

    layers = ("ontological", "causal")
    for layer, hit in zip(layers, hits, strict=True):
        assert value("says implausible", variant="violating", layer=layer) == hit
        assert value("f1", layer=layer) == pytest.approx(2 * hit / (1 + hit + false))
        for task, most in (("domain", 0.4), ("description", 0.6)):
            found = value("accuracy", task=task, layer=layer)
            assert found == 1 if MECHANISMS[name].notices(layer, 0.5) else found < most
        mark = {"part": "total", "judge": "judge", "rubric": "counterfactual"}
        assert value("explanation score", layer=layer, **mark) == MECHANISMS[name].notices(layer, 0.5)
    assert value("says implausible", variant="plausible") == false
    assert value("alarm at the explained") == 100 * (explained - false)
    sees = name in ("perfect", "odd", "oddness")
    assert (value("mean iou") == 1) == (value("exact match", over="sub-types") == 1) == sees
    assert not sees or value("layer gap", task="description") == 0
    outcomes = {
        "perfect": "both right",
        "odd": "both implausible",
        "oddness": "both right",
        "credulous": "both plausible",
    }
    if name in outcomes:
        assert value("pair outcome", control="plausible", outcome=outcomes[name]) == 1


@cache
def numbers(seed):
    """Four numbers from 0 to 1, the same for all observers."""
    drawn = Random(seed)
    return [drawn.random() for _ in range(4)]


def seen(trial, repeat, seed):
    """Numbers that decide what is noticed in a clip, and what is guessed in a trial."""
    return numbers(f"{seed}/{repeat}/{trial.unit}/{trial.variant}"), numbers(f"{seed}/{repeat}/{trial.id}")


def replying(odd, named=None):
    """An observer that calls a clip odd with a probability, and describes it right with another.

    Both are functions of the trial; a description that is not known is guessed.
    """

    def reply(seed):
        def of_trial(trial, repeat):
            clip, own = seen(trial, repeat, seed)
            if trial.settings["task"] == "plausibility":
                return "No" if clip[0] < odd(trial) else "Yes"
            knows = (odd if named is None else named)(trial)
            letter = trial.gold if clip[0] < knows else "ABCD"[int(4 * own[1])]
            return f"Answer: {letter}"

        return of_trial

    return reply


def by(violating, plausible=0.0, explained=None, causal=None):
    """Probabilities of calling clips odd by variant, of violating ones by layer."""
    alarms = {"plausible": plausible, "explained": plausible if explained is None else explained}

    def odd(trial):
        if trial.variant in alarms:
            return alarms[trial.variant]
        return causal if causal is not None and trial.factors["layer"] == "causal" else violating

    return odd


def of_sub_type(trial):
    """How well a sub-type is seen, whatever its layer: from 0.1 to 0.9."""
    share = np.random.default_rng([*str(trial.factors["sub_type"]).encode()]).random()
    return 0.1 + 0.8 * share if trial.variant == "violating" else 0.05


def every_second_sub_type(trial):
    """Sees every second sub-type of each layer, whatever is wrong with it."""
    own = [name for name, each in SUB_TYPES.items() if each.layer == trial.factors["layer"]]
    return float(trial.variant == "violating" and own.index(trial.factors["sub_type"]) % 2)


def refusing(share, among, mind):
    """An observer that refuses so large a share of some of the questions about clips."""

    def reply(seed):
        def of_trial(trial, repeat):
            refuses = among(trial) and seen(trial, repeat, seed)[1][3] < share
            return None if refuses else mind(seed)(trial, repeat)

        return of_trial

    return reply


def one_letter(mind):
    """An observer that describes whatever it noticed by the same letter."""
    return lambda seed: (
        lambda trial, repeat: mind(seed)(trial, repeat) if trial.settings["task"] == "plausibility" else "Answer: B"
    )


def in_task(name, **factors):
    return lambda trial: (
        trial.settings["task"] == name
        and all((trial.variant if key == "variant" else trial.factors[key]) == value for key, value in factors.items())
    )


ONE_FAULT = {
    "sees all": (replying(by(1.0)), {SEES}),
    "sees seven of ten": (replying(by(0.7)), {SEES}),
    "sees nine of ten, with some alarms": (replying(by(0.9, 0.1)), {SEES}),
    "lapses": (replying(by(0.9, 0.1, 0.1)), {SEES}),
    "says No to 80 %": (replying(by(0.8, 0.8), by(0.0)), {ODD, BLIND}),
    "says No to 80 %, but describes": (replying(by(0.8, 0.8), by(0.9)), {ODD}),
    "says Yes to 90 %": (replying(by(0.1, 0.1), by(0.0)), {POSSIBLE, BLIND}),
    "a coin": (replying(by(0.5, 0.5), by(0.0)), {BLIND}),
    "a coin that leans to No": (replying(by(0.6, 0.6), by(0.0)), {BLIND, ODD}),
    "sees three of ten": (replying(by(0.3)), {LITTLE}),
    "sees half of both": (replying(by(0.5)), {LITTLE, SEES}),
    "a slight gap": (replying(by(0.6, causal=0.5)), {LITTLE, SEES}),
    "a wide gap": (replying(by(0.9, causal=0.2)), {LAG}),
    "the reverse": (replying(by(0.2, causal=0.9)), {REVERSE}),
    "half of the explained": (replying(by(0.9, 0.0, 0.5)), {ODDNESS}),
    "all of the explained": (replying(by(1.0, 0.0, 1.0)), {ODDNESS}),
    "notices, and cannot describe": (replying(by(0.95), by(0.1)), {VAGUE}),
    "notices, and describes things alone": (replying(by(0.95), by(0.95, causal=0.05)), {LAG}),
    "differs by sub-type alone": (replying(of_sub_type), {LITTLE, SEES}),
    "sees every second sub-type": (replying(every_second_sub_type), {LITTLE, SEES}),
    "one letter": (one_letter(replying(by(1.0))), {VAGUE}),
    "contrary": (replying(by(0.0, 1.0), by(0.0)), set()),
    "refuses three in ten of one kind": (
        refusing(0.3, in_task("plausibility", variant="plausible"), replying(by(1.0))),
        {MISSING},
    ),
    "refuses one in twelve": (refusing(1 / 12, in_task("plausibility"), replying(by(1.0))), {SEES, MISSING}),
}
TWO_FAULTS = {
    "a wide gap, and alarms": (replying(by(0.95, 0.1, 0.1, causal=0.3)), {LAG}),
    "a wide gap, and the explained": (replying(by(0.95, 0.0, 0.95, causal=0.2)), {LAG, ODDNESS}),
    "a wide gap, and cannot describe": (replying(by(0.95, causal=0.2), by(0.05)), {LAG}),
    "the reverse, and alarms": (replying(by(0.3, 0.1, 0.1, causal=0.95)), {REVERSE}),
    "the explained, and cannot describe": (replying(by(0.95, 0.0, 0.9), by(0.0)), {ODDNESS, VAGUE}),
    "half of all, and half of the explained": (replying(by(0.5, 0.0, 0.5)), {ODDNESS, LITTLE, SEES}),
    "says No to 80 %, and describes things alone": (replying(by(0.8, 0.8), by(0.9, causal=0.0)), {ODD}),
    "a coin, and one letter": (one_letter(replying(by(0.5, 0.5))), {BLIND}),
    "sees four of ten, and describes things alone": (replying(by(0.4), by(0.95, causal=0.05)), {LITTLE}),
    "sees three of ten, with alarms": (replying(by(0.3, 0.2), by(0.2)), {BLIND, LITTLE}),
    "contrary, but describes": (replying(by(0.0, 1.0), by(1.0)), set()),
    "refuses explained controls, and sees": (
        refusing(0.3, in_task("plausibility", variant="explained"), replying(by(1.0))),
        {MISSING, SEES},
    ),
    "a wide gap, and refuses to describe": (
        refusing(1.0, in_task("description"), replying(by(0.95, causal=0.2))),
        {LAG},
    ),
    "cannot describe, and refuses one in twelve": (
        refusing(1 / 12, lambda _: True, replying(by(1.0), by(0.0))),
        {VAGUE, MISSING},
    ),
}
FOREIGN = ONE_FAULT | TWO_FAULTS
"""Observers with the verdicts that are true of them; "undetermined" is never wrong."""


def names_of(name, units):
    """How often each verdict is given over all seeds; seeds with the same replies have the same."""
    trials = asked(units)
    minds = [FOREIGN[name][0](seed) for seed in range(SEEDS)]
    replies = Counter(tuple(own(trial, 1) for trial in trials) for own in minds)
    names = Counter()
    for texts, seeds in replies.items():
        own = {trial.id: text for trial, text in zip(trials, texts, strict=True)}
        names[verdict(quick(trials, lambda trial, _, own=own: own[trial.id])).name] += seeds
    return names


@pytest.mark.parametrize("units", [2, 5])
def test_few_verdicts_on_other_observers_name_what_is_not_so(units):
    assert len(FOREIGN) >= 30
    assert len(TWO_FAULTS) >= 10
    found = {name: names_of(name, units) for name in FOREIGN}
    wrong = {
        name: names.total() - names[OPEN] - sum(names[each] for each in FOREIGN[name][1])
        for name, names in found.items()
    }
    runs, count = SEEDS * len(FOREIGN), sum(wrong.values())
    rate = "{:.1f} % [{:.1f}, {:.1f}]".format(*(100 * each for each in (count / runs, *wilson(count / runs, runs))))
    said = f"{count} of {runs} verdicts name what is not so: {rate}"
    sys.stdout.write(f"{said}\n")
    assert count / runs <= 0.01, (said, {name: found[name] for name in wrong if wrong[name]})


@pytest.mark.parametrize("name", ["sees nine of ten, with some alarms", "a wide gap", "says No to 80 %", "the reverse"])
def test_clear_cases_are_decided(name):
    _, true = FOREIGN[name]
    found = names_of(name, 8)
    assert sum(found[each] for each in true) >= 0.8 * SEEDS, found


WITH_LAPSES = {
    SEES: replying(by(0.9)),
    LAG: replying(by(0.9, causal=0.1)),
    ODD: replying(by(0.9, 0.9), by(0.1)),
    POSSIBLE: replying(by(0.1, 0.1), by(0.1)),
}
"""Observers with one lapse in ten."""


@pytest.mark.parametrize("name", NAMED_FROM)
def test_so_many_units_are_given_their_verdict(name):
    every = asked(NAMED_FROM[name] // len(SUB_TYPES) + 1)
    units = sorted({trial.unit for trial in every}, key=lambda unit: unit.split("/")[::-1])[: NAMED_FROM[name]]
    own = tuple(trial for trial in every if trial.unit in units)

    def named(trials):
        return in_four_of_five(lambda seed: verdict(quick(trials, WITH_LAPSES[name](seed))).name == name, SEEDS)

    assert named(own)
    few = tuple(trial for trial in own if trial.unit in units[: len(units) // 3])
    assert not named(few)


def test_too_many_missing_answers_leave_it_open():
    def reply(share):
        def of_trial(trial, repeat):
            own = seen(trial, repeat, 1)[1]
            text = replying(by(1.0))(1)(trial, repeat)
            silent = trial.settings["task"] == "plausibility" and trial.variant == "plausible" and own[3] < share
            return "It is a clip." if silent else text

        return of_trial

    assert verdict(run(asked(), reply(0.2))).name == MISSING
    assert verdict(run(asked(), reply(0.0))).name == SEES


def test_descriptions_that_are_not_answered_are_no_evidence():
    """A detector that declines to describe is judged by what it notices."""

    def declines(trial, repeat):
        own = replying(by(1.0))(0)(trial, repeat)
        return own if trial.settings["task"] == "plausibility" else "I cannot tell."

    assert verdict(run(asked(), declines)).name == SEES


def test_what_is_not_asked_is_said_to_be_needed():
    perfect = MECHANISMS["perfect"]
    descriptions = tuple(trial for trial in asked() if trial.settings["task"] == "description")
    assert verdict(observed(descriptions, perfect)).name == OPEN
    assert "plausible" in verdict(observed(descriptions, perfect)).needs[0]
    unexplained = tuple(trial for trial in asked() if trial.variant != "explained")
    found = verdict(observed(unexplained, perfect))
    assert (found.name, found.needs) == (WITHOUT_CONTROLS, ("explained controls",))
    assert verdict(observed(unexplained, MECHANISMS["oddness"])).name == WITHOUT_CONTROLS
    causal = tuple(trial for trial in asked() if trial.factors["layer"] == "causal")
    assert verdict(observed(causal, perfect)).needs == ("ontological and causal clips",)
    assert verdict(observed((), perfect)).name == OPEN
    blind = planned(4, (("task", ("plausibility",)), ("sight", ("blind",))))
    assert verdict(run(blind, lambda *_: "No")).name == OPEN


def test_few_units_are_not_enough():
    few = planned(1, TASKS, sub_types=("gravity", "permanence"))
    assert verdict(observed(few, HocabenchMechanism(ontological=1.0))).name == OPEN


def test_each_verdict_has_its_words():
    assert set(TERMS) == {
        SEES,
        WITHOUT_CONTROLS,
        LAG,
        REVERSE,
        VAGUE,
        LITTLE,
        BLIND,
        ODD,
        POSSIBLE,
        ODDNESS,
        MISSING,
        UNSEEN,
    }
