"""Read-outs of states: what is planted is found where it is, lost where it is lost, and nowhere else."""

from __future__ import annotations

import json
import re
import shutil
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest

from tests.internals.tables import STRENGTHS, UNITS, planted_states
from veridical.errors import InputError
from veridical.internals.probe import probe_states
from veridical.internals.readout_charts import read_out_curves

WHERE = ("picture", "answer")


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("states")
    return planted_states(home / "own"), planted_states(home / "random", random=True)


@pytest.fixture(scope="module")
def table(folders) -> pl.DataFrame:
    own, random = folders
    return probe_states(own, random=random, shuffles=59).table


def row_of(table: pl.DataFrame, state: str, group: str, source: str = "model", **place: str) -> dict:
    where = {"target": "strength", "read": "change", "group": group, "source": source, "state": state, **place}
    return table.filter(pl.col(name) == value for name, value in where.items()).row(0, named=True)


def test_a_strength_is_found_where_it_is_planted_and_not_where_it_is_lost(table):
    for group, layers in (("figure", ("tower.1", "projector")), ("control", ("tower.1", "language.0.picture"))):
        for name in layers:
            row = row_of(table, name, group)
            assert row["low"] > 0.8
            assert row["p"] == pytest.approx(1 / 60)
    lost = row_of(table, "language.0.picture", "figure")
    assert lost["low"] <= 0.01
    assert lost["r2"] < 0.1
    apart = row_of(table, "language.0.picture", "control − figure")
    assert apart["low"] > 0.8
    assert row_of(table, "tower.1", "control − figure")["low"] < 0.05
    assert (apart["units"], lost["n"], lost["without"]) == (UNITS, UNITS * len(STRENGTHS), 0)


def test_random_weights_and_noise_give_nothing_and_what_the_model_has_beyond_them_is_paired(table):
    noise = table.filter((pl.col("source") == "random weights") | (pl.col("state") == "language.0.answer"))
    assert noise["r2"].max() < 0.1
    assert (noise["low"] <= 0.02).all()
    assert row_of(table, "tower.1", "figure", "model − random weights")["low"] > 0.8
    assert row_of(table, "tower.0", "figure", "model − random weights")["r2"] < 0.1


def test_pooled_pixels_read_what_is_planted_in_them(table):
    assert row_of(table, "pixels", "figure", "pixels")["low"] > 0.95
    assert table.filter(state="pixels", source="random weights").is_empty()


def test_a_label_is_read_beside_the_factor_and_single_pictures_beside_changes(table):
    assert row_of(table, "tower.1", "figure", target="label")["low"] > 0.4
    assert row_of(table, "language.0.picture", "figure", target="label")["r2"] < 0.1
    alone = row_of(table, "tower.1", "figure", read="picture")["r2"]
    assert alone < 0.5 < row_of(table, "tower.1", "figure")["r2"]


def test_tables_and_figures_stand_beside_the_states_and_the_same_call_gives_the_same(folders, table, tmp_path: Path):
    own, random = folders
    assert pl.read_parquet(own / "read-outs.parquet").equals(table)
    assert len(pl.read_csv(own / "read-outs.csv")) == len(table)
    curves = (own / "read-outs.svg").read_text()
    for name in ("read-outs.svg", "read-outs-pca.svg"):
        ElementTree.fromstring((own / name).read_bytes())
    again = Path(shutil.copytree(own, tmp_path / "again"))
    assert probe_states(again, random=random, shuffles=59).table.equals(table)
    assert (again / "read-outs.svg").read_text() == curves


@pytest.mark.parametrize("kept", [0, 4, 2000])
def test_a_damaged_part_is_named_in_one_line(tmp_path: Path, kept: int, cli):
    own = planted_states(tmp_path / "own")
    part = own / "states" / "000001.parquet"
    part.write_bytes(part.read_bytes()[:kept])
    code, _, errors = cli("whitebox", "probe", own, columns=300)
    assert (code, errors.count("\n")) == (2, 1)
    assert f"{part} is {'damaged' if kept else 'empty'}: delete it" in errors
    assert not list(own.glob("read-outs*"))


def test_lines_of_two_parts_of_a_model_never_share_a_place_on_the_axis():
    states = ["tower.0", "tower.1", *(f"language.{layer}.{place}" for layer in range(3) for place in WHERE)]
    rows = [
        {"target": "t", "group": "g", "read": read, "source": "model", "state": state, "r2": place / 10}
        for read in ("picture", "change")
        for place, state in enumerate(states)
    ]
    table = pl.DataFrame([{**row, "low": row["r2"], "high": row["r2"], "shuffled": 0.0} for row in rows])
    ranges = []
    for line in re.findall(r'<path d="([^"]+)"[^>]*fill: none; stroke: #1f5fa8', read_out_curves(table)):
        across, down = np.array([each.split() for each in re.findall(r"[\d.]+ [\d.]+", line)], dtype=float).T
        ranges += [(across.min(), across.max())] if np.ptp(across) and np.ptp(down) else []
    places = sorted(set(ranges))
    assert len(places) == 2 * len(("tower", *WHERE))
    assert all(before[1] < after[0] for before, after in pairwise(places))


