"""A rate of right and wrong answers, tested and bounded at every look, by a mixture over rates.

The likelihood of independent outcomes, averaged over a Beta prior of the rate and divided by the likelihood at the true
rate, is a nonnegative martingale that starts at 1. It exceeds 1 / α in at most the share α of all sequences, whenever
one stops (Ville 1939; Robbins 1970). The rates at which it is below form an interval that holds at all looks at once.
Outcomes of one unit that are alike are not independent: of units with several, bet on their means (`bets`).
"""

from __future__ import annotations

import numpy as np
import scipy
from scipy.special import betaln, xlog1py, xlogy

from veridical.stats.intervals import Interval

PRIOR = (0.5, 0.5)
"""The Beta distribution that is mixed over: Jeffreys' prior, which is narrow where the rate is near 0 or 1."""


def mixture_evidence(hits: int, n: int, rate: float, prior: tuple[float, float] = PRIOR) -> float:
    """The log of the martingale against a rate, from `hits` of `n` outcomes; at least ln(1 / α) rejects it at level α.

    0 without outcomes, infinite where the rate cannot give them. Raises ValueError for counts that are not.

    >>> round(mixture_evidence(50, 50, 0.9), 3), mixture_evidence(0, 0, 0.9)
    (2.737, 0.0)
    """
    _require_counts(hits, n)
    one, other = prior
    mixed = betaln(one + hits, other + n - hits) - betaln(one, other)
    return float(mixed - xlogy(hits, rate) - xlog1py(n - hits, -rate))


def mixture_interval(hits: int, n: int, level: float = 0.95, prior: tuple[float, float] = PRIOR) -> Interval:
    """The rates that are not rejected, a confidence interval that holds at all looks at once; [0, 1] without outcomes.

    >>> [round(end, 3) for end in mixture_interval(90, 100)]
    [0.772, 0.971]
    """
    _require_counts(hits, n)
    if not n:
        return Interval(0.0, 1.0)
    bar, best = np.log(1 / (1 - level)), min(max(hits / n, 1e-12), 1 - 1e-12)

    def above(rate: float) -> float:
        return float(mixture_evidence(hits, n, rate, prior) - bar)

    low = 0.0 if not hits or above(best) >= 0 else float(scipy.optimize.brentq(above, 1e-300, best))
    high = 1.0 if hits == n or above(best) >= 0 else float(scipy.optimize.brentq(above, best, 1 - 1e-16))
    return Interval(low, high)


def _require_counts(hits: int, n: int) -> None:
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} of {n} outcomes: 0 to n are allowed")
