"""Reading replies as a careful person would, strictly in the tag or leniently in prose, without ever guessing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.answers.confusion import corpora, replies
from tests.answers.questions import put
from veridical.answers import (
    LENIENT_BINARY,
    LENIENT_CHOICE,
    STRICT_BINARY,
    STRICT_CHOICE,
    decide,
    lenient_binary,
    lenient_choice,
    strict_binary,
    strict_choice,
)
from veridical.answers.binary import search_binary, search_tags
from veridical.records import Response

TAGGED = {
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
    "<reasons>x</reasons><answer>1": "1",
    "```\n<answer>0</answer>\n```": "0",
    "<answer>\\boxed{1}</answer>": "1",
    "<answer>(1)</answer>": "1",
    "<answer>[0]</answer>": "0",
    "<answer>$1$</answer>": "1",
    "<answer>1 (yes)</answer>": "1",
    "<answer>Yes, they are equal</answer>": "1",
    "<answer>True</answer>": "1",
    "<answer>\uff11</answer>": "1",
    "<answer>\u0660</answer>": "0",
    "<answer>Answer: 1</answer>": "1",
    "<answer><|begin_of_box|>1<|end_of_box|></answer>": "1",
    "<|begin_of_box|>1<|end_of_box|>": "1",
    "<final_answer>0</final_answer>": "0",
    "[answer]1[/answer]": "1",
    "<answer>[1 or 0]</answer> <answer>1</answer>": "1",
    "You asked for <answer>1</answer> or <answer>0</answer>.\n<answer>0</answer>": "0",
    "<answer>1</answer> Wait. <answer>0</answer>": "0",
}
"""Replies with a tag: both readers read them."""
PROSE = {
    "1": "1",
    " 0.\n": "0",
    "**Yes**": "1",
    "No.": "0",
    "Yes, they are equal.": "1",
    "The lines are equal, so 1.": "1",
    "answer: 1": "1",
    "\\boxed{1}": "1",
    "Correction: Yes": "1",
    "No. People say no, but actually yes": "1",
    "Yes. Actually, no.": "0",
    "Textbooks say yes. Here, however, the answer is no.": "0",
    "Nei, hunden har bare fire bein.": "0",
    "\u0646\u0639\u0645\u060c \u0647\u0645\u0627 \u0645\u062a\u0633\u0627\u0648\u064a\u0627\u0646.": "1",
    "\u0928\u0939\u0940\u0902\u0964": "0",
}
"""Replies without a tag: only the lenient reader reads them."""
LEFT_OPEN = [
    "",
    "4 legs, not 5",
    "<answer>1 or 0</answer>",
    "<answer>10</answer>",
    "<answer></answer>",
    "<answer>2</answer>",
    "<think>so it is <answer>1</answer>",
    "<answer>1<b>0</b></answer>",
    "101",
    "<answer>not equal</answer>",
    "<answer>1</answer><answer>0</answer>",
    "<answer>1</answer> or <answer>0</answer>",
    "<answer>1</answer>\n\nWait, I was wrong.",
    "it's possible that the answer is yes, but I can't be sure",
    "1 = yes, 0 = no",
    "Yes and no.",
    "They are equal.",
    "No, I cannot see any image.",
    "Yes, I can help with that! Please upload the picture.",
    "Some would say yes.",
    "1 line is longer",
]
THOUGHT = [
    "<think>{}</think>",
    "{}</think>",
    "<thinking>{}</thinking>",
    "<thought>{}</thought>",
    "<scratchpad>{}</scratchpad>",
    "<reasoning>{}</reasoning>",
    "<reflection>{}</reflection>",
    "<reasons>{}</reasons>",
    "[THINK]{}[/THINK]",
    "\u25c1think\u25b7{}\u25c1/think\u25b7",
    "<seed:think>{}</seed:think>",
    "&lt;think&gt;{}&lt;/think&gt;",
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
    "<|channel|>analysis {} <|channel|>final ",
    "analysis{}assistantfinal",
]
CUT = [
    "<think>{}",
    "<thinking>{}",
    "<thought>{}",
    "[THINK]{}",
    "\u25c1think\u25b7{}",
    "<|channel|>analysis<|message|>{}",
    "analysis{}",
]


@pytest.mark.parametrize("text", TAGGED)
def test_what_the_tag_states_is_read_by_both_readers(text):
    assert strict_binary(text).answer == lenient_binary(text).answer == TAGGED[text]


@pytest.mark.parametrize("text", PROSE)
def test_what_prose_states_is_read_by_the_lenient_reader_alone(text):
    assert lenient_binary(text).answer == PROSE[text]
    assert strict_binary(text).answer is None


@pytest.mark.parametrize("text", LEFT_OPEN)
def test_what_is_not_clear_is_not_guessed(text):
    for read in (strict_binary, lenient_binary):
        answer, reason = read(text)
        assert answer is None
        assert reason


@pytest.mark.parametrize("form", THOUGHT)
@pytest.mark.parametrize("thought", ["Yes. Is it <answer>1</answer>? The answer is 1.", "It is 1. I'm sorry, I can't."])
def test_no_answer_is_made_of_thinking_or_explanation(form, thought):
    for said, answer in (("<answer>0</answer>", "0"), ("The answer is 0.", "0"), ("They differ.", None)):
        assert lenient_binary(form.format(thought) + "\n" + said).answer == answer
    assert strict_binary(form.format(thought) + "\n<answer>0</answer>").answer == "0"


@pytest.mark.parametrize("form", CUT)
@pytest.mark.parametrize("stop_reason", [None, "stop", "max_tokens"])
def test_a_reply_that_ends_while_it_thinks_is_truncated_whatever_ended_it(form, stop_reason):
    text = form.format("It is <answer>1</answer>. Yes. I'm sorry, I can't help.")
    decision = decide(Response(trial="t", text=text, stop_reason=stop_reason), lenient_binary)
    assert (decision.status, decision.answer) == ("truncated", None)


def test_a_refusal_is_looked_for_in_what_is_said_alone():
    thinking = "<think>I'm sorry, I can't tell yet.</think>"
    assert decide(Response(trial="t", text=f"{thinking}They differ."), lenient_binary).status == "unparsed"
    assert decide(Response(trial="t", text=f"{thinking}I'm sorry, I can't."), lenient_binary).status == "refused"


def test_a_tag_is_read_after_explanation_that_never_ends():
    assert strict_binary("<reasons>Both are 200 px.\n<answer>1</answer>").answer == "1"
    assert lenient_binary("<reasons>No. Both are 200 px.\nAnswer: 1").answer == "1"
    assert lenient_binary("<reasons>No. Both are 200 px.").answer is None


PIECES = [
    *TAGGED,
    *PROSE,
    *LEFT_OPEN,
    "Wait, ",
    "Correction: ",
    "<think>",
    "</think>",
    "<answer>",
    "</answer>",
    "1",
    "0",
]


@given(st.lists(st.sampled_from(PIECES), max_size=6))
def test_the_two_readers_never_read_different_answers(pieces):
    text = " ".join(pieces)
    strict, lenient = strict_binary(text).answer, lenient_binary(text).answer
    assert strict is None or lenient is None or strict == lenient


@given(st.text())
def test_reading_never_raises(text):
    for read in (strict_binary, lenient_binary):
        answer, reason = read(text)
        assert (answer in {"0", "1"}) != (answer is None and bool(reason))


@given(
    st.lists(st.sampled_from(["<answer>", "</answer>", "1", "0", "<think>", "</think>", " ", "x", "<"]), max_size=30)
)
def test_an_answer_is_only_read_where_no_tag_says_otherwise(pieces):
    text = "".join(pieces)
    answer = strict_binary(text).answer
    if answer is not None:
        assert answer in text


@pytest.mark.parametrize("text", ["<answer>" * 125_000, "<think>" * 150_000, "<" * 1_000_000, "a" * 1_000_000])
def test_a_megabyte_of_anything_is_read_without_an_answer(text):
    assert strict_binary(text).answer is None
    assert lenient_binary(text).answer is None


def status(**facts):
    """The status by the rule, which is that of a ready reader's reading."""
    response = Response(trial="t", **facts)
    found = decide(response, strict_binary)
    reading = STRICT_BINARY.read(response, put("strict binary"))
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
    reading = STRICT_BINARY.read(Response(trial="t", text="hm"), put("strict binary"))
    assert (reading.reader, reading.version, reading.answer) == ("strict", "4", None)
    assert reading.reason == "no answer tag"
    assert STRICT_BINARY.read(Response(trial="t", error="server"), put("strict binary")).reason == "server"
    assert LENIENT_BINARY.name == LENIENT_CHOICE.name == "lenient"
    assert STRICT_CHOICE.name == "strict"


