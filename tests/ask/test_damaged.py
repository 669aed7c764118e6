"""Whatever stands in a file of responses is told, counts where it belongs and nowhere else, and can be set aside."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import QUICK, READERS, plan, put
from tests.ask.server import Server, said
from veridical.ask import Limits, Run, TokenUse
from veridical.ask.responses import response_line
from veridical.errors import InputError
from veridical.records import MOST_COUNTED, Counts, Response
from veridical.verbs.runs.repair import repair

IDENTITY = {"model": "toy/model"}
COUNTS = ("input_tokens", "output_tokens", "cached_tokens")
LINE = {"trial": "p000/q0", "repeat": 1, "attempt": 1, "requests": 1, "text": "Yes"}


def stored(folder: Path, *lines: object, repeats: int = 1) -> Run:
    """A run of two trials with these lines, each JSON or bytes as they are."""
    Run.start(folder, IDENTITY, {}, plan(1, 2), factors={}, repeats=repeats)
    whole = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    (folder / "responses.jsonl").write_bytes(b"".join(line + b"\n" for line in whole))
    return Run.open(folder)


def texts(run: Run) -> dict[tuple[str, int], str]:
    return {key: response.text for key, response in run.responses().items()}


NO_COUNT: list[Any] = [
    2**53 + 1,
    2**63,
    2**64,
    10**400,
    -1,
    1.5,
    3.0,
    "7",
    "x",
    True,
    False,
    [],
    {},
    None,
    float("nan"),
]


@pytest.mark.parametrize("name", [*COUNTS, "requests", "latency"])
@pytest.mark.parametrize("value", NO_COUNT, ids=lambda value: repr(value)[:12])
def test_a_count_that_is_none_makes_no_folder_unreadable_and_enters_no_total(tmp_path: Path, name: str, value: object):
    run = stored(tmp_path, LINE | {name: value}, LINE | {"trial": "p000/q1", "input_tokens": 5, "output_tokens": 2})
    (first, _) = run.attempts()
    known = name == "latency" and isinstance(value, float) and value > 0
    assert getattr(first, name) == (1 if name == "requests" else value if known else None)
    assert run.outcomes(READERS)["status"].to_list() == ["answered", "answered"]
    assert TokenUse.over(run.attempts()).tokens == 7


@pytest.mark.parametrize("name", [*COUNTS, "latency"])
@pytest.mark.parametrize("value", NO_COUNT, ids=lambda value: repr(value)[:12])
def test_a_count_that_is_none_is_not_stored_either(tmp_path: Path, name: str, value: Any):
    run = stored(tmp_path)
    with run.writer() as writer:
        writer.append(Response(trial="p000/q0", text="Yes", **{name: value}))
    known = name == "latency" and isinstance(value, float) and value > 0
    (line,) = (tmp_path / "responses.jsonl").read_text().splitlines()
    assert json.loads(line)[name] == (value if known else None)


@given(st.integers(0, MOST_COUNTED), st.integers(0, MOST_COUNTED), st.integers(0, MOST_COUNTED))
def test_counts_that_can_be_are_kept_and_cached_tokens_are_a_part_of_those_that_came_in(read: int, out: int, held: int):
    response = Response(trial="t", input_tokens=read, output_tokens=out, cached_tokens=held, requests=out)
    assert (response.input_tokens, response.output_tokens, response.requests) == (read, out, out)
    assert response.cached_tokens == (held if held <= read else None)


@pytest.mark.parametrize("tokens", [2**63, 10**30, -5])
def test_a_server_that_reports_impossible_counts_leaves_a_run_that_can_be_read_and_a_budget_that_says_so(
    tmp_path: Path, server: Server, tokens: int
):
    usage = {"prompt_tokens": tokens, "completion_tokens": tokens, "total_tokens": tokens}
    server.behaviour = lambda _: said("Yes", usage=usage)
    put(tmp_path, server.url, plan(2, 1), QUICK)
    outcomes = Run.open(tmp_path).outcomes(READERS)
    assert outcomes["status"].null_count() == 0
    assert TokenUse.over(Run.open(tmp_path).attempts()).tokens == 0
    assert put(tmp_path, server.url, plan(2, 1), limits=Limits(budget_tokens=10)).asked in (0, 2)


FOREIGN: dict[str, dict[str, Any]] = {
    "another trial": {"trial": "nowhere"},
    "a repeat too many": {"repeat": 2},
    "another trial that failed": {"trial": "nowhere", "error": "server", "text": ""},
}


@pytest.mark.parametrize("case", FOREIGN)
def test_a_response_to_nothing_that_is_planned_is_told_and_is_in_no_figure_total_or_budget(
    tmp_path: Path, server: Server, case: str
):
    clean = stored(tmp_path / "clean", LINE | {"input_tokens": 3, "output_tokens": 1})
    foreign = LINE | {"input_tokens": 10**6, "output_tokens": 10**6, "requests": 9} | FOREIGN[case]
    run = stored(tmp_path / "run", foreign, LINE | {"input_tokens": 3, "output_tokens": 1})
    assert run.outcomes(READERS).equals(clean.outcomes(READERS))
    assert list(run.attempts()) == list(clean.attempts())
    assert run.missing() == clean.missing() == 1
    (told,) = run.remarks()
    assert told == "responses.jsonl holds 1 response to trials that are not planned, which are not counted: line 1"
    assert clean.remarks() == []
    put(tmp_path / "asked", server.url, plan(1, 1))
    line = json.dumps(LINE | {"trial": "nowhere", "input_tokens": 10**6}).encode() + b"\n"
    with (tmp_path / "asked" / "responses.jsonl").open("ab") as file:
        file.write(line)
    tally = put(tmp_path / "asked", server.url, plan(1, 1), limits=Limits(budget_tokens=10**5))
    assert (tally.kept, tally.limit) == (1, None)
    assert tally.spent.tokens < 1000


NO_RESPONSE: dict[str, bytes] = {
    "half a line": b'{"trial": "p000/q1", "repeat": 1, "te',
    "zeros": b"\0" * 50,
    "no JSON": b"<html>",
    "no UTF-8": b'{"trial": "p000/q1", "text": "\xff"}',
    "half a character": b'{"trial": "p000/q1", "repeat": 1, "attempt": 1, "text": "\\ud800"}',
    "a list": b"[]",
    "a word": b'"Yes"',
    "other JSON": b'{"note": "mine"}',
    "no reply": b'{"trial": "p000/q1"}',
    "no number of an attempt": b'{"trial": "p000/q1", "repeat": 1, "attempt": true, "text": "Yes"}',
    "attempt 0": b'{"trial": "p000/q1", "repeat": 1, "attempt": 0, "text": "Yes"}',
    "an endless attempt": b'{"trial": "p000/q1", "repeat": 1, "attempt": 9223372036854775808, "text": "Yes"}',
    "text that is none": b'{"trial": "p000/q1", "repeat": 1, "attempt": 1, "text": 7}',
    "nested 10,000 deep": b"[" * 10_000 + b"]" * 10_000,
    "a number of 10,000 digits": b'{"trial": "p000/q1", "attempt": ' + b"9" * 10_000 + b"}",
    "an order mark": b'\xef\xbb\xbf{"trial": "p000/q1", "repeat": 1, "attempt": 1, "text": "Yes"}',
}


@pytest.mark.parametrize("case", NO_RESPONSE)
def test_a_line_that_is_no_response_is_told_with_its_number_and_the_remedy_which_helps(tmp_path: Path, case: str):
    second = LINE | {"trial": "p000/q1"}
    run = stored(tmp_path, LINE, NO_RESPONSE[case], second, b"", b"{}")
    for read in (run.responses, run.missing, lambda: list(run.attempts()), lambda: run.outcomes(READERS)):
        with pytest.raises(InputError, match=r"responses\.jsonl, line 2, is not a response: ") as caught:
            read()
        assert "\n" not in str(caught.value)
        assert str(caught.value).endswith(f" (nor is line 5); `veridical repair {tmp_path}` sets aside what is damaged")
    done = repair(tmp_path)
    assert (done.damaged, done.contradicting, done.torn, done.again) == ((2, 5), (), False, ())
    assert (tmp_path / "responses.torn").read_bytes() == NO_RESPONSE[case] + b"\n{}\n"
    assert texts(run) == {("p000/q0", 1): "Yes", ("p000/q1", 1): "Yes"}
    assert run.remarks() == []


def state(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_repair_of_what_is_whole_changes_nothing_and_a_second_repair_neither(tmp_path: Path):
    stored(tmp_path, LINE, LINE | {"latency": 0.5})
    before = state(tmp_path)
    assert repair(tmp_path).lines == 0
    assert state(tmp_path) == before
    stored(tmp_path, LINE, b"broken")
    assert repair(tmp_path).lines == 1
    before = state(tmp_path)
    assert repair(tmp_path).lines == 0
    assert state(tmp_path) == before


def test_a_run_without_responses_is_left_without(tmp_path: Path):
    Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
    assert repair(tmp_path).lines == 0
    assert not (tmp_path / "responses.jsonl").exists()


def test_the_trials_that_are_asked_again_are_named_as_far_as_anybody_can_tell(tmp_path: Path):
    damaged = b'{"trial":"p000/q0","repeat":2,"attempt":1,"te'
    run = stored(tmp_path, LINE, LINE | {"trial": "p000/q1"}, damaged, b"??", b'{"trial":"elsewhere","x', repeats=2)
    with (tmp_path / "responses.jsonl").open("ab") as file:
        file.write(b'{"trial":"p000/q1","repeat":2,')
    done = repair(tmp_path)
    assert (done.damaged, done.torn, done.again, done.unknown) == ((3, 4, 5), True, ("p000/q0", "p000/q1"), 1)
    first, again, unknown = done.report_lines()
    assert first == (
        f"{tmp_path}/responses.jsonl: 4 lines set aside in responses.torn; damaged: lines 3, 4 and 5; "
        "cut off: the last line"
    )
    assert again == "  asked again by the command that made the run: p000/q0 and p000/q1"
    assert "1 line" in unknown
    assert run.missing() == 2


def test_of_two_lines_of_one_attempt_the_first_counts_and_a_repair_sets_the_later_aside(tmp_path: Path):
    """What was planned, counted and read since an attempt was stored rests on its first line."""
    other = LINE | {"text": "No", "input_tokens": 10**6}
    run = stored(tmp_path, LINE | {"input_tokens": 3}, LINE | {"trial": "p000/q1"}, other)
    (told,) = run.remarks()
    assert told == (
        "responses.jsonl holds another reply to an attempt that has one: line 3 (line 1 counts); "
        "`veridical repair` sets the later line aside"
    )
    assert texts(run)["p000/q0", 1] == "Yes"
    assert TokenUse.over(run.attempts()).tokens == 3
    figures = run.outcomes(READERS)
    done = repair(tmp_path)
    assert (done.damaged, done.contradicting, done.again) == ((), ((3, 1),), ())
    assert json.loads((tmp_path / "responses.torn").read_bytes()) == other
    assert run.remarks() == []
    assert run.outcomes(READERS).equals(figures)


@pytest.mark.parametrize(
    "change", [{"reasoning": "hm"}, {"error": "server"}, {"refused": True}, {"stop_reason": "max_tokens"}]
)
def test_whatever_of_a_reply_differs_is_a_contradiction(tmp_path: Path, change: dict[str, Any]):
    assert len(stored(tmp_path, LINE, LINE | change).remarks()) == 1


@pytest.mark.parametrize("change", [{}, {"latency": 9.5}, {"ended": "2031-01-01"}, {"input_tokens": 7}])
def test_the_same_reply_twice_is_harmless_and_counts_once(tmp_path: Path, change: dict[str, Any]):
    line = LINE | {"input_tokens": 3, "output_tokens": 1}
    once, twice = stored(tmp_path / "once", line), stored(tmp_path / "twice", line, line | change)
    assert twice.remarks() == []
    assert repair(tmp_path / "twice").lines == 0
    assert list(twice.attempts()) == list(once.attempts())
    assert Counts.of(twice.outcomes(READERS)) == Counts.of(once.outcomes(READERS))


def test_a_later_attempt_is_no_contradiction(tmp_path: Path):
    run = stored(tmp_path, LINE, LINE | {"attempt": 2, "text": "No"})
    assert (run.remarks(), texts(run)) == ([], {("p000/q0", 1): "No"})


def test_a_repair_waits_for_nobody_who_writes(tmp_path: Path):
    run = stored(tmp_path, LINE, b"broken")
    with run.writer(), pytest.raises(InputError, match="another process is writing"):
        repair(tmp_path)
    assert repair(tmp_path).lines == 1


def test_a_file_that_gave_way_while_it_was_opened_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Between opening and locking another process may put a repaired file in the place of the one that was opened."""
    run, path = stored(tmp_path, LINE), tmp_path / "responses.jsonl"

    def replaced_first(file: int, how: int) -> None:
        path.with_suffix(".new").write_bytes(path.read_bytes())
        path.with_suffix(".new").replace(path)

    monkeypatch.setattr("fcntl.flock", replaced_first)
    with pytest.raises(InputError, match="another process is writing"):
        run.writer()


