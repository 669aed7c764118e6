"""The curve of patched runs: shares that were planted come back, with what is undefined said to be so."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from veridical.internals.patch_curve import curve_svg, patch_curve

DEPTHS = ("projector", "language.0", "language.1", "language.2")


def row(unit: int, group: str, shares, rng, options: int = 2, size: float = 1.0, spread: float = 0.0):
    """A pair whose patched runs have these shares of what its picture changes, and noise beside."""
    clean = rng.normal(-3, 0.2, options)
    donor = clean + size * rng.normal(0, 1, options)
    runs = {
        name: (clean + (share + spread * rng.normal()) * (donor - clean) + rng.normal()).tolist()
        for name, share in zip(DEPTHS, shares, strict=True)
    }
    facts = dict.fromkeys(("trial", "stimulus", "clean_trial"), f"{unit}") | {"family": "f", "problem": None}
    return {
        **facts,
        "unit": str(unit),
        "group": group,
        "answers": list("ABCD")[:options],
        "clean": clean.tolist(),
        "donor": donor.tolist(),
        **runs,
    }


@pytest.mark.parametrize("options", [2, 4])
def test_planted_shares_come_back_exactly_and_groups_are_compared(options):
    rng = np.random.default_rng(0)
    planted = {"figure": (1.0, 0.9, 0.4, 0.0), "control": (1.0, 0.3, 0.1, 0.0)}
    rows = [row(unit, group, shares, rng, options) for unit in range(12) for group, shares in planted.items()]
    curve = patch_curve(pl.DataFrame(rows))
    for group, shares in planted.items():
        own = curve.filter(group=group)
        assert own["depth"].to_list() == list(DEPTHS)
        np.testing.assert_allclose(own["share"], shares, atol=1e-9)
        np.testing.assert_allclose(own["share_high"] - own["share_low"], 0, atol=1e-9)
        assert set(own["pairs"]) == set(own["units"]) == {12}
    differences = curve.filter(group="control")["difference"]
    np.testing.assert_allclose(differences, np.subtract(planted["control"], planted["figure"]), atol=1e-9)
    assert curve.filter(group="figure")["difference"].null_count() == len(DEPTHS)
    ends = curve.filter(pl.col("changed") > 0)
    assert ends.filter(depth="projector")["answers"].to_list() == [1.0, 1.0]
    assert ends.filter(depth="language.2")["answers"].to_list() == [0.0, 0.0]


def test_the_effect_of_two_answers_is_the_change_of_their_log_odds():
    rng = np.random.default_rng(1)
    rows = [row(unit, "g", (1, 1, 0, 0), rng) for unit in range(5)]
    odds = [np.subtract(*each["donor"]) - np.subtract(*each["clean"]) for each in rows]
    assert patch_curve(pl.DataFrame(rows))["effect"][0] == pytest.approx(np.abs(odds).mean())


def test_intervals_are_over_units_and_not_over_pairs():
    rng = np.random.default_rng(2)
    rows = [row(unit, "g", (1, 0.5, 0.5, 0), rng, spread=0.5) for unit in range(20)]
    once = patch_curve(pl.DataFrame(rows)).row(1, named=True)
    often = patch_curve(pl.DataFrame(rows * 9)).row(1, named=True)
    assert often["pairs"] == 9 * once["pairs"]
    assert (often["share"], often["share_low"]) == pytest.approx((once["share"], once["share_low"]))
    assert once["share_low"] < once["share"] < once["share_high"]


def test_the_interval_of_a_share_covers_it():
    rng, inside, times = np.random.default_rng(3), 0, 60
    for _ in range(times):
        rows = [row(unit, "g", (1, 0.6, 0.5, 0), rng, spread=0.4) for unit in range(15)]
        one = patch_curve(pl.DataFrame(rows)).row(1, named=True)
        inside += one["share_low"] <= 0.6 <= one["share_high"]
    assert inside >= 0.85 * times


def test_pictures_that_change_nothing_have_no_share_and_a_reason():
    rng = np.random.default_rng(4)
    rows = [row(unit, group, (1, 1, 1, 0), rng, size=size) for unit in range(4) for group, size in (("a", 0), ("b", 1))]
    curve = patch_curve(pl.DataFrame(rows))
    nothing = curve.filter(group="a")
    assert nothing["share"].null_count() == nothing["answers"].null_count() == len(DEPTHS)
    assert set(nothing["reason"]) == {"the pictures of its pairs change no answer's probability"}
    assert curve.filter(group="b")["difference"].null_count() == len(DEPTHS)
    drawn = curve_svg(curve)
    effect = curve.filter(group="b")["effect"][0]
    assert f"<!-- b ({effect:.2g} nats, 4 units) -->" in drawn
    assert "<!-- a (" not in drawn


def test_one_unit_has_no_interval_and_a_pair_with_a_problem_is_left_out():
    rng = np.random.default_rng(5)
    sound, lost = (row(unit, "g", (1, 0.5, 0, 0), rng) for unit in (0, 1))
    lost |= {"problem": "too long", "clean": None, "donor": None} | dict.fromkeys(DEPTHS)
    curve = patch_curve(pl.DataFrame([sound, lost]))
    assert curve["share"].to_list() == pytest.approx([1, 0.5, 0, 0])
    assert curve["share_low"].null_count() == len(DEPTHS)
    assert curve["units"].to_list() == [1] * len(DEPTHS)
    assert len(patch_curve(pl.DataFrame([lost]))) == 0
    assert "<svg" in curve_svg(patch_curve(pl.DataFrame([lost])))
