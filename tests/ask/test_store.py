"""The run folder: what goes in comes out, nothing written is lost, and nothing foreign is touched."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import answered, plan
from veridical.ask import KINDS, Run
from veridical.errors import InputError
from veridical.records import Media, Message, Response, Source, Text, Trial

IDENTITY = {"model": "toy/model", "suite": "toy", "sampling": {"temperature": None, "max_tokens": 64}}

texts = st.text(max_size=12)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
FACTORS = {"alpha": float, "congruent": bool, "side": str, "level": int}
declared = st.fixed_dictionaries(
    {
        "alpha": st.none() | st.floats(-1, 1),
        "congruent": st.none() | st.booleans(),
        "side": st.none() | texts,
        "level": st.none() | st.integers(-(2**40), 2**40),
    }
)
others = st.dictionaries(texts.filter(lambda name: name not in FACTORS), json_values, max_size=3)
media = st.builds(Media, texts, texts, st.sampled_from(["image", "video"]))
messages = st.builds(
    Message,
    st.sampled_from(["system", "user", "assistant"]),
    st.lists(st.builds(Text, texts) | media, max_size=4).map(tuple),
)
sources = st.builds(Source, texts, texts, st.integers(1, 9), texts, st.none() | texts)
trials = st.builds(
    Trial,
    **dict.fromkeys(
        ("id", "suite", "stage", "stimulus", "unit", "family", "category", "variant", "reader", "prompt"), texts
    ),
    messages=st.lists(messages, max_size=3).map(tuple),
    gold=st.none() | texts,
    settings=st.dictionaries(texts, texts, max_size=3),
    factors=st.builds(lambda own, rest: {**own, **rest}, declared, others),
    expects=st.dictionaries(texts, json_values, max_size=3),
    sources=st.lists(sources, max_size=2).map(tuple),
)
counts = st.none() | st.integers(0, 2**40)
responses = st.builds(
    Response,
    trial=texts,
    repeat=st.integers(1, 3),
    attempt=st.integers(1, 4),
    requests=st.integers(1, 9),
    text=st.text(),
    reasoning=st.none() | st.text(),
    stop_reason=st.none() | texts,
    refused=st.booleans(),
    error=st.none() | st.sampled_from(KINDS),
    detail=st.none() | texts,
    input_tokens=counts,
    output_tokens=counts,
    latency=st.none() | st.floats(0, 1e6),
    ended=st.none() | texts,
)


@given(st.lists(trials, max_size=4, unique_by=lambda trial: trial.id))
def test_trials_come_back_from_the_folder_as_they_were_planned(planned: list[Trial]):
    with TemporaryDirectory() as folder:
        Run.start(Path(folder), IDENTITY, {}, planned, factors=FACTORS)
        assert Run.open(Path(folder)).trials() == planned


@given(st.lists(responses, max_size=8))
def test_the_response_with_the_highest_attempt_counts_and_comes_back_as_it_was_stored(stored: list[Response]):
    with TemporaryDirectory() as folder:
        run = Run.start(Path(folder), IDENTITY, {}, plan(), factors={})
        with run.writer() as writer:
            for response in stored:
                writer.append(response)
        found = run.responses()
        assert found.keys() == {(response.trial, response.repeat) for response in stored}
        for key, response in found.items():
            rivals = [other for other in stored if (other.trial, other.repeat) == key]
            assert response in rivals
            assert response.attempt == max(other.attempt for other in rivals)


def test_the_table_of_trials_has_flat_typed_columns(tmp_path: Path):
    Run.start(tmp_path, IDENTITY, {}, plan(1, 1), factors=FACTORS)
    frame = pl.read_parquet(tmp_path / "trials.parquet")
    flat = {pl.String(), pl.Float64(), pl.Boolean(), pl.Int64()}
    assert set(frame.schema.values()) <= flat
    assert (frame.schema["alpha"], frame.schema["congruent"]) == (pl.Float64(), pl.Boolean())
    picture = {"file": "media/p000.png", "sha256": "0" * 64, "kind": "image"}
    assert json.loads(frame["messages"][0])[1]["parts"][0] == picture
    assert (frame["sources"].to_list(), frame["stale"].to_list()) == (["[]"], [False])
    assert (frame.schema["sources"], frame.schema["stale"]) == (pl.String(), pl.Boolean())
    assert pl.read_parquet_metadata(tmp_path / "trials.parquet")["format"] == "4"


def test_each_start_of_the_same_run_is_recorded(tmp_path: Path):
    for connections in (4, 8, 16):
        run = Run.start(tmp_path, IDENTITY, {"max_connections": connections}, plan(), factors={})
    assert [start["max_connections"] for start in run.executions] == [4, 8, 16]
    stored = json.loads((tmp_path / "run.json").read_text())
    assert stored["format"] == 3
    assert stored["identity"].items() >= IDENTITY.items()
    assert stored["execution"] == list(run.executions)
    assert Run.open(tmp_path) == run


@pytest.mark.parametrize("held", ["a reply", "a later stage"])
def test_another_identity_is_refused_with_every_difference_and_changes_nothing(tmp_path: Path, held: str):
    run = Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
    if held == "a reply":
        answered(run)
    else:
        (tmp_path / "stages").mkdir()
        run.writer().close()
    files = [path for path in tmp_path.iterdir() if path.is_file()]
    before = {path.name: path.read_bytes() for path in files}
    assert before.keys() == {"run.json", "run.copy.json", "trials.parquet", "responses.jsonl"}
    other = {"model": "toy/other", "sampling": {"temperature": 0.5, "max_tokens": 64}, "prompts": ["p"]}
    with pytest.raises(InputError) as caught:
        Run.start(tmp_path, other, {}, plan(4), factors={})
    told = str(caught.value)
    assert 'model: "toy/model" stored, "toy/other" requested' in told
    assert "sampling.temperature: null stored, 0.5 requested" in told
    assert 'prompts: nothing stored, ["p"] requested' in told
    assert 'suite: "toy" stored, nothing requested' in told
    assert "trials: " in told
    assert "max_tokens" not in told
    assert "\n" not in told
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_a_run_in_which_nothing_was_answered_gives_way_and_its_errors_are_set_aside(tmp_path: Path):
    run = Run.start(tmp_path, IDENTITY, {"start": 1}, plan(), factors={})
    failed = [Response(trial="p000/q0", error="server", attempt=k, requests=5) for k in (1, 2)]
    with run.writer() as writer:
        for response in failed:
            writer.append(response)
    stored = (tmp_path / "responses.jsonl").read_bytes()
    other, planned = IDENTITY | {"model": "toy/other"}, plan(4)
    Run.start(tmp_path, other, {"start": 2}, planned, factors={}, repeats=2)
    run = Run.open(tmp_path)
    assert run.identity.items() >= {**other, "repeats": 2}.items()
    assert run.executions == ({"start": 1}, {"start": 2})
    assert run.trials() == planned
    assert (list(run.attempts()), run.responses(), run.missing()) == ([], {}, 2 * len(planned))
    assert not (tmp_path / "responses.jsonl").exists()
    assert (tmp_path / "responses.unanswered.jsonl").read_bytes() == stored
    with run.writer() as writer:
        writer.append(failed[0])
    Run.start(tmp_path, IDENTITY, {"start": 3}, plan(), factors={})
    assert (tmp_path / "responses.unanswered.jsonl").read_bytes() == stored + stored.splitlines(keepends=True)[0]
    assert Run.open(tmp_path).executions == ({"start": 1}, {"start": 2}, {"start": 3})


@pytest.mark.parametrize(
    "change",
    [
        {"gold": "No"},
        {"messages": ()},
        {"settings": {"polarity": "reversed"}},
        {"factors": {"hint": 1}},
        {"reader": "other"},
        {"prompt": "1" * 64},
        {"factors": {"alpha": 0.5}},
        {"expects": {"options": ["Yes", "No"]}},
        {"sources": (Source("look", "p000/q0", 1, "2" * 64),)},
    ],
)
def test_a_change_to_any_trial_is_a_change_of_identity(tmp_path: Path, change: dict[str, object]):
    planned = plan()
    answered(Run.start(tmp_path, IDENTITY, {}, planned, factors=FACTORS))
    with pytest.raises(InputError, match=r"holds another run \(trials: "):
        Run.start(tmp_path, IDENTITY, {}, [*planned[:-1], replace(planned[-1], **change)], factors=FACTORS)


def test_two_trials_of_one_id_are_refused(tmp_path: Path):
    with pytest.raises(InputError, match="two trials have the id 'p000/q0'"):
        Run.start(tmp_path / "run", IDENTITY, {}, plan(1, 1) * 2, factors={})
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("foreign", ["notes.txt", "responses.jsonl", "manifest.json", ".git"])
def test_a_folder_that_holds_something_else_is_refused_and_left_alone(tmp_path: Path, foreign: str):
    (tmp_path / foreign).write_text("mine")
    with pytest.raises(InputError, match=rf"holds something else \({foreign}\)"):
        Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
    assert [path.name for path in tmp_path.iterdir()] == [foreign]
    assert (tmp_path / foreign).read_text() == "mine"


def test_a_run_begins_beside_its_stimuli_and_over_its_own_beginnings(tmp_path: Path):
    (tmp_path / "stimuli").mkdir()
    (tmp_path / "trials.parquet").write_bytes(b"half")
    (tmp_path / ".run.json.tmp").write_bytes(b"{")
    planned = plan()
    assert Run.start(tmp_path, IDENTITY, {}, planned, factors={}).trials() == planned


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "holds no run: run.json is missing"),
        ("{", "run.json is not JSON"),
        ("[]", "format None, but this version reads 3"),
        ('{"format": 2}', "format 2, but this version reads 3: run it again"),
        ('{"format": 3, "identity": []}', "is damaged"),
        ('{"format": 3, "identity": {"model": "m"}, "execution": []}', "trials.parquet is missing"),
    ],
)
def test_what_is_no_run_is_refused_in_one_line(tmp_path: Path, content: str | None, told: str):
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with pytest.raises(InputError, match=told) as caught:
        Run.open(tmp_path)
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_damaged_table_of_trials_is_refused_in_one_line(tmp_path: Path):
    run = Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
    (tmp_path / "trials.parquet").write_bytes(b"PAR1 but not really")
    with pytest.raises(InputError, match=r"trials\.parquet cannot be read") as caught:
        run.trials()
    assert "\n" not in str(caught.value)


def test_a_table_without_a_column_or_a_format_is_refused(tmp_path: Path):
    run = Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
    frame = pl.read_parquet(tmp_path / "trials.parquet")
    frame.write_parquet(tmp_path / "trials.parquet")
    with pytest.raises(InputError, match="format None, but this version reads 4"):
        run.trials()
    frame.drop("gold").write_parquet(tmp_path / "trials.parquet", metadata={"format": "4"})
    with pytest.raises(InputError, match="the row 'p000/q0' of the trials table is not a trial: 'gold'"):
        run.trials()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_is_told_in_one_line(tmp_path: Path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        Run.start(tmp_path / "run", IDENTITY, {}, plan(), factors={})


def test_a_run_in_place_of_a_file_is_refused(tmp_path: Path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="cannot be used: Not a directory"):
        Run.start(tmp_path / "file", IDENTITY, {}, plan(), factors={})
    with pytest.raises(InputError, match="is not a folder"):
        Run.open(tmp_path / "file")


def test_keys_in_what_a_run_records_of_itself_are_redacted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOME_API_KEY", "sentinel-in-the-environment")
    identity = {"model": "m", "model_args": {"api_key": "short", "note": "uses sentinel-in-the-environment"}}
    execution = {"headers": [{"Authorization": "Bearer xyz"}]}
    for _ in range(2):
        Run.start(tmp_path, identity, execution, plan(), factors={})
    text = (tmp_path / "run.json").read_text()
    assert not [secret for secret in ("sentinel", "short", "xyz") if secret in text]
