"""Values of a base item's nuisances, drawn at random from a seed, a family and a number alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

import numpy as np

T = TypeVar("T")


class Nuisances:
    """Random values for one unit of a family: the same seed, family and index give the same ones in any process.

    `size` is the longer side of the pictures in px, and `scale` the factor from lengths that are stated at size 512.
    """

    def __init__(self, family: str, size: int, seed: int, index: int) -> None:
        self.size = size
        self.scale = size / 512
        self._family_rng = np.random.default_rng(entropy(seed, family))
        self._rng = np.random.default_rng(entropy(seed, family, index))
        self._index = index

    def between(self, low: float, high: float) -> float:
        """A number drawn evenly from an interval."""
        return float(self._rng.uniform(low, high))

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options, drawn evenly."""
        return options[int(self._rng.integers(len(options)))]

    def px(self, low: float, high: float) -> float:
        """A length drawn evenly from an interval that is stated in pixels at size 512, scaled to this size."""
        return self.between(low, high) * self.scale

    def stroke(self, low: float, high: float) -> float:
        """A stroke width drawn like `px`, never thinner than a pixel."""
        return max(1.0, self.px(low, high))

    def scatter(self) -> int:
        """A seed for what is strewn about; drawn last, so that nothing else depends on it."""
        return int(self._rng.integers(2**31))

    def in_turn(self, *factors: Sequence[str]) -> tuple[str, ...]:
        """One level of each factor; the crossed levels follow each other from unit to unit in a seeded order.

        Over any run of units each level of the first factor occurs as often as any other, to within one; the other
        factors are balanced over each full cycle.
        """
        position = self._index + int(self._family_rng.integers(math.prod(map(len, factors))))
        levels = []
        for options in factors:
            position, level = divmod(position, len(options))
            levels.append(options[level])
        return tuple(levels)


class BaseItem:
    """The nuisances of one unit, drawn when it is made: a family's subclass sets each of them as an attribute.

    Two are equal if their values are. Nothing changes them afterwards, so what is drawn from them can be cached.
    """

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))


def shuffle_items(items: Sequence[T], seed: int, unit: str) -> list[T]:
    """The items in an order that depends on the seed and the unit alone.

    >>> sorted(shuffle_items([1, 2, 3], 0, "boards/0000"))
    [1, 2, 3]
    """
    order = np.random.default_rng(entropy(seed, unit, "order")).permutation(len(items))
    return [items[index] for index in order]


def entropy(*parts: int | str) -> int:
    """A seed for NumPy's generators that depends on all parts, the same in any process."""
    return int.from_bytes(sha256("/".join(map(str, parts)).encode()).digest()[:16])
