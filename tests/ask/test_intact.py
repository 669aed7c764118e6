"""The table of trials is the one that the run was planned with, or no figure is made from it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from tests.ask.plans import READERS, answered, plan
from veridical.ask import Run
from veridical.errors import InputError
from veridical.records import FactorTypes, Response, Trial

IDENTITY = {"model": "toy/model"}
FACTORS: FactorTypes = {"alpha": float}
Start = Callable[..., Run]


def planned(pictures: int = 3, questions: int = 2) -> list[Trial]:
    return [replace(trial, factors={"alpha": 0.5}) for trial in plan(pictures, questions)]


def begun(folder: Path, trials: list[Trial], start: Start = Run.start) -> Run:
    return answered(start(folder, IDENTITY, {}, trials, factors=FACTORS))


def changed(table: Path, **values: pl.Expr) -> None:
    """Writes a table again with columns changed, and what it states of itself left as it was."""
    stated = {key: value for key, value in pl.read_parquet_metadata(table).items() if key != "ARROW:schema"}
    pl.read_parquet(table).with_columns(**values).write_parquet(table, metadata=stated)


def flipped(column: str, to: str) -> Callable[[Path], None]:
    return lambda table: changed(table, **{column: pl.lit(to)})


DAMAGE: dict[str, Callable[[Path], None]] = {
    "golds": flipped("gold", "No"),
    "messages": flipped("messages", "[]"),
    "stale": lambda table: changed(table, stale=~pl.col("stale")),
    "a row less": lambda table: pl.read_parquet(table).head(3).write_parquet(table, metadata={"format": "4"}),
    "other rows": lambda table: changed(table, id=pl.col("id").reverse()),
    "a cut file": lambda table: table.write_bytes(table.read_bytes()[:-9]) and None,
}


@pytest.mark.parametrize("start", [Run.start, Run.start_stage])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_table_that_is_not_the_planned_one_is_refused_wherever_it_is_read_and_written_anew_by_a_start(
    tmp_path: Path, start: Start, damage: str
):
    trials = planned()
    run = begun(tmp_path, trials, start)
    before = (tmp_path / "trials.parquet").read_bytes()
    DAMAGE[damage](tmp_path / "trials.parquet")
    reads = (run.trials, run.stale, run.missing, run.remarks, lambda: list(run.attempts()), lambda: run.complete)
    for read in (*reads, lambda: Run.open(tmp_path).outcomes(READERS)):
        with pytest.raises(InputError, match=r"trials\.parquet ") as caught:
            read()
        assert "\n" not in str(caught.value)
    again = start(tmp_path, IDENTITY, {}, trials, factors=FACTORS)
    assert (again.trials(), again.stale()) == (trials, [])
    assert (tmp_path / "trials.parquet").read_bytes() == before
    assert Run.open(tmp_path).responses() == run.responses()
    assert len(Run.open(tmp_path).executions) == 2


def test_a_table_that_is_gone_is_named_with_the_remedy_and_written_anew_by_a_start(tmp_path: Path):
    begun(tmp_path, planned())
    (tmp_path / "trials.parquet").unlink()
    with pytest.raises(InputError, match=r"trials\.parquet is missing; rerun the command that made the run"):
        Run.open(tmp_path)
    assert Run.start(tmp_path, IDENTITY, {}, planned(), factors=FACTORS).trials() == planned()


def test_stale_trials_are_covered_and_kept_through_damage_to_the_table(tmp_path: Path):
    first, second = planned(2, 2), planned(3, 1)
    run = Run.start_stage(tmp_path, IDENTITY, {}, first, factors=FACTORS)
    with run.writer() as writer:
        for trial in first:
            writer.append(Response(trial=trial.id, text="Yes", input_tokens=3, output_tokens=1))
    run = Run.start_stage(tmp_path, IDENTITY, {}, second, factors=FACTORS)
    stale = [trial for trial in first if trial not in second]
    assert run.stale() == stale
    stale_row = pl.when(pl.col("stale")).then(pl.lit("No")).otherwise("gold")
    changed(tmp_path / "trials.parquet", gold=stale_row)
    with pytest.raises(InputError, match="is not the table that the run was planned with"):
        run.trials()
    run = Run.start_stage(tmp_path, IDENTITY, {}, second, factors=FACTORS)
    assert run.trials() == second
    assert {trial.id for trial in run.stale()} == {trial.id for trial in stale}
    assert sum(each.input_tokens or 0 for each in run.attempts()) == 12


@pytest.mark.parametrize("killed", ["before the table", "after the table"])
def test_a_stage_killed_while_its_table_is_replaced_is_whole_and_taken_up(tmp_path: Path, killed: str):
    """The run states both hashes before the table is replaced, and the one that counts afterwards."""
    first, second = planned(2, 2), planned(3, 1)
    folder, other = tmp_path / "run", tmp_path / "other"
    begun(folder, first, Run.start_stage)
    Run.start_stage(other, IDENTITY, {}, second, factors=FACTORS)
    (replaced,) = Run.open(other).trials_sha256
    stored = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(stored | {"trials_sha256": [*stored["trials_sha256"], replaced]}))
    if killed == "after the table":
        shutil.copy(other / "trials.parquet", folder)
    assert Run.open(folder).trials() == (second if killed == "after the table" else first)
    assert Run.start_stage(folder, IDENTITY, {}, second, factors=FACTORS).trials() == second
    assert len(json.loads((folder / "run.json").read_text())["trials_sha256"]) == 1
    assert len(Run.open(folder).executions) == 2


def test_a_start_killed_between_the_table_and_the_run_file_is_taken_up_by_either_command(tmp_path: Path):
    other, own = planned(4), planned()
    Run.start(tmp_path / "other", IDENTITY | {"model": "b"}, {}, other, factors=FACTORS)
    for name, (identity, trials) in {"old": (IDENTITY, own), "new": (IDENTITY | {"model": "b"}, other)}.items():
        folder = tmp_path / name
        Run.start(folder, IDENTITY, {}, own, factors=FACTORS)
        shutil.copy(tmp_path / "other" / "trials.parquet", folder)
        with pytest.raises(InputError, match="is not the table"):
            Run.open(folder).trials()
        assert Run.start(folder, identity, {}, trials, factors=FACTORS).trials() == trials


def test_a_run_of_a_release_that_stored_no_hash_of_the_file_is_held_against_the_hash_of_its_trials(tmp_path: Path):
    trials = [replace(trial, factors={"alpha": 0.5, "more": 1}) for trial in plan()]
    begun(tmp_path, trials)
    stored = json.loads((tmp_path / "run.json").read_text())
    del stored["trials_sha256"]
    (tmp_path / "run.json").write_text(json.dumps(stored))
    older = Run.open(tmp_path)
    assert older.trials() == trials
    assert older.missing() == len(plan()) - 1
    changed(tmp_path / "trials.parquet", gold=pl.lit("No"))
    with pytest.raises(InputError, match="is not the table"):
        older.trials()
    assert Run.start(tmp_path, IDENTITY, {}, trials, factors=FACTORS).trials_sha256
