"""Answers at the answer position, and patched runs over a set: by `generate`, by readers, over five architectures."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import veridical as v
from tests.ask import tiny
from tests.whitebox.architectures import ARCHITECTURES, loaded
from tests.whitebox.tones import tone_set
from veridical.errors import InputError
from veridical.suite import registry

pytestmark = [pytest.mark.local_models, pytest.mark.usefixtures("no_figures", "one_process")]
UNITS = 3


@pytest.fixture(scope="module")
def stimuli(tmp_path_factory):
    with tone_set(tmp_path_factory.mktemp("sets") / "set", UNITS) as made:
        yield made


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return f"veridical-hf/{tiny.llava(tmp_path_factory.mktemp('models') / 'llava')}"


@pytest.fixture
def loading(monkeypatch, model):
    """Has a model that was made here loaded, in the place of one on disk."""

    def loads(made):
        monkeypatch.setattr("veridical.verbs.exchange.local_trials.load_model", lambda *_, **__: made)
        return model

    return loads


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_all_of_an_effect_is_at_the_projector_and_none_after_the_last_layer(stimuli, loading, name, tmp_path):
    from veridical.whitebox.patch import write_patches

    model = loading(loaded(name))
    table = write_patches(stimuli, tmp_path, model, pairs=["variant=dark,light"])
    curve = table.curve
    assert (table.rows, table.left_out, table.problems) == (UNITS, 0, {})
    assert curve["depth"][0] == "projector"
    assert curve["share"][0] == pytest.approx(1, abs=1e-3)
    assert curve["share"][-1] == pytest.approx(0, abs=1e-3)
    assert curve["effect"][0] > 0.01
    assert any(abs(share) > 1e-3 for share in curve["share"][1:-1])
    assert set(curve["units"]) == {UNITS}


def test_the_curve_is_told_written_and_resumed(stimuli, model, tmp_path, cli):
    words = ("whitebox", "patch", stimuli.folder, "--model", model, "--pair", "variant=dark,light")
    code, out, errors = cli(*words, "--out", tmp_path / "out")
    assert (code, "3 pairs to read: about" in errors) == (0, True)
    assert "dark → light: " in out
    assert "the next token is no answer with probability" in out
    assert f"3 of 3 pairs are read: {tmp_path / 'out' / 'curve.svg'}" in out
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir() if path.is_file()}
    assert set(before) == {"patch.json", "curve.csv", "curve.parquet", "curve.svg"}
    assert pl.read_csv(tmp_path / "out" / "curve.csv")["depth"].to_list() == ["projector", "language.0", "language.1"]
    code, out, errors = cli(*words, "--out", tmp_path / "out", "--json")
    assert (code, "0 pairs to read" in errors, len(json.loads(out)["curve"])) == (0, True, 3)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir() if path.is_file()} == before
    code, _, errors = cli(*words, "--out", tmp_path / "out", "--by", "gold")
    assert (code, "has patch that differ in by" in errors) == (2, True)


def test_pictures_of_two_sizes_are_no_pair_and_are_said_to_be_none(stimuli, loading, tmp_path, cli):
    model = loading(loaded("qwen2_5_vl"))
    words = ("--model", model, "--out", tmp_path / "out")
    code, _, errors = cli("whitebox", "patch", stimuli.folder, *words, "--pair", "variant=dark,wide")
    assert code == 2
    assert "trial 0_wide?ask: prompts that differ in their text or in the number of picture tokens" in errors
    code, out, errors = cli(
        "whitebox", "patch", stimuli.folder, "--model", model, "--out", tmp_path / "both",
        "--pair", "variant=dark,light", "--pair", "variant=dark,wide",
    )  # fmt: skip
    assert (code, f"{UNITS} of {2 * UNITS} pairs cannot be read" in errors) == (1, True)
    assert f"{UNITS} pairs: prompts that differ" in out


def test_probabilities_are_those_of_generate_summed_over_spellings(stimuli, model, tmp_path):
    from veridical.ask.local.loader import load_model
    from veridical.ask.local.requests import LocalPrompt
    from veridical.records import ChatTurn, Text
    from veridical.verbs.exchange.planned_stages import planned_stage
    from veridical.whitebox.answers import write_answers
    from veridical.whitebox.inside import Inside

    table = write_answers(stimuli, tmp_path / "a", model, reply_tokens=2)
    frame = table.frame().collect()
    inside = Inside(load_model(model.removeprefix("veridical-hf/"), {}))
    tokenizer = inside.loaded.processor.tokenizer
    trials = planned_stage(stimuli, None).trials
    assert frame["trial"].to_list() == [trial.id for trial in trials]
    for place in (0, 4):
        turns = [
            ChatTurn(each.role, tuple(p.text if isinstance(p, Text) else stimuli.read(p.file) for p in each.parts))
            for each in trials[place].messages
        ]
        options = {"max_new_tokens": 1, "output_logits": True, "return_dict_in_generate": True}
        inputs = inside.inputs(LocalPrompt.of(turns))
        chances = inside.model.generate(**inputs, **options).logits[0][0].double().softmax(-1)
        sums = {
            answer: float(sum(chances[tokenizer.convert_tokens_to_ids(text)] for text in (answer, answer.lower())))
            for answer in "AB"
        }
        row = frame.row(place, named=True)
        assert json.loads(row["probabilities"]) == pytest.approx(sums)
        assert row["probability_of_gold"] == pytest.approx(sums[trials[place].gold] / sum(sums.values()))
        assert row["probability_elsewhere"] == pytest.approx(1 - sum(sums.values()))
        assert row["answer"] == max(sums, key=sums.__getitem__)
    states_answer = frame["next_token"].str.to_uppercase() == frame["answer"]
    assert (states_answer & frame["read"].eq_missing(frame["answer"])).to_list() == frame["flag"].is_null().to_list()
    assert sum(table.flags().values()) == frame["flag"].count() > 0
    opened = write_answers(stimuli, tmp_path / "b", model, opening="<answer>", reply_tokens=2).frame().collect()
    assert opened["probabilities"].to_list() != frame["probabilities"].to_list()


@pytest.mark.parametrize(
    ("word", "then", "flag"),
    [
        ("A", tiny.END, None),
        ("A", "!", "the reader reads no answer from the reply"),
        ("z", tiny.END, "the likeliest token is no answer"),
    ],
)
def test_an_answer_that_the_reader_does_not_read_is_flagged(stimuli, loading, tmp_path, cli, word, then, flag):
    made = loaded("llava")
    first, next_one = (
        each if isinstance(each, int) else made.processor.tokenizer.convert_tokens_to_ids(each) for each in (word, then)
    )

    def says(_, __, named, output):
        output.logits[..., next_one if int(named["input_ids"][0, -1]) in (first, next_one) else first] += 99.0

    made.model.register_forward_hook(says, with_kwargs=True)
    words = ("--model", loading(made), "--out", tmp_path / "out", "--reply-tokens", "3", "--limit", "1")
    code, out, errors = cli("whitebox", "answers", stimuli.folder, *words)
    assert (code, "3 trials to read: about" in errors) == (0, True)
    assert f"{0 if flag else 3} of 3 trials: the likeliest answer is what the model replies" in out
    assert (f"3 trials flagged: {flag}" in out) == (flag is not None)
    frame = pl.read_parquet(tmp_path / "out" / "answers" / "*.parquet")
    assert set(frame["flag"]) == {flag}
    assert set(frame["next_token"]) == {word}


def test_a_pair_that_nothing_can_be_made_of_is_refused_in_one_line(stimuli, model, tmp_path, cli):
    for pair, said in (
        ("variant=dark", "FACTOR=FIRST,SECOND"),
        ("variant=dark,night", "unknown level of variant 'night'"),
        ("varient=dark,light", "did you mean 'variant'"),
    ):
        words = ("--model", model, "--out", tmp_path / "out", "--pair", pair)
        code, _, errors = cli("whitebox", "patch", stimuli.folder, *words)
        assert (code, errors.count("\n")) == (2, 1)
        assert said in errors
    assert not (tmp_path / "out").exists()


def test_a_question_without_a_few_answers_has_none(tmp_path, model):
    from veridical.whitebox.answers import write_answers

    before = dict(registry._REGISTERED)
    item = {"unit": 0, "picture": np.zeros((28, 28, 3), np.uint8), "truth": 3}
    registry.register(v.simple_suite(name="counted", items=[item], question="How many?", options="number"))
    try:
        made = v.make("counted", out=tmp_path / "set")
        with pytest.raises(InputError, match="its answer is none of a few that are known"):
            write_answers(made, tmp_path / "out", model)
    finally:
        registry._REGISTERED.clear()
        registry._REGISTERED.update(before)


def test_a_trial_without_a_gold_answer_has_the_answers_of_others_of_its_kind(stimuli, model, tmp_path):
    from dataclasses import replace

    from veridical.verbs.exchange.local_trials import LocalTrials

    shown = LocalTrials.of(stimuli, tmp_path, model, "")
    lost = replace(shown.trials[0], gold=None)
    assert replace(shown, trials=[lost, *shown.trials[1:]]).forms(lost) == shown.forms(shown.trials[0])
    with pytest.raises(InputError, match="none of a few that are known"):
        replace(shown, trials=[lost]).forms(lost)
