"""Clips of several scenes become clips of one, byte for byte where there is one."""

from __future__ import annotations

import csv
import sys
from fractions import Fraction

import numpy as np
import pytest

import veridical
from tests.media.clips import written
from tests.suites.hocabench.release_data import clip
from veridical.errors import InputError
from veridical.media.clips.write import encode_clip
from veridical.media.decode import decode
from veridical.suites.hocabench.annotate.videos import split

RATE = 10


def scenes(*lengths):
    """Frames of flat scenes of these lengths, dark and bright in turn."""
    random = np.random.default_rng(0)
    return [
        np.clip(40 + 160 * (scene % 2) + random.integers(0, 9, (64, 64, 3)), 0, 255).astype(np.uint8)
        for scene, length in enumerate(lengths)
        for _ in range(length)
    ]


@pytest.fixture
def folder(tmp_path):
    """Two clips: one of three scenes, the second of which is short, and one of one scene; with a table."""
    place = tmp_path / "clips"
    place.mkdir()
    (place / "several.mp4").write_bytes(encode_clip(scenes(30, 10, 25), RATE))
    (place / "single.mp4").write_bytes(clip(1))
    rows = [("several.mp4", "A long story.", "market"), ("single.mp4", "A square.", "office")]
    with (place / "table.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("file", "description", "theme"), *rows])
    return place


def test_scenes_are_cut_where_they_change_and_keep_what_is_known_of_their_clip(folder, tmp_path):
    made = split(folder, tmp_path / "out", shortest=2.0)
    assert (made.clips, made.scenes, made.reasons) == (2, 3, {"a scene that is too short": 1})
    rows = list(csv.DictReader((tmp_path / "out" / "scenes.csv").open()))
    assert [(row["from"], float(row["begin"]), float(row["end"])) for row in rows] == [
        ("several.mp4", 0.0, 3.0),
        ("several.mp4", 4.0, 6.5),
        ("single.mp4", 0.0, 2.0),
    ]
    assert [row["description"] for row in rows] == ["", "", "A square."]
    assert [row["theme"] for row in rows] == ["market", "market", "office"]
    contents = [(tmp_path / "out" / row["file"]).read_bytes() for row in rows]
    assert contents[2] == clip(1)
    first, second = (decode(content, "scene") for content in contents[:2])
    assert (first.count, second.count) == (30, 25)
    assert first.rate == second.rate == RATE
    assert all(frame.pixels.mean() < 100 for each in (first, second) for frame in each.frames())
    whole = veridical.import_release("videos", tmp_path / "out", tmp_path / "set")
    assert (len(whole), whole.manifest["import"]["described"]) == (3, 1)


def test_what_cannot_be_cut_is_left_out_with_the_reason(folder, tmp_path):
    times = [sum((17 + 31 * k % 117) for k in range(n)) for n in range(60)]
    uneven = written(scenes(30, 30), container="matroska", times=times, base=Fraction(1, 1000))
    (folder / "uneven.mkv").write_bytes(uneven)
    (folder / "broken.mp4").write_bytes(clip(2)[:400])
    made = split(folder, tmp_path / "out", shortest=0.0)
    assert made.scenes == 4
    assert made.reasons == {
        "a clip that cannot be opened": 1,
        "a clip of several scenes without a constant rate": 1,
    }


def test_without_the_extra_one_line_says_what_to_install(folder, tmp_path, monkeypatch, said):
    for name in ("scenedetect", "scenedetect.common", "scenedetect.detectors"):
        monkeypatch.setitem(sys.modules, name, None)
    code, _, err = said("hocabench", "scenes", folder, "--out", tmp_path / "out")
    assert (code, err.count("\n")) == (2, 1)
    assert "veridical[scenes]" in err


def test_a_folder_without_clips_and_one_that_holds_something_are_refused(folder, tmp_path):
    with pytest.raises(InputError, match="holds no clip"):
        split(tmp_path / "nothing", tmp_path / "out")
    with pytest.raises(InputError, match="no new or empty folder"):
        split(folder, folder)
