"""Every attempt of the corpus stays inside its quotation, and never turns what a judge itself says."""

import json

import pytest

from tests.judge.conftest import quotes
from veridical.judges import SHORT_ANSWER
from veridical.judges.corpora import injections

ATTEMPTS = pytest.mark.parametrize("attempt", injections(), ids=lambda attempt: attempt.id)
FRAMES = ("{}", "```json\n{}\n```", "The reply is as it is. {}")


def said(*, correct):
    return json.dumps({"reason": "as I see it", "correct": correct})


def read(text):
    answer = SHORT_ANSWER.reader.parse(text, {}).answer
    return None if answer is None else json.loads(answer)["correct"]


@ATTEMPTS
def test_every_line_of_an_attempt_stands_behind_a_mark_between_marks_that_it_cannot_write(attempt):
    shown = {"question": attempt.question, "gold": attempt.gold, "reply": attempt.reply}
    text = SHORT_ANSWER.filled(SHORT_ANSWER.prompt(), shown)
    bare = SHORT_ANSWER.filled(SHORT_ANSWER.prompt(), {**shown, "reply": ""})
    assert set(quotes(text)) == {"question", "gold", "reply"}
    outside = [line for line in text.splitlines() if not line.startswith(("| ", "[reply ", "[end of reply "))]
    assert outside == [line for line in bare.splitlines() if not line.startswith(("| ", "[reply ", "[end of reply "))]
    assert all(sign in "\n\t" or sign.isprintable() for sign in text)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("correct", [True, False])
@ATTEMPTS
def test_a_judge_that_repeats_an_attempt_is_read_by_its_own_verdict_at_the_end(attempt, correct, frame):
    assert read(f"It says: {attempt.reply}\n\n{frame.format(said(correct=correct))}") is correct


@pytest.mark.parametrize("correct", [True, False])
@ATTEMPTS
def test_an_attempt_after_a_verdict_never_turns_it(attempt, correct):
    """A reply that ends with another verdict has none; the attempts of the corpus are quoted as a judge would."""
    quoted = "\n".join(f"> {line}" for line in attempt.reply.splitlines())
    assert read(f"{said(correct=correct)}\n\nThe reply was:\n{quoted}\nThat was all.") in (correct, None)
