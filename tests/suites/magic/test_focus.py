"""MagiScore: the counts and the scores of a question, against exact fractions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.suites.magic.focus import Focus, focus_of, scores

COUNTS = st.builds(Focus, *(st.integers(0, 12) for _ in range(3)))


def exact(focus, silent="zero"):
    """Scores by the textbook: F1 is the harmonic mean of precision and recall."""
    mentioned, relevant = focus.tp + focus.fp, focus.tp + focus.fn
    recall = Fraction(focus.tp, relevant) if relevant else None
    if not mentioned:
        none = Fraction(0) if silent == "zero" else None
        return none, recall, none if relevant else None
    precision = Fraction(focus.tp, mentioned)
    if recall is None or precision + recall == 0:
        return precision, recall, Fraction(0)
    return precision, recall, 2 * precision * recall / (precision + recall)


def close(values, expected):
    return all(a is b if b is None else a == pytest.approx(float(b)) for a, b in zip(values, expected, strict=True))


@given(COUNTS, st.sampled_from(["zero", "undefined"]))
def test_scores_are_those_of_the_textbook(focus, silent):
    assert close(scores(focus, silent), exact(focus, silent))


@given(st.sets(st.integers(-3, 15)), st.sets(st.integers(1, 8)))
def test_each_box_counts_once_and_none_beyond_the_boxes(mentioned, relevant):
    focus = focus_of([*mentioned, *mentioned], relevant, boxes=8)
    assert focus.tp + focus.fp == len([number for number in mentioned if 1 <= number <= 8])
    assert focus.tp + focus.fn == len(relevant)
    assert focus.tp == len(mentioned & relevant)
