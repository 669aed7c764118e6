"""Relative spatial density: against cases by hand and a plain loop, in files, and what is refused."""

import json
import math

import numpy as np
import pytest

from tests.calling import call
from tests.suites.magicbench.stimuli import SIDE, clip, make_stimulus
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Chunk
from veridical.stimulus_set.write import write_set
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.saliency import clip_density, densities, seen_share
from veridical.suites.magicbench.stimuli import FACTORS


def density_of(saliency, box):
    return clip_density([saliency], [box])


def test_a_uniform_map_is_indifferent_wherever_the_box_is():
    for box in ((0, 0, 3, 2), (1.5, 0.25, 4, 3), (7, 5, 8, 6)):
        assert density_of(np.full((6, 8), 0.3), box) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_that_of_a_plain_loop_and_free_of_scale(seed):
    rng = np.random.default_rng(seed)
    saliency, (x0, y0) = rng.random((9, 13)), rng.integers(0, 6, 2)
    box = (x0, y0, x0 + rng.integers(1, 7), y0 + rng.integers(1, 4))
    inside = [saliency[y, x] for y in range(9) for x in range(13) if box[0] <= x < box[2] and box[1] <= y < box[3]]
    outside = [
        saliency[y, x] for y in range(9) for x in range(13) if not (box[0] <= x < box[2] and box[1] <= y < box[3])
    ]
    expected = np.mean(inside) / np.mean(outside)
    assert density_of(saliency, box) == pytest.approx(expected)
    assert density_of(7 * saliency, box) == pytest.approx(expected)
    enlarged = np.kron(saliency, np.ones((3, 3)))
    assert density_of(enlarged, [3 * edge for edge in box]) == pytest.approx(expected)


def test_the_ends_are_nothing_inside_everything_inside_and_nothing_at_all():
    spot = np.zeros((4, 4), np.uint8)
    assert density_of(spot, (0, 0, 2, 2)) is None
    spot[0, 0] = 9
    assert density_of(spot, (0, 0, 2, 2)) == math.inf
    assert density_of(spot, (2, 2, 4, 4)) == 0
    assert density_of(spot, (-5, -5, 2, 2)) == math.inf


def test_frames_of_a_clip_are_summed_before_they_are_divided():
    strong, weak = np.ones((2, 2)), np.zeros((2, 2))
    strong[0, 0], weak[1, 1] = 7, 1
    assert clip_density([strong, weak], [(0, 0, 1, 1)] * 2) == pytest.approx((7 / 2) / (4 / 6))


@pytest.mark.parametrize(
    ("saliency", "box", "message"),
    [
        (np.ones(4), (0, 0, 1, 1), "shape"),
        (np.ones((2, 2, 3)), (0, 0, 1, 1), "shape"),
        (np.array([["a"]]), (0, 0, 1, 1), "shape"),
        (np.ones((0, 4)), (0, 0, 1, 1), "shape"),
        (np.array([[1.0, -1.0]]), (0, 0, 1, 1), "finite"),
        (np.array([[1.0, np.nan]]), (0, 0, 1, 1), "finite"),
        (np.array([[1.0, np.inf]]), (0, 0, 1, 1), "finite"),
        (np.ones((4, 4)), (2, 2, 2, 4), "no area"),
        (np.ones((4, 4)), (9, 9, 12, 12), "no area"),
        (np.ones((4, 4)), (0, 0, 4, 4), "covers all"),
        (np.ones((4, 4)), (math.nan, 0, 4, 4), "no area"),
    ],
)
def test_other_maps_and_boxes_are_refused(saliency, box, message):
    with pytest.raises(InputError, match=message):
        density_of(saliency, box)


@pytest.mark.parametrize("seed", range(5))
def test_what_is_not_seen_counts_on_neither_side(seed):
    rng = np.random.default_rng(seed)
    saliency, seen = rng.random((9, 13)), rng.random((9, 13)) < 0.6
    box = (2, 1, 9, 6)
    inside = np.zeros((9, 13), bool)
    inside[1:6, 2:9] = True
    expected = saliency[inside & seen].mean() / saliency[~inside & seen].mean()
    assert clip_density([saliency], [box], seen) == pytest.approx(expected)
    assert clip_density([saliency + 99 * ~seen], [box], seen) == pytest.approx(expected)
    assert clip_density([saliency], [box], np.ones((9, 13))) == density_of(saliency, box)
    assert seen_share(box, seen) == pytest.approx(seen[inside].mean())
    finer = np.kron(seen, np.ones((2, 2)))
    parts = finer.reshape(9, 2, 13, 2).mean((1, 3))
    assert clip_density([saliency], [box], parts) == pytest.approx(expected)


