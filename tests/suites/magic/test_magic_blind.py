"""A model that does not look is at chance: by count, by every word of the questions, and against a classifier."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binomtest, chi2_contingency, chisquare

from veridical.media.draw import decode_png
from veridical.observers.text_classifier import TextQuestion, predict_answers
from veridical.records import Chunk
from veridical.stats import holm
from veridical.suite.shortcuts import STATISTICS, auc, statistics
from veridical.suites.magic.options import KINDS, MagicOptions
from veridical.suites.magic.scenes.compose import compose
from veridical.suites.magic.scenes.make import make
from veridical.suites.magic.stimuli import QUESTION_TYPES

SCENES, LEVEL, SEED = 750, 0.01, 7
"""Scenes of each kind: 1,500 in all."""
PICTURES = 80
BY_WORDS = ("choose-side", "choose-depth")
"""Forms whose answers take turns by their words, not by their places."""
WORD = re.compile(r"\w+")


@pytest.fixture(scope="module")
def every():
    """Unit, type, form and question of 1,500 scenes."""
    rows = []
    for kind in KINDS:
        for index in range(SCENES):
            scene = compose(kind, 640, 480, SEED, index)
            rows += [(f"{kind}/{index}", name, scene.forms[name], each) for name, each in scene.questions.items()]
    return rows


def offers(each):
    """The two answers that a question offers, in the order of its words; none of a question that is open."""
    if each.short in ("yes", "no"):
        return ("yes", "no")
    if each.offered == 2:
        place = each.text.rfind
        return tuple(sorted((each.short, each.rivals[0]), key=place))
    return ()


def questions_of(rows):
    """What an observer of the words alone knows of each question; of an open one, all answers to its form."""
    answers = defaultdict(set)
    for _, _, form, each in rows:
        answers[form].add(each.short)
    made = []
    for unit, _, form, each in rows:
        options = offers(each) or tuple(sorted(answers[form]))
        words = (form, *WORD.findall(each.text.casefold()))
        made.append(TextQuestion(unit, words, options, options, options.index(each.short)))
    return made


def rights(questions):
    return [
        answer == each.answers[each.gold] for each, answer in zip(questions, predict_answers(questions), strict=True)
    ]


@pytest.mark.parametrize("name", QUESTION_TYPES)
def test_a_classifier_of_the_words_is_at_chance_on_every_type(every, name):
    rows = [row for row in every if row[1] == name]
    right = rights(questions_of(rows))
    chance = sum(1 / each.offered for *_, each in rows) / len(rows)
    low, high = binomtest(sum(right), len(right)).proportion_ci(1 - LEVEL)
    assert low <= chance <= high
    assert binomtest(sum(right), len(right), chance, alternative="greater").pvalue > LEVEL


def test_each_answer_that_a_form_offers_is_right_equally_often(every):
    """By count, to within one, in each kind of scene: two answers by their place in the question, others as such."""
    counts = defaultdict(Counter)
    for unit, _, form, each in every:
        two = offers(each)
        if form not in BY_WORDS:
            counts[unit.partition("/")[0], form][two.index(each.short) if two else each.short] += 1
    assert len(counts) > 35
    for form, counted in counts.items():
        assert max(counted.values()) - min(counted.values()) <= 1, (form, counted)


def test_open_questions_have_as_many_answers_as_they_offer(every):
    answers = defaultdict(set)
    for _, _, form, each in every:
        if not offers(each):
            answers[form, each.offered].add(each.short)
    for (form, offered), words in answers.items():
        # Beside a thing stands another one, so one noun is not among the answers to each question, but to another.
        assert len(words) == offered + (form == "query-beside"), form


def test_materials_are_right_equally_often_for_each_noun(every):
    """Which material it is does not depend on the noun: by chi-square over the nouns that may be of any."""
    counts = defaultdict(Counter)
    for _, _, form, each in every:
        if form == "query-material" and each.offered == 4:
            counts[re.search(r"the (?:thing on the )?([\w ]+) made of", each.text)[1]][each.short] += 1
    table = np.array(
        [[counted[material] for material in ("wood", "metal", "glass", "wicker")] for counted in counts.values()]
    )
    assert chi2_contingency(table).pvalue > LEVEL


def test_open_questions_for_a_material_name_all_four_and_the_right_one_anywhere(every):
    places = Counter()
    for _, _, form, each in every:
        if form.startswith("query-material"):
            named = re.search(r" made of: (\w+), (\w+), (\w+) or (\w+)\?$", each.text).groups()
            assert sorted(named) == ["glass", "metal", "wicker", "wood"]
            assert each.offered == 4
            places[named.index(each.short)] += 1
    assert chisquare([places[place] for place in range(4)]).pvalue > LEVEL


@pytest.mark.parametrize("form", BY_WORDS)
def test_sides_are_right_equally_often_by_their_words(every, form):
    counted = Counter((unit.partition("/")[0], each.short) for unit, _, own, each in every if own == form)
    for kind in KINDS:
        own = [count for (of, _), count in counted.items() if of == kind]
        assert not own or max(own) - min(own) <= 1


def test_no_word_goes_with_an_answer(every):
    """Of the questions with two answers: each word and pair of words is with either as often, by form."""
    counts = defaultdict(lambda: [0, 0])
    for _, _, form, each in every:
        if two := offers(each):
            words = WORD.findall(each.text.casefold())
            for feature in {*words, *pairwise(words)}:
                counts[form, feature][two.index(each.short)] += 1
    ps = [binomtest(first, first + second).pvalue for first, second in counts.values() if first + second >= 12]
    assert len(ps) > 300
    assert min(holm(ps)) > LEVEL


def test_a_set_that_gives_answers_away_is_noticed(every):
    """Where some things are in question only when they are red, the classifier finds it."""
    rows = [row for row in every if row[2] in ("verify-color", "logical-both-color")]
    biased = [row for row in rows if not re.search("red|blue|green", row[3].text) or row[3].short == "yes"]
    right = rights(questions_of(biased))
    assert binomtest(sum(right), len(right), 0.5, alternative="greater").pvalue < LEVEL


def test_the_number_of_boxes_depends_on_the_form_alone(every):
    counts = defaultdict(set)
    for _, _, form, each in every:
        counts[form].add(len(each.places))
    assert all(len(each) == 1 for each in counts.values())


def test_no_statistic_of_the_picture_tells_yes_from_no():
    values = defaultdict(lambda: defaultdict(list))
    for kind in KINDS:
        for index in range(PICTURES):
            stimuli = list(make(MagicOptions(width=480, seed=SEED), Chunk(kind, index)))
            measured = statistics(decode_png(stimuli[0][1][0]))
            for stimulus, _ in stimuli:
                if stimulus.label in ("yes", "no"):
                    values[kind, stimulus.category][stimulus.label].append(measured)
    for group, by_answer in values.items():
        yes, no = (np.array(by_answer[label]) for label in ("yes", "no"))
        error = np.sqrt((1 / len(yes) + 1 / len(no)) / 12)
        for k, statistic in enumerate(STATISTICS):
            assert abs(auc(yes[:, k], no[:, k]) - 0.5) < 3.5 * error, (group, statistic)
