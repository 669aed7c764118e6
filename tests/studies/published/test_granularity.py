"""The counts that printed digits allow are those that a search over all counts finds."""

from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.published.granularity import counts, nearest, sizes

SIZES = st.integers(1, 400)


def rate(k, n, digits, mode, scale=100):
    with localcontext() as context:
        context.prec = 40
        return (Decimal(scale * k) / Decimal(n)).quantize(Decimal(1).scaleb(-digits), mode)


@given(st.integers(0, 10_000), SIZES, st.integers(0, 2))
def test_counts_are_those_of_a_search_over_all_counts(hundredths, n, digits):
    printed = str(Decimal(hundredths).scaleb(-2).quantize(Decimal(1).scaleb(-digits)))
    modes = (ROUND_HALF_UP, ROUND_HALF_DOWN)
    brute = [k for k in range(n + 1) if any(rate(k, n, digits, mode) == Decimal(printed) for mode in modes)]
    assert [k for k in counts(printed, n) if k <= n] == brute


@given(SIZES, st.data(), st.integers(1, 2), st.sampled_from([ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN]))
def test_the_true_count_is_always_among_those_allowed(n, data, digits, mode):
    k = data.draw(st.integers(0, n))
    assert k in counts(str(rate(k, n, digits, mode)), n)


@given(SIZES, st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_a_mean_of_rounded_rates_is_allowed_for(n, shares):
    runs = [round(share * n) for share in shares]
    rates = [rate(k, n, 2, ROUND_HALF_EVEN) for k in runs]
    shown = (sum(rates) / len(rates)).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
    assert sum(runs) in counts(str(shown), n * len(runs), roundings=2)


@given(SIZES, st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_the_true_size_and_its_multiples_are_among_those_allowed(n, shares):
    rates = [str(rate(round(share * n), n, 2, ROUND_HALF_UP)) for share in shares]
    assert {size for size in (n, 2 * n) if size <= 500} <= set(sizes(rates, 500))


@given(st.integers(0, 10_000), SIZES)
def test_a_rate_that_no_count_gives_lies_between_its_neighbours(hundredths, n):
    shown = str(Decimal(hundredths).scaleb(-2))
    low, high = nearest(shown, n)
    assert 0 <= high - low <= 1
    assert low * 100 <= Decimal(shown) * n <= high * 100


def test_no_items_have_no_rate():
    with pytest.raises(ValueError, match="at least 1"):
        counts("50.0", 0)
