"""Replies as steps and final answer: a corpus in many styles, hostile replies, and what must not change anything."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suites.magic.replies import CASES, STEPS
from veridical.answers import region_mentions
from veridical.suites.magic.asking.headings import is_bare
from veridical.suites.magic.asking.rationale import split
from veridical.suites.magic.language.exclusions import excluded_boxes


def boxes_of(steps):
    """All boxes that steps mention, and those that all mentions exclude."""
    aside, named = set(), set()
    for step in steps:
        own = excluded_boxes(step)
        aside |= own
        named |= set(region_mentions(step)) - own
    return tuple(sorted(aside | named)), tuple(sorted(aside - named))


@pytest.mark.parametrize("name", CASES)
def test_a_reply_of_any_style_is_read_as_it_is_meant(name):
    case = CASES[name]
    steps, answer = split(case.reply)
    assert (answer, len(steps)) == (case.answer, case.steps)
    assert boxes_of(steps) == (case.boxes, case.excluded)


@pytest.mark.parametrize("name", CASES)
def test_thinking_before_a_reply_changes_nothing(name):
    case = CASES[name]
    if "think" not in name:
        assert split(f"<think>R9 is it. Answer: nine\n</think>\n{case.reply}") == split(case.reply)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.answer and "template" not in name])
def test_a_step_in_front_is_one_more_step_and_changes_no_answer(name):
    case = CASES[name]
    if case.reply.lstrip().startswith(("{", "`")) or not case.steps:
        return
    steps, answer = split(f"R9 shows a tree.\n\n{case.reply}")
    assert answer == case.answer
    assert steps[0] == "R9 shows a tree."
    assert boxes_of(steps)[0] == (*case.boxes, 9)


EXCLUDING = {
    "R2 is not relevant to this question.": {2},
    "R2 does not help me here.": {2},
    "R2 doesn't matter.": {2},
    "I can ignore R2 and R3.": {2, 3},
    "Boxes R2, R3 and R4 are distractors.": {2, 3, 4},
    "R2 shows a lamp, which is not needed.": {2},
    "R2 contains a vase, but I can skip it.": {2},
    "R2 has nothing to do with the mug.": {2},
    "I don't need to look at R2.": {2},
    "Nothing in R2 helps.": {2},
    "R2 plays no role.": {2},
    "R2 can be dismissed.": {2},
    "The boxes R2 and R3 are unrelated, while R1 shows the mug.": {2, 3},
    "R1 shows the mug, whereas R2 is irrelevant.": {2},
    "Unlike R2, R1 shows it.": {2},
    "R2 is not important, but R1 is.": {2},
    "R2 isn't needed.": {2},
    "R2 is of no use here.": {2},
    "R3 is just a distractor.": {3},
}
NAMING = (
    "R2 shows a lamp.",
    "R2 is next to R1.",
    "There is no mug in R2.",
    "R2 is not red.",
    "R2 shows a normal lamp.",
    "R2 helps me to find it.",
    "I look at R2, R3 and R4.",
    "R2 is relevant because it shows the lamp.",
    "The lamp in R2 is set on the table.",
    "I put R2 and R3 together.",
    "R2 does not show a dog but a cat.",
    "It is important to use R2.",
    "The rule is that R2 comes first.",
    "R2 cannot be ignored.",
    "I must not skip R2.",
    "R2 is not irrelevant.",
    "R2 may be irrelevant.",
    "Whether R2 matters is not clear.",
)


@pytest.mark.parametrize("step", EXCLUDING)
def test_boxes_that_are_named_to_be_excluded_are_excluded(step):
    assert excluded_boxes(step) == EXCLUDING[step]


@pytest.mark.parametrize("step", NAMING)
def test_boxes_that_a_step_looks_at_are_not_excluded(step):
    assert excluded_boxes(step) == frozenset()


@given(st.text(max_size=400))
def test_any_text_gives_steps_on_one_line_with_content(text):
    steps, answer = split(text)
    assert all(step.strip() == step and "\n" not in step and any(sign.isalnum() for sign in step) for step in steps)
    assert answer is None or (answer.strip() and "\n" not in answer)


@given(
    st.lists(st.sampled_from([*"*_`#>[](){}:|\"'\n .", "R1", "Answer", "answer:", "<answer>", "</think>", "\\boxed{"]))
)
def test_any_heap_of_signs_is_read_without_an_error(parts):
    steps, answer = split("".join(parts))
    assert answer is None or answer.strip()
    assert all(excluded_boxes(step) <= set(region_mentions(step)) for step in steps)


HOSTILE = {
    "mentions": "I look at " + ", ".join(["R1"] * 10_000) + ".\nAnswer: red",
    "sentences": "R2 is irrelevant. " * 10_000 + "\nAnswer: red",
    "headings": "Answer: red\n" * 10_000,
    "empty headings": "Answer:\n" * 10_000 + "red",
    "brackets": "(" * 100_000 + "\nAnswer: red",
    "braces": "{" * 50_000 + '"answer": "red"' + "}" * 50_000,
    "stars": "*" * 100_000 + "\nAnswer: red",
    "spaces": "Answer" + " " * 100_000 + ": red",
    "blank lines": "\n" * 100_000 + "Answer: red",
    "boxes": "\\boxed{" * 20_000 + "red",
    "tags": "<answer>" * 10_000,
    "one word": "a" * 300_000,
    "quotes": '"' * 100_000,
    "commas and words of exclusion": "R2 is not " + "very " * 20_000 + "relevant.\nAnswer: red",
    "negations": "not need to " * 10_000 + "R2.\nAnswer: red",
    "stops": "." * 100_000 + "\nAnswer: red",
    "labels": "R1.\n" * 10_000 + "Answer: red",
    "dashes": "- " * 50_000 + "\nAnswer: red",
    "surrogates": "R1 \ud800 is red.\nAnswer: \udfff red",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_reply_is_read_to_its_end(name):
    steps, _ = split(HOSTILE[name])
    named, aside = boxes_of(steps)
    assert set(aside) <= set(named) <= {1, 2}


def test_the_corpus_in_one_reply_is_read_too():
    ends = ("Question", "</think>", "<|im_start|>")
    replies = [case.reply for case in CASES.values() if not any(sign in case.reply for sign in ends)]
    random.Random(0).shuffle(replies)
    _, answer = split("\n\n".join([*replies, f"{STEPS}\n\nAnswer: the last"]))
    assert answer == "the last"


def test_a_heading_with_an_answer_is_none_of_the_bare_ones():
    assert is_bare("Answer: <answer>")
    assert not is_bare("Answering the question: red")