@pytest.mark.parametrize("damage", ["gone", "damaged"])
def test_responses_are_repaired_although_the_table_of_trials_is_damaged_too(tmp_path: Path, damage: str):
    stored(tmp_path, LINE, b'{"trial":"p000/q1","te')
    table = tmp_path / "trials.parquet"
    damages: dict[str, Callable[[], object]] = {"gone": table.unlink, "damaged": lambda: table.write_bytes(b"PAR1")}
    damages[damage]()
    assert repair(tmp_path).again == ("p000/q1",)
    run = Run.start(tmp_path, IDENTITY, {}, plan(1, 2), factors={})
    assert (run.missing(), texts(run)) == (1, {("p000/q0", 1): "Yes"})


lines = st.one_of(
    st.builds(Response, trial=st.sampled_from(["p000/q0", "p000/q1", "x"]), attempt=st.integers(1, 3), text=st.text()),
    st.binary(max_size=30).map(lambda content: content.replace(b"\n", b"")),
)


@given(st.lists(lines, max_size=12), st.binary(max_size=9))
def test_any_file_can_be_read_after_a_repair_and_nothing_that_was_whole_is_lost(
    tmp_path_factory: pytest.TempPathFactory, content: list[Response | bytes], torn: bytes
):
    folder = tmp_path_factory.mktemp("run")
    Run.start(folder, IDENTITY, {}, plan(1, 2), factors={})
    whole = [each if isinstance(each, bytes) else response_line(each).rstrip(b"\n") for each in content]
    (folder / "responses.jsonl").write_bytes(b"".join(line + b"\n" for line in whole) + torn.replace(b"\n", b""))
    repair(folder)
    run = Run.open(folder)
    first: dict[tuple[str, int, int], Response] = {}
    for each in content:
        if isinstance(each, Response):
            first.setdefault((each.trial, each.repeat, each.attempt), each)
    kept = {(each.trial, each.repeat, each.attempt): each for each in run.responses().values()}
    assert all(first[key] == each for key, each in kept.items())
    assert {key[:2] for key in first} == {(each.trial, each.repeat) for each in run.responses().values()}
    assert not [told for told in run.remarks() if "another reply" in told]
    assert repair(folder).lines == 0
    assert replace(Run.open(folder)) == run