def test_a_cost_is_told_before_it_is_paid_and_grows_with_what_is_read(tmp_path: Path, cli):
    own = planted_states(tmp_path / "own")
    costs = []

    def refuse(cost):
        costs.append(cost)
        raise InputError("too much")

    for targets, shuffles in ((["strength"], 19), (["strength", "label"], 1999)):
        with pytest.raises(InputError, match="too much"):
            probe_states(own, targets=targets, shuffles=shuffles, agree=refuse)
    assert not list(own.glob("read-outs*"))
    states, groups, ways = 6, 2, 2
    assert [cost.read_outs for cost in costs] == [states * groups * ways, 2 * states * groups * ways]
    assert 0 < costs[0].seconds < costs[1].seconds
    code, _, errors = cli("whitebox", "probe", own, "--target", "strength", "--shuffles", "19")
    assert code == 0
    assert f"{costs[0].read_outs} read-outs: about " in errors


def test_groups_are_merged_levels_of_any_column(folders, tmp_path: Path, cli):
    own = Path(shutil.copytree(folders[0], tmp_path / "own"))
    whole = probe_states(own, targets=["label"], groups=[["figure", "control"]], shuffles=19).table
    assert set(whole["group"]) == {"figure,control"}
    assert set(whole["n"]) == {2 * UNITS * len(STRENGTHS)}
    code, out, errors = cli(
        "whitebox", "probe", own, "--target", "strength", "--by", "label", "--group", "no", "--json"
    )
    assert code == 0, errors
    assert {(row["target"], row["group"], row["n"]) for row in json.loads(out)} == {("strength", "no", 2 * UNITS * 3)}


def test_trials_without_states_or_target_are_counted(folders, tmp_path: Path):
    own = Path(shutil.copytree(folders[0], tmp_path / "own"))
    part = own / "states" / "000000.parquet"
    frame, place = pl.read_parquet(part), pl.int_range(pl.len())
    lists = [name for name, kind in frame.schema.items() if kind == pl.List]
    broken = frame.with_columns(
        pl.when(place == 0).then(None).otherwise(pl.col(lists)).name.keep(),
        pl.when(place == 0).then(pl.lit("no picture")).alias("problem"),
        pl.when(place == 1).then(np.nan).otherwise(pl.col("strength")).alias("strength"),
    )
    broken.write_parquet(part)
    found = probe_states(own, targets=["strength"], shuffles=19).table
    assert (row_of(found, "tower.1", "figure")["n"], row_of(found, "tower.1", "figure")["without"]) == (198, 2)
    assert row_of(found, "tower.1", "control − figure")["without"] == 2
    ragged = broken.with_columns(pl.when(place == 2).then(pl.col("pixels").list.head(3)).otherwise(pl.col("pixels")))
    ragged.write_parquet(part)
    reasons = probe_states(own, targets=["strength"], shuffles=19).table.filter(state="pixels")["reason"]
    assert set(reasons) == {"trials differ in the number of their pictures"}


def test_a_target_that_is_each_unit_s_own_has_no_chance_level_and_says_so(folders, tmp_path: Path):
    own = Path(shutil.copytree(folders[0], tmp_path / "own"))
    for part in sorted((own / "states").iterdir()):
        pl.read_parquet(part).with_columns(size=pl.col("unit").str.slice(1).cast(pl.Int64)).write_parquet(part)
    found = probe_states(own, targets=["size"], shuffles=19).table.filter(state="pixels", group="figure")
    alone, change = found.rows(named=True)
    assert alone["r2"] > 0.9
    assert alone["p"] is None
    assert (change["r2"], change["reason"]) == (None, "the target takes one value in each unit")


def test_the_command_prints_figures_with_intervals_and_counts(folders, cli):
    own, random = folders
    words = ("--random", random, "--shuffles", "19", "--target", "strength")
    code, out, errors = cli("whitebox", "probe", own, *words, "--group", "figure", "--group", "control")
    assert code == 0, errors
    assert "figure − control" in out
    assert "model − random weights" in out
    assert f"figure: {UNITS * len(STRENGTHS)} trials of {UNITS} units" in out


def test_what_cannot_be_probed_is_refused_in_one_line_and_nothing_is_written(folders, tmp_path: Path, cli):
    own = Path(shutil.copytree(folders[0], tmp_path / "own", ignore=shutil.ignore_patterns("read-outs*")))
    for words, said in (
        (("--target", "strenght"), "strength"),
        (("--target", "stimulus"), "400 levels"),
        (("--by", "variants"), "variant"),
        (("--group", "figure", "--group", "figure"), "twice"),
        (("--group", "figur"), "figure"),
        (("--group", ","), "comma"),
        (("--random", str(own)), "trained weights"),
        (("--random", str(tmp_path)), "no states"),
    ):
        code, _, errors = cli("whitebox", "probe", own, *words)
        assert (code, errors.count("\n"), said in errors) == (2, 1, True), errors
    assert not list(own.glob("read-outs*"))
    other = planted_states(tmp_path / "other", random=True)
    facts = json.loads((other / "states.json").read_text())
    facts["identity"]["trials"] = "others"
    (other / "states.json").write_text(json.dumps(facts))
    with pytest.raises(InputError, match="differ in trials"):
        probe_states(own, random=other)
