"""Ranks and correlations of printed numbers, with bounds for rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist

import numpy as np

from studies.published.ranges import Range, exact


def rank(value: Range, among: Sequence[Range]) -> Range:
    """The rank of a value, 1 for the greatest; `among` contains it once, and ties count either way.

    >>> from studies.published.ranges import exact, printed
    >>> rank(printed("5.0"), [printed("5.0"), printed("7.0"), printed("5.0")]).show(0)
    '2 to 3'
    """
    sure = sum(other.above(value) is True for other in among)
    may = sum(other.high >= value.low for other in among) - 1
    return Range(Fraction(1 + sure), Fraction(1 + may))


def tau(first: Sequence[Range], second: Sequence[Range]) -> Range:
    """Kendall's τ between two orders of the same things, −1 to 1; a pair that rounding may reverse counts both ways.

    >>> from studies.published.ranges import exact
    >>> tau([exact(1), exact(2), exact(3)], [exact(9), exact(8), exact(7)]).show(1)
    '-1'
    """
    size = len(first)
    if size != len(second) or size < 2:
        raise ValueError(f"{size} and {len(second)} values: τ needs two equal lists of at least 2")
    low = high = 0
    for i in range(size):
        for j in range(i):
            up, also = first[i].above(first[j]), second[i].above(second[j])
            down, falls = first[j].above(first[i]), second[j].above(second[i])
            if True in (up, down) and True in (also, falls):
                sign = 1 if (up is True) == (also is True) else -1
                low, high = low + sign, high + sign
            else:
                low, high = low - 1, high + 1
    pairs = size * (size - 1) // 2
    return Range(Fraction(low, pairs), Fraction(high, pairs))


def pearson(first: Sequence[Range], second: Sequence[Range]) -> Range:
    """Pearson's correlation of two lists, −1 to 1, with bounds for rounding.

    r is the cosine of the angle between the centered lists; changing each value by at most e rotates a list of n by at
    most arcsin(e √n / its norm). Raises `ValueError` if lengths differ or are below 2. If all values of a list may be
    equal before rounding, r is undetermined, −1 to 1.

    >>> from studies.published.ranges import exact, printed
    >>> pearson([printed("1.0"), printed("2.0"), printed("3.0")], [exact(1), exact(2), exact(4)]).show(2)
    '0.96 to 1.00'
    """
    if len(first) != len(second) or len(first) < 2:
        raise ValueError(f"{len(first)} and {len(second)} values: a correlation needs two equal lists of at least 2")
    x, y = (np.array([float(part.low + part.high) / 2 for part in parts]) for parts in (first, second))
    x, y = x - x.mean(), y - y.mean()
    turn = 0.0
    for centered, parts in ((x, first), (y, second)):
        most = max(float(part.high - part.low) / 2 for part in parts)
        length = float(np.linalg.norm(centered))
        if length <= most * math.sqrt(len(parts)) or length == 0:
            return Range(Fraction(-1), Fraction(1))
        turn += math.asin(most * math.sqrt(len(parts)) / length)
    angle = math.acos(float(np.clip(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)), -1, 1)))
    ends = [math.cos(min(angle + turn, math.pi)), math.cos(max(angle - turn, 0.0))]
    return Range(Fraction(min(ends)), Fraction(max(ends)))


def f1(precision: Range, recall: Range) -> Range:
    """F1, the harmonic mean of precision and recall, in their unit. Raises `ZeroDivisionError` if one may be 0.

    >>> from studies.published.ranges import printed
    >>> f1(printed("77.78"), printed("32.72")).show(2)
    '46.05 to 46.07'
    """
    return exact(2) / (exact(1) / precision + exact(1) / recall)


def fisher(first: Sequence[Range], second: Sequence[Range]) -> Range:
    """The 95 % interval of a correlation by Fisher's transformation, at the middle of the printed digits.

    Raises `ValueError` for fewer than four pairs.

    >>> from studies.published.ranges import exact
    >>> fisher([exact(n) for n in (1, 2, 3, 4, 5)], [exact(n) for n in (1, 3, 2, 5, 4)]).show(2)
    '-0.28 to 0.99'
    """
    if len(first) < 4:
        raise ValueError(f"{len(first)} pairs: an interval of a correlation needs at least 4")
    r = pearson(first, second)
    middle = math.atanh(max(min(float(r.low + r.high) / 2, 1 - 1e-12), 1e-12 - 1))
    half = NormalDist().inv_cdf(0.975) / math.sqrt(len(first) - 3)
    return Range(Fraction(math.tanh(middle - half)), Fraction(math.tanh(middle + half)))


def fisher_mean(values: Sequence[Range]) -> Range:
    """The mean of correlations on Fisher's scale, where they are nearly normal.

    >>> from studies.published.ranges import printed
    >>> fisher_mean([printed("0.90"), printed("0.50")]).show(2)
    '0.75 to 0.78'
    """
    sides = [[math.atanh(float(end)) for end in ends] for ends in zip(*((v.low, v.high) for v in values), strict=True)]
    return Range(*(Fraction(math.tanh(sum(ends) / len(ends))) for ends in sides))


def spread(score: Range, items: int, most: int = 10) -> Range:
    """The standard errors that a mean of whole scores from 0 to `most` can have over a number of items.

    Least where all scores are next to the mean, greatest where all are 0 or `most`; in the unit of the score.

    >>> from studies.published.ranges import printed
    >>> spread(printed("3.3"), 100).show(2)
    '0.04 to 0.48'
    """
    ends = [score.low, score.high]
    steps = [each - math.floor(each) for each in ends]
    few = 0.0 if math.floor(ends[0]) != math.floor(ends[1]) else min(float(s * (1 - s)) for s in steps)
    wide = max(float(each * (most - each)) for each in ends)
    return Range(*(Fraction(math.sqrt(max(square, 0.0) / items)) for square in (few, wide)))


def pooled(least: Sequence[Range], plain: Range, weights: Sequence[int]) -> Range:
    """Range of the weighted mean of rates in percent, given their plain mean and a lower bound of each.

    Each rate is between its lower bound and 100. Raises `ValueError` if no such rates have that plain mean.

    >>> pooled([exact(0), exact(0)], exact(75), [1, 3]).show(1)
    '62.5 to 87.5'
    """
    floor, total = [rate.low for rate in least], sum(weights)
    spare = [end * len(floor) - sum(floor) for end in (plain.low, plain.high)]
    if spare[1] < 0 or spare[0] > sum(100 - rate for rate in floor):
        raise ValueError("no rates above these bounds have that mean")
    pairs = sorted(zip((int(weight) for weight in weights), floor, strict=True))
    return Range(_filled(pairs, spare[0]) / total, _filled(pairs[::-1], spare[1]) / total)


def _filled(pairs: Sequence[tuple[int, Fraction]], spare: Fraction) -> Fraction:
    """The weighted sum of the rates after raising them to 100 one by one, by `spare` in total."""
    value = Fraction(0)
    for weight, rate in pairs:
        raised = min(max(spare, Fraction(0)), 100 - rate)
        value += weight * (rate + raised)
        spare -= raised
    return value
