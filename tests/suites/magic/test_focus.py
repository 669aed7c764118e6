"""MagiScore: counts, scores of a question and of several, and chance, against enumeration and exact fractions."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.suites.magic.focus import Focus, all_boxes, chance, focus_of, macro, micro, random_boxes, scores, summed

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


@given(st.lists(COUNTS, max_size=8), st.sampled_from(["zero", "undefined"]))
def test_micro_sums_and_macro_averages_where_a_score_is_defined(questions, silent):
    assert micro(questions, silent) == scores(summed(questions), silent)
    columns = list(zip(*(exact(focus, silent) for focus in questions), strict=True)) or [(), (), ()]
    kept = [[value for value in column if value is not None] for column in columns]
    assert close(macro(questions, silent), [sum(own) / len(own) if own else None for own in kept])


@given(st.sets(st.integers(-3, 15)), st.sets(st.integers(1, 8)))
def test_each_box_counts_once_and_none_beyond_the_boxes(mentioned, relevant):
    focus = focus_of([*mentioned, *mentioned], relevant, boxes=8)
    assert focus.tp + focus.fp == len([number for number in mentioned if 1 <= number <= 8])
    assert focus.tp + focus.fn == len(relevant)
    assert focus.tp == len(mentioned & relevant)


@pytest.mark.parametrize("boxes", range(1, 7))
def test_random_boxes_score_as_all_selections_do_on_average(boxes):
    for relevant in range(boxes + 1):
        for mentioned in range(1, boxes + 1):
            true = range(1, relevant + 1)
            each = [exact(focus_of(own, true, boxes)) for own in combinations(range(1, boxes + 1), mentioned)]
            means = [None if None in column else sum(column) / len(column) for column in zip(*each, strict=True)]
            assert close(random_boxes(boxes, relevant, mentioned), means), (relevant, mentioned)


@pytest.mark.parametrize("silent", ["zero", "undefined"])
def test_chance_without_a_mention_is_the_score_of_no_mention(silent):
    assert random_boxes(4, 2, 0, silent) == scores(Focus(0, 0, 2), silent)
    assert chance([(4, 2, 0), (4, 2, 4)], silent).precision == (0.25 if silent == "zero" else 0.5)


@given(st.integers(1, 20).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n))))
def test_all_boxes_have_full_recall_and_the_share_of_relevant_ones_as_precision(pair):
    boxes, relevant = pair
    assert close(all_boxes(boxes, relevant), exact(Focus(relevant, boxes - relevant, 0)))


@pytest.mark.parametrize(("boxes", "relevant", "mentioned"), [(3, 4, 1), (3, 1, 4), (3, -1, 1), (3, 1, -1)])
def test_more_boxes_than_there_are_is_an_error(boxes, relevant, mentioned):
    with pytest.raises(ValueError, match="0 to 3 are allowed"):
        random_boxes(boxes, relevant, mentioned)


def test_without_questions_no_score_is_defined():
    assert macro([]) == (None, None, None)
    assert micro([], "undefined") == (None, None, None)
