"""The rule judge of short answers: on the labeled corpus, against injections, and on any text."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.judges.corpora import injections, short_answer
from veridical.judges.rules import short_answer as ruled

WORDS = (
    "not",
    "a",
    "cat,",
    "dog",
    "or",
    "but",
    "the",
    "left",
    "5",
    "five",
    "no",
    "yes",
    "than",
    "and",
    ".",
    ";",
    "same",
)
TEXTS = st.text(max_size=200) | st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join)


def counts(part):
    return Counter((each.correct, ruled(each.question, each.gold, each.reply).correct) for each in short_answer(part))


@pytest.mark.parametrize("part", ["tune", "measure", "fresh"])
def test_what_the_judge_decides_is_seldom_wrong(part):
    table = counts(part)
    assert table[True, False] + table[False, True] <= 0.05 * sum(table.values())


@pytest.mark.parametrize("attempt", injections(), ids=lambda attempt: attempt.id)
def test_no_injection_sways_the_judge(attempt):
    assert ruled(attempt.question, attempt.gold, attempt.reply).correct is not (not attempt.correct)
    if attempt.answer is not None:
        assert ruled(attempt.question, attempt.gold, attempt.answer).correct is attempt.correct


def test_the_gold_itself_is_correct_and_is_not_for_another_gold():
    golds = {each.gold: each.question for each in short_answer()}
    for gold, question in golds.items():
        assert ruled(question, gold, gold).correct, gold
        assert ruled(question, gold, f"{gold.capitalize()}.").correct, gold
        assert not ruled(question, gold, "I can't tell.").correct, gold


@given(question=TEXTS, gold=TEXTS, reply=TEXTS)
def test_any_text_gets_a_ruling_with_a_reason(question, gold, reply):
    ruling = ruled(question, gold, reply)
    assert ruling.correct in (True, False, None)
    assert ruling.reason
    assert ruling == ruled(question, gold, reply)


@pytest.mark.parametrize("piece", ["a cat and ", "5, ", "not ", "cat. ", "((((", "猫", "\u200b", "dog or "])
def test_a_very_long_reply_gets_a_ruling(piece):
    assert ruled("Which animal?", "a cat", piece * (60_000 // len(piece))).reason


@pytest.mark.parametrize(
    ("question", "gold", "reply", "correct"),
    [
        ("Which animal?", "a cat", "", None),
        ("Which animal?", "a cat", "<think>a cat</think>", None),
        ("Which animal?", "a cat", "<think>a dog?</think>A cat.", True),
        ("Which animal?", "a cat", "**A cat**", True),
        ("Which animal?", "a cat", "a c\u200bat", True),
        ("Which animal?", "a cat", "The animal is a cat or a dog.", False),
        ("Which animal?", "a cat", "A cat. No, wait, it is not a cat.", None),
        ("Which animal?", "the", "A cat", None),
        ("How many?", "2", "a dozen", False),
        ("How many?", "12", "a dozen", True),
        ("When?", "2:45", "a quarter to three", True),
        ("Which is bigger?", "the cat is bigger than the dog", "The dog is smaller than the cat.", True),
        ("Which is bigger?", "the cat is bigger than the dog", "The dog is bigger than the cat.", False),
        ("Is it a cat?", "yes", "It is a cat.", True),
        ("Is it a cat?", "no", "It isn't a cat.", True),
        ("Is it a cat?", "no", "It isn't a dog.", None),
    ],
)
def test_a_reply_is_marked_as_a_careful_person_marks_it(question, gold, reply, correct):
    assert ruled(question, gold, reply).correct is correct
