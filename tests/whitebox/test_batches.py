"""States of trials that are read at once: those of each by itself, in order, with a problem of their own alone."""

from __future__ import annotations

import inspect
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.ask import tiny
from tests.ask.tiny import picture, prompt
from tests.whitebox.architectures import ARCHITECTURES, loaded
from tests.whitebox.tones import in_place_of, tone_set
from veridical.errors import InputError

pytestmark = [pytest.mark.local_models, pytest.mark.usefixtures("no_figures", "one_process")]
UNITS = 5
CLOSE = 1e-5


@pytest.fixture(scope="module")
def stimuli(tmp_path_factory):
    with tone_set(tmp_path_factory.mktemp("tones") / "set", UNITS) as made:
        yield made


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return f"veridical-hf/{tiny.llava(tmp_path_factory.mktemp('models') / 'llava')}"


def frame_of(stimuli, out: Path, model: str, batch: int | None, **options):
    from veridical.whitebox.states import write_states

    return write_states(stimuli, out / str(batch), model, batch=batch, places=False, **options).frame().collect()


def counted(made, monkeypatch, most: int = 100) -> list[int]:
    """The sizes of batches that a model runs; one of more than so many rows fails, as for lack of memory."""
    import torch

    sizes, forward = [], made.model.forward

    def run(*args, **inputs):
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > most:
            raise torch.OutOfMemoryError("no memory")
        return forward(*args, **inputs)

    run.__signature__ = inspect.signature(forward)
    monkeypatch.setattr(made.model, "forward", run)
    return sizes


def assert_same(one, several, close: float = CLOSE) -> None:
    assert several["trial"].to_list() == one["trial"].to_list()
    assert several["problem"].to_list() == one["problem"].to_list()
    names = [name for name in one.columns if name.startswith(("tower.", "projector", "language."))]
    assert len(names) > 6
    for name in names:
        assert one[name].is_null().to_list() == several[name].is_null().to_list()
        for a, b in zip(one[name].drop_nulls(), several[name].drop_nulls(), strict=True):
            np.testing.assert_allclose(b.to_numpy(), a.to_numpy(), atol=close, rtol=close, err_msg=name)
    # Pictures differ, so that an exchange of two rows would show.
    states = np.stack([each.to_numpy() for each in one["projector"].drop_nulls()])
    gaps = np.abs(states[:, None] - states).max(-1) + np.eye(len(states))
    assert gaps.min() > 10 * close


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_states_of_a_batch_are_those_of_each_trial_in_their_order(name, stimuli, model, tmp_path, monkeypatch):
    made = loaded(name)
    with in_place_of(made, monkeypatch):
        one = frame_of(stimuli, tmp_path, model, None)
        sizes = counted(made, monkeypatch)
        several = frame_of(stimuli, tmp_path, model, 4)
    assert {1, 4} <= {*sizes}
    assert one["problem"].null_count() == len(one) == 3 * UNITS
    assert_same(one, several)


@pytest.mark.parametrize("name", ["qwen2_5_vl", "qwen3_vl", "internvl"])
def test_pictures_of_one_size_and_another_shape_are_told_apart_in_a_batch(name):
    from veridical.whitebox.inside import Inside, joint_inputs, shapes_of

    inside = Inside(loaded(name))
    shapes = ((168, 56), (56, 168), (168, 56))
    inputs = [
        inside.inputs(prompt(("user", [picture(seed, *shape), question])))
        for seed, (shape, question) in enumerate(zip(shapes, ("Same?", "More?", "Less?"), strict=True))
    ]
    assert shapes_of(inputs[0]) == shapes_of(inputs[1])
    for own, several in zip(map(inside.states, inputs), inside.states(joint_inputs(inputs)), strict=True):
        np.testing.assert_allclose(several.logits, own[0].logits, atol=CLOSE)
        for state in inside.state_names:
            np.testing.assert_allclose(several.states[state], own[0].states[state], atol=CLOSE, err_msg=state)


def test_a_batch_that_does_not_fit_into_memory_is_read_in_halves(stimuli, model, tmp_path, monkeypatch):
    made = loaded("qwen2_5_vl")
    with in_place_of(made, monkeypatch):
        one = frame_of(stimuli, tmp_path, model, 1)
        for most in (2, 1):
            sizes = counted(made, monkeypatch, most)
            assert_same(one, frame_of(stimuli, tmp_path / f"{most}", model, 8))
            assert max(sizes) > most
            assert sizes.count(most) >= 3


def test_a_trial_that_fails_has_its_problem_and_spoils_no_other(stimuli, model, tmp_path, monkeypatch):
    damaged, victim = Path(shutil.copytree(stimuli.folder, tmp_path / "set")), stimuli.stimuli[4]
    (damaged / victim.media[0].file).write_bytes(b"no picture")
    with in_place_of(loaded("llava"), monkeypatch):
        one, several = (frame_of(damaged, tmp_path, model, batch) for batch in (1, 5))
    assert several.filter(pl.col("problem").is_not_null())["stimulus"].to_list() == [victim.id]
    assert_same(one, several)


def test_states_of_narrow_weights_are_finite_and_of_float32(stimuli, model, tmp_path):
    one, several = (
        frame_of(stimuli, tmp_path, model, batch, model_args={"dtype": "bfloat16"}, limit=6) for batch in (1, 3)
    )
    for frame in (one, several):
        for name in (name for name in frame.columns if name.startswith(("tower.", "projector", "language."))):
            assert frame.schema[name] == pl.List(pl.Float32)
            assert np.isfinite(frame[name].explode().to_numpy()).all()


def test_a_batch_of_nothing_is_refused(stimuli, model, tmp_path, cli):
    from veridical.whitebox.states import write_states

    with pytest.raises(InputError, match="batch=0"):
        write_states(stimuli, tmp_path / "out", model, batch=0)
    code, _, errors = cli(
        "whitebox", "states", stimuli.folder, "--model", model, "--out", tmp_path / "out", "--batch", 0
    )
    assert code == 2
    assert "batch" in errors
    assert not (tmp_path / "out").exists()
