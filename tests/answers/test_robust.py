"""Properties of all readers: they never raise, never need more than linear time, and thinking never counts."""

import gc
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.answers.corpora import NAMES, Verdict, cases, reading
from tests.answers.questions import put
from veridical.answers import (
    Parser,
    interval,
    intervals,
    json_reader,
    lenient_binary,
    lenient_choice,
    letter_reader,
    parse_answer,
    prepare,
    read_count,
    read_integer,
    read_interval,
    read_intervals,
    read_yes_no,
    region_mentions,
    strict_binary,
    strict_choice,
    text_reader,
)
from veridical.records import Response

OPTIONS = ("a duck", "a rabbit", "both", "4")
READERS = {
    "yes_no": read_yes_no,
    "integer": read_integer,
    "letter": letter_reader(*OPTIONS).read,
    "interval": read_interval,
    "intervals": read_intervals,
    "json": json_reader(Verdict).read,
    "binary": lenient_binary,
    "strict binary": strict_binary,
    "choice": lenient_choice("left", "right").read,
    "strict choice": strict_choice("left", "right").read,
}
LENIENT = [name for name in READERS if not name.startswith("strict")]
"""Readers whose work includes that of the strict ones; the first one's has what all have in common, which is kept."""
MANY = 100_000
SHORT, LONG = 2_000, 32_000
UNITS = [
    *(
        "(",
        "{",
        "}",
        "[",
        '"',
        '{"',
        "\\boxed{",
        "*",
        "\n",
        "9",
        "1,",
        "not ",
        "no ",
        "A, ",
        "Answer: A\n",
        "Answer: 1-2 ",
    ),
    *("final answer ", "<answer>", "<answer>1</answer>", "<think>", "R1-", "1-2 s ", "0:01-", '{"a":', "\ud800", "\0"),
    *(
        "[THINK]",
        "◁think▷",
        "</think>",
        "<|channel|>a",
        "<reasons>",
        "</reasons>",
        "R1 is fine ",
        "yes, no ",
        "usually 4 ",
    ),
    *(
        "left, ",
        "(B) ",
        "actually ",
        "not left but ",
        "answer>",
        "答",
        "\ue000",
        "Wait, ",
        "so ",
        "1+1=",
        "1. x\n",
        "a duck or ",
        "so R1 is odd. ",
        "R1\nx\n",
        "R1 (x) and ",
    ),
]
NESTED = [("{", "}"), ("\\boxed{", "}"), ("<answer>", "</answer>"), ('{"a":', "}"), ('{"a":[', "]}")]
WORDS = sorted({word for name in NAMES for case in cases(name) for word in case["text"].split(" ")})
SPLICED = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)


def well_formed(name, answer):
    """Whether an answer has the form that its reader promises."""
    if name == "interval":
        return interval(answer).start <= interval(answer).end
    if name == "intervals":
        pairs = intervals(answer)
        return all(start <= end for start, end in pairs) and sorted(pairs) == list(pairs)
    if name == "json":
        return parse_answer(answer, Verdict).verdict in {"yes", "no"}
    if name == "integer":
        return str(int(answer)) == answer
    forms = {"yes_no": {"yes", "no"}, "letter": set("ABCD"), "binary": {"0", "1"}, "choice": {"left", "right"}}
    return answer in forms[name.removeprefix("strict ")]


def seconds(read, text):
    """What this thread computes for a reading; garbage of other tests is collected after it."""
    gc.disable()
    start = time.thread_time()
    read(text)
    end = time.thread_time()
    gc.enable()
    return end - start


@given(st.one_of(st.text(st.characters(codec=None)), SPLICED))
def test_any_text_gives_a_well_formed_answer_or_a_reason(text):
    for name, read in READERS.items():
        answer, reason = read(text)
        assert (answer is None) == bool(reason)
        assert answer is None or well_formed(name, answer)
    assert all(1 <= number <= 99 for number in region_mentions(text))


def growth(read, short, long):
    """How many times longer the long text takes; what is too quick for the clock counts as 1.25 ms."""
    return seconds(read, long) / max(seconds(read, short), 0.00125)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("unit", ["(", "{", "not ", "9", "\ud800\0"])
