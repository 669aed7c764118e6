"""What a case of an illusion is: one declarative record with the pure functions that draw it and read it back."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from veridical.media.draw import Item, Line, Scene
from veridical.media.draw.scene import Colour, Point
from veridical.records import Box, Json
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viprobe.illusions.view import Pixels, View

Category = Literal["size", "color", "orientation"]
Context = Literal["figure", "control", "clutter", "hint", "inducers"]
LazyItems = Callable[[], tuple[Item, ...]]
"""Items that are made when they are called for."""

INKS: Mapping[str, Colour] = {"red": (200, 0, 0), "blue": (0, 60, 200), "green": (0, 120, 0), "purple": (130, 0, 160)}
"""The colors of targets where color is not the question, by the name that a question may use.

Inducers and hints are neutral (black, grays, white), so that targets can be told from them by their chroma alone.
"""
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
HINT: Colour = (115, 115, 115)


@dataclass(frozen=True, slots=True)
class Factor:
    """What is changed: its name, its unit, the smallest change that is drawn, whether it grows with size.

    A measured value within `tolerance` of 0 is read as no change; the error of a reading stays well below it.
    """

    name: str
    unit: str
    least: float
    tolerance: float
    grows: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFigure:
    """A drawn case: what is asked about (targets), what misleads (inducers), the hint, and the ground of each context.

    Painted in the order inducers, hint, targets. `control_targets` are there for figures in which inducers and targets
    share their pixels; elsewhere the control shows the same targets. The hint depends on the base item alone: a ruler
    for the unchanged figure, hidden by targets and hiding none.

    `clutter` is the inducers scattered, the same at every strength; `None` where the case has no such picture.
    `clutter_targets` is there where figure and clutter share pixels with their targets. Both are made when they are
    called for, which takes longer than all the rest.
    """

    width: int
    height: int
    ground: Colour = WHITE
    control_ground: Colour = WHITE
    inducers: tuple[Item, ...]
    targets: tuple[Item, ...]
    hint: tuple[Item, ...]
    control_targets: tuple[Item, ...] | None = None
    clutter: LazyItems | None = None
    clutter_targets: LazyItems | None = None

    def scene(self, context: Context = "figure") -> Scene:
        """The whole figure, its matched control (targets alone), targets amid clutter, with the hint, inducers alone.

        Raises ValueError for clutter where there is none.
        """
        below, above = self.layers(context)
        return replace(below, items=below.items + above)

    def layers(self, context: Context = "figure") -> tuple[Scene, tuple[Item, ...]]:
        """`scene` in two: what stands around the targets on its ground, and what is painted over it."""
        if context == "control":
            targets = self.targets if self.control_targets is None else self.control_targets
            return Scene(self.width, self.height, self.control_ground, ()), targets
        if context == "clutter":
            if self.clutter is None:
                raise ValueError("this figure has no clutter")
            targets = self.targets if self.clutter_targets is None else self.clutter_targets()
            return Scene(self.width, self.height, self.ground, self.clutter()), targets
        hint = self.hint if context == "hint" else ()
        targets = () if context == "inducers" else self.targets
        return Scene(self.width, self.height, self.ground, self.inducers), hint + targets


class CaseItem(BaseItem):
    """A base item of a case: its canvas, and the side of the target that changes, `None` where all do."""

    def __init__(self, frame: CaseNuisances, *, wide: bool = False) -> None:
        """A square canvas, or one that is twice as wide as high."""
        self.width = frame.size
        self.height = round(frame.size / 2) if wide else frame.size
        self.changed: str | None = None

    def change(self, place: str, congruent: str, step: float) -> float:
        """By how much the target at a place changes: 0 if another does, else by `step`, downward if not congruent."""
        if place != self.changed:
            return 0.0
        return step if congruent == self.changed else -step

    def box(self, xs: tuple[float, float], ys: tuple[float, float]) -> Box:
        """The whole pixels that a rectangle touches, with one pixel to spare, inside the canvas."""
        return Box(
            max(math.floor(xs[0]) - 1, 0),
            max(math.floor(ys[0]) - 1, 0),
            min(math.ceil(xs[1]) + 1, self.width),
            min(math.ceil(ys[1]) + 1, self.height),
        )

    def figure(
        self,
        inducers: Iterable[Item],
        targets: Iterable[Item],
        hint: Iterable[Item],
        **others: Any,  # noqa: ANN401 (any other field of a figure)
    ) -> CaseFigure:
        """A figure on the canvas."""
        return CaseFigure(
            width=self.width,
            height=self.height,
            inducers=tuple(inducers),
            targets=tuple(targets),
            hint=tuple(hint),
            **others,
        )


class Measurement(NamedTuple):
    """What was read from the pixels: the signed value of the factor, in the factor's unit.

    For two targets the value is that of the first in reading order (top or left) minus that of the second; each other
    case says what a positive value means.
    """

    value: float


class CaseNuisances(Nuisances):
    """What a case samples a base item from.

    `grades`, where given, is the number of even steps of the base scale: unit k then has the k-th.
    """

    def __init__(self, case: str, size: int, seed: int, index: int, grades: int | None = None) -> None:
        super().__init__(case, size, seed, index)
        self._grades = grades

    def base_scale(self, low: float, high: float) -> float:
        """The case's main nuisance, drawn evenly from an interval, or the unit's step where the design is graded.

        Each case calls this once: for the overall size (size cases), the hue (color cases), or the number, width or
        place of inducers (orientation cases).
        """
        drawn = self.between(0, 1)
        if self._grades is not None:
            drawn = (self._index % self._grades) / max(self._grades - 1, 1)
        return low + (high - low) * drawn


class TargetComparison(NamedTuple):
    """The question which target has more; `positive` is the answer where the value is above 0, else `negative`."""

    question: str
    positive: str
    negative: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One illusion: what the eye sees, what is true, which factor varies and in what unit, where it was published.

    `sample` draws the nuisances of a base item, a `CaseItem`. `geometry(base, alpha)` is the figure with the change
    applied, and `value(base, alpha)` the physical change in the convention of `Measurement`. A positive alpha goes the
    way of the illusory impression; where the impression has no direction, `directed` is False.
    `regions(base)` bounds everything that any alpha changes. `read` gets a picture and nothing else, and returns
    `None` on a figure with targets of another kind; it may be shared by cases with the same kind of targets. From
    `smallest_size` on it reads every unit. Where `reads_chroma`, it looks at nothing but the chroma of pixels.

    Question templates may name fields of the base item. `question` is true of the unchanged figure, unless
    `yes_if_unchanged` is False; `question_reversed` is its exact logical complement. `state` completes "the targets are
    ..." for the unchanged figure, and `measurand` "measure ...". `inseparable` says why no picture of the inducers
    alone can be drawn, where that is so, and `no_clutter` why they cannot be scattered; `aligned` why the ends of equal
    targets stand level with each other, where they do; `departs` what of the published figure is deliberately not
    reproduced.
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
    comparison: TargetComparison | None
    state: str
    measurand: str
    sample: Callable[[CaseNuisances], Any]
    geometry: Callable[[Any, float], CaseFigure]
    value: Callable[[Any, float], float]
    regions: Callable[[Any], tuple[Box, ...]]
    read: Callable[[View], Measurement | None]
    departs: str = ""
    inseparable: str = ""
    no_clutter: str = ""
    aligned: str = ""
    smallest_size: int = 128
    directed: bool = True
    reads_chroma: bool = True
    yes_if_unchanged: bool = True
    novel: bool = False

    def base(self, size: int, seed: int, index: int, grades: int | None = None) -> Any:  # noqa: ANN401
        """The base item of that unit; it depends on (seed, case, index), the size and the grades alone."""
        return self.sample(CaseNuisances(self.name, size, seed, index, grades))

    def shows(self, context: Context) -> bool:
        """Whether the case has pictures of that context."""
        return not {"inducers": self.inseparable, "clutter": self.no_clutter}.get(context, "")

    def fill(self, base: Any, template: str) -> str:  # noqa: ANN401 (each case has its own record of nuisances)
        """A template with the fields of the base item filled in."""
        return template.format_map(vars(base))

    def measure(self, pixels: Pixels) -> Measurement | None:
        """What is read from pixels of shape (height, width, 3)."""
        return self.read(View(pixels))

    def is_same(self, measurement: Measurement) -> bool:
        """Whether the targets are equal (parallel, ...) as measured."""
        return abs(measurement.value) < self.factor.tolerance

    def answer(self, *, same: bool) -> str:
        """The true answer to the forward question, "1" or "0"."""
        return str(int(same == self.yes_if_unchanged))


def difference(first: float | None, second: float | None) -> Measurement | None:
    """The value of the first target minus that of the second; `None` where either could not be read."""
    return None if first is None or second is None else Measurement(first - second)


def nuisances(base: Any) -> dict[str, Json]:  # noqa: ANN401
    """The values that all variants of a base item share, as plain JSON."""
    return {key: round(value, 6) if isinstance(value, float) else value for key, value in vars(base).items()}


_DASH, _GAP = 5.0, 3.0


@lru_cache(maxsize=1024)
def dashes(start: Point, end: Point, width: float, colour: Colour = HINT) -> tuple[Line, ...]:
    """A dashed line between two points, dashes of five widths and gaps of three.

    All pictures of a base item have the same, which are made once.

    >>> len(dashes((0, 0), (80, 0), 2))
    5
    """
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def at(distance: float) -> Point:
        return start[0] + along[0] * distance, start[1] + along[1] * distance

    step = (_DASH + _GAP) * width
    count = math.ceil(length / step)
    return tuple(Line(at(k * step), at(min(k * step + _DASH * width, length)), width, colour) for k in range(count))
