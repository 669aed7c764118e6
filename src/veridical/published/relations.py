"""Ranks and correlations of printed numbers, with bounds for rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from veridical.published.ranges import Range


def rank(value: Range, among: Sequence[Range]) -> Range:
    """The rank of a value, 1 for the greatest; `among` contains it once, and ties count either way.

    >>> from veridical.published.ranges import exact, printed
    >>> rank(printed("5.0"), [printed("5.0"), printed("7.0"), printed("5.0")]).show(0)
    '2 to 3'
    """
    sure = sum(other.above(value) is True for other in among)
    may = sum(other.high >= value.low for other in among) - 1
    return Range(Fraction(1 + sure), Fraction(1 + may))


def tau(first: Sequence[Range], second: Sequence[Range]) -> Range:
    """Kendall's τ between two orders of the same things, −1 to 1; a pair that rounding may reverse counts both ways.

    >>> from veridical.published.ranges import exact
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

    >>> from veridical.published.ranges import exact, printed
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
