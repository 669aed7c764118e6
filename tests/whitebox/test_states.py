"""States of a set's trials in a folder: those of each prompt by itself, resumed, and refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import veridical as v
from tests.ask import tiny
from veridical.errors import InputError
from veridical.suite import registry

pytestmark = [pytest.mark.local_models, pytest.mark.usefixtures("no_figures", "one_process")]
ITEMS = 68
SIZES = {(28, 28), (40, 24)}


def squares(_seed: int):
    """Squares of a gray, every third one wider than high."""
    for unit in range(ITEMS):
        shape = (24, 40, 3) if unit % 3 == 0 else (28, 28, 3)
        yield {"unit": unit, "picture": np.full(shape, 3 * unit, np.uint8), "truth": unit > ITEMS / 2}


@pytest.fixture(scope="module")
def stimuli(tmp_path_factory):
    before = dict(registry._REGISTERED)
    registry.register(v.simple_suite(name="gray", items=squares, question="Light?", options=("yes", "no")))
    yield v.make("gray", out=tmp_path_factory.mktemp("sets") / "set")
    registry._REGISTERED.clear()
    registry._REGISTERED.update(before)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return f"veridical-hf/{tiny.llava(tmp_path_factory.mktemp('models') / 'llava')}"


@pytest.fixture(scope="module")
def table(stimuli, model, tmp_path_factory):
    from veridical.whitebox.states import write_states

    return write_states(stimuli, tmp_path_factory.mktemp("states") / "states", model)


def test_states_are_those_of_each_prompt_by_itself(stimuli, model, table):
    from veridical.ask.local.loader import load_model
    from veridical.ask.local.requests import LocalPrompt
    from veridical.records import ChatTurn, Text
    from veridical.verbs.exchange.planned_stages import planned_stage
    from veridical.whitebox.inside import Inside

    inside = Inside(load_model(model.removeprefix("veridical-hf/"), {}))
    setup = planned_stage(stimuli, None)
    frame = table.frame().collect()
    assert frame["trial"].to_list() == [trial.id for trial in setup.trials]
    facts = ["trial", "stimulus", "unit", "variant", "category", "gold", "label", "problem", "pixels"]
    assert frame.columns == [*facts, *inside.state_names]
    labels = {each.id: each.label for each in stimuli.stimuli}
    assert frame["label"].to_list() == [labels[name] for name in frame["stimulus"]]
    assert np.allclose(frame["pixels"][5].to_numpy(), 15 / 255)
    assert frame["pixels"].list.len().unique().to_list() == [16 * 16 * 3]
    assert frame["problem"].null_count() == len(frame) == ITEMS
    for place in (0, 5, ITEMS - 1):
        turns = [
            ChatTurn(each.role, tuple(p.text if isinstance(p, Text) else stimuli.read(p.file) for p in each.parts))
            for each in setup.trials[place].messages
        ]
        own = inside.states(inside.inputs(LocalPrompt.of(turns)))[0].states
        for name in inside.state_names:
            assert frame.schema[name] == pl.List(pl.Float32)
            assert np.array_equal(frame[name][place].to_numpy(), own[name])


def test_every_size_of_picture_has_a_map_which_is_kept(table, tmp_path: Path):
    from veridical.internals.token_map import MapTable, TokenMap

    assert {(each.width, each.height) for each in table.maps} == SIZES
    kept = MapTable(table.folder / "places.parquet")
    assert kept.missing([*SIZES, (9, 9)]) == [(9, 9)]
    for each in table.maps:
        assert np.array_equal(kept.map_of(each.width, each.height).boxes, each.boxes)
    blind = TokenMap(8, 4, np.array([[np.nan] * 4, [0, 0, 8, 4]]))
    MapTable(tmp_path / "one.parquet").keep(blind)
    again = MapTable(tmp_path / "one.parquet").map_of(8, 4)
    assert np.array_equal(again.boxes, blind.boxes, equal_nan=True)


def test_random_weights_are_a_seed_s_and_not_the_model_s(stimuli, model, table, tmp_path: Path):
    from veridical.ask.local.loader import load_model
    from veridical.whitebox.states import write_states

    name = model.removeprefix("veridical-hf/")
    stored, *made = (
        load_model(name, {}, random_weights=seed).model.get_input_embeddings().weight for seed in (None, 3, 3, 4)
    )
    assert made[0].equal(made[1])
    assert not made[0].equal(made[2])
    assert not made[0].equal(stored)
    random = write_states(stimuli, tmp_path / "random", model, random_weights=3, places=False, limit=2)
    other = table.frame().head(2).collect()
    assert not np.allclose(random.frame().collect()["projector"][0].to_numpy(), other["projector"][0].to_numpy())
    with pytest.raises(InputError, match="differ in random_weights"):
        write_states(stimuli, tmp_path / "random", model, random_weights=4, places=False, limit=2)
    with pytest.raises(InputError, match="device=auto"):
        load_model(name, {"device": "auto"}, random_weights=3)


def test_what_was_stopped_goes_on_and_what_is_written_is_not_read_again(stimuli, model, table, tmp_path: Path):
    from veridical.whitebox.states import write_states

    def stop(done: int, total: int) -> None:
        if done == total - 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_states(stimuli, tmp_path, model, progress=stop)
    (part,) = (tmp_path / "states").iterdir()
    before, costs = part.stat().st_mtime_ns, []
    again = write_states(stimuli, tmp_path, model, agree=costs.append)
    assert part.stat().st_mtime_ns == before
    assert (costs[0].rows, costs[0].passes) == (ITEMS - len(pl.read_parquet(part)), 0)
    assert again.frame().collect().equals(table.frame().collect())


def test_a_cost_that_nobody_agrees_to_is_not_paid(stimuli, model, tmp_path: Path):
    from veridical.whitebox.states import write_states

    def refuse(cost):
        assert cost.rows == ITEMS
        assert cost.bytes == ITEMS * 4 * (32 * (2 + 1 + 2 * 2) + 16 * 16 * 3)
        assert cost.passes == (1 + 7 + 7) + (1 + 10 + 6)
        raise InputError("too much")

    with pytest.raises(InputError, match="too much"):
        write_states(stimuli, tmp_path, model, agree=refuse)
    assert [path.name for path in tmp_path.iterdir()] == ["states.json"]


def test_a_folder_of_other_states_or_files_is_refused(stimuli, table, tmp_path: Path):
    from veridical.whitebox.states import write_states

    other = f"veridical-hf/{tiny.llava(tmp_path / 'model', seed=1)}"
    with pytest.raises(InputError, match="differ in model, revision"):
        write_states(stimuli, table.folder, other)
    with pytest.raises(InputError, match="holds other files"):
        write_states(stimuli, stimuli.folder, other)


def test_a_picture_that_cannot_be_read_is_counted_and_the_others_have_states(stimuli, model, tmp_path: Path, cli):
    import shutil

    damaged = Path(shutil.copytree(stimuli.folder, tmp_path / "set"))
    victim = stimuli.stimuli[7]
    (damaged / victim.media[0].file).write_bytes(b"no picture")
    words = ("--model", model, "--out", tmp_path / "out", "--no-places", "--json")
    code, out, errors = cli("whitebox", "states", damaged, *words)
    shown = json.loads(out)
    assert (code, shown["trials"], sum(shown["problems"].values())) == (1, ITEMS, 1)
    assert f"1 of {ITEMS} trials have no states" in errors
    assert f"{ITEMS} trials to read: about" in errors
    assert shown["pictures"] == []
    assert not (tmp_path / "out" / "places.parquet").exists()
    frame = pl.read_parquet(tmp_path / "out" / "states" / "*.parquet").filter(pl.col("problem").is_not_null())
    assert frame["stimulus"].to_list() == [victim.id]
    assert frame["projector"].to_list() == [None]


def test_a_run_of_a_local_model_says_which_one(stimuli, model, tmp_path: Path, cli):
    run = v.run(stimuli, model, out=tmp_path / "run", limit=2, max_tokens=2, show="quiet", analyze=False)
    code, out, errors = cli("whitebox", "states", run.folder, "--out", tmp_path / "out")
    assert code == 0, errors
    assert "2 of 2 trials have states" in out
    assert "tokens, all of it is in tokens" in out


def test_a_model_that_is_not_local_is_refused(stimuli, tmp_path: Path, cli):
    for words in ((), ("--model", "veridical/simulated"), ("--model", "veridical-hf/none/none/none")):
        code, _, errors = cli("whitebox", "states", stimuli.folder, "--out", tmp_path / "out", *words)
        assert (code, errors.count("\n")) == (2, 1)
        assert "local model" in errors
    assert not (tmp_path / "out").exists()
