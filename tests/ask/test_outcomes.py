"""The outcome table: every planned trial, in order, with what was made of its response."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from tests.ask.plans import READER, READERS, plan
from veridical.answers import Marks, ParsedAnswer, Reader
from veridical.ask import KINDS, Run
from veridical.errors import InputError
from veridical.records import OUTCOMES, Counts, Response

IDENTITY = {"model": "toy/model", "suite": "toy"}


def test_the_outcome_table_has_one_row_per_planned_trial_in_order_asked_or_not(tmp_path: Path):
    held = {"b": [1, None], "a": "ü", "alpha": 0.1}
    planned = [replace(trial, factors=held, expects={"regions": 2}) for trial in plan(3, 2)]
    run = Run.start(tmp_path, IDENTITY, {}, planned, factors={"alpha": float})
    with run.writer() as writer:
        writer.append(Response(trial="p001/q1", error="server", attempt=1, requests=5))
        writer.append(Response(trial="p001/q1", text="Yes", attempt=2, latency=0.25, input_tokens=9))
        writer.append(Response(trial="p000/q0", error="timeout", requests=5))
        writer.append(Response(trial="of another plan", text="Yes"))
    outcomes = run.outcomes(READERS)
    assert outcomes.schema == {**OUTCOMES, "alpha": pl.Float64()}
    assert outcomes["trial"].to_list() == [trial.id for trial in planned]
    assert outcomes["status"].to_list() == ["error", None, None, "answered", None, None]
    assert outcomes["model"].unique().to_list() == ["toy/model"]
    answered = outcomes.row(3, named=True)
    assert (answered["answer"], answered["attempt"], answered["reader_version"]) == ("Yes", 2, "1")
    assert (answered["correct"], outcomes["correct"].to_list()) == (True, [False, None, None, True, None, None])
    assert answered["expects"] == '{"regions":2}'
    assert (answered["factors"], answered["settings"], answered["alpha"]) == ('{"a":"ü","b":[1,null]}', "{}", 0.1)
    assert math.isclose(answered["latency"], 0.25)
    unasked = outcomes.row(1, named=True)
    assert {name for name, value in unasked.items() if value is not None} == {
        *("model", "trial", "repeat", "suite", "stage", "stimulus", "unit", "family", "category", "variant"),
        *("alpha", "settings", "factors", "expects", "gold", "reader", "sources"),
    }
    assert outcomes["sources"].unique().to_list() == ["[]"]
    assert answered["digest"] == run.responses()["p001/q1", 1].digest
    counts = Counts.of(outcomes)
    assert (counts.planned, counts.asked, counts.answered, counts.error, counts.asked_again) == (6, 2, 1, 1, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_no_failure_is_an_answer_whatever_text_stands_beside_it(tmp_path: Path, kind: str):
    run = Run.start(tmp_path, IDENTITY, {}, plan(1, 1), factors={})
    with run.writer() as writer:
        writer.append(Response(trial="p000/q0", text="Yes", error=kind))
    found = run.outcomes(READERS).select("status", "answer", "error", "correct")
    assert found.rows() == [("error", None, kind, False)]


def test_a_reader_that_is_not_known_is_named(tmp_path: Path):
    run = Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
    with pytest.raises(InputError, match="unknown family of readers 'word': known: none"):
        run.outcomes({})
    with pytest.raises(InputError, match="unknown reader 'wort': did you mean 'word'"):
        run.outcomes(READERS, reader="wort")


def test_another_reader_of_the_family_reads_the_same_responses_anew(tmp_path: Path):
    first = Reader(name="first", version="3", parse=lambda text, _: ParsedAnswer(text[:1]), scores={"length": (0, 9)})
    first = replace(first, mark=lambda *_: Marks(None, {"length": 1.0}))
    run = Run.start(tmp_path, IDENTITY, {}, plan(1, 1), factors={})
    with run.writer() as writer:
        writer.append(Response(trial="p000/q0", text="Yes"))
    anew = run.outcomes({"word": (READER, first)}, reader="first")
    assert anew.select("reader", "answer", "correct", "score_length").rows() == [("first", "Y", None, 1.0)]
    assert run.outcomes({"word": (READER, first)}).select("reader", "answer", "correct").rows() == [
        ("word", "Yes", True)
    ]