def test_a_box_that_is_half_seen_counts_for_what_is_seen_of_it_and_one_that_is_less_does_not(tmp_path):
    stimulus = make_stimulus()  # critical 8..16 × 8..16, placebo 20..28 × 8..16
    saliency = np.ones((1, SIDE, SIDE))
    saliency[0, 8:16, 8:12] = 3
    for cut, expected in ((13, None), (12, 1.0), (10, (2 * 3 + 4) / 6)):
        seen = np.arange(SIDE)[None, :].repeat(SIDE, 0) >= cut
        made = one_density(tmp_path, stimulus, saliency, seen)
        assert made.critical == (None if expected is None else pytest.approx(expected))
        assert (made.frames, made.unseen, made.not_seen) == (1, int(expected is None), expected is None)
        assert (made.unseen_placebo, made.placebo is None) == (0, False)


def one_density(folder, stimulus, saliency, seen):
    stored(folder, stimulus, [2.0], saliency, seen=seen)
    return next(densities([stimulus], folder))


@pytest.mark.parametrize(
    ("seen", "message"),
    [
        (np.ones((SIDE, SIDE + 1)), "seen of shape"),
        (np.ones((1, SIDE, SIDE)), "seen of shape"),
        (np.full((SIDE, SIDE), "a"), "seen of shape"),
        (np.full((SIDE, SIDE), 1.5), "0 to 1"),
        (np.full((SIDE, SIDE), -0.1), "0 to 1"),
        (np.full((SIDE, SIDE), np.nan), "0 to 1"),
    ],
)
def test_other_masks_are_refused(tmp_path, seen, message):
    with pytest.raises(InputError, match=message):
        one_density(tmp_path, make_stimulus(), np.ones((1, SIDE, SIDE)), seen)


def planted_presentations(folder, units, rng, change):
    """Maps whose density in the critical box differs by clip, and by a change between two presentations."""
    every = [make_stimulus(variant, index) for index in range(units) for variant in ("trick", "honest")]
    for stimulus in every:
        own = 20 + rng.normal()
        for name, more in (("before", 0), ("after", change + rng.normal() / 2)):
            saliency = np.ones((1, SIDE, SIDE))
            saliency[0, 8:16, 8:16] = own + more
            stored(folder / name, stimulus, [2.0], saliency)
    return every, {name: list(densities(every, folder / name)) for name in ("before", "after")}


def test_changes_are_paired_by_clip_and_their_intervals_are_over_units(tmp_path):
    from veridical.suites.magicbench.saliency_changes import compare_presentations

    every, made = planted_presentations(tmp_path, 12, np.random.default_rng(0), -1.0)
    first, second = compare_presentations(every, made)
    differences = np.array([b.critical - a.critical for a, b in zip(*made.values(), strict=True)])
    change = second.critical_change
    assert (change.clips, change.units, first.critical_change) == (24, 12, None)
    assert change.value == pytest.approx(differences.mean())
    assert second.critical - first.critical == pytest.approx(change.value)
    by_unit = differences.reshape(12, 2).mean(1)
    half = 2.201 * by_unit.std(ddof=1) / 12**0.5
    assert change.high - change.low == pytest.approx(2 * half, rel=0.1)
    lost = {**made, "after": made["after"][:5]}
    assert compare_presentations(every, lost)[1].critical_change.clips == 5
    alone = compare_presentations(every, {**made, "after": made["after"][:2]})[1].critical_change
    assert (alone.units, alone.low, alone.high) == (1, None, None)
    assert compare_presentations(every, {**made, "after": []})[1].critical_change.value is None


def test_the_interval_of_a_change_covers_it(tmp_path):
    from veridical.suites.magicbench.saliency_changes import compare_presentations

    inside, rng = 0, np.random.default_rng(1)
    for run in range(40):
        every, made = planted_presentations(tmp_path / str(run), 6, rng, 0.5)
        change = compare_presentations(every, made)[1].critical_change
        inside += change.low <= 0.5 <= change.high
    assert inside >= 0.85 * 40


def stored(folder, stimulus, times, saliency, **more):
    path = folder / f"{stimulus.id}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, times=np.array(times), saliency=saliency, **more)
    return path


