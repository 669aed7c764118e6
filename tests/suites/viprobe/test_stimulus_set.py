"""The set on disk: the same everywhere, loadable elsewhere, and refused when anything in it was changed."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from PIL import Image

import veridical
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet, write_set
from veridical.suite import registry
from veridical.suites.viprobe.illusions.make import chunks, make

CASES = ("muller_lyer", "simultaneous_contrast", "zollner")
OPTIONS = {"cases": CASES, "units": 2, "levels": 2, "size": 256}
FACTORS = {"alpha": float, "congruent": bool, "side": str}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return veridical.make("viprobe", out=tmp_path_factory.mktemp("sets") / "set", **OPTIONS)


@pytest.fixture
def copy(whole, tmp_path):
    shutil.copytree(whole.folder, tmp_path / "set")
    return tmp_path / "set"


def test_a_fresh_set_is_sound(whole):
    found = veridical.check(whole)
    assert (found.stimuli, found.verified, found.failed, found.not_measurable) == (78, 78, [], {})
    assert whole.factors == registry.get("viprobe").design.factors == FACTORS


def test_records_survive_the_disk(whole):
    options = veridical.design("viprobe", **OPTIONS).options
    assert list(whole.stimuli) == [stimulus for chunk in chunks(options) for stimulus, _ in make(options, chunk)]


def test_datasets_loads_the_folder_as_it_is(whole, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    loaded = datasets.load_dataset("imagefolder", data_dir=str(whole.folder), cache_dir=str(tmp_path), split="train")
    assert len(loaded) == len(whole.stimuli)
    by_id = {row["id"]: row for row in loaded}
    for stimulus in whole.stimuli:
        row = by_id[stimulus.id]
        picture = np.asarray(Image.open(whole.folder / stimulus.media[0].file))
        assert np.array_equal(np.asarray(row["image"].convert("RGB")), picture)
        assert json.loads(row["truth"]) == stimulus.truth
        assert row["label"] == stimulus.label
        assert {name: row[name] for name in FACTORS} == {name: stimulus.factors[name] for name in FACTORS}
        others = {name: value for name, value in stimulus.factors.items() if name not in FACTORS}
        assert json.loads(row["factors"]) == others


def test_the_same_seed_gives_the_same_pixels_in_processes_with_different_hash_seeds(tmp_path):
    code = (
        "import veridical; from veridical.stimulus_set import write; write.cores = lambda: 1;"
        "print([s.media[0].sha256 for s in veridical.make('viprobe', units=1, levels=2, size=256, seed=4).stimuli])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "77")
    }
    assert len(said) == 1


def test_a_larger_set_extends_a_smaller_one(whole):
    larger = veridical.make("viprobe", **{**OPTIONS, "units": 5})
    assert {s.id: s for s in whole.stimuli}.items() <= {s.id: s for s in larger.stimuli}.items()
    one_case = veridical.make("viprobe", **{**OPTIONS, "cases": ["zollner"]})
    assert {s.id: s for s in one_case.stimuli}.items() <= {s.id: s for s in whole.stimuli}.items()


def ids_failed(folder):
    return {failure["id"] for failure in veridical.check(folder).failed}


def test_a_picture_altered_by_one_shade_is_named(copy):
    path = copy / "media/zollner/0001/P+1.00.png"
    pixels = np.asarray(Image.open(path)).copy()
    pixels[3, 5, 1] -= 1
    Image.fromarray(pixels).save(path)
    assert ids_failed(copy) == {"zollner/0001/P+1.00"}


def test_a_flipped_label_is_named(copy):
    table = pl.read_parquet(copy / "metadata.parquet")
    victim = "muller_lyer/0000/PC-1.00"
    flipped = pl.when(pl.col("id") == victim).then(pl.lit("1")).otherwise(pl.col("label"))
    table.with_columns(flipped.alias("label")).write_parquet(copy / "metadata.parquet")
    assert victim in ids_failed(copy)
    with pytest.raises(InputError, match="the rows are not those"):
        veridical.run(copy, "veridical/prior")


def test_a_cut_table_names_what_is_gone(copy):
    table = pl.read_parquet(copy / "metadata.parquet")
    table.filter(pl.col("id") != "zollner/0000/O").write_parquet(copy / "metadata.parquet")
    assert "zollner/0000/O" in ids_failed(copy)


@pytest.mark.parametrize("damage", ["missing", "cut", "text"])
def test_a_damaged_picture_is_named(copy, damage):
    path = copy / "media/zollner/0000/OC.png"
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:200] if damage == "cut" else b"hello")
    assert ids_failed(copy) == {"zollner/0000/OC"}


@pytest.mark.parametrize("name", ["../secret.png", "/etc/hostname", "media/../../x", "manifest.json"])
def test_a_path_that_leaves_the_media_is_refused(whole, name):
    with pytest.raises(InputError, match="no path inside"):
        whole.read(name)


def test_a_half_made_set_is_taken_up_where_it_stopped(tmp_path):
    options = veridical.design("viprobe", cases=("zollner",), units=3, levels=2, size=128).options
    parts, drawn = chunks(options), []

    def breaking(options, chunk):
        if len(drawn) == 2:
            raise KeyboardInterrupt
        drawn.append(chunk)
        yield from make(options, chunk)

    def written(folder, make):
        return write_set(folder, "viprobe", options, parts, make, factors=FACTORS)

    folder = tmp_path / "set"
    with pytest.raises(KeyboardInterrupt):
        written(folder, breaking)
    for place in (folder, str(folder)):
        with pytest.raises(InputError, match="only partly made"):
            StimulusSet.open(place)
    drawn = drawn[:0]
    drawn.append("first resumed call may draw one more")
    resumed = written(folder, breaking)
    assert drawn[1:] == parts[2:]
    assert resumed.stimuli == written(tmp_path / "fresh", make).stimuli
    assert not (folder / ".parts").exists()


def test_making_the_same_set_again_returns_it_and_another_is_refused(copy):
    assert len(veridical.make("viprobe", out=copy, **OPTIONS).stimuli) == 78
    with pytest.raises(InputError, match=r"another set \(seed differs\)"):
        veridical.make("viprobe", out=copy, **OPTIONS, seed=1)


def test_a_half_made_set_of_another_version_is_not_continued(tmp_path):
    options = veridical.design("viprobe", cases=("zollner",), units=1, levels=2, size=128).options

    def stopping(options, chunk):
        raise KeyboardInterrupt

    def written(make):
        return write_set(tmp_path, "viprobe", options, chunks(options), make, factors=FACTORS)

    with pytest.raises(KeyboardInterrupt):
        written(stopping)
    begun = tmp_path / ".parts" / "design.json"
    stored = json.loads(begun.read_bytes())
    begun.write_text(json.dumps(stored | {"versions": stored["versions"] | {"matplotlib": "3.1"}}))
    with pytest.raises(InputError, match=r"half-made set \(made with matplotlib 3\.1, this is 3\."):
        written(make)


def test_a_folder_that_holds_something_else_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="holds something else"):
        veridical.make("viprobe", out=tmp_path, **OPTIONS)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ("{", r"manifest\.json cannot be read"),
        ("[]", "is a set of format None, but this version reads 2"),
        ('{"format": 1}', "is a set of format 1, but this version reads 2: make it again"),
        ('{"format": 3, "stimuli": 1, "rows_sha256": ""}', "is a set of format 3, but this version reads 2"),
        ('{"format": 2}', r"manifest\.json lacks 'stimuli' or 'rows_sha256'"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_one_line(copy, manifest, said):
    (copy / "manifest.json").write_text(manifest)
    with pytest.raises(InputError, match=said) as error:
        StimulusSet.open(str(copy))
    assert str(copy) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("options", [{"size": 63}, {"size": 4097}, {"units": 0}, {"seed": -1}])
def test_numbers_outside_their_range_are_refused(options):
    with pytest.raises(InputError, match=str(next(iter(options.values())))):
        veridical.make("viprobe", **options)


def test_pictures_have_no_duration_and_stand_beside_the_papers_counts(tmp_path):
    made = veridical.make("viprobe", out=tmp_path / "set", cases=["zollner"], units=1, levels=2, size=128)
    facts = veridical.describe(made)
    assert facts["seconds"] is None
    assert facts["balance"]["labeled"] == sum(each.label is not None for each in made.stimuli)
    here = facts["factors"]["variant"]["O"]
    assert facts["published"]["counts"]["variant"]["O"] == {"published": 870, "here": here}
    assert any(line.startswith("- published (Sun et al. 2026, Table 1") for line in facts.lines)
