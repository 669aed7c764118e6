"""Interval arithmetic on printed numbers: each represents every value that rounds to it.

Rounding is therefore never a contradiction. Bounds are exact fractions and closed, because papers do not say how they
round a half. A quantity that enters an expression twice widens the result and never narrows it, so every reported
disagreement is real.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from veridical.errors import InputError

ABOUT = Fraction(1, 10)
"""The tolerance of a number that a paper marks as approximate, as a share of it; ours, as papers state none."""

Fact = bool | None
"""Whether something holds for all unrounded values (`True`), for none (`False`), or for some (`None`)."""


@dataclass(frozen=True, slots=True)
class Range:
    """All values from `low` to `high`, both included. Raises `ValueError` if `low` is above `high`."""

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"a range from {float(self.low)} to {float(self.high)} is empty")

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Range:
        return Range(-self.high, -self.low)

    def __sub__(self, other: Range) -> Range:
        return self + -other

    def __mul__(self, other: Range) -> Range:
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Range(min(ends), max(ends))

    def __truediv__(self, other: Range) -> Range:
        """Raises `ZeroDivisionError` if the divisor may be 0."""
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError("the divisor may be 0")
        return self * Range(1 / other.high, 1 / other.low)

    def __abs__(self) -> Range:
        if self.low >= 0:
            return self
        return -self if self.high <= 0 else Range(Fraction(0), max(-self.low, self.high))

    def meets(self, other: Range) -> bool:
        """Whether the ranges overlap.

        >>> printed("0.28").meets(exact("10.07") / exact("35.35"))
        True
        """
        return self.low <= other.high and other.low <= self.high

    def above(self, other: Range) -> Fact:
        """Whether the value is greater than the other's.

        >>> printed("0.3").above(printed("0.25")), printed("0.3").above(printed("0.1"))
        (None, True)
        """
        if self.low > other.high:
            return True
        return False if self.high <= other.low else None

    def show(self, digits: int) -> str:
        """The range with `digits` decimals, bounds rounded outwards; a single number if the bounds are equal.

        >>> printed("1.97").show(3), exact("12").show(1)
        ('1.965 to 1.975', '12')
        """
        scale = 10**digits
        low, high = Fraction(math.floor(self.low * scale), scale), Fraction(math.ceil(self.high * scale), scale)
        if self.low == self.high:
            return f"{float(self.low):.{digits}f}" if self.low.denominator > 1 else str(self.low)
        return f"{float(low):.{digits}f} to {float(high):.{digits}f}"


def decimals(text: str) -> int:
    """The number of decimals of a printed number.

    >>> decimals("+1.650"), decimals("12")
    (3, 0)
    """
    return len(_plain(text).partition(".")[2])


def exact(value: str | int | Fraction) -> Range:
    """The value itself, for constants and counts. Floats are not accepted, since their digits are inexact."""
    number = Fraction(_plain(value)) if isinstance(value, str) else Fraction(value)
    return Range(number, number)


@lru_cache(maxsize=4096)
def printed(text: str) -> Range:
    """Every value that rounds to the number as printed.

    Allowed beside the digits: a sign, `~`, `≈`, `%` and `×`; a comma as decimal point or before the last three digits
    of a whole number. A number after `~` or `≈` stands for every value within `ABOUT` of it, a tolerance of ours.
    Raises `InputError` for anything else.

    >>> printed("-84.30").show(3), printed("37,31").show(3), printed("~62").show(1)
    ('-84.305 to -84.295', '37.305 to 37.315', '55.8 to 68.2')
    """
    plain = _plain(text)
    try:
        value = Fraction(plain)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"'{text}' is not a printed number: digits with at most one decimal point") from None
    half = Fraction(1, 2 * 10 ** decimals(text))
    if text.strip()[:1] in ("~", "≈"):
        half = max(half, abs(value) * ABOUT)
    return Range(value - half, value + half)


def shown(value: Range) -> str:
    """A range with the fewest decimals that widen it by at most half; a printed cell as printed.

    >>> shown(printed("12.0")), shown(exact("0.5")), shown(printed("12.0") / exact(7))
    ('11.95 to 12.05', '0.5', '1.707 to 1.722')
    """
    text = getattr(value, "text", None)
    if isinstance(text, str):
        return text
    width = value.high - value.low
    if width == 0:
        digits = next((d for d in range(4) if (value.low * 10**d).denominator == 1), 3)
        return f"{float(value.low):.{digits}f}"
    return value.show(next((d for d in range(4) if _outwards(value, d) <= width * Fraction(3, 2)), 4))


def _outwards(value: Range, digits: int) -> Fraction:
    """The width of a range with its bounds rounded outwards."""
    scale = 10**digits
    return Fraction(math.ceil(value.high * scale) - math.floor(value.low * scale), scale)


def mean(values: Iterable[Range], weights: Sequence[int | Fraction] | None = None) -> Range:
    """The mean, plain or with positive weights, one per value. Raises `ValueError` without values.

    >>> mean([printed("1.0"), printed("4.0")], [2, 1]).show(2)
    '1.95 to 2.05'
    """
    parts = list(values)
    if not parts:
        raise ValueError("the mean of no values")
    shares = [Fraction(weight) for weight in weights or [1] * len(parts)]
    total = sum(shares)
    pairs = list(zip(parts, shares, strict=True))
    low = sum((part.low * share for part, share in pairs), Fraction(0))
    high = sum((part.high * share for part, share in pairs), Fraction(0))
    return Range(low / total, high / total)


def highest(values: Iterable[Range]) -> Range:
    """The greatest of the values; `-highest(-value ...)` is the least."""
    parts = list(values)
    return Range(max(part.low for part in parts), max(part.high for part in parts))


def count(facts: Iterable[Fact]) -> Range:
    """The number of facts that hold, from the certain ones to all possible ones.

    >>> count([True, None, False]).show(0)
    '1 to 2'
    """
    parts = list(facts)
    sure = sum(fact is True for fact in parts)
    return Range(Fraction(sure), Fraction(sure + sum(fact is None for fact in parts)))


def _plain(text: str) -> str:
    """The sign, digits and decimal point of a printed number."""
    stripped = text.strip().strip("~≈%×").replace("−", "-").removeprefix("+")
    return re.sub(r",(?=\d{3}$)", "", stripped).replace(",", ".")
