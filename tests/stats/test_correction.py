"""Adjusted p-values and rank agreement against other libraries' numbers and against their definitions."""

import gc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.stats import benjamini_hochberg, holm, kendall_tau


@pytest.fixture(scope="module", autouse=True)
def _kept():
    """What is there before is no garbage, and statsmodels collects garbage each time that it corrects."""
    gc.freeze()
    yield
    gc.unfreeze()


FAMILIES = st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=30)


@pytest.mark.parametrize(("ours", "theirs"), [(holm, "holm"), (benjamini_hochberg, "fdr_bh")])
@given(p=FAMILIES)
def test_adjusted_p_values_are_those_of_statsmodels(ours, theirs, p):
    from statsmodels.stats.multitest import multipletests

    known = [each for each in p if each is not None]
    expected = multipletests(known, method=theirs)[1] if known else []
    adjusted = ours(p)
    assert [each is None for each in adjusted] == [each is None for each in p]
    assert [each for each in adjusted if each is not None] == pytest.approx(list(expected), abs=1e-12)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_a_p_value_that_cannot_be_is_refused(adjust):
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="p-values"):
            adjust([0.5, wrong])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12))
def test_tau_counts_the_pairs_that_both_rankings_order_alike(pairs):
    first, second = zip(*pairs, strict=True)
    signs = [(np.sign(a - c), np.sign(b - d)) for (a, b), (c, d) in combinations(pairs, 2)]
    one, two = (sum(pair[place] != 0 for pair in signs) for place in (0, 1))
    tau = kendall_tau(first, second)
    if one == 0 or two == 0:
        assert tau is None
    else:
        assert tau == pytest.approx(sum(a * b for a, b in signs) / np.sqrt(one * two), abs=1e-12)


def test_rankings_of_different_things_are_refused():
    with pytest.raises(ValueError, match="rankings"):
        kendall_tau([1, 2], [1, 2, 3])
