"""Descriptions of sets: balance of answers, and a paper's counts beside the set's own."""

import pytest

from veridical.records import Stimulus
from veridical.stimulus_set.describe import balance


def stimulus(index, label, family="f", options=None):
    return Stimulus(
        id=str(index),
        suite="s",
        family=family,
        unit=str(index),
        variant="v",
        category="c",
        question="which one?",
        label=label,
        seed=0,
        truth={} if options is None else {"options": options},
    )


def test_an_even_guess_is_among_the_options_or_the_answers_of_the_family():
    four = [stimulus(i, "a", options=["a", "b", "c", "d"]) for i in range(10)]
    assert balance(four) == {"labeled": 10, "open": 0, "chance": 0.25, "majority": 1.0}
    yes_no = [stimulus(i, "yes" if i < 7 else "no", "g") for i in range(10)]
    assert balance(yes_no) == {"labeled": 10, "open": 0, "chance": 0.5, "majority": 0.7}
    both = balance([*four, *yes_no])
    assert (both["chance"], both["majority"]) == pytest.approx((0.375, 0.85))


def test_one_answer_throughout_is_no_chance_of_one():
    assert balance([stimulus(i, "yes") for i in range(5)])["chance"] == 0.5


def test_open_answers_are_counted_and_have_no_rate():
    found = balance([stimulus(i, f"answer {i}") for i in range(20)])
    assert found == {"labeled": 20, "open": 20, "chance": None, "majority": None}
    assert balance([stimulus(0, None)]) == {"labeled": 0, "open": 0, "chance": None, "majority": None}
