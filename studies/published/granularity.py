"""Granularity: which numbers of items are compatible with the printed digits of a rate.

A rate over n items has one of n + 1 values. With two decimals and n below 5,000, most printed numbers are none of them.
A rate, or a set of rates over the same items, therefore reveals n, or that no n fits (Brown and Heathers 2017).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from studies.published.ranges import printed


def counts(text: str, n: int, scale: int = 100, roundings: int = 1) -> range:
    """The whole counts k of n items whose rate `scale` × k / n rounds to `text`, halves in either direction.

    `scale` is 100 for percent, 1 for proportions. A mean of whole scores is a rate too: with n items of at most m
    points, the counts are sums of scores up to n × m. If the printed rate may be a mean of rounded rates, `roundings`
    is 2 and counts within one unit of the last digit are included. The result is empty if no whole count fits. Raises
    `ValueError` for n below 1.

    >>> list(counts("21.76", 239)), list(counts("27.76", 239))
    ([52], [])
    """
    if n < 1:
        raise ValueError(f"n is {n}: a rate needs at least 1 item")
    value = printed(text)
    again = (value.high - value.low) / 2 * (roundings - 1)
    least = max(math.ceil((value.low - again) * n / scale), 0)
    return range(least, math.floor((value.high + again) * n / scale) + 1)


def nearest(text: str, n: int, scale: int = 100) -> tuple[int, int]:
    """The whole counts below and above the printed rate.

    >>> nearest("27.76", 239)
    (66, 67)
    """
    value = printed(text)
    middle = (value.low + value.high) / 2 * n / scale
    return math.floor(middle), math.ceil(middle)


def sizes(texts: Iterable[str], largest: int, scale: int = 100) -> list[int]:
    """Every n up to `largest` for which each of the printed rates has a whole count.

    >>> sizes(["98.35", "71.90", "26.45"], 400)
    [121, 242, 363]
    """
    rates = list(texts)
    return [n for n in range(1, largest + 1) if all(len(counts(text, n, scale)) for text in rates)]
