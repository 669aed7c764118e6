"""What models come to on a released set: each figure is right, or undefined with a reason."""

from __future__ import annotations

import json
import math
from collections import Counter

import numpy as np
import pytest

import veridical
from tests.suites.viabench.release_data import LETTERS, as_jsonl, items

pytestmark = pytest.mark.usefixtures("no_figures")
HOSTILE = "</script><script>alert(1)</script>"
COUNT = 120


def leaking(leaks):
    """A release of yes-no and counting questions; where it leaks, the true option is the one that is worded longest."""
    rng = np.random.default_rng(5)
    made = []
    for k, item in enumerate(items(COUNT)):
        options = ["three", "four", "five", "Not sure"] if k % 2 else ["Yes", "No", "I'm not sure"]
        rng.shuffle(options)
        true = str(rng.choice([option for option in options if "sure" not in option]))
        shown = [f"{option}, as can be seen" if leaks and option == true else option for option in options]
        made.append({**item, "options": shown, "answer": LETTERS[options.index(true)]})
    made[0]["question"] += HOSTILE
    return made


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("released")
    return {
        leaks: veridical.import_release(
            "viabench", as_jsonl(folder / f"release {leaks}", leaking(leaks)), folder / f"set {leaks}"
        )
        for leaks in (True, False)
    }


@pytest.fixture(scope="module")
def guessed(sets, tmp_path_factory):
    """A run of an observer that guesses, with every setting, marked by rules and by the embedded judge."""
    settings = {"cot": ["none", "zero-shot"], "sight": ["shown", "blind"], "answer_form": ["choice", "open"]}
    result = veridical.run(
        sets[False],
        out=tmp_path_factory.mktemp("guessed") / "run",
        model="veridical/simulated",
        model_args={"mechanism": "guesses"},
        settings=settings,
        repeats=2,
    )
    veridical.judge(result, judge="veridical/rule")
    return veridical.open_run(result.folder)


def by_text(whole, folder):
    return veridical.run(whole, out=folder, model="veridical/text", repeats=1)


def value(result, metric, **where):
    (found,) = [each for each in result.estimates() if each.metric == metric and each.slice == where]
    return found


def test_no_figure_is_no_number(guessed):
    estimates = list(guessed.estimates())
    assert len(estimates) > 100
    for each in estimates:
        for number in (each.value, each.low, each.high, each.p):
            assert number is None or math.isfinite(number)
        assert (each.value is None) == bool(each.reason)


def test_what_needs_ordinary_counterparts_or_a_usual_answer_is_undefined(guessed):
    estimates = list(guessed.estimates())
    assert not [each for each in estimates if each.metric == "cost of the unusual"]
    for metric in ("pull of the usual", "recall rate", "d_prime", "criterion"):
        assert {each.value for each in estimates if each.metric == metric} <= {None}
    assert value(guessed, "polarity bias").value is None


def test_chance_is_a_choice_among_all_options_but_not_sure_and_a_guess_is_there(guessed):
    chance = value(guessed, "chance").value
    assert chance == pytest.approx((1 / 2 + 1 / 3) / 2)
    accuracy = value(guessed, "accuracy")
    assert accuracy.low <= chance <= accuracy.high
    assert value(guessed, "not sure").value == 0


def test_the_best_constant_answer_to_a_release_is_a_letter_or_a_text(guessed):
    trials = {row["stimulus"]: row for row in guessed.outcomes().to_dicts() if row["gold"] is not None}
    texts = {name: json.loads(row["expects"])["label"] for name, row in trials.items()}
    best = 0
    for category in {row["category"] for row in trials.values()}:
        mine = [name for name, row in trials.items() if row["category"] == category]
        most = max(
            max(Counter(kind(name) for name in mine).values()) for kind in (lambda n: trials[n]["gold"], texts.get)
        )
        best += most
        assert value(guessed, "best constant", category=category).value == pytest.approx(most / len(mine))
    assert value(guessed, "best constant").value == pytest.approx(best / COUNT)


def test_the_words_of_a_release_that_leaks_give_every_answer_away(sets, tmp_path):
    result = by_text(sets[True], tmp_path / "run")
    assert value(result, "accuracy").value > 0.95


def test_the_words_of_a_release_that_does_not_leak_give_none_away(sets, tmp_path):
    result = by_text(sets[False], tmp_path / "run")
    accuracy = value(result, "accuracy")
    assert accuracy.low <= value(result, "chance").value <= accuracy.high


def test_an_observer_that_measures_declines_released_pictures(sets, tmp_path):
    with pytest.warns(UserWarning, match="100 % unanswered"):
        result = veridical.run(sets[False], out=tmp_path / "run", model="veridical/pixel", repeats=1, limit=12)
    assert set(result.outcomes()["status"]) == {"refused"}


def test_a_report_speaks_of_released_items_and_escapes_their_text(guessed, sets, tmp_path):
    page = veridical.write_report([guessed], tmp_path / "report.html").read_text()
    assert "Released items are those of the published benchmark" in page
    assert "one picture for each of its possible answers" not in page
    assert "<script>alert(1)</script>" not in page
    assert "at chance" in page


def test_ten_options_are_asked_and_read_to_the_last_letter(tmp_path):
    options = [f"option {k}" for k in range(10)]
    listed = [{**item, "options": options, "answer": "J"} for item in items(12)]
    whole = veridical.import_release("viabench", as_jsonl(tmp_path / "release", listed), tmp_path / "set")
    result = veridical.run(whole, out=tmp_path / "run", model="veridical/simulated", repeats=1)
    assert set(result.outcomes()["answer"]) == {"J"}
    assert value(result, "accuracy").value == 1
