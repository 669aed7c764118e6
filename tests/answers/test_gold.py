"""What a reply is read as never depends on what would be right; only whether it is right does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.answers.corpora import NAMES, cases
from tests.answers.questions import ANSWERS, EXPECTS, READY, put
from veridical.records import Response

WORDS = sorted({word for name in NAMES for case in cases(name) for word in case["text"].split(" ")})
REPLIES = [text for replies in ANSWERS.values() for text in replies]
TEXTS = st.one_of(
    st.sampled_from(REPLIES),
    st.lists(st.sampled_from(REPLIES + WORDS), max_size=12).map(" ".join),
    st.text(st.characters(codec=None)),
)
RESPONSES = st.builds(
    Response,
    trial=st.just("t"),
    text=TEXTS,
    refused=st.sampled_from([False, False, False, True]),
    error=st.sampled_from([None, None, None, "timeout"]),
    stop_reason=st.sampled_from([None, "stop", "max_tokens"]),
)
GOLDS = st.one_of(
    st.none(),
    st.sampled_from(sorted({answer for replies in ANSWERS.values() for answer in replies.values()})),
    st.text(),
)


@given(st.sampled_from(list(READY)), RESPONSES, GOLDS, GOLDS)
def test_another_gold_answer_changes_no_status_and_no_answer(name, response, gold, other):
    mine, theirs = (READY[name].read(response, put(name, each)) for each in (gold, other))
    assert (mine.status, mine.answer, mine.reason) == (theirs.status, theirs.answer, theirs.reason)
    assert (mine.reader, mine.version, mine.scores) == (theirs.reader, theirs.version, theirs.scores)


@given(st.sampled_from(list(READY)), RESPONSES, GOLDS)
def test_a_reading_is_correct_where_it_answers_the_gold_and_never_without_one(name, response, gold):
    reading = READY[name].read(response, put(name, gold))
    assert (reading.status == "answered") == (reading.answer is not None) == (reading.reason is None)
    if gold is None:
        assert reading.correct is None
    else:
        assert reading.correct is (reading.status == "answered" and reading.answer == gold)


@pytest.mark.parametrize("name", READY)
def test_what_is_right_wrong_and_open(name):
    for text, answer in ANSWERS[name].items():
        response = Response(trial="t", text=text)
        found = [READY[name].read(response, put(name, gold)).correct for gold in (answer, f"not {answer}", None)]
        assert found == [True, False, None]


@pytest.mark.parametrize("name", READY)
@pytest.mark.parametrize(
    ("status", "facts"),
    [
        ("error", {"error": "timeout"}),
        ("refused", {"refused": True}),
        ("refused", {"text": "I'm sorry, but I can't help with that."}),
        ("truncated", {"text": "<reasons>The upper line", "stop_reason": "max_tokens"}),
        ("unparsed", {"text": "<reasons>The upper line"}),
    ],
)
def test_what_is_not_answered_is_not_correct_and_open_without_a_gold(name, status, facts):
    text = next(iter(ANSWERS[name]))
    response = Response(trial="t", **{"text": text} | facts)
    for gold, correct in ((ANSWERS[name][text], False), (None, None)):
        reading = READY[name].read(response, put(name, gold))
        assert (reading.status, reading.answer, reading.correct) == (status, None, correct)


@pytest.mark.parametrize("name", [name for name in READY if EXPECTS[name]])
def test_what_a_trial_expects_decides_what_can_be_an_answer(name):
    others = {
        "choice": {"options": ("top", "bottom")},
        "strict choice": {"options": ("top", "bottom")},
        "letter": {"options": ("one", "two")},
        "regions": {"regions": 2},
    }
    text, answer = list(ANSWERS[name].items())[-1]
    response = Response(trial="t", text=text)
    assert READY[name].read(response, put(name, answer)).correct
    reading = READY[name].read(response, put(name, answer, **others[name]))
    assert (reading.status, reading.correct) == ("unparsed", False)
