"""Reading replies as a careful person would, and never raising or guessing on anything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.answers.questions import put
from veridical.answers import TAGGED_BINARY, TAGGED_CHOICE, choice_reader, decide, read_binary
from veridical.records import Response

CLEAR = {
    "<reasons>Both are 200 px.</reasons>\n<answer>1</answer>": "1",
    "<answer>0</answer>": "0",
    "<answer> 1 </answer>": "1",
    "<ANSWER>0</ANSWER>": "0",
    "**<answer>1</answer>**": "1",
    "<answer>**0**</answer>": "0",
    "<answer>Yes</answer>": "1",
    "<answer>no.</answer>": "0",
    "<answer>1</answer> To repeat: <answer>1</answer>": "1",
    "<think>maybe <answer>0</answer></think><answer>1</answer>": "1",
    "<reasons>4 legs, not 5</reasons><answer>0</answer>": "0",
    "<reasons>Yes. There is no difference.</reasons><answer>1</answer>": "1",
    "1": "1",
    " 0.\n": "0",
    "**Yes**": "1",
    "<reasons>x</reasons><answer>1": "1",
    "```\n<answer>0</answer>\n```": "0",
}
UNCLEAR = [
    "",
    "4 legs, not 5",
    "Yes. There is no difference.",
    "The lines are equal, so 1.",
    "<answer>1</answer> Wait. <answer>0</answer>",
    "<answer>1 or 0</answer>",
    "<answer>10</answer>",
    "<answer></answer>",
    "<answer>2</answer>",
    "<answer>[1 or 0]</answer> <answer>1</answer>",
    "<think>so it is <answer>1</answer>",
    "answer: 1",
    "<answer>1<b>0</b></answer>",
    "\\boxed{1}",
    "101",
    "<answer>not equal</answer>",
]


@pytest.mark.parametrize("text", CLEAR)
def test_a_clear_answer_is_read(text):
    assert read_binary(text).answer == CLEAR[text]


@pytest.mark.parametrize("text", UNCLEAR)
def test_what_is_not_clear_is_not_guessed(text):
    answer, reason = read_binary(text)
    assert answer is None
    assert reason


@given(st.text())
def test_reading_never_raises(text):
    answer, reason = read_binary(text)
    assert (answer in {"0", "1"}) != (answer is None and bool(reason))


@given(
    st.lists(st.sampled_from(["<answer>", "</answer>", "1", "0", "<think>", "</think>", " ", "x", "<"]), max_size=30)
)
def test_an_answer_is_only_read_where_no_tag_says_otherwise(pieces):
    text = "".join(pieces)
    answer = read_binary(text).answer
    if answer is not None:
        assert answer in text


@pytest.mark.parametrize("text", ["<answer>" * 125_000, "<think>" * 150_000, "<" * 1_000_000, "a" * 1_000_000])
def test_a_megabyte_of_anything_is_read_without_an_answer(text):
    assert read_binary(text).answer is None


def status(**facts):
    """The status by the rule, which is that of a ready reader's reading."""
    response = Response(trial="t", **facts)
    found = decide(response, read_binary)
    reading = TAGGED_BINARY.read(response, put("binary"))
    assert (reading.status, reading.answer, reading.reason) == found
    return found.status


def test_statuses_are_decided_in_their_order():
    good, cut, sorry = "<answer>1</answer>", "<reasons>The upper", "I'm sorry, but I can't help with that."
    assert status(text=good, error="timeout") == "error"
    assert status(text=good, refused=True) == "refused"
    assert status(text=good, stop_reason="max_tokens") == "answered"
    assert status(text=sorry + good) == "answered"
    assert status(text=sorry) == "refused"
    assert status(text=sorry, stop_reason="max_tokens") == "refused"
    assert status(text=cut, stop_reason="max_tokens") == "truncated"
    assert status(text=cut) == "unparsed"
    assert status(text="") == "unparsed"


def test_a_reading_names_its_reader_and_its_reason():
    reading = TAGGED_BINARY.read(Response(trial="t", text="hm"), put("binary"))
    assert (reading.reader, reading.version, reading.answer) == ("answer-tag-binary", "1", None)
    assert reading.reason == "no answer tag"
    assert TAGGED_BINARY.read(Response(trial="t", error="server"), put("binary")).reason == "server"


LEFT_RIGHT = choice_reader("left", "right")
CHOSEN = {
    "<reasons>It reaches farther.</reasons><answer>left</answer>": "left",
    "<answer> **Right**. </answer>": "right",
    "<answer>the left one</answer>": "left",
    "<answer>on the right</answer>": "right",
    "<think><answer>left</answer></think><answer>right</answer>": "right",
    "Left": "left",
}
NOT_CHOSEN = [
    "",
    "<answer>same</answer>",
    "<answer>both</answer>",
    "<answer>neither</answer>",
    "<answer>left or right</answer>",
    "<answer>not left</answer>",
    "<answer>left</answer><answer>right</answer>",
    "<answer>1</answer>",
    "<answer>top</answer>",
    "<answer>the one</answer>",
    "<answer>left | right</answer>",
    "I would say left.",
]


@pytest.mark.parametrize("text", CHOSEN)
def test_a_clear_choice_is_read(text):
    assert LEFT_RIGHT.read(text).answer == CHOSEN[text]


@pytest.mark.parametrize("text", NOT_CHOSEN)
def test_what_is_no_choice_is_not_guessed(text):
    answer, reason = LEFT_RIGHT.read(text)
    assert answer is None
    assert reason


def test_options_of_several_words_are_read_as_people_say_them():
    reader = choice_reader("at the top", "at the bottom")
    assert [reader.read(f"<answer>{said}</answer>").answer for said in ("At the top", "bottom", "top one", "left")] == [
        "at the top", "at the bottom", "at the top", None
    ]  # fmt: skip
    turned = choice_reader("counter-clockwise", "clockwise")
    said = ("counterclockwise", "Counter-Clockwise", "clockwise", "anticlockwise")
    assert [turned.read(f"<answer>{each}</answer>").answer for each in said] == [
        "counter-clockwise", "counter-clockwise", "clockwise", None
    ]  # fmt: skip


@given(st.text())
def test_reading_a_choice_never_raises(text):
    answer, reason = LEFT_RIGHT.read(text)
    assert (answer in {"left", "right"}) != (answer is None and bool(reason))


def test_the_order_of_options_makes_no_other_reader():
    assert choice_reader("left", "right").name == choice_reader("right", "left").name
    for text in (*CHOSEN, *NOT_CHOSEN):
        readings = [
            TAGGED_CHOICE.read(Response(trial="t", text=text), put("choice", "left", options=options))
            for options in (("left", "right"), ("right", "left"))
        ]
        assert readings[0] == readings[1]


@pytest.mark.parametrize("options", [(), ("left",), ("left", "left"), ("left", "the left"), ("left", " ")])
def test_options_that_cannot_be_told_apart_are_refused(options):
    with pytest.raises(ValueError, match="told apart"):
        choice_reader(*options)
