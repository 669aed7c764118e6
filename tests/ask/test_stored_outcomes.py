"""The outcome table made of stored files is the one made of their records, whatever is stored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.ask.plans import READER, begun, plan
from tests.ask.record_by_record import outcome_table, remarks
from veridical.answers import Marks, ParsedAnswer, Reader
from veridical.answers.reader import FLAGGED, ReaderInput
from veridical.ask import Run, TokenUse
from veridical.ask.outcomes import Attempts, token_use
from veridical.ask.responses import lines_of
from veridical.ask.run_folder import RESPONSES
from veridical.records import Response, Source

IDENTITY = {"model": "toy/model", "suite": "toy"}
FIRST = Reader(
    name="first",
    version="7",
    parse=lambda text, expects: ParsedAnswer(text[: expects.get("letters", 1)] or None, "empty"),
    mark=lambda answer, trial: Marks(answer == trial.variant[:1], {"length": float(len(trial.id))}),
    scores={"length": (0, 99)},
)
READERS = {"word": (READER, FIRST), "letters": (FIRST, READER)}
TEXTS = ("", "Yes", "No", "I'm sorry, I cannot.", "<think>hm", "ü <b>", "original 1 2")
COUNT = st.none() | st.integers(0, 2**53)


def trials(*, opening: bool = False):
    first, *others, last = plan(3, 2)
    source = Source("main", first.id, 2, "d" * 64, "word 1")
    changed = replace(
        last, reader="letters", expects={"letters": 2}, gold=None, sources=(source,), factors={"alpha": 1}
    )
    many = [first, *(replace(each, factors={"b": [1, None], "alpha": 0.5}) for each in others), changed]
    return [begun(first), *many[1:]] if opening else many


RESPONSES_OF = st.builds(
    Response,
    trial=st.sampled_from([*(trial.id for trial in trials()), "of another plan"]),
    repeat=st.integers(1, 3),
    attempt=st.integers(1, 3),
    requests=st.integers(0, 2),
    text=st.sampled_from(TEXTS),
    reasoning=st.none() | st.just("why"),
    stop_reason=st.sampled_from([None, "stop", "max_tokens"]),
    refused=st.booleans(),
    error=st.sampled_from([None, None, None, "timeout"]),
    input_tokens=COUNT,
    output_tokens=COUNT,
    cached_tokens=COUNT,
    cached=st.booleans(),
    latency=st.none() | st.floats(0, 10),
)


def run_of(folder: Path, responses: list[Response], *, opening: bool = False) -> Run:
    run = Run.start(folder, IDENTITY, {}, trials(opening=opening), factors={"alpha": float}, repeats=2)
    with run.writer() as writer:
        for response in responses:
            writer.append(response)
    return run


@settings(max_examples=60)
@given(st.lists(RESPONSES_OF, max_size=25), st.sampled_from([None, "word", "first"]))
def test_the_table_of_files_is_that_of_records_by_any_reader(responses: list[Response], reader: str | None):
    with TemporaryDirectory() as folder:
        run = run_of(Path(folder), responses)
        expected = outcome_table(
            "toy/model", run.trials(), run.responses(), READERS, factors={"alpha": float}, reader=reader, repeats=2
        )
        assert_frame_equal(run.outcomes(READERS, reader), expected)
        if reader is not None:
            assert_frame_equal(run.outcomes(READERS, reader, default=run.outcomes(READERS)), expected)


@settings(max_examples=60)
@given(st.lists(RESPONSES_OF, max_size=25))
def test_tokens_and_remarks_of_the_table_of_attempts_are_those_of_the_lines(responses: list[Response]):
    with TemporaryDirectory() as folder:
        run = run_of(Path(folder), responses)
        attempts = run.read_attempts()
        ids = {trial.id for trial in run.trials()}
        assert token_use(run.attempts_of_trials(attempts)) == TokenUse.over(run.attempts())
        assert run.remarks(attempts) == list(remarks(run.folder / RESPONSES, ids, 2)) == run.remarks()
        assert len(attempts.lines) == len(list(lines_of(run.folder / RESPONSES)))


def test_trials_that_a_model_cannot_continue_say_so_in_both_tables(tmp_path: Path):
    run = run_of(tmp_path, [Response(trial="p001/q0", text="Yes")], opening=True)
    run = run.stored([{"ended": {"reason": "it cannot continue a turn"}}])
    reasons = dict(run.outcomes(READERS).select("trial", "reason").iter_rows())
    assert {trial: reason for trial, reason in reasons.items() if reason} == {
        "p000/q0": "not asked: it cannot continue a turn"
    }
    expected = outcome_table(
        "toy/model",
        run.trials(),
        run.responses(),
        READERS,
        factors={"alpha": float},
        repeats=2,
        unsupported="it cannot continue a turn",
    )
    default = run.outcomes(READERS)
    assert_frame_equal(default, expected)
    anew = run.outcomes(READERS, "first", default=default)
    assert anew.filter(pl.col("trial") == "p000/q0")["reason"].unique().to_list() == reasons["p000/q0"].split("\n")


def test_equal_replies_to_trials_that_expect_the_same_are_read_once(tmp_path: Path):
    texts: list[str] = []
    counting = replace(READER, parse=lambda text, _: texts.append(text) or ParsedAnswer(text))
    readers = {"word": (counting,), "letters": (FIRST,)}
    run = run_of(tmp_path, [Response(trial=trial.id, text="Yes") for trial in trials()[:-1]])
    assert run.outcomes(readers)["status"].count() == len(trials()) - 1
    assert texts == ["Yes"]


def test_no_attempt_is_read_from_a_file_without_lines(tmp_path: Path):
    attempts = Attempts.read(tmp_path / RESPONSES)
    assert attempts.lines.is_empty()
    assert attempts.last().is_empty()
    assert attempts.once().is_empty()
    assert attempts.remarks(RESPONSES, pl.Series(["t"]), 1) == []
    assert token_use(attempts.once()) == TokenUse()


@pytest.mark.parametrize(("refused", "expected"), [(True, FLAGGED), (False, "the reply declines and holds no answer")])
def test_only_what_the_provider_flagged_has_its_reason(refused: bool, expected: str):
    silent = Reader(name="silent", version="1", parse=lambda *_: ParsedAnswer(None, "nothing"))
    reply = ReaderInput("I'm sorry, I cannot help.", refused=refused)
    assert silent.decide(reply, {}) == ("refused", None, expected)
