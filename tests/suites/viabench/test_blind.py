"""A model that does not look is at chance: by construction, and against a classifier of the words."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from tests.suites.viabench.conftest import matched
from veridical.observers.text_classifier import TextQuestion, predict_answers, questions
from veridical.stats import holm
from veridical.suite.registry import get
from veridical.suites.viabench.options import CATEGORIES, VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.make import chunks, make, sample_unit

LEVEL = 0.01


UNITS = 16


@pytest.fixture(scope="module")
def asked():
    """The stimuli that a proof may rest on, and what a text-only observer knows of each."""
    suite = get("viabench")
    stimuli = [stimulus for stimulus in undrawn() if stimulus.factors["provable"]]
    known = questions(list(suite.asking.stages[0].trials(stimuli, suite.asked(), None)))
    by_stimulus = {name.partition("?")[0]: question for name, question in known.items()}
    return stimuli, [by_stimulus[stimulus.id] for stimulus in stimuli]


def undrawn():
    """The stimuli of a set, which nobody looks at: in place of each picture there is a blank one."""
    options = VIABenchOptions(units=UNITS, size=256, seed=1)
    with pytest.MonkeyPatch.context() as patch:
        for name, puzzle in PUZZLES.items():
            base, _, _ = sample_unit(puzzle, options, 0)
            drawn = (
                puzzle.draw(base, answer, v) for answer in puzzle.answers(base) for v in puzzle.variants(base, answer)
            )
            pictures = len(next(drawn))
            blank = (np.zeros((8, 8, 3), np.uint8),) * pictures
            shows_answer = {"read": None, "unreadable": "blank", "counted": lambda _base, answer, _variant: answer}
            patch.setitem(PUZZLES, name, replace(puzzle, draw=lambda *_, blank=blank: blank, **shows_answer))
        return [stimulus for chunk in chunks(options) for stimulus, _ in make(options, chunk)]


def rights(questions, answers):
    return [answer == question.answers[question.gold] for question, answer in zip(questions, answers, strict=True)]


def sample(stimuli, questions, most):
    """Whole units of all puzzles in turn, up to so many items."""
    units = defaultdict(list)
    for place, stimulus in enumerate(stimuli):
        units[stimulus.unit].append(place)
    order = sorted(units, key=lambda unit: (unit.rpartition("/")[2], unit))
    kept = []
    for unit in order:
        if len(kept) < most:
            kept += units[unit]
    return [stimuli[place] for place in kept], [questions[place] for place in kept]


@pytest.fixture(scope="module")
def predicted(asked):
    """600 items or more, what is known of each, and what a classifier of the words answers."""
    stimuli, known = sample(*asked, 600)
    return stimuli, known, predict_answers(known)


def above_chance(stimuli, right):
    """The p-values, one-sided and by Holm, of each category's accuracy against chance."""
    ps = []
    for category in CATEGORIES:
        mine = [(s, r) for s, r in zip(stimuli, right, strict=True) if s.category == category]
        chance = sum(1 / s.factors["live_options"] for s, _ in mine) / len(mine)
        ps.append(binomtest(sum(r for _, r in mine), len(mine), chance, alternative="greater").pvalue)
    return holm(ps)


def test_a_classifier_of_the_words_is_not_above_chance_on_600_items(predicted):
    stimuli, known, answers = predicted
    assert len(stimuli) >= 600
    assert min(above_chance(stimuli, rights(known, answers))) > LEVEL


def test_a_classifier_of_the_words_is_not_above_chance_on_200_items_of_each_category(asked):
    stimuli, known = [], []
    for category in CATEGORIES:
        mine = [(s, question) for s, question in zip(*asked, strict=True) if s.category == category]
        more = sample(*(list(part) for part in zip(*mine, strict=True)), 200)
        assert len(more[0]) >= 200
        stimuli, known = stimuli + more[0], known + more[1]
    assert min(above_chance(stimuli, rights(known, predict_answers(known)))) > LEVEL


def test_whatever_is_answered_by_the_words_alone_is_right_once_per_answer(asked):
    """Within a unit and variant all items have the same words, so any rule on words gets one in so many."""
    groups = defaultdict(list)
    for stimulus, question in zip(*asked, strict=True):
        words = (question.words, question.answers, question.texts)
        variant = stimulus.variant if matched(stimulus.family) else ""
        groups[stimulus.unit, variant].append((words, stimulus.label, stimulus.factors["live_options"]))
    for items in groups.values():
        assert len({words for words, _, _ in items}) == 1
        assert {Counter(label for _, label, _ in items)[label] for _, label, _ in items} == {1}
        assert len(items) == items[0][2]


def test_a_set_that_gives_answers_away_is_noticed(asked):
    """Anomalies without their normal versions: the classifier has the power to find what wording gives away."""
    stimuli, known = asked
    places = [k for k, s in enumerate(stimuli) if s.category != "anomalies" or s.variant == "unusual"]
    kept, told = [stimuli[k] for k in places], [known[k] for k in places]
    right = rights(told, predict_answers(told))
    assert above_chance(kept, right)[list(CATEGORIES).index("anomalies")] < LEVEL


def test_no_unit_is_answered_from_itself():
    """Every unit has an answer of its own, which only itself could teach."""
    texts = tuple("abcdefghij")
    known = [TextQuestion(f"u{k}", (f"w{k}",), texts, texts, k) for k in range(10) for _ in range(20)]
    assert not any(rights(known, predict_answers(known)))


def test_predictions_do_not_look_at_the_gold_of_their_own_fold(predicted):
    stimuli, known, before = predicted
    unit = stimuli[0].unit
    turned = [
        question._replace(gold=0) if stimulus.unit == unit else question
        for stimulus, question in zip(stimuli, known, strict=True)
    ]
    after = predict_answers(turned)
    own = [k for k, stimulus in enumerate(stimuli) if stimulus.unit == unit]
    assert [before[k] for k in own] == [after[k] for k in own]
