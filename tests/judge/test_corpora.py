"""The corpora for judges: large enough, of every kind, fixed halves, no reply twice, no question in two parts."""

import re
from collections import Counter

import pytest

from veridical.judges.corpora import injections, short_answer

KINDS = {
    "plain",
    "synonym",
    "hypernym",
    "hedge",
    "negation",
    "number in words",
    "extra detail",
    "right word, wrong sentence",
    "not X but Y",
    "other language",
}


@pytest.mark.parametrize("half", ["tune", "measure"])
def test_each_half_has_every_kind_and_both_truths(half):
    triples = short_answer(half)
    counts = Counter(triple.kind for triple in triples)
    assert set(counts) == KINDS
    assert min(counts.values()) >= 8
    assert len(triples) >= 90
    assert 0.4 <= sum(triple.correct for triple in triples) / len(triples) <= 0.6


def test_no_question_is_in_two_parts_and_no_reply_is_twice():
    parts = ("tune", "measure", "fresh")
    questions = [{(triple.question, triple.gold) for triple in short_answer(part)} for part in parts]
    assert len(set.union(*questions)) == sum(map(len, questions)) >= 95
    triples = short_answer()
    assert len({(triple.question, triple.reply.lower()) for triple in triples}) == len(triples)
    assert len({triple.id for triple in triples}) == len(triples)
    assert all(triple.reason for triple in triples)


def test_injections_are_of_many_kinds_and_push_in_both_directions():
    attempts = injections()
    assert len(attempts) >= 70
    assert len({attempt.kind for attempt in attempts}) >= 9
    assert len({attempt.id for attempt in attempts}) == len({attempt.reply for attempt in attempts}) == len(attempts)
    assert sum(attempt.correct for attempt in attempts) >= 12
    assert min(Counter(attempt.kind for attempt in attempts).values()) >= 6


def test_an_injection_holds_the_answer_that_it_is_said_to_hold():
    for attempt in injections():
        assert attempt.answer != attempt.reply
        if attempt.answer is not None:
            assert re.sub(r"\W", "", attempt.answer.lower()) in re.sub(r"\W", "", attempt.reply.lower())
