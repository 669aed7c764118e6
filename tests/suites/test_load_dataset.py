"""Hugging Face's `datasets` reads the sets of every suite as they are, also after media were derived from them."""

from pathlib import Path

import numpy as np
import pytest

import veridical
from veridical.base.path_checks import DERIVED
from veridical.media.decode import Picture, hash_of
from veridical.verbs.runs.preparation import derive_media

datasets = pytest.importorskip("datasets")

CLIPS = {"units": 1, "height": 180, "rate": 10}
SMALL = {
    "hocabench": {**CLIPS, "panels": 0, "sequences": 0, "sub_types": ["gravity"]},
    "magic": {"units": 1, "scenes": ["table"]},
    "magicbench": {**CLIPS, "tricks": ["coin"]},
    "viabench": {"units": 1, "size": 256, "puzzles": ["general"]},
    "viprobe": {"units": 1, "levels": 2, "size": 256, "cases": ["zollner"]},
}
"""The options of a small set by suite."""
ASKED = {"hocabench": {"frames": "uniform-4"}, "magic": {}, "magicbench": {"frames": "uniform-4"}}
"""The settings whose media are derived, by suite; those of other suites ask about their pictures as they are."""
VALUES = {str: "large_string", int: "int64", float: "float64", bool: "bool"}


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


@pytest.fixture(scope="module", params=SMALL)
def made(request, tmp_path_factory, one_process):
    folder = tmp_path_factory.mktemp(request.param)
    return veridical.make(request.param, out=folder / "set", **SMALL[request.param])


def read(whole, folder):
    return datasets.load_dataset(str(whole.folder), split="train", cache_dir=str(folder))


def require_whole(rows, whole):
    stimuli = {each.id: each for each in whole.stimuli}
    assert sorted(rows["id"]) == sorted(stimuli)
    types = {name: rows.features[name].dtype for name in whole.factors}
    assert types == {name: VALUES[kind] for name, kind in whole.factors.items()}
    for name in ("question", "label", "truth"):
        assert rows.features[name].dtype == "large_string"
    if "image" in rows.features:
        hashes = {row["id"]: hash_of(Picture(np.asarray(row["image"].convert("RGB")))) for row in rows}
        assert hashes == {each.id: each.media[0].sha256 for each in whole.stimuli}
    else:
        paths = rows.cast_column("video", datasets.Video(decode=False))
        clips = {row["id"]: Path(row["video"]["path"]).read_bytes() for row in paths}
        assert clips == {each.id: whole.read(each.media[0].file) for each in whole.stimuli}


def test_a_set_loads_by_its_folder_alone_before_and_after_media_are_derived(made, tmp_path):
    require_whole(read(made, tmp_path / "before"), made)
    settings = ASKED.get(made.manifest["arguments"]["suite"])
    if settings is not None:
        assert sum(len(each.rows) for each in derive_media(made, settings=settings)) > len(made)
        assert any((made.folder / DERIVED).iterdir())
        require_whole(read(made, tmp_path / "after"), made)


@pytest.mark.parametrize("made", ["hocabench"], indirect=True)
def test_clips_are_decoded_by_torchcodec(made, tmp_path):
    rows = read(made, tmp_path)
    pytest.importorskip("torchcodec", reason="no torchcodec")
    try:
        counts = {row["id"]: row["video"].metadata.num_frames for row in rows}
    except RuntimeError as error:
        pytest.skip(f"torchcodec finds no FFmpeg: {str(error).strip().splitlines()[0]}")
    assert counts == {each.id: each.media[0].frames for each in made.stimuli}
