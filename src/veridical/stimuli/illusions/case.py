"""What a case of an illusion is: one declarative record with the pure functions that draw it and read it back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from veridical.draw import Item, Scene
from veridical.draw.scene import Colour
from veridical.records import Box, Json

Category = Literal["size", "color", "orientation"]
Pixels = NDArray[np.uint8]
T = TypeVar("T")

INKS: Mapping[str, Colour] = {"black": (0, 0, 0), "red": (200, 0, 0), "blue": (0, 60, 200), "green": (0, 120, 0)}
"""The colours of strokes where colour is not the question, by the name that a question may use."""


@dataclass(frozen=True, slots=True)
class Factor:
    """What is changed: its name, its unit, the smallest change that counts as visible, whether it grows with size."""

    name: str
    unit: str
    visible: float
    grows: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawn case: what is asked about (targets), what misleads (inducers), and the ground under either context."""

    width: int
    height: int
    ground: Colour
    control_ground: Colour
    inducers: tuple[Item, ...]
    targets: tuple[Item, ...]

    def scene(self, *, inducers: bool = True, targets: bool = True) -> Scene:
        """The scene with or without inducers (the matched control) and targets; targets are painted last."""
        ground = self.ground if inducers else self.control_ground
        items = (self.inducers if inducers else ()) + (self.targets if targets else ())
        return Scene(self.width, self.height, ground, items)


class Measurement(NamedTuple):
    """What was read from the pixels: the signed value of the factor, in the factor's unit.

    For two targets the value is that of the first in reading order (top or left) minus that of the second; for
    alternating tilts it is half the difference between odd and even lines, counter-clockwise positive.
    """

    value: float


class Frame:
    """What a case samples a base item from: the size asked for, and randomness that depends on (seed, case, unit)."""

    def __init__(self, case: str, size: int, seed: int, index: int) -> None:
        self.size = size
        self.scale = size / 512
        self._case_rng = np.random.default_rng(_entropy(seed, case))
        self._rng = np.random.default_rng(_entropy(seed, case, index))
        self._index = index

    def between(self, low: float, high: float) -> float:
        """A number drawn evenly from an interval."""
        return float(self._rng.uniform(low, high))

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options, drawn evenly."""
        return options[int(self._rng.integers(len(options)))]

    def px(self, low: float, high: float) -> float:
        """A length drawn evenly from an interval that is given in pixels at size 512, scaled to this size."""
        return self.between(low, high) * self.scale

    def stroke(self, low: float, high: float) -> float:
        """A stroke width drawn like `px`, never thinner than a pixel."""
        return max(1.0, self.px(low, high))

    def in_turn(self, *factors: Sequence[str]) -> tuple[str, ...]:
        """One level of each factor; the crossed levels follow each other from unit to unit in a seeded order.

        Over any run of units each level of the first factor occurs as often as any other, to within one; the other
        factors are balanced over each full cycle.
        """
        position = self._index + int(self._case_rng.integers(math.prod(map(len, factors))))
        levels = []
        for options in factors:
            position, level = divmod(position, len(options))
            levels.append(options[level])
        return tuple(levels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One illusion: what the eye sees, what is true, which factor varies and in what unit, where it was published.

    `sample` draws the nuisances of a base item (a frozen dataclass with a field `changed`: the side of the target that
    changes, or `None` where all do). `geometry(base, alpha)` is the figure with the change applied, and
    `value(base, alpha)` the physical change in the convention of `Measurement`. A positive alpha goes the way of the
    illusory impression.
    `regions(base)` bounds everything that any alpha changes. `measure` gets pixels of shape (height, width, 3) and
    nothing else, and returns `None` on a figure that is not of this kind; from `smallest_size` on it reads every unit.
    Question templates may name fields of the base item.
    """

    name: str
    number: int
    title: str
    category: Category
    sees: str
    truth: str
    source: str
    factor: Factor
    question: str
    question_reversed: str
    sample: Callable[[Frame], Any]
    geometry: Callable[[Any, float], Figure]
    value: Callable[[Any, float], float]
    regions: Callable[[Any], tuple[Box, ...]]
    measure: Callable[[Pixels], Measurement | None]
    smallest_size: int = 64

    def base(self, size: int, seed: int, index: int) -> Any:  # noqa: ANN401 (each case has its own record of nuisances)
        """The base item of that unit; it depends on (seed, case, index) and the size alone."""
        return self.sample(Frame(self.name, size, seed, index))

    def questions(self, base: Any) -> tuple[str, str]:  # noqa: ANN401
        """The forward question (true of the unchanged figure) and its exact logical complement."""
        fields = asdict(base)
        return self.question.format_map(fields), self.question_reversed.format_map(fields)

    def is_same(self, measurement: Measurement) -> bool:
        """Whether the targets are equal (parallel, ...) as measured: nearer to no change than to a visible one."""
        return abs(measurement.value) < self.factor.visible / 2


def box_around(xs: tuple[float, float], ys: tuple[float, float], width: int, height: int) -> Box:
    """The whole pixels that a rectangle touches, with one pixel to spare, inside the canvas."""
    return Box(
        max(math.floor(xs[0]) - 1, 0),
        max(math.floor(ys[0]) - 1, 0),
        min(math.ceil(xs[1]) + 1, width),
        min(math.ceil(ys[1]) + 1, height),
    )


def nuisances(base: Any) -> dict[str, Json]:  # noqa: ANN401
    """The values that all variants of a base item share, as plain JSON."""
    return {key: round(value, 6) if isinstance(value, float) else value for key, value in asdict(base).items()}


def _entropy(*parts: int | str) -> int:
    return int.from_bytes(sha256("/".join(map(str, parts)).encode()).digest()[:16])
