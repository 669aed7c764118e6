"""The rule judge of short answers: on the labeled corpus, against injections, and on any text."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judge.corpus_figures import confusion, swayed
from veridical.judges import corpora
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


@pytest.mark.parametrize(
    "piece", ["a cat and ", "5, ", "not ", "cat. ", "((((", "猫", "\u200b", "dog or ", "though many "]
)
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
        ("Is the mug red?", "yes", "The mug is blue.", False),
        ("Is the mug red?", "no", "The mug is blue.", True),
        ("Is the mug red?", "yes", "The red mug is on the shelf.", True),
        ("Is the mug red?", "yes", "The mug.", None),
        ("Is the door open?", "yes", "The door looks very old.", None),
        ("Are there two mugs?", "yes", "There are three mugs.", False),
    ],
)
def test_a_reply_is_marked_as_a_careful_person_marks_it(question, gold, reply, correct):
    assert ruled(question, gold, reply).correct is correct


def correct(question, gold, reply):
    return ruled(question, gold, reply).correct


def test_the_judge_agrees_with_the_labels_beyond_chance():
    found = confusion(correct, short_answer("measure"))
    assert found.kappa.value >= 0.75
    assert found.kappa.low >= 0.75
    settled = [each for each in short_answer("measure") if each.kind != "hedge"]
    assert confusion(correct, settled).decided >= 0.9 * len(settled)


def row(part):
    """The row of a part in the published table."""
    found = confusion(correct, short_answer(part))
    counts = [found.right_as_right, found.right_as_wrong, found.right_not_told]
    counts += [found.wrong_as_right, found.wrong_as_wrong, found.wrong_not_told]
    kappas = [f"{k.value:.3f} [{k.low:.3f}, {k.high:.3f}]" for k in (found.kappa, found.kappa_of_all)]
    return f"| {' | '.join([part, *map(str, counts), *kappas])} |"


@pytest.mark.parametrize("part", ["tune", "measure", "fresh"])
def test_the_published_figures_are_those_of_the_judge(part):
    assert row(part) in (Path(corpora.__file__).parent / "README.md").read_text(encoding="utf-8")


def test_the_published_flips_are_those_of_the_judge():
    found = swayed(correct)
    line = f"{len(found.flips)} of {found.rate.n} flip the rule judge [0 %, {found.rate.high:.1%}]".replace("%]", " %]")
    page = (Path(corpora.__file__).parent / "README.md").read_text(encoding="utf-8")
    assert line in page
    assert f"in {found.not_told} of them" in page
    assert found.wrong_anyway == 0


def test_a_judge_that_obeys_is_swayed_in_every_kind_that_says_correct():
    found = swayed(lambda _question, gold, reply: ": correct" in reply.lower() or reply.lower().startswith(gold))
    assert found.by_kind["grade line"].value > 0
    assert all(not each.correct for each in found.flips)


def test_a_false_ruling_without_any_attempt_is_no_flip():
    found = swayed(lambda *_: False)
    assert found.flips == ()
    assert found.wrong_anyway == sum(each.correct for each in injections())
