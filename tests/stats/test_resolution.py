"""What a design can measure, told before anything is asked, held against runs of observers that were not looked at."""

import numpy as np
import pytest

from veridical.stats import fit_same_different, fit_sigmoid, shift
from veridical.stats.fit import JND_PER_SIGMA
from veridical.stats.resolution import resolution, simulated_replies

FINE = [-1, -0.6, -0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.6, 1]
COARSE = [-1, -0.5, 0, 0.5, 1]
FITS = {"same": fit_same_different, "first": fit_sigmoid}


@pytest.fixture(scope="module", params=["same", "first"])
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def told(kind):
    return resolution(FINE, 20, 2, kind)


def fitted(kind, sigma, moved, seed, units=20):
    said = simulated_replies(
        np.array(FINE, float), units, 2, kind, sigma, np.random.default_rng([99, seed]), shift=moved
    )
    return FITS[kind](FINE, said, np.full(said.shape, 2))


def test_a_shift_as_large_as_told_is_found_and_a_third_of_it_is_not(kind, told):
    def found(moved):
        return sum((fitted(kind, 0.15, moved, seed).mu.low or -1) > 0 for seed in range(30))

    assert found(told.shift) >= 18
    assert found(told.shift / 3) <= 15


def test_jnds_between_those_told_are_bounded_from_both_sides(kind, told):
    places = np.random.default_rng(3).uniform(-0.2, 0.2, 30)
    for jnd in (told.finest, told.coarsest):
        fits = [fitted(kind, jnd / JND_PER_SIGMA, moved, seed) for seed, moved in enumerate(places)]
        assert sum(None not in (fit.sigma.low, fit.sigma.high) for fit in fits) >= 18


def test_more_units_and_finer_strengths_measure_more(kind):
    usual, coarse, few, many = (
        resolution(levels, units, 2, kind, runs=12)
        for levels, units in ((FINE, 20), (COARSE, 20), (FINE, 6), (FINE, 80))
    )
    assert coarse.shift > usual.shift
    assert few.shift > usual.shift
    assert coarse.finest is None or coarse.finest > usual.finest
    assert many.shift < usual.shift


def test_the_size_of_an_illusion_needs_a_shift_larger_by_the_root_of_two():
    told = resolution(FINE, 20, 2, "first")
    sizes = [
        shift(fitted("first", 0.15, 2**0.5 * told.shift, seed), fitted("first", 0.15, 0.0, 500 + seed))
        for seed in range(30)
    ]
    assert sum((size.low or -1) > 0 for size in sizes) >= 18


@pytest.mark.parametrize(("levels", "units"), [(COARSE, 2), ([-1, 0, 1], 2)])
def test_of_next_to_nothing_nothing_is_told(levels, units):
    found = resolution(levels, units, 1, "same", runs=10)
    assert found.finest is None
    assert found.coarsest is None
