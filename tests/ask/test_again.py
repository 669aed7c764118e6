"""What is asked again on a re-run: errors always, other statuses on demand, as the readers of the run read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ask.plans import READERS, plan, put, trial_of
from tests.ask.server import Reply, Request, Server, refused, said
from veridical.ask import Limits, Run, repeats_by_status, retried_statuses
from veridical.errors import InputError
from veridical.records import Counts

SAID = {
    "p000/q0": said("Yes"),
    "p001/q0": said(""),
    "p002/q0": said("", finish="length"),
    "p003/q0": said(None, refusal="I won't"),
    "p004/q0": refused(400),
}
STATUS = {"p001/q0": "unparsed", "p002/q0": "truncated", "p003/q0": "refused", "p004/q0": "error"}


def behave(request: Request) -> Reply:
    return SAID[trial_of(request)]


@pytest.mark.parametrize(
    ("statuses", "asked"),
    [
        ("", {"p004/q0"}),
        ("error", {"p004/q0"}),
        ("unparsed", {"p001/q0", "p004/q0"}),
        ("truncated,refused", {"p002/q0", "p003/q0", "p004/q0"}),
    ],
)
def test_errors_are_always_asked_again_and_what_was_read_as_one_of_the_statuses(
    tmp_path: Path, server: Server, statuses: str, asked: set[str]
):
    server.behaviour = behave
    put(tmp_path, server.url, plan(5, 1))
    before = Run.open(tmp_path).outcomes(READERS)
    assert {row["trial"]: row["status"] for row in before.iter_rows(named=True) if row["trial"] in STATUS} == STATUS
    server.requests.clear()
    server.behaviour = lambda _: said("No")
    again = repeats_by_status(before, retried_statuses(statuses))
    tally = put(tmp_path, server.url, plan(5, 1), again=again)
    assert {trial_of(request) for request in server.requests} == asked
    assert (tally.kept, tally.asked, tally.again, tally.missing) == (5 - len(asked), len(asked), len(asked), 0)
    counts = Counts.of(Run.open(tmp_path).outcomes(READERS))
    assert (counts.planned, counts.asked, counts.asked_again, counts.answered) == (5, 5, len(asked), 1 + len(asked))


def test_what_has_a_reply_and_is_not_reached_when_asked_again_is_not_missing(tmp_path: Path, server: Server):
    server.behaviour = lambda _: said("")
    put(tmp_path, server.url, plan(4, 1))
    again = repeats_by_status(Run.open(tmp_path).outcomes(READERS), ["unparsed"])
    assert len(again) == 4
    tally = put(tmp_path, server.url, plan(4, 1), again=again, limits=Limits(budget_tokens=1))
    assert (tally.kept, tally.asked, tally.missing) == (0, 0, 0)
    server.behaviour = lambda request: refused(400) if "p001" in request.text else said("Yes")
    assert put(tmp_path, server.url, plan(4, 1), again=again).missing == 1


@pytest.mark.parametrize("text", ["answered", "unparsed,bored", "UNPARSED"])
def test_a_status_that_cannot_be_asked_again_is_named(text: str):
    with pytest.raises(InputError, match="unparsed, truncated, refused are allowed"):
        retried_statuses(text)
