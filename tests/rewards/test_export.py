"""An export holds what was asked for, from seeds of its own, whole or not at all, and the same to the byte again."""

import json
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from itertools import islice

import polars as pl
import pytest

from tests.rewards.exports import digests, exported
from veridical.base.files import write_whole
from veridical.base.options import TRAINING_SEEDS, chosen_options
from veridical.errors import InputError
from veridical.records import Chunk
from veridical.rewards.export_files import DrawnPart, join_parts
from veridical.rewards.forms import FORMS
from veridical.rewards.parts import (
    APART,
    PARTS,
    RecipeSource,
    draw_part,
    part_at,
    rows_of_part,
    units_in_turn,
)
from veridical.rewards.requests import recipe_sources
from veridical.stimulus_set import write_set
from veridical.suite import registry
from veridical.verbs.sets import make

TRAINED = [suite.name for suite in registry.all_suites() if suite.training]
RECIPES = [(name, recipe) for name in TRAINED for recipe in registry.get(name).training]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "train"
    exported(folder)
    return folder


def rows(folder, split="train"):
    return pl.concat([pl.read_parquet(path) for path in sorted(folder.glob(f"data/{split}-*.parquet"))])


def test_an_export_has_as_many_examples_as_asked_for_each_once_and_states_what_it_is(whole):
    table, manifest = rows(whole), json.loads((whole / "export.json").read_bytes())
    assert table.height == table["id"].n_unique() == manifest["examples"]["train"] == 30
    assert manifest["space"] == "training"
    assert manifest["families"] == dict(("viprobe/" + table["family"]).value_counts().rows())
    assert manifest["files"] == {path: digest for path, digest in digests(whole).items() if path.startswith("data/")}
    assert not (whole / ".parts").exists()


def test_the_same_export_again_changes_nothing_and_another_one_is_refused(whole):
    before = digests(whole)
    assert exported(whole).lines == 30
    with pytest.raises(InputError, match="holds another export"):
        exported(whole, seed=1)
    assert digests(whole) == before


def test_an_export_in_several_processes_is_the_same(whole, tmp_path):
    exported(tmp_path / "several", workers=2)
    assert digests(tmp_path / "several") == digests(whole)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("event", [3, 25, 57])
def test_an_export_that_was_killed_goes_on_and_is_the_same(whole, tmp_path, event):
    killed = [sys.executable, "-m", "tests.rewards.killed", str(tmp_path / "train"), str(event)]
    assert subprocess.run(killed, check=False).returncode == -signal.SIGKILL
    assert not (tmp_path / "train" / "export.json").exists()
    exported(tmp_path / "train")
    assert digests(tmp_path / "train") == digests(whole)


