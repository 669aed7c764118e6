"""No statistic of the whole picture tells originals from perturbed figures better than it tells their controls."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

import veridical
from veridical.suite.shortcuts import STATISTICS, auc, statistics
from veridical.suites.viprobe.balance import breaches, drawn_separations, separations
from veridical.suites.viprobe.illusions import CASES

NUMBERS = st.lists(st.integers(-3, 3), min_size=1, max_size=12)


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: case.name)
def test_no_case_offers_a_shortcut_in_the_figure_alone(case):
    assert breaches(drawn_separations(case, units=40, seed=1)) == []


@given(NUMBERS, NUMBERS)
def test_the_auc_is_that_of_another_library(ones, others):
    u = mannwhitneyu(others, ones).statistic
    assert auc(np.array(ones, float), np.array(others, float)) == pytest.approx(u / len(ones) / len(others))


def test_statistics_are_those_of_a_plain_count():
    pixels = np.random.default_rng(0).integers(0, 256, (20, 30, 3), np.uint8)
    level = pixels @ np.array([0.299, 0.587, 0.114])
    found = dict(zip(STATISTICS, statistics(pixels), strict=True))
    steps = np.abs(np.diff(level, axis=0)).sum() + np.abs(np.diff(level, axis=1)).sum()
    assert found["mean"] == pytest.approx(level.mean(), rel=1e-5)
    assert found["deviation"] == pytest.approx(level.std(), rel=1e-4)
    assert found["gradients"] == pytest.approx(steps / level.size, rel=1e-4)
    assert found["chroma"] == pytest.approx(np.ptp(pixels, axis=2).mean(), rel=1e-5)
    assert found["mean, left less right"] == pytest.approx(level[:, :15].mean() - level[:, 15:].mean(), rel=1e-4)
    assert found["mean, top less bottom"] == pytest.approx(level[:10].mean() - level[10:].mean(), rel=1e-4)


def test_a_shortcut_is_seen():
    """Irradiation on plain black and white: the mean is the middle, exactly, where both shapes are equal."""
    rng = np.random.default_rng(0)
    found = {variant: [] for variant in ("O", "P", "OC", "PC")}
    for _ in range(20):
        side = rng.integers(10, 20)
        for variant, changed in (("O", 0), ("P", 4), ("OC", 0), ("PC", 4)):
            pixels = np.full((40, 80, 3), 188 if "C" in variant else 0, np.uint8)
            pixels[:, 40:] = 188 if "C" in variant else 255
            pixels[5 : 5 + side, 5 : 5 + side + changed] = 255
            pixels[5 : 5 + side, 45 : 45 + side] = 0
            found[variant].append(statistics(pixels))
    assert "mean" in breaches(separations(found))


def test_a_description_has_the_table_from_ten_units_on(tmp_path):
    asked = {"cases": ("chubb",), "levels": 2, "size": 128, "variants": ("O", "P", "OC", "PC")}
    large = veridical.make("viprobe", units=10, out=tmp_path / "large", **asked)
    facts = veridical.describe(large)["whole_picture"]["chubb"]
    assert set(facts) == set(STATISTICS)
    assert facts["mean, left less right"]["control"] > 0.95
    assert "| chubb |" in (large.folder / "README.md").read_text()
    small = veridical.make("viprobe", units=9, out=tmp_path / "small", **asked)
    assert veridical.describe(small)["whole_picture"] == {}
