"""The probability of an answer is that of all its spellings where the reader found it, and of nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.answers import (
    LENIENT_BINARY,
    LENIENT_CHOICE,
    OPTION_LETTER,
    STRICT_BINARY,
    Parser,
    Reader,
    answer_token,
    option_probabilities,
    read_yes_no,
    text_reader,
)
from veridical.answers.answer_tokens import NO_ANSWER, NO_CHOICE, NO_TOKENS, NOT_FOUND, REASONED
from veridical.answers.answer_tokens import THOUGHT as OWN_REASONING
from veridical.records import Json, Response

YES_NO = text_reader(Parser("yes-no", "1", read_yes_no))
NUMBER = Reader(name="number", version="1", parse=lambda text, _: YES_NO.parse("yes", {})._replace(answer=text))
PLACES = {"options": ["at the top", "at the bottom"]}
TURNS = {"options": ["clockwise", "counterclockwise"]}
LINES = {"options": ["the left line", "the right line", "they are equal"]}

SPELLED = {
    "yes": ("yes", "Yes", " yes", "YES", "Yes.", "\u2581Yes", "\u0120Yes", "1", "True", "(yes", '"Yes"'),
    "no": ("no", "No", " no", "NO.", "0", "False", "**No", "nein"),
    "": ("Hm", "The", "10", "", " ", "not", "yesterday", "\ufffd", "</answer>", "A"),
}


def token(text: Any, logprob: Any = -0.5, tops: Any = ()) -> dict[str, Any]:
    return {"token": text, "logprob": logprob, "top_logprobs": list(tops)}


def response(text: str, *tokens: str, **facts: Any) -> Response:
    return Response(trial="t", text=text, logprobs=[token(each) for each in tokens], **facts)


FOUND: Mapping[str, tuple[Reader, Mapping[str, Json], str, list[str], tuple[str, str]]] = {
    "a tag": (LENIENT_BINARY, {}, "<answer>1</answer>", ["<", "answer", ">", "1", "</answer>"], ("1", "")),
    "a tag within a token": (STRICT_BINARY, {}, "<answer>1</answer>", ["<answer", ">1", "</answer>"], (">1", "")),
    "a word": (LENIENT_BINARY, {}, "Yes, they match.", ["Yes", ",", " they", " match", "."], ("Yes", "")),
    "raw tokens": (LENIENT_BINARY, {}, "Yes, they match.", ["\u2581Yes", ",", "\u2581they", " match."], (" Yes", "")),
    "half a word": (YES_NO, {}, "No", ["N", "o"], ("N", "")),
    "bold": (YES_NO, {}, "**Final answer:** No", ["**", "Final", " answer", ":**", " No"], (" No", "")),
    "a place": (
        LENIENT_CHOICE,
        PLACES,
        "<answer>at the top</answer>",
        ["<answer>", "at", " the", " top", "</"],
        (" top", "at the"),
    ),
    "a beginning": (LENIENT_CHOICE, TURNS, "counterclockwise", ["counter", "clock", "wise"], ("counter", "")),
    "a letter": (OPTION_LETTER, LINES, "(B) the right line", ["(", "B", ")", " the right line"], ("B", "")),
    "an option's text": (OPTION_LETTER, LINES, "The right line.", ["The", " right", " line", "."], (" right", "The")),
    "a short remark": (LENIENT_BINARY, {}, "1 or 0? Answer: 0", ["1 or 0? ", "Answer", ":", " 0"], (" 0", "")),
    "only the beginning": (LENIENT_BINARY, {}, "Yes. They match, I say.", ["Yes", ". They"], ("Yes", "")),
    "empty reasons": (
        LENIENT_BINARY,
        {},
        "<reasons></reasons>\n<answer>1</answer>",
        ["<reasons></reasons>\n<answer>", "1", "</answer>"],
        ("1", ""),
    ),
}


@pytest.mark.parametrize("case", FOUND)
def test_the_token_that_states_the_answer_is_found_where_the_reader_read_it(case: str) -> None:
    reader, expects, text, tokens, (own, before) = FOUND[case]
    found = answer_token(reader, response(text, *tokens), expects)
    assert found.reason is None
    assert (found.token or {})["token"], (found.token or {})["before"] == (own, before)
    answer = reader.decide(response(text, *tokens), expects).answer
    held = option_probabilities(found.token, answer, expects)
    assert held is not None
    assert held.options[str(answer)] == pytest.approx(math.exp(-0.5))
    assert held.share(answer) == 1


THOUGHT = "The upper line is longer than the lower line by a hair."
NONE: Mapping[str, tuple[Reader, Response, str]] = {
    "reasons": (
        LENIENT_BINARY,
        response(
            f"<reasons>{THOUGHT}</reasons><answer>0</answer>",
            f"<reasons>{THOUGHT}</reasons>",
            "<answer>",
            "0",
            "</answer>",
        ),
        REASONED,
    ),
    "prose": (YES_NO, response(f"{THOUGHT} So: no.", THOUGHT, " So:", " no", "."), REASONED),
    "thinking of the server's": (LENIENT_BINARY, response("1", "1", reasoning="hm"), OWN_REASONING),
    "thinking in the tokens": (LENIENT_BINARY, response("1", f"<think>{THOUGHT}</think>", "1"), REASONED),
    "no answer": (LENIENT_BINARY, response("I cannot say.", "I", " cannot", " say."), NO_ANSWER),
    "no choice": (NUMBER, response("17", "17"), NO_CHOICE),
    "no tokens": (LENIENT_BINARY, response("1"), NO_TOKENS),
    "other tokens": (LENIENT_BINARY, response("1", "a", "b"), NOT_FOUND),
    "too few": (LENIENT_BINARY, response("<answer>1</answer>", "<answer>"), NOT_FOUND),
}


@pytest.mark.parametrize("case", NONE)
def test_where_there_is_none_the_reason_is_given(case: str) -> None:
    reader, given_response, reason = NONE[case]
    assert answer_token(reader, given_response, {}) == (None, reason)


@st.composite
def tops(draw: st.DrawFn) -> tuple[dict[str, float], dict[str, float]]:
    """Chances of tokens, and what they add up to for each meaning."""
    words = [(word, meaning) for meaning, spelled in SPELLED.items() for word in spelled]
    chosen = draw(st.lists(st.sampled_from(words), min_size=1, max_size=20, unique=True))
    weights = [draw(st.floats(1e-6, 1)) for _ in chosen]
    whole = sum(weights) * draw(st.floats(1, 3))
    chances = {word: weight / whole for (word, _), weight in zip(chosen, weights, strict=True)}
    sums = {each: sum(chances[word] for word, meaning in chosen if meaning == each) for each in ("yes", "no")}
    return chances, sums


@given(tops(), st.sampled_from(SPELLED["yes"]))
def test_probabilities_are_sums_over_spellings_and_what_is_left(drawn: Any, said: str) -> None:
    chances, sums = drawn
    own = chances.setdefault(said, 1e-9)
    sums["yes"] += own if own == 1e-9 else 0
    likely = [{"token": word, "logprob": math.log(chance)} for word, chance in chances.items()]
    found = option_probabilities({"token": said, "logprob": math.log(own), "top_logprobs": likely}, "yes", {})
    assert found is not None
    assert found.options == pytest.approx(sums)
    assert found.elsewhere == pytest.approx(1 - sum(sums.values()), abs=1e-8)
    assert found.share("yes") == pytest.approx(sums["yes"] / sum(sums.values()))
    assert found.share("1") is None
    assert found.share(None) is None


HOSTILE = st.one_of(st.text(), st.floats(), st.none(), st.booleans(), st.integers(), st.just(-(10**400)), st.just([]))


@given(HOSTILE, HOSTILE, st.lists(st.tuples(HOSTILE, HOSTILE), max_size=4), st.sampled_from(["1", "yes", "A", "x"]))
def test_no_token_breaks_it_and_no_probability_leaves_its_range(
    text: Any, value: Any, likely: Any, answer: str
) -> None:
    others = [{"token": other, "logprob": number} for other, number in likely]
    for stated in ({"token": text, "logprob": value, "top_logprobs": others}, text, {"token": "1", "logprob": value}):
        found = option_probabilities(stated, answer, {"options": ["red", "blue"]} if answer == "A" else {})
        if found is not None:
            every = [*found.options.values(), found.elsewhere]
            assert all(0 <= each <= 1 for each in every)
            assert sum(every) == pytest.approx(1)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), 0.1, None, "x", True])
def test_what_is_no_probability_gives_none(value: Any) -> None:
    sound = token("1", -0.5)
    assert option_probabilities({**sound, "logprob": value}, "1", {}) is None
    assert option_probabilities({**sound, "top_logprobs": [token("0", value)]}, "1", {}) is None


def test_a_sum_above_one_and_a_token_of_another_answer_give_none() -> None:
    assert option_probabilities(token("1", -0.1, [token("0", -0.1)]), "1", {}) is None
    assert option_probabilities(token("0", -0.1), "1", {}) is None
    assert option_probabilities(None, "1", {}) is None
    assert option_probabilities(token("1"), None, {}) is None


@given(st.text(max_size=60), st.lists(st.text(max_size=8), max_size=8), st.sampled_from([LENIENT_BINARY, YES_NO]))
def test_no_reply_breaks_the_search_and_what_is_found_states_the_answer(
    text: str, parts: list[str], reader: Reader
) -> None:
    given_response = response(text + "".join(parts), *parts)
    found = answer_token(reader, given_response, {})
    assert (found.token is None) == (found.reason is not None)
    if found.token is not None:
        assert option_probabilities(found.token, reader.decide(given_response, {}).answer, {}) is not None
