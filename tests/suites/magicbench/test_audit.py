"""The audit of sampling rules: frames inside critical windows, counted by hand and with Wilson's interval."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suites.magicbench.stimuli import COUNT, RATE, clip, make_stimulus
from veridical.base.workers import Workers
from veridical.records import Chunk
from veridical.stats.intervals import wilson
from veridical.stimulus_set.write import write_set
from veridical.suites.magicbench.audit import audit, count_window_frames
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.stimuli import FACTORS

WINDOWS = [[2.0, 3.5], [0.3, 0.4], [2.9, 3.1], None]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    def make(options, chunk):
        for variant in ("trick", "honest"):
            shade = 60 if variant == "honest" else 100
            yield make_stimulus(variant, chunk.index, window=WINDOWS[chunk.index]), (clip(shade),)

    chunks = [Chunk("coin", index) for index in range(len(WINDOWS))]
    path = tmp_path_factory.mktemp("audited") / "set"
    write_set(path, "magicbench", MagicBenchOptions(), chunks, make, factors=FACTORS, workers=Workers(1))
    return path


def test_clips_with_a_frame_inside_are_counted_and_controls_are_not(folder):
    ((fine, coarse), without) = audit(folder, ["4fps", "uniform-4"])
    assert without == 1
    assert (fine.rule, fine.clips, fine.hit, fine.twice) == ("4fps", 3, 2, 1)
    assert fine.frames == pytest.approx((7 + 0 + 1) / 3)
    assert fine.interval == wilson(2 / 3, 3)
    # The centers of four bins of six seconds are at .75, 2.25, 3.75 and 5.25 s.
    assert (coarse.hit, coarse.twice, coarse.frames) == (1, 0, pytest.approx(1 / 3))


@given(st.floats(0, 5.9), st.floats(0, 3), st.sampled_from(["4fps", "uniform-7", "uniform-16-ends", "uniform-64"]))
def test_what_is_inside_is_on_display_there(start, length, rule):
    from veridical.media.derive import frame_times

    stimulus = make_stimulus("trick", window=[start, start + length])
    ((_, times),) = frame_times(stimulus, {"sampling": rule})
    begins = [k / RATE for k in range(COUNT)]
    shown = {max(begin for begin in begins if begin <= time + 1e-12) for time in times}
    assert count_window_frames(stimulus, rule) == sum(start <= begin <= start + length for begin in shown)


def test_what_cannot_be_seen_yet_is_not_inside():
    stimulus = make_stimulus("trick", window=[2.0, 3.5], first_visible=2.9)
    assert count_window_frames(stimulus, "4fps") == sum(2.9 <= k / 4 <= 3.5 for k in range(24))
    assert count_window_frames(make_stimulus("trick", window=[2.0, 3.5], first_visible=None), "4fps") == 7


def test_the_command_prints_a_row_per_rule_and_json(folder, called):
    code, out, _ = called("magicbench", "audit", folder, "--frames", "4fps", "--frames", "uniform-4")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["rule", "4fps", "uniform-4", "clips"]
    code, out, _ = called("magicbench", "audit", folder, "--json")
    rows = json.loads(out)["rules"]
    assert rows[0]["rule"] == "4fps"
    assert rows[0]["share"] == pytest.approx(2 / 3)
    assert json.loads(out)["without_window"] == 1


def test_other_rules_and_sets_without_windows_are_refused(folder, tmp_path, called):
    def make(options, chunk):
        yield make_stimulus("real", chunk.index, window=None), (clip(100),)

    bare = tmp_path / "bare"
    write_set(bare, "magicbench", MagicBenchOptions(), [Chunk("release", 0)], make, factors=FACTORS, workers=Workers(1))
    for words, message in (((folder, "--frames", "8fps"), "8fps"), ((bare,), "no clip of magicbench with a critical")):
        code, out, error = called("magicbench", "audit", *words)
        assert (code, out, len(error.splitlines())) == (2, "", 1)
        assert message in error
