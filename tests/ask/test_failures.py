"""Waiting as long as a server asks, and telling what the network said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.ask.attempt import pause
from veridical.ask.failures import failure_of, seconds_to_wait


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


@given(st.text() | st.sampled_from(["inf", "nan", "-3", "1e999", "Wed, 21 Oct 2015 07:28:00 GMT"]))
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
