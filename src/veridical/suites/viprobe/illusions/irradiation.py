"""Figures in which white areas look larger than equal black ones."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from veridical.media.draw import Disc, Line, Polygon, Rectangle
from veridical.media.draw.colour import mean_light
from veridical.media.draw.scene import Colour
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    BLACK,
    WHITE,
    Case,
    CaseFigure,
    CaseItem,
    CaseNuisances,
    Factor,
    Measurement,
    TargetComparison,
    dashes,
)
from veridical.suites.viprobe.illusions.view import Pixels, View, label_areas

_REACH = 0.5
Bounds = tuple[float, float]
_DARK_HINT: Colour = (85, 85, 85)
_DARKER_HINT: Colour = (60, 60, 60)
_PALE_HINT: Colour = (165, 165, 165)
_RADIUS = 1 / (2 * math.sin(math.pi / 5))
"""The circumradius of a regular pentagon, in sides."""


class Irradiation(CaseItem):
    """A white shape on a dark ground beside an equal black shape on a light one.

    `side` is the length of one of its sides. The levels of the grounds, `dark` and `light`, and where the squares'
    meet, `between`, differ from unit to unit: else equal shapes, and they alone, would make up an exact middle gray.
    """

    between: float

    def __init__(self, frame: CaseNuisances, side: Bounds, x: Bounds, y: Bounds) -> None:
        """`x` bounds the middle of the left shape, that of the right one lies half a canvas further."""
        super().__init__(frame, wide=True)
        self.changed, self.white = frame.in_turn(("left", "right"), ("left", "right"))
        self.side = frame.base_scale(*side) * frame.scale
        self.left, self.right = frame.px(*x), frame.px(256 + x[0], 256 + x[1])
        self.left_y, self.right_y = frame.px(*y), frame.px(*y)
        self.dark, self.light = round(frame.between(0, 110)), round(frame.between(145, 255))


class IrradiationSquares(Irradiation):
    """Squares on two halves of the canvas."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, (76, 116), (118, 138), (116, 140))
        half, clear = self.side / 2, 12 * frame.scale
        left, right = (half * (1 + _REACH if place == self.changed else 1) + clear for place in ("left", "right"))
        self.between = frame.between(self.left + left, self.right - right)