LEFT_RIGHT, LENIENT_LEFT_RIGHT = strict_choice("left", "right"), lenient_choice("left", "right")
CHOSEN = {
    "<reasons>It reaches farther.</reasons><answer>left</answer>": "left",
    "<answer> **Right**. </answer>": "right",
    "<answer>the left one</answer>": "left",
    "<answer>on the right</answer>": "right",
    "<think><answer>left</answer></think><answer>right</answer>": "right",
    "<answer>the left one is longer</answer>": "left",
}
CHOSEN_IN_PROSE = {
    "Left": "left",
    "I would say left.": "left",
    "The left one seems longer, but it is the right one.": "right",
    "You're right to suspect an illusion; it is the left one.": "left",
    "Left. Wait, no: the picture is mirrored, so right.": "right",
    "Der linke Kreis ist größer.": "left",
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
]
LEFT_OPEN_IN_PROSE = [
    "Left or right, I can't tell.",
    "That's right.",
    "It could be the left one.",
    "There is nothing left.",
]


@pytest.mark.parametrize("text", CHOSEN)
def test_a_clear_choice_is_read(text):
    assert LEFT_RIGHT.read(text).answer == LENIENT_LEFT_RIGHT.read(text).answer == CHOSEN[text]


@pytest.mark.parametrize("text", CHOSEN_IN_PROSE)
def test_a_choice_in_prose_is_read_by_the_lenient_reader_alone(text):
    assert LENIENT_LEFT_RIGHT.read(text).answer == CHOSEN_IN_PROSE[text]
    assert LEFT_RIGHT.read(text).answer is None


