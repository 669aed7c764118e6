"""Tests and intervals that hold at every look: by their formula, by small cases in full, and by their error rates."""

from itertools import product

import numpy as np
import pytest
import scipy

from veridical.stats.bets import (
    STAKES,
    betting_interval,
    wealth_against_at_least,
    wealth_against_at_most,
)
from veridical.stats.mixture import mixture_evidence, mixture_interval

RNG = np.random.default_rng(46)


def nulls(runs, n):
    """Sequences in [-1, 1] whose mean given the past is 0.15: coins, rare large values, alternation, and feedback."""
    coin = np.where(RNG.random((runs, n)) < 0.575, 1.0, -1.0)
    rare = np.where(RNG.random((runs, n)) < 0.15, 1.0, 0.0)
    spread = np.where(np.arange(n) % 2, coin, rare)
    follows = coin.copy()
    for place in range(1, n):
        follows[:, place] = np.where(follows[:, :place].sum(1) < 0, coin[:, place], rare[:, place])
    return {"coin": coin, "rare": rare, "alternating": spread, "feedback": follows}


def test_a_true_statement_is_rejected_at_most_as_often_as_stated_however_often_one_looks():
    runs, level = 600, 0.05
    for name, values in nulls(runs, 150).items():
        for against in (wealth_against_at_most, wealth_against_at_least):
            rejected = sum(against(row, 0.15, -1, 1).max() >= np.log(1 / level) for row in values)
            assert scipy.stats.binomtest(rejected, runs, level, alternative="greater").pvalue > 1e-3, name


def test_wealth_is_a_martingale_over_all_sequences_of_a_coin():
    for bias in (0.3, 0.5):
        expected = 0.0
        for outcomes in product((0.0, 1.0), repeat=7):
            weight = np.prod(np.where(np.array(outcomes) == 1, bias, 1 - bias))
            expected += weight * np.exp(wealth_against_at_most(outcomes, bias)[-1])
        assert expected == pytest.approx(1)


def test_wealth_is_what_the_bets_make_of_it():
    values, mean = RNG.random(12), 0.4
    capital = [np.prod([1 + share / mean * (value - mean) for value in values]) for share in STAKES]
    assert wealth_against_at_most(values, mean)[-1] == pytest.approx(np.log(np.mean(capital)))
    mirrored = wealth_against_at_least(1 - values, 1 - mean)
    assert mirrored == pytest.approx(wealth_against_at_most(values, mean))


@pytest.mark.parametrize("values", [[1.5], [-0.1], [0.2, 2]])
def test_a_value_that_cannot_be_is_refused(values):
    with pytest.raises(ValueError, match="are allowed"):
        wealth_against_at_most(values, 0.5)
    with pytest.raises(ValueError, match="must lie inside"):
        wealth_against_at_most([0.5], 1.0)


def test_the_betting_interval_holds_the_mean_of_units_at_all_looks():
    held = 0
    for _ in range(60):
        values = RNG.beta(2, 6, 80)
        low, high = betting_interval(values)
        held += low <= 0.25 <= high
        early = betting_interval(values[:30])
        assert early.low <= low + 1e-9
        assert high <= early.high + 1e-9
    assert held >= 55
    assert betting_interval([]) == (0.0, 1.0)
    assert betting_interval([0.5] * 40)[0] < 0.5 < betting_interval([0.5] * 40)[1]


def test_the_mixture_is_the_average_likelihood_over_the_prior():
    for hits, n, rate in ((0, 5, 0.2), (3, 5, 0.7), (7, 7, 0.9)):
        average = scipy.integrate.quad(
            lambda p, k=hits, of=n: p**k * (1 - p) ** (of - k) * scipy.stats.beta.pdf(p, 2.0, 3.0), 0, 1
        )[0]
        likelihood = rate**hits * (1 - rate) ** (n - hits)
        assert mixture_evidence(hits, n, rate, (2.0, 3.0)) == pytest.approx(np.log(average / likelihood), abs=1e-8)


def test_the_mixture_is_a_martingale_over_all_sequences():
    for rate in (0.1, 0.5, 0.97):
        weights = scipy.stats.binom.pmf(range(13), 12, rate)
        assert sum(weight * np.exp(mixture_evidence(hits, 12, rate)) for hits, weight in enumerate(weights)) == (
            pytest.approx(1)
        )


def test_the_interval_of_a_rate_holds_at_all_looks_and_ends_where_the_evidence_does():
    for hits, n in ((0, 40), (13, 40), (40, 40)):
        low, high = mixture_interval(hits, n)
        for end in {low, high} - {0.0, 1.0}:
            assert mixture_evidence(hits, n, end) == pytest.approx(np.log(20))
    missed = 0
    for _ in range(200):
        counts = np.cumsum(RNG.random(120) < 0.9)
        looks = [mixture_interval(int(counts[n - 1]), n) for n in (10, 20, 40, 80, 120)]
        missed += any(not low <= 0.9 <= high for low, high in looks)
    assert missed <= 20
    assert mixture_interval(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="0 to n"):
        mixture_evidence(3, 2, 0.5)
    assert mixture_evidence(1, 2, 0.0) == np.inf