class IrradiationPentagons(Irradiation):
    """Pentagons about circumcentres at that height, on discs of a radius; a corner `points` up or down."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, (50, 66), (121, 135), (123, 133))
        self.between = frame.size / 2
        self.disc = frame.px(101, 109)
        self.points = frame.one_of(("up", "down"))


def _side(base: Irradiation, place: str, alpha: float) -> float:
    """The side of a shape; congruent change enlarges the white one, which looks larger, or reduces the black one."""
    return base.side * (1 + base.change(place, base.white, _REACH * alpha))


class _Shape(NamedTuple):
    """A white or black shape: where its middle is, its side, its color, and that of what it lies on."""

    place: str
    x: float
    y: float
    side: float
    colour: Colour
    ground: Colour


def _shapes(base: Irradiation, alpha: float) -> tuple[_Shape, _Shape]:
    """Both shapes, the left one first."""
    dark, light = (base.dark,) * 3, (base.light,) * 3
    left, right = ((WHITE, dark), (BLACK, light)) if base.white == "left" else ((BLACK, light), (WHITE, dark))
    return (
        _Shape("left", base.left, base.left_y, _side(base, "left", alpha), *left),
        _Shape("right", base.right, base.right_y, _side(base, "right", alpha), *right),
    )


def _middle(base: Irradiation) -> Colour:
    """The ground with the mean light of both."""
    return mean_light((base.dark,) * 3, (base.light,) * 3)


def _seen_on(ground: Colour) -> Colour:
    return _PALE_HINT if ground[0] < 128 else _DARK_HINT


def _square(base: Irradiation, alpha: float) -> CaseFigure:
    shapes = _shapes(base, alpha)
    left, right = shapes
    squares = []
    for _, x, y, side, colour, _ in shapes:
        squares.append(Rectangle(x - side / 2, y - side / 2, x + side / 2, y + side / 2, colour))
    half = base.side / 2
    hint = [
        ruler
        for shape, start, end in ((left, 0.0, base.between), (right, base.between, float(base.width)))
        for ruler in _rulers(base, shape, (start, end), (-half, half), half * (1 + _REACH), _seen_on(shape.ground))
    ]
    return base.figure(
        ground=left.ground,
        control_ground=mean_light(left.ground, right.ground, shares=(base.between, base.width - base.between)),
        inducers=(Rectangle(base.between, 0, base.width, base.height, right.ground),),
        targets=squares,
        hint=hint,
    )


def _pentagon(base: IrradiationPentagons, alpha: float) -> CaseFigure:
    up = 1 if base.points == "up" else -1
    pentagons, discs, hint = [], [], []
    circumradius = base.side * _RADIUS
    ys = -up * circumradius, up * circumradius * math.cos(math.pi / 5)
    for shape, start, end in zip(
        _shapes(base, alpha), (0.0, base.width / 2), (base.width / 2, base.width), strict=True
    ):
        radius = shape.side * _RADIUS
        angles = [math.tau * corner / 5 for corner in range(5)]
        corners = ((shape.x + radius * math.sin(angle), shape.y - up * radius * math.cos(angle)) for angle in angles)
        pentagons.append(Polygon(tuple(corners), shape.colour))
        discs.append(Disc((shape.x, shape.y), base.disc, shape.ground))
        hint += _rulers(base, shape, (start, end), ys, circumradius * (1 + _REACH), _DARKER_HINT)
    return base.figure(ground=_middle(base), control_ground=_middle(base), inducers=discs, targets=pentagons, hint=hint)


def _rulers(
    base: Irradiation, shape: _Shape, xs: tuple[float, float], ys: tuple[float, float], half: float, colour: Colour
) -> list[Line]:
    """Dashed lines level with the top and bottom of an unchanged shape, clear of the largest on either side."""
    unit = base.width / 512
    half += 12 * unit
    return [
        line
        for y in ys
        for start, end in ((xs[0], shape.x - half), (shape.x + half, xs[1]))
        for line in dashes((start, shape.y + y), (end, shape.y + y), max(1.0, 1.4 * unit), colour)
    ]


def _value(base: Irradiation, alpha: float) -> float:
    return _side(base, "left", alpha) - _side(base, "right", alpha)


def _region(base: Irradiation, half: float) -> tuple[Box, ...]:
    x, y = (base.left, base.left_y) if base.changed == "left" else (base.right, base.right_y)
    return (base.box((x - half, x + half), (y - half, y + half)),)


class _Read(NamedTuple):
    """A shape as read: its place, its area, and how much of the rectangle around it it fills."""

    x: float
    area: float
    fill: float


def measure_squares(view: View) -> Measurement | None:
    """The sides of a white and a black square, each on an even neutral ground: left minus right."""
    return _measure(view, (0.94, 1.01), 1.0)


def measure_pentagons(view: View) -> Measurement | None:
    """The sides of a white and a black pentagon, each on an even neutral ground: left minus right."""
    return _measure(view, (0.64, 0.77), 5 / (4 * math.tan(math.pi / 5)))


def _measure(view: View, fills: tuple[float, float], area: float) -> Measurement | None:
    """The difference in side of two shapes that fill so much of their boxes; `area` is in squared sides."""
    if view.chroma.max() > 8:
        return None
    grey = view.level
    white, black = _innermost(grey, 255), _innermost(grey, 0)
    if white is None or black is None or not all(fills[0] < shape.fill < fills[1] for shape in (white, black)):
        return None
    left, right = (math.sqrt(shape.area / area) for shape in sorted((white, black)))
    return Measurement(left - right)


def _innermost(grey: Pixels, value: int) -> _Read | None:
    """The smallest large patch of one value that keeps off the picture's edge, its soft edge counted by coverage."""
    step = max(1, grey.shape[1] // 128)
    coarse = grey[::step, ::step] == value
    boxes = [
        (rows, columns)
        for rows, columns in label_areas(coarse)[1]
        if rows.start and columns.start and rows.stop < coarse.shape[0] and columns.stop < coarse.shape[1]
        if (rows.stop - rows.start) * (columns.stop - columns.start) > 0.004 * coarse.size
    ]
    if not boxes:
        return None
    rows, columns = min(boxes, key=lambda box: (box[0].stop - box[0].start) * (box[1].stop - box[1].start))
    margin = 2 * step + 2  # a corner can slip between the coarse samples
    top, left = max(rows.start * step - margin, 0), max(columns.start * step - margin, 0)
    crop = grey[top : rows.stop * step + margin, left : columns.stop * step + margin]
    middle = crop.shape[0] // 2, crop.shape[1] // 2
    ground = int(crop[middle[0], 0])
    islands, _ = label_areas(crop != ground)
    if ground == value or crop[middle] != value:
        return None
    coverage = np.where(islands == islands[middle], (crop.astype(float) - ground) / (value - ground), 0)
    across, down = coverage.sum(1).max(), coverage.sum(0).max()
    return _Read(left + middle[1], float(coverage.sum()), float(coverage.sum() / (across * down)))


_FACTOR = Factor("difference in side length, left minus right", "px", least=1.0, tolerance=0.4, grows=True)

_NO_CLUTTER = (
    "A shape can be told apart only on even ground of the opposite shade, and such grounds are the whole figure."
)

CASES = (
    Case(
        name="irradiation",
        number=9,
        title="Irradiation (squares)",
        category="size",
        sees="The white square on a dark ground looks larger than the black square on a light one.",
        truth="Both squares have the same size.",
        source="Helmholtz 1867; VI-Probe, Table 4, case 9",
        factor=_FACTOR,
        question="Are the small white square and the small black square equally large?",
        question_reversed="Do the small white square and the small black square differ in size?",
        comparison=TargetComparison(
            "Which of the two small squares is larger, the left or the right one?", "left", "right"
        ),
        state="equally large",
        measurand="the side of the small white square and of the small black one",
        departs=(
            "Published: squares of whole pixels on black and white; white is always left; the control paints both "
            "squares black."
        ),
        sample=IrradiationSquares,
        geometry=_square,
        value=_value,
        regions=lambda base: _region(base, base.side * (1 + _REACH) / 2),
        read=measure_squares,
        reads_chroma=False,
        no_clutter=_NO_CLUTTER,
    ),
    Case(
        name="irradiation_pentagon",
        number=10,
        title="Irradiation (pentagons)",
        category="size",
        sees="The white pentagon on a dark disc looks larger than the black pentagon on a light one.",
        truth="Both pentagons have the same size.",
        source="Helmholtz 1867; VI-Probe, Table 4, case 10",
        factor=_FACTOR,
        question="Are the white pentagon and the black pentagon equally large?",
        question_reversed="Do the white pentagon and the black pentagon differ in size?",
        comparison=TargetComparison(
            "Which of the two pentagons is larger, the left or the right one?", "left", "right"
        ),
        state="equally large",
        measurand="the side of the white pentagon and of the black one",
        departs=(
            "Published: on larger black and white pentagons, which would make the question ambiguous; the control's "
            "are black."
        ),
        sample=IrradiationPentagons,
        geometry=_pentagon,
        value=_value,
        regions=lambda base: _region(base, base.side * (1 + _REACH) * _RADIUS),
        read=measure_pentagons,
        reads_chroma=False,
        no_clutter=_NO_CLUTTER,
    ),
)