def on_the_box(side=SIDE, time=2.0):
    """A map with twice the density in the critical box of the small clip, and the usual one in the placebo box."""
    made = np.ones((side, side))
    scale = side // SIDE
    made[8 * scale : 16 * scale, 8 * scale : 16 * scale] = 2
    return [0.0, time], np.stack([np.zeros((side, side)), made])


@pytest.mark.parametrize("side", [SIDE, 2 * SIDE])
def test_a_clips_maps_count_where_it_has_boxes_at_any_scale(tmp_path, side):
    stimulus = make_stimulus()
    stored(tmp_path, stimulus, *on_the_box(side))
    (own,) = densities([stimulus, make_stimulus("honest")], tmp_path)
    outside = (SIDE**2 - 64 - 64) * 1 + 2 * 64
    assert (own.stimulus, own.frames) == (stimulus.id, 1)
    assert own.critical == pytest.approx(2)
    assert own.placebo == pytest.approx(1 / (outside / (SIDE**2 - 64)))


def test_files_of_another_form_are_named(tmp_path):
    stimulus = make_stimulus()
    with pytest.raises(InputError, match="no maps of these clips"):
        list(densities([stimulus], tmp_path))
    path = stored(tmp_path, stimulus, [0.0], np.ones((2, SIDE, SIDE)))
    for content, message in (
        (None, "times of shape"),
        (b"no zip", "NPZ file"),
        (b"", "NPZ file"),
        (b"PK\x03\x04broken", "NPZ file"),
    ):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(InputError, match=message) as error:
            list(densities([stimulus], tmp_path))
        assert str(path) in str(error.value)
    np.savez(path, times=np.array([1.0]), other=np.ones(3))
    with pytest.raises(InputError, match="NPZ file"):
        list(densities([stimulus], tmp_path))
    np.savez(path, times=np.array([1.0]), saliency=np.array([[[{}]]], dtype=object))
    with pytest.raises(InputError, match="NPZ file"):
        list(densities([stimulus], tmp_path))
    stored(tmp_path, stimulus, [1.0, 1.25, 1.5], np.ones((2, SIDE, SIDE)))
    with pytest.raises(InputError, match=r"not \(3,\) float64 and \(2, 32, 32\)"):
        list(densities([stimulus], tmp_path))
    stored(tmp_path, stimulus, [np.nan], np.ones((1, SIDE, SIDE)))
    with pytest.raises(InputError, match="time nan"):
        list(densities([stimulus], tmp_path))
    stored(tmp_path, stimulus, [2.0], np.ones((1, SIDE, 2 * SIDE)))
    with pytest.raises(InputError, match="another shape"):
        list(densities([stimulus], tmp_path))


def test_the_command_has_the_kind_of_map_in_the_name(tmp_path, monkeypatch, capsys):
    def make(options, chunk):
        yield make_stimulus(), (clip(100),)

    write_set(
        tmp_path / "set",
        "magicbench",
        MagicBenchOptions(),
        [Chunk("coin", 0)],
        make,
        factors=FACTORS,
        workers=Workers(1),
    )
    stored(tmp_path / "maps", make_stimulus(), *on_the_box())
    words = ("magicbench", "density", str(tmp_path / "set"), str(tmp_path / "maps"), "--kind", "attention")
    code, out, _ = call(monkeypatch, capsys, *words)
    assert code == 0
    assert "relative spatial density (attention)" in out
    assert "2.000" in out
    code, out, _ = call(monkeypatch, capsys, *words, "--json")
    made = json.loads(out)
    assert made["name"] == "relative spatial density (attention)"
    assert made["clips"][0]["critical"] == pytest.approx(2)
    code, _, error = call(monkeypatch, capsys, *words[:3], str(tmp_path), *words[4:])
    assert (code, error.count("\n")) == (2, 1)
    stored(tmp_path / "other", make_stimulus(), [2.0], np.ones((1, SIDE, SIDE)))
    code, out, _ = call(monkeypatch, capsys, *words, str(tmp_path / "other"))
    assert code == 0
    lines = out.splitlines()[1:]
    assert lines[1:4] == ["maps: 1 clip", "  critical  2.000", "  placebo   0.938"]
    assert lines[4:6] == ["other: 1 clip, 1 of 1 unit in pairs", "  critical  1.000   -1.000"]
    assert lines[6].startswith("  placebo   1.000   +0.06")
    code, _, error = call(monkeypatch, capsys, *words, str(tmp_path / "maps"))
    assert (code, "have one name" in error) == (2, True)
