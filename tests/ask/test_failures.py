"""Waiting as long as a server asks, and telling what the network said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.ask.attempt import pause
from veridical.ask.exceptions import code_of, seconds_in_body, seconds_to_wait, status_in, words
from veridical.ask.failures import KINDS, ReplyError, failure_in_reply, failure_of


@given(st.integers(1, 100), st.floats(0, 60), st.floats(0, 1e9))
def test_a_pause_grows_to_a_minute_at_most_and_is_never_shorter_than_asked_for(
    requests: int, backoff: float, asked_for: float
):
    seconds = pause(requests, backoff, asked_for)
    doubled = min(60.0, backoff * 2.0 ** (requests - 1))
    assert max(doubled / 2, min(asked_for, 300.0)) <= seconds <= max(doubled, min(asked_for, 300.0))


def test_a_date_is_a_pause_until_then():
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    assert 90 < seconds_to_wait({"retry-after": then}) <= 100


DATES = [
    "Wed, 21 Oct 2015 07:28:00 GMT",
    "Mon, 01 Jan 99999999999999",
    "Mon, 01 Jan 99999999999999 00:00:00 GMT",
    "Fri, 31 Dec 9999 23:59:59 -2359",
    "Sat, 01 Jan 0001 00:00:00 +2359",
    "Mon, 01 Jan 2020 00:00:00 +99999999999999",
    f"Mon, 01 Jan 2020 00:00:00 {'9' * 5000}",
    "Mon, , Jan",
    ",,,",
]
numbers = st.integers(-(10**20), 10**20).map(str)
dates = st.lists(
    st.sampled_from(["Mon,", "Jan", "GMT", ":", "+", "-", ",", "00:00:00", "99:99:99"]) | numbers, max_size=8
).map(" ".join)


@given(st.text() | dates | st.sampled_from(["inf", "nan", "-3", "1e999", *DATES]))
def test_a_header_that_cannot_be_read_asks_for_no_pause_that_never_ends(value: str):
    assert 0 <= seconds_to_wait({"retry-after": value, "retry-after-ms": value}) < float("inf")


@pytest.mark.parametrize(
    ("error", "kind", "detail"),
    [
        (TimeoutError(), "timeout", "no reply within 5 s"),
        (ConnectionResetError(104, "said by somebody"), "connection", "ConnectionResetError: Connection reset by peer"),
        (KeyError("text of a reply"), "unknown", "KeyError"),
    ],
)
def test_a_failure_is_told_without_anybodys_text(error: Exception, kind: str, detail: str):
    failure = failure_of(error, timeout=5)
    assert (failure.kind, failure.detail) == (kind, detail)


SERVERS = {
    "OpenAI": ({"error": {"message": "no key", "type": "x", "code": "invalid_api_key"}}, "no key", "invalid_api_key"),
    "what OpenAI's client leaves of it": ({"message": "no key", "code": None}, "no key", ""),
    "Anthropic": (
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "request_id": "req_1"},
        "Overloaded",
        "overloaded_error",
    ),
    "Google": (
        {"error": {"code": 404, "message": "models/x is not found", "status": "NOT_FOUND"}},
        "models/x is not found",
        "NOT_FOUND",
    ),
    "Google's list": ([{"error": {"code": 400, "message": "no", "status": "INVALID"}}], "no", "INVALID"),
    "Google without words": ({"error": {"code": 500, "status": "INTERNAL"}}, "INTERNAL", "INTERNAL"),
    "vLLM": ({"object": "error", "message": "no model m", "type": "NotFoundError", "code": 404}, "no model m", ""),
    "SGLang": ({"object": "error", "message": "too long", "type": "BadRequestError", "code": 400}, "too long", ""),
    "FastAPI": ({"detail": "Not Found"}, "Not Found", ""),
    "FastAPI's list": (
        {
            "detail": [
                {"loc": ["body", "top_p"], "msg": "is too large", "input": "THE REQUEST"},
                {"loc": ["body", 3], "msg": "Field required", "input": {"messages": "THE REQUEST"}},
            ]
        },
        "body.top_p: is too large; body.3: Field required",
        "",
    ),
    "Ollama": ({"error": "model 'x' not found"}, "model 'x' not found", ""),
    "OpenRouter": (
        {"error": {"code": 502, "message": "It failed", "metadata": {"raw": '{"error": {"message": "out"}}'}}},
        "It failed: out",
        "",
    ),
    "OpenRouter with plain text": ({"message": "It failed", "metadata": {"raw": "out"}}, "It failed: out", ""),
    "a gateway": ({"success": False, "errors": [{"code": 1, "message": "No such key"}]}, "No such key", ""),
    "a code and its description": ({"error": "invalid", "error_description": "it expired"}, "it expired", ""),
    "Mistral": ({"object": "error", "message": {"detail": [{"loc": ["body"], "msg": "bad"}]}}, "body: bad", ""),
    "a page": (
        "<!DOCTYPE html><html><head><title>\n502 Bad&nbsp;Gateway</title><style>x</style>",
        "502 Bad Gateway",
        "",
    ),
    "a page without title": ("<html><style>b {}</style><script>x()</script><h1>Down</h1></html>", "Down", ""),
    "plain text": ("upstream connect error\nor disconnect", "upstream connect error or disconnect", ""),
    "a picture": ({"detail": f"cannot load data:image/png;base64,{'iVBOR' * 900} at all"}, "cannot load … at all", ""),
    "nothing": (None, "", ""),
    "an empty object": ({"error": {}}, "", ""),
}


@pytest.mark.parametrize("name", SERVERS)
def test_a_servers_own_words_are_read_in_whatever_shape_it_sends_them(name: str):
    body, said, code = SERVERS[name]
    assert (words(body), code_of(body)) == (said, code)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "message", "detail", "metadata", "raw", "loc", "msg", "code", "status", "type"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_body_is_read_as_one_bounded_line_and_one_kind(body: object):
    failure = failure_in_reply(body)
    assert failure.kind in KINDS
    assert failure == failure_of(ReplyError(body), 5) or not body
    assert len(failure.reason) <= 2000
    assert failure.reason.isprintable()
    assert len(failure.detail) <= 100
    assert 0 <= seconds_in_body(body) < float("inf")
    assert status_in(body) is None or 400 <= status_in(body) < 600


def test_a_deep_body_and_a_long_one_are_read_in_bounded_time():
    deep: object = "end"
    for _ in range(5000):
        deep = {"error": deep}
    assert words(deep) == ""
    assert len(words("<html>" + "<title>" * 300_000)) <= 2000
    assert len(words('{"error": ' * 300_000)) <= 2000


@pytest.mark.parametrize(
    ("body", "kind", "again"),
    [
        ({"error": "down"}, "server", True),
        ({"error": {"code": 502, "message": "no provider"}}, "server", True),
        ({"error": {"code": "429", "message": "slow down"}}, "rate_limit", True),
        ({"error": {"type": "overloaded_error", "message": "Overloaded"}}, "server", True),
        ({"error": {"type": "authentication_error", "message": "no"}}, "auth", False),
        ({"error": {"code": "rate_limit_exceeded"}}, "rate_limit", True),
        ({"error": {"code": 400, "message": "no pictures"}}, "bad_request", False),
        ({"error": {"code": "invalid_request", "message": "context length exceeded"}}, "context_overflow", False),
    ],
)
def test_an_error_within_a_good_status_has_the_kind_that_it_states(body: object, kind: str, again: bool):
    failure = failure_in_reply(body)
    assert (failure.kind, failure.again) == (kind, again)


def test_the_pause_that_a_body_asks_for_is_kept():
    retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "36.5s"}
    body = {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [{"@type": "x"}, retry]}}
    assert seconds_in_body(body) == 36.5
    assert [seconds_in_body({"retryDelay": wrong}) for wrong in ("", "1e9s", "-1s", "inf", 3, None)] == [0] * 6
