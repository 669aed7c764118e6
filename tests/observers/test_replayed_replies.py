"""What a file says of a reply is what a replayed run gets, whoever counted its tokens."""

import json

import pytest

from veridical.ask.failures import CONTEXT_OVERFLOW
from veridical.observers import TrialContext
from veridical.observers.replay import Replay


def replayed(folder, **record):
    path = folder / "answers.jsonl"
    path.write_text(json.dumps({"id": "t", **record}))
    return Replay({"answers": str(path)}).reply([], TrialContext("t"))


@pytest.mark.parametrize(
    ("record", "stop", "refused"),
    [
        ({}, "stop", False),
        ({"stop_reason": "length"}, "max_tokens", False),
        ({"stop_reason": "content_filter"}, "content_filter", True),
        ({"stop_reason": "content_filter", "refused": True}, "content_filter", True),
        ({"stop_reason": "refusal"}, "unknown", True),
        ({"refused": True}, "stop", True),
        ({"stop_reason": "by a comet"}, "unknown", False),
    ],
)
def test_the_text_of_a_refused_or_filtered_reply_stays_where_no_token_was_counted(tmp_path, record, stop, refused):
    reply = replayed(tmp_path, text="The lin", **record)
    assert (reply.text, reply.stop_reason, reply.refused) == ("The lin", stop, refused)
    assert (reply.input_tokens, reply.output_tokens, reply.served_model) == (None, None, None)


def test_an_exceeded_context_is_a_failure_again(tmp_path):
    assert replayed(tmp_path, text="The lin", stop_reason="model_length") == CONTEXT_OVERFLOW


def test_reasoning_and_words_that_others_make_up_stay_as_they_are(tmp_path):
    reply = replayed(tmp_path, text="(no content)", reasoning="hm")
    assert (reply.text, reply.reasoning) == ("(no content)", "hm")