def test_a_hundred_thousand_characters_of_one_sign_hold_no_answer(name, unit):
    """Far more than Python's depth of calls, 1,000, and than the digits of its numbers, 4,300."""
    answer, reason = READERS[name](unit * (MANY // len(unit)))
    assert answer is None
    assert reason


@pytest.mark.parametrize("name", LENIENT)
@pytest.mark.parametrize("unit", UNITS)
def test_sixteen_times_the_text_takes_about_sixteen_times_as_long(name, unit):
    short, long = (unit * (size // len(unit)) for size in (SHORT, LONG))
    assert growth(READERS[name], short, long) < 80


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(("opening", "closing"), NESTED)
def test_deep_nesting_takes_linear_time(name, opening, closing):
    depths = [size // len(opening + closing) for size in (SHORT, LONG)]
    short, long = (opening * depth + "1" + closing * depth for depth in depths)
    assert growth(READERS[name], short, long) < 80


def searched(text):
    """The text prepared with every search made, whatever it holds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prepare, "_may_hold", lambda *_: True)
        patch.setattr(prepare, "DRESSED", frozenset(text))
        return prepare._made_ready(text)


@given(SPLICED)
def test_what_is_not_searched_for_is_not_there(text):
    assert prepare.prepare(text) == searched(text)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_searched_for_in_the_corpora_is_not_there(name):
    for case in cases(name):
        assert prepare.prepare(case["text"]) == searched(case["text"])


@given(st.data())
def test_thinking_never_counts(data):
    name = data.draw(st.sampled_from(NAMES))
    case = data.draw(st.sampled_from(cases(name)))
    thought = data.draw(SPLICED.filter(lambda text: "think" not in text.lower()))
    if "think>" not in case["text"].lower():
        told = case | {"text": f"<think>{thought}</think>{case['text']}"}
        assert reading(name, told).answer == reading(name, case).answer


@given(st.integers(-(10**14), 10**14))
def test_a_number_in_a_tag_is_that_number(number):
    assert read_integer(f"<answer>{number}</answer>").answer == str(number)
    assert read_integer(f"**Final answer:** {number}.").answer == str(number)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_two_times_are_that_interval_unless_they_run_backwards(first, second):
    answer = read_interval(f"<answer>{first / 1000:.3f} s to {second / 1000:.3f} s</answer>").answer
    assert (answer is None) == (second < first)
    assert answer is None or interval(answer) == (first / 1000, second / 1000)


@given(st.sampled_from("ABCD"), st.sampled_from("ABCD"))
def test_two_answers_count_as_one_only_if_they_agree_or_one_is_taken_back(first, second):
    read = READERS["letter"]
    agreed = first if first == second else None
    assert read(f"<answer>{first}</answer> <answer>{second}</answer>").answer == agreed
    assert read(f"Answer: {first}\nAnswer: {second}").answer == agreed
    assert read(f"<answer>{first}</answer> Wait, no. <answer>{second}</answer>").answer == second
    assert read(f"Answer: {first}. Wait, I was wrong. Answer: {second}").answer == second
    assert read(f"Answer: {first}. Wait, I was wrong.").answer is None


@pytest.mark.parametrize("letter", "ABCD")
def test_a_letter_beside_the_text_of_another_option_is_not_read(letter):
    for other, text in zip("ABCD", OPTIONS, strict=True):
        assert READERS["letter"](f"{letter}. {text}").answer == (letter if letter == other else None)


def test_options_that_cannot_be_told_apart_have_no_reader():
    for options in ((), ("one",), ("same", "Same "), ("a", ""), tuple(map(str, range(27)))):
        with pytest.raises(ValueError, match="2 to 26 different texts"):
            letter_reader(*options)


@given(st.integers(0, 999), st.integers(0, 999))
def test_a_number_that_the_length_limit_cuts_is_no_answer(number, other):
    reader = text_reader(Parser("count", "1", read_count))
    texts = {
        f"<answer>{number}": None,
        f"<answer>{number}</answer> I see {other}": str(number),
        f"I count {number}": None,
    }
    for text, answer in texts.items():
        cut = reader.read(Response(trial="t", text=text, stop_reason="max_tokens"), put("binary"))
        assert cut.answer == answer
        assert cut.status == ("answered" if answer else "truncated")
        assert reader.read(Response(trial="t", text=text, stop_reason="stop"), put("binary")).answer is not None


@given(st.integers(1, 10**9))
def test_a_negative_count_is_not_read(number):
    assert read_count(f"<answer>-{number}</answer>").answer is None
    assert read_count(f"<answer>{number}</answer>").answer == str(number)


OPTIONS_BY_CLASS = {
    "What this shows is a train, as its rails tell.": ("a boat", "a train", "a plane"),
    "A train is crossing the bridge.": ("a boat", "a train", "a plane"),
    "Its short shadows point to noon (B).": ("morning", "noon", "evening"),
    "All of these hints suggest B.": ("morning", "noon", "evening"),
    "A: ruled out\nB: fits well\nC: ruled out": ("morning", "noon", "evening"),
    "It is the second pole that leans; the first pole is upright.": ("the first pole", "the second pole"),
}


@pytest.mark.parametrize("text", OPTIONS_BY_CLASS)
def test_prose_that_settles_on_the_second_option_is_read(text):
    assert letter_reader(*OPTIONS_BY_CLASS[text]).read(text).answer == "B"


@pytest.mark.parametrize(
    "text",
    [
        "The vehicle is a boat.\n\nAnswer: B",
        "It may be a train.",
        "I do not think that it is a train.",
        "It looks like a train, but I am not certain.",
        "A boat and a train can be seen.",
    ],
)
def test_prose_that_supposes_or_contradicts_its_letter_is_left_open(text):
    assert letter_reader("a boat", "a train", "a plane").read(text).answer is None


BARE = {
    "R1, 2 and 3": (1, 2, 3),
    "I look at R1, 2, and 3.": (1, 2, 3),
    "R1/2/3 and R7": (1, 2, 3, 7),
    "R1\u20133 show mugs": (1, 2, 3),
    "I look at R1 through 3.": (1, 2, 3),
    "Both R1 and 2 are red.": (1, 2),
    "boxes labeled 1 and 4": (1, 4),
    "$R_{2}$ and R\u2083": (2, 3),
    "In R1, 2 mugs stand.": (1,),
    "R1 and 2 others": (1,),
    "In R1, 2 and 3 mugs can be seen.": (1,),
    "R1,\n2. The lamp": (1,),
    "R1, 2nd from the left": (1,),
    "R1 (10, 20, 30, 40)": (1,),
    "R1, 10, 20, 110, 220": (1,),
}


@pytest.mark.parametrize("text", BARE)
def test_bare_numbers_in_a_list_are_regions_and_numbers_of_things_are_not(text):
    assert region_mentions(text) == BARE[text]