@pytest.mark.parametrize("text", [*NOT_CHOSEN, *LEFT_OPEN_IN_PROSE])
def test_what_is_no_choice_is_not_guessed(text):
    for reader in (LEFT_RIGHT, LENIENT_LEFT_RIGHT):
        answer, reason = reader.read(text)
        assert answer is None
        assert reason


def test_options_of_several_words_are_read_as_people_say_them():
    reader = strict_choice("at the top", "at the bottom")
    assert [reader.read(f"<answer>{said}</answer>").answer for said in ("At the top", "bottom", "top one", "left")] == [
        "at the top", "at the bottom", "at the top", None
    ]  # fmt: skip
    turned = strict_choice("counter-clockwise", "clockwise")
    said = ("counterclockwise", "Counter-Clockwise", "clockwise", "anticlockwise")
    assert [turned.read(f"<answer>{each}</answer>").answer for each in said] == [
        "counter-clockwise", "counter-clockwise", "clockwise", "counter-clockwise"
    ]  # fmt: skip


@given(st.text())
def test_reading_a_choice_never_raises(text):
    for reader in (LEFT_RIGHT, LENIENT_LEFT_RIGHT):
        answer, reason = reader.read(text)
        assert (answer in {"left", "right"}) != (answer is None and bool(reason))


def test_the_order_of_options_makes_no_other_reader():
    assert strict_choice("left", "right").name == strict_choice("right", "left").name
    for text in (*CHOSEN, *NOT_CHOSEN):
        readings = [
            LENIENT_CHOICE.read(Response(trial="t", text=text), put("choice", "left", options=options))
            for options in (("left", "right"), ("right", "left"))
        ]
        assert readings[0] == readings[1]


@pytest.mark.parametrize("options", [(), ("left",), ("left", "left"), ("left", "the left"), ("left", " ")])
def test_options_that_cannot_be_told_apart_are_refused(options):
    with pytest.raises(ValueError, match="told apart"):
        strict_choice(*options)


LONG = "Many things stand in the picture, and none of them moves. " * 6
PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "<reasons>",
                "</reasons>",
                "<answer>",
                "</answer>",
                "1",
                "0",
                " ",
                "\n",
                "so the answer is 1.",
                "I say no.",
            ),
            *("&lt;", "Both match.", "<think>", "</think>", "[THINK]", "analysisA", "Wait, no.", "The decision is 0"),
            *("\uff1canswer>", "therefore I choose 0", "Yes.", "<answer>0</answer>"),
            *("The verdict is therefore no. ", "The answer is no: all is as it should be. ", LONG),
        ]
    ),
    max_size=8,
).map("".join)


@given(PIECES, st.sampled_from(["{}", "<reasons>{}</reasons>\n<answer>1</answer>", "{}<answer>0</answer>"]))
def test_a_plain_tag_is_read_as_by_a_search_of_the_whole_reply(pieces, form):
    text = form.format(pieces)
    assert lenient_binary(text) == search_binary(text)
    assert strict_binary(text) == search_tags(text)


@pytest.mark.parametrize("corpus", corpora())
def test_every_labeled_reply_is_read_as_by_a_search_of_the_whole_reply(corpus):
    texts = [reply["text"] for reply in replies(corpus)]
    assert [lenient_binary(text) for text in texts] == [search_binary(text) for text in texts]
    assert [strict_binary(text) for text in texts] == [search_tags(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "answer"),
    {
        "The answer is yes.\n<answer>0</answer>": None,
        "The answer is yes. Wait, I see the gap now. <answer>0</answer>": "0",
        "<reasons>They match. Therefore, I answer yes.</reasons><answer>0</answer>": None,
        "No. <answer>1</answer>": None,
        "(1) Yes. They are parallel.": "1",
        "Both have the same length \u2014 yes.": "1",
        "{1}": "1",
        "yes no": None,
        "Yes no difference.": "1",
        '{"answer": null}': None,
    }.items(),
)
def test_an_announced_answer_and_a_tag_that_differ_need_a_correction(text, answer):
    assert lenient_binary(text).answer == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    {
        "The left line is longer than the right one.": "left",
        "The left disc is smaller than the right one.": None,
        "The left one is larger than the right one, even though it looks smaller.": "left",
        "The left one looks larger than the right one, but both are equal.": None,
    }.items(),
)
def test_a_comparison_settles_on_the_one_that_is_more(text, answer):
    assert lenient_choice("left", "right").read(text).answer == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    {"anti-clockwise": "counter-clockwise", "It does not turn clockwise.": None, "Clockwise.": "clockwise"}.items(),
)
def test_a_turn_has_several_spellings(text, answer):
    assert lenient_choice("clockwise", "counter-clockwise").read(text).answer == answer
