"""What a model with a center crop never sees of a set, and what the verdicts on its run then say."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as v
from tests.whitebox.architectures import loaded
from veridical.errors import InputError
from veridical.records import CRITICAL_SEEN
from veridical.suite import registry

pytestmark = [pytest.mark.local_models, pytest.mark.usefixtures("no_figures", "one_process")]
MODEL = "veridical-hf/cropped"
UNSEEN = "undetermined: outside what the model sees"
WIDE, SQUARE = "cornsweet,muller_lyer", "cornsweet_case1,hering"
MEMORY = {"memory": 1.0, "lapse": 0.02}
BLIND = {"lapse": 1.0}
"""Options of observers that lose what figures show, and that see nothing."""


@pytest.fixture
def cropping(monkeypatch):
    """Has a LLaVA that was made here loaded, which sees the largest square in the middle of a picture."""
    monkeypatch.setattr("veridical.verbs.exchange.local_trials.load_model", lambda *_, **__: loaded("llava"))
    monkeypatch.setattr("veridical.verbs.exchange.local_trials.require_local", lambda *_: None)


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    design = {"units": 10, "size": 256, "levels": 4, "variants": ["O", "P", "OC", "PC"]}
    folder = tmp_path_factory.mktemp("sets")
    return {name: v.make("viprobe", out=folder / name, cases=name.split(","), **design) for name in (WIDE, SQUARE)}


def a_run(stimuli, out, options):
    return v.run(stimuli, "veridical/simulated", out=out, model_args=options, show="quiet").folder


def verdict(run):
    (finding,) = v.open_run(run).opening().findings
    return finding


def in_crop(stimulus) -> float:
    """The share of the critical regions inside the largest square in the middle, from the picture's size alone."""
    (medium,) = stimulus.media
    side = min(medium.width, medium.height)
    left, top = Fraction(medium.width - side, 2), Fraction(medium.height - side, 2)
    seen = area = Fraction()
    for x0, y0, x1, y1 in stimulus.truth["regions"]:
        seen += max(0, min(x1, left + side) - max(x0, left)) * max(0, min(y1, top + side) - max(y0, top))
        area += (x1 - x0) * (y1 - y0)
    return float(seen / area)


@pytest.mark.parametrize("options", [MEMORY, BLIND], ids=["loses", "blind"])
def test_what_lies_outside_the_crop_is_never_called_memory_or_blindness(sets, cropping, tmp_path: Path, options):
    from veridical.whitebox.sight import write_places

    stimuli = sets[WIDE]
    run = a_run(stimuli, tmp_path / "run", options)
    before = verdict(run)
    assert before.tone == "bad", before.verdict
    figures = v.open_run(run).estimates()
    table = write_places(run, model=MODEL)
    assert table.folder == run / "inside"
    seen = dict(table.critical.select("stimulus", CRITICAL_SEEN).iter_rows())
    expected = {each.id: in_crop(each) for each in stimuli.stimuli}
    assert seen == pytest.approx(expected, abs=0.1)
    assert min(abs(share - 0.5) for share in expected.values()) > 0.1
    changed = [expected[each.id] < 0.5 for each in stimuli.stimuli if each.variant == "P"]
    after = verdict(run)
    assert (after.verdict, after.tone) == (UNSEEN, "open")
    assert f"Of {sum(changed)} of {len(changed)} stimuli" in after.sure
    assert after.counts == before.counts
    unseen = sum(share < 0.5 for share in expected.values())
    (remark,) = v.open_run(run).remarks
    assert f"{MODEL} sees less than half of a critical region in {unseen} of {len(expected)} stimuli" in remark
    assert v.open_run(run).estimates() == figures
    profile = v.open_run(run).suite.evaluation.answers(v.open_run(run).result())
    assert {each.conclusion.tone for each in profile.values()} == {"open"}


def test_where_everything_is_seen_verdicts_are_as_they_were(sets, cropping, tmp_path: Path):
    from veridical.whitebox.sight import write_places

    run = a_run(sets[SQUARE], tmp_path / "run", MEMORY)
    before = verdict(run)
    table = write_places(run, model=MODEL)
    assert table.critical[CRITICAL_SEEN].min() == 1.0
    assert not table.by_kind().select("part", "unseen", "unmapped").sum_horizontal().sum()
    assert verdict(run) == before
    assert before.tone == "bad"


