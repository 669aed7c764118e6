"""Failures of one kind in a row stop a run cleanly, with the server's own words; anything between begins anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import plan, put
from tests.ask.server import Reply, Server, refused, said
from veridical.ask import KINDS, Policy, Run
from veridical.ask.failures import Failure
from veridical.ask.stop import STOP_AFTER, Breaker, stop_after
from veridical.errors import InputError

TRIALS = plan(60, 1)
ONE = Policy(max_connections=1, max_requests=1, attempt_timeout=60, backoff=0)


def after(first: int, reply: Reply):
    """A server that answers so many requests, and from then on sends this."""
    return lambda request: said("Yes") if request.number <= first else reply


def test_a_key_that_is_refused_midway_stops_the_run_after_three_and_a_later_start_goes_on(
    tmp_path: Path, server: Server
):
    server.behaviour = after(10, refused(401, "the key has expired"))
    tally = put(tmp_path, server.url, TRIALS, ONE)
    assert (tally.asked, tally.errors, len(server.requests)) == (13, 3, 13)
    assert tally.limit == "3 failures in a row of the kind auth (HTTP 401, it says: the key has expired)"
    assert Run.open(tmp_path).executions[0]["ended"]["limit"] == tally.limit
    server.behaviour = lambda _: said("Yes")
    again = put(tmp_path, server.url, TRIALS, ONE)
    assert (again.missing, again.limit, again.asked) == (0, None, 50)


@pytest.mark.parametrize("workers", [1, 8])
@pytest.mark.parametrize(("reply", "kind"), [(refused(503, "overloaded"), "server"), (Reply(cut=True), "connection")])
def test_a_server_that_goes_away_is_left_alone_after_twenty_failures_over_all_workers(
    tmp_path: Path, server: Server, workers: int, reply: Reply, kind: str
):
    server.behaviour = after(10, reply)
    policy = Policy(max_connections=workers, max_requests=1, attempt_timeout=20, backoff=0)
    tally = put(tmp_path, server.url, TRIALS, policy)
    assert tally.limit is not None
    assert tally.limit.startswith(f"20 failures in a row of the kind {kind} (")
    # What was in flight when the limit was reached is waited for and stored.
    assert 20 <= tally.errors <= 20 + 2 * (workers - 1)
    assert len(Run.open(tmp_path).responses()) == tally.asked < len(TRIALS)


def test_failures_with_replies_between_them_stop_nothing(tmp_path: Path, server: Server):

    server.behaviour = lambda request: said("Yes") if request.number % 3 == 1 else refused(401)
    tally = put(tmp_path, server.url, TRIALS, ONE)
    assert (tally.asked, tally.errors, tally.limit) == (60, 40, None)


@pytest.mark.parametrize(("stated", "asked"), [({"auth": 1}, 11), ({"auth": 7}, 17), ({"auth": 0}, 60)])
def test_the_number_is_the_users(tmp_path: Path, server: Server, stated: dict[str, int], asked: int):
    server.behaviour = after(10, refused(401))
    policy = Policy(max_connections=1, max_requests=1, attempt_timeout=60, backoff=0, stop_after=stated)
    assert put(tmp_path, server.url, TRIALS, policy).asked == asked


def test_any_other_kind_stops_a_run_where_the_user_says_so(tmp_path: Path, server: Server):
    server.behaviour = after(1, refused(400, "too many pictures"))
    policy = Policy(max_connections=1, max_requests=1, attempt_timeout=60, backoff=0, stop_after={"bad_request": 4})
    tally = put(tmp_path, server.url, TRIALS, policy)
    assert (tally.asked, tally.limit) == (
        5,
        "4 failures in a row of the kind bad_request (HTTP 400, it says: too many pictures)",
    )


@given(st.lists(st.sampled_from([None, *KINDS])), st.dictionaries(st.sampled_from(KINDS), st.integers(0, 4)))
def test_it_stops_where_the_last_failures_are_so_many_of_one_kind_and_not_before(kinds, stated):
    limits, breaker = stop_after(stated), Breaker(stop_after(stated), str)
    for end, kind in enumerate(kinds, 1):
        told = breaker.add(None if kind is None else Failure(kind=kind, detail="d"), TRIALS[0])
        needed = limits.get(kind, 0) if kind else 0
        assert (told is not None) == (needed > 0 and end >= needed and set(kinds[end - needed : end]) == {kind})


def test_replayed_failures_of_an_earlier_run_do_not_count():
    breaker = Breaker(STOP_AFTER, str)
    assert all(breaker.add(Failure(kind="auth", detail="d", past=True), TRIALS[0]) is None for _ in range(9))


@pytest.mark.parametrize("stated", [{"nothing": 3}, {"auth": -1}, {"auth": True}, {"auth": 1.5}])
def test_what_is_no_number_of_a_kind_is_refused(stated):
    with pytest.raises(InputError, match=r"allowed|known"):
        stop_after(stated)


@pytest.mark.parametrize(
    "reply",
    [Reply(body=b"<html>"), Reply(body={"choices": []}), refused(400, "prompt is too long"), said([1]), Reply(302)],  # type: ignore[arg-type]
    ids=["no JSON", "no choices", "overflow", "no text", "redirect"],
)
def test_any_first_failure_that_will_not_pass_ends_the_run_before_anything_else_is_sent(
    tmp_path: Path, server: Server, reply: Reply
):
    server.behaviour = lambda _: reply
    with pytest.raises(InputError, match="nothing more was sent"):
        put(tmp_path, server.url, TRIALS)
    assert (len(server.requests), Run.open(tmp_path).responses()) == (1, {})