def test_row_groups_stay_below_a_limit_and_lose_nothing(whole, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    [source] = recipe_sources(["viprobe"], "figures", 0)
    form = FORMS["trl"]
    job = {"folder": str(tmp_path), "sources": [asdict(source)], "trainer": "trl", "objective": "rewards"}
    write_whole(tmp_path / PARTS / APART, b'{"media":[],"units":{}}')
    parts = []
    for family, index in islice(units_in_turn(source, 1, (), None), 8):
        draw_part({**job, "test_fraction": 0.0}, [0, family, index])
        parts.append(DrawnPart(part_at(tmp_path, 0, family, index), f"viprobe/{family}"))
    sizes = [rows_of_part(each.path, "train").stat().st_size for each in parts]
    limit = 2 * max(sizes)
    join_parts(tmp_path, form, "rewards", [(parts, 30)], limit)
    tables = [parquet.ParquetFile(path).metadata for path in sorted(tmp_path.glob("data/*.parquet"))]
    assert len(tables) > 3
    assert all(table.num_row_groups == 1 and table.row_group(0).total_byte_size <= limit for table in tables)
    assert rows(tmp_path).equals(rows(whole))


def test_shards_share_out_the_examples_and_no_two_have_one_in_common(tmp_path):
    for number in (1, 2, 3):
        exported(tmp_path / "train", examples=31, shard=f"{number}/3")
    tables = [rows(tmp_path / f"train-{number}-of-3") for number in (1, 2, 3)]
    assert [table.height for table in tables] == [11, 10, 10]
    assert pl.concat(tables)["id"].n_unique() == 31


def test_a_family_that_is_held_out_is_nowhere_and_test_units_are_no_training_units(tmp_path):
    held = ["viprobe/muller_lyer", "viprobe/zollner"]
    exported(tmp_path / "train", hold_out=held, examples=120, test_fraction=0.4)
    train, test = rows(tmp_path / "train"), rows(tmp_path / "train", "test")
    assert train.height + test.height == 120
    assert not {"muller_lyer", "zollner"} & {*train["family"], *test["family"]}
    assert not {*train["id"]} & {*test["id"]}


def test_what_shows_pixels_of_an_excluded_set_is_left_out_and_counted_and_others_are_drawn(tmp_path, one_process):
    suite, source = registry.get("viprobe"), RecipeSource("viprobe", "figures", 0)

    def training_pixels(_, chunk):
        """What no set holds but one that is made on purpose: a table cannot even store a seed of training."""
        drawn = suite.design.make(source.options(1), chunk)
        return ((replace(stimulus, seed=0), contents) for stimulus, contents in drawn)

    evaluation = chosen_options(suite.options, suite.recipes, source.maker.recipe.values)
    chunks, factors = [Chunk("muller_lyer", 0)], suite.design.factors
    apart = write_set(tmp_path / "apart", "viprobe", evaluation, chunks, training_pixels, factors=factors)
    others = [name for name in _families() if name not in ("viprobe/muller_lyer", "viprobe/zollner")]
    free = exported(tmp_path / "free", hold_out=others, examples=8)
    kept = exported(tmp_path / "kept", hold_out=others, examples=8, apart_from=[apart])
    manifest = json.loads((tmp_path / "kept" / "export.json").read_bytes())
    assert (free.lines, kept.lines, manifest["left_out"]) == (8, 8, 4)
    assert rows(tmp_path / "free")["id"].to_list() != rows(tmp_path / "kept")["id"].to_list()


def _families():
    options = RecipeSource("viprobe", "figures", 0).options(1)
    return {f"viprobe/{chunk.family}" for chunk in registry.get("viprobe").design.chunks(options)}


@pytest.mark.parametrize("name", TRAINED)
def test_no_unit_of_the_training_space_has_the_pixels_of_the_evaluation_unit_with_its_seed(name):
    [source] = recipe_sources([name], None, 0)
    suite, options = registry.get(name), source.options(1)
    assert options.seed == TRAINING_SEEDS
    chunk = suite.design.chunks(options)[0]
    training, evaluation = (
        {medium.sha256 for stimulus, _ in suite.design.make(each, chunk) for medium in stimulus.media}
        for each in (options, options.model_copy(update={"seed": 0}))
    )
    assert training
    assert not training & evaluation


@pytest.mark.parametrize(
    ("others", "line"),
    [
        ({"trainer": "trll"}, "unknown trainer 'trll': did you mean 'trl'"),
        ({"recipe": "figurs"}, "unknown training recipe of viprobe 'figurs': did you mean 'figures'"),
        ({"recipe": "magicbench/x"}, "unknown suite of a recipe 'magicbench'"),
        ({"objective": "reward"}, "unknown objective 'reward': did you mean 'rewards'"),
        ({"hold_out": ["viprobe/muler_lyer"]}, "did you mean 'viprobe/muller_lyer'. 27 are known: `veridical suites`"),
        ({"cluster": "auto"}, "workers 1 beside cluster 'auto': name one of the two"),
        ({"examples": 0}, "0 examples: at least 1 is needed"),
        ({"examples": 10**9}, "its families can make 1,080,000 by this recipe"),
        ({"test_fraction": 1.0}, "test fraction 1.0: 0 to below 1 is allowed"),
        ({"seed": -1}, "seed -1: 0 to"),
        ({"seed": 2**63}, "0 to 2\\^63 - 1 is allowed"),
        ({"shard": "4/3"}, "shard '4/3'"),
        ({"suites": ["viprobe", "viprobe"]}, "at least one, each once, is needed"),
        ({"suites": ["judge-audit"]}, "has no training recipes"),
    ],
)
def test_what_cannot_be_exported_is_refused_in_one_line_and_nothing_is_written(others, line, tmp_path):
    with pytest.raises(InputError, match=line) as refused:
        exported(tmp_path / "train", **others)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "train").exists() or not [*(tmp_path / "train").glob("data/*")]


def test_a_folder_with_something_else_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds something else"):
        exported(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_set_of_an_evaluation_is_drawn_as_before_whatever_is_exported(tmp_path, one_process):
    made = make("viprobe", out=tmp_path / "set", cases=["zollner"], units=1, variants=["O", "OC"])
    assert all(stimulus.seed < TRAINING_SEEDS for stimulus in made.stimuli)