def test_a_run_is_analyzed_anew_and_a_damaged_table_is_one_line(sets, cropping, tmp_path: Path):
    from veridical.verbs.results.result import refresh
    from veridical.whitebox.sight import write_places

    run = a_run(sets[WIDE], tmp_path / "run", MEMORY)
    refresh(v.open_run(run))
    assert v.open_run(run).analyzed
    write_places(run, model=MODEL)
    assert not v.open_run(run).analyzed
    path = run / "inside" / "places-critical.parquet"
    for damaged in (b"no table", b""):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="is no table of critical regions: delete it"):
            v.open_run(run).outcomes()
    pl.DataFrame({"model": ["m"], "stimulus": ["x"], CRITICAL_SEEN: ["much"]}).write_parquet(path)
    with pytest.raises(InputError, match="is no table of critical regions"):
        v.open_run(run).outcomes()
    path.unlink()
    assert CRITICAL_SEEN not in v.open_run(run).outcomes().columns


def test_maps_are_measured_once_and_those_of_another_model_are_refused(sets, cropping, tmp_path: Path):
    from veridical.whitebox.sight import write_places

    costs = []
    first = write_places(sets[WIDE], tmp_path, MODEL, agree=costs.append)
    again = write_places(sets[WIDE], tmp_path, MODEL, agree=costs.append)
    assert [cost.passes for cost in costs] == [1 + 256 // 4 + 128 // 4, 0]
    assert again.critical.equals(first.critical)
    assert {(each.width, each.height) for each in first.maps} == {(256, 128)}
    with pytest.raises(InputError, match="places that differ in model: name a new folder"):
        write_places(sets[WIDE], tmp_path, "veridical-hf/another")
    with pytest.raises(InputError, match="places that differ in set"):
        write_places(sets[SQUARE], tmp_path, MODEL)
    with pytest.raises(InputError, match="--out FOLDER"):
        write_places(sets[WIDE], model=MODEL)


def test_frames_of_clips_have_the_regions_of_their_clip(cropping, tmp_path: Path):
    from veridical.whitebox.sight import write_places

    stimuli = v.make("magicbench", out=tmp_path / "set", tricks=["coin"], units=1, height=240, rate=12)
    table = write_places(stimuli, tmp_path / "places", MODEL, limit=1)
    (medium,) = stimuli.stimuli[0].media
    left = (medium.width - medium.height) / 2
    for name, seen in table.critical.select("stimulus", CRITICAL_SEEN).iter_rows():
        (stimulus,) = (each for each in stimuli.stimuli if each.id == name)
        rows = stimulus.truth["critical"]
        inside = sum(max(0, min(x1, medium.width - left) - max(x0, left)) * (y1 - y0) for _, x0, y0, x1, y1 in rows)
        assert seen == pytest.approx(inside / sum((x1 - x0) * (y1 - y0) for _, x0, y0, x1, y1 in rows), abs=0.05)


def test_a_suite_that_states_no_regions_says_so(cropping, tmp_path: Path):
    from veridical.whitebox.sight import write_places

    def squares(_seed: int):
        for unit in range(3):
            yield {"unit": unit, "picture": np.full((40, 60, 3), 9 * unit, np.uint8), "truth": unit > 1}

    before = dict(registry._REGISTERED)
    registry.register(v.simple_suite(name="gray", items=squares, question="Light?", options=("yes", "no")))
    table = write_places(v.make("gray", out=tmp_path / "set"), tmp_path / "places", MODEL)
    registry._REGISTERED.clear()
    registry._REGISTERED.update(before)
    assert table.critical[CRITICAL_SEEN].null_count() == len(table.critical) == 3
    assert not table.by_kind()["stated"].sum()
    assert table.maps[0].unseen == pytest.approx(1 / 3, abs=0.15)


EDGES = st.floats(-4, 24, allow_nan=False)


@given(st.lists(st.tuples(EDGES, EDGES, EDGES, EDGES), min_size=1, max_size=5), st.integers(0, 2**32 - 1))
def test_the_seen_share_of_boxes_is_that_of_their_pixels(boxes, seed):
    from veridical.internals.seen_area import SeenArea
    from veridical.internals.token_map import TokenMap

    random = np.random.default_rng(seed)
    corners = np.sort(random.uniform(0, 20, (3, 2, 2)), 1).reshape(3, 4)
    mapped = TokenMap(20, 20, np.vstack([corners, [np.nan] * 4]))
    boxes = [(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in boxes]
    pixels = []
    for x0, y0, x1, y1 in boxes:
        columns = [x for x in range(20) if round(x0) <= x < round(x1)] or [min(max(round(x0), 0), 19)]
        rows = [y for y in range(20) if round(y0) <= y < round(y1)] or [min(max(round(y0), 0), 19)]
        pixels += [mapped.seen[y, x] for y in rows for x in columns]
    assert SeenArea(mapped).share(boxes) == pytest.approx(np.mean(pixels))
