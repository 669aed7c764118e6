"""Figures in which white areas look larger than equal black ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from veridical.media.draw import Disc, Line, Polygon, Rectangle
from veridical.media.draw.colour import mean_light
from veridical.media.draw.scene import Colour
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    BLACK,
    HINT,
    WHITE,
    Case,
    Comparison,
    Factor,
    Figure,
    Frame,
    Measurement,
    box_around,
)
from veridical.suites.viprobe.illusions.hints import dashes
from veridical.suites.viprobe.illusions.reading import labelled
from veridical.suites.viprobe.illusions.view import Pixels, View

_REACH = 0.5
_MIDDLE = mean_light(BLACK, WHITE)
_DARK_HINT: Colour = (90, 90, 90)
_RADIUS = 1 / (2 * math.sin(math.pi / 5))
"""The circumradius of a regular pentagon, in sides."""


@dataclass(frozen=True, slots=True)
class Irradiation:
    """A white shape on black beside an equal black shape on white; `side` is the length of one of its sides."""

    width: int
    height: int
    changed: str
    white: str
    side: float
    left: float
    right: float
    y: float


@dataclass(frozen=True, slots=True)
class IrradiationPentagon(Irradiation):
    """Pentagons on discs of a radius; `y` is the height of their circumcentres, `points` where a corner points."""

    disc: float
    points: str


def _sample_squares(frame: Frame) -> Irradiation:
    changed, white = frame.in_turn(("left", "right"), ("left", "right"))
    return Irradiation(
        width=frame.size,
        height=round(frame.size / 2),
        changed=changed,
        white=white,
        side=frame.base_scale(76, 116) * frame.scale,
        left=frame.px(118, 138),
        right=frame.px(374, 394),
        y=frame.px(118, 138),
    )


def _sample_pentagons(frame: Frame) -> IrradiationPentagon:
    changed, white = frame.in_turn(("left", "right"), ("left", "right"))
    return IrradiationPentagon(
        width=frame.size,
        height=round(frame.size / 2),
        changed=changed,
        white=white,
        side=frame.base_scale(50, 66) * frame.scale,
        left=frame.px(121, 135),
        right=frame.px(377, 391),
        y=frame.px(123, 133),
        disc=frame.px(101, 109),
        points=frame.one_of(("up", "down")),
    )


def _side(base: Irradiation, place: str, alpha: float) -> float:
    """The side of a shape; congruent change enlarges the white one, which looks larger, or reduces the black one."""
    if place != base.changed:
        return base.side
    return base.side * (1 + _REACH * alpha * (1 if base.white == base.changed else -1))


def _places(base: Irradiation) -> tuple[tuple[str, float, Colour], ...]:
    """Where each shape is, and its colour."""
    left, right = (WHITE, BLACK) if base.white == "left" else (BLACK, WHITE)
    return ("left", base.left, left), ("right", base.right, right)


def _square(base: Irradiation, alpha: float) -> Figure:
    shapes = []
    for place, x, colour in _places(base):
        half = _side(base, place, alpha) / 2
        shapes.append(Rectangle(x - half, base.y - half, x + half, base.y + half, colour))
    left, right = (BLACK, WHITE) if base.white == "left" else (WHITE, BLACK)
    half = base.side / 2
    return Figure(
        width=base.width,
        height=base.height,
        ground=left,
        control_ground=_MIDDLE,
        inducers=(Rectangle(base.width / 2, 0, base.width, base.height, right),),
        targets=tuple(shapes),
        hint=_rulers(base, (base.y - half, base.y + half), half * (1 + _REACH), HINT),
    )


def _pentagon(base: IrradiationPentagon, alpha: float) -> Figure:
    up = 1 if base.points == "up" else -1
    shapes, discs = [], []
    for place, x, colour in _places(base):
        radius = _side(base, place, alpha) * _RADIUS
        angles = [math.tau * corner / 5 for corner in range(5)]
        corners = ((x + radius * math.sin(angle), base.y - up * radius * math.cos(angle)) for angle in angles)
        shapes.append(Polygon(tuple(corners), colour))
        discs.append(Disc((x, base.y), base.disc, BLACK if colour == WHITE else WHITE))
    radius = base.side * _RADIUS
    ys = base.y - up * radius, base.y + up * radius * math.cos(math.pi / 5)
    return Figure(
        width=base.width,
        height=base.height,
        ground=_MIDDLE,
        control_ground=_MIDDLE,
        inducers=tuple(discs),
        targets=tuple(shapes),
        hint=_rulers(base, ys, radius * (1 + _REACH), _DARK_HINT),
    )


def _rulers(base: Irradiation, ys: tuple[float, float], half: float, colour: Colour) -> tuple[Line, ...]:
    """Dashed lines level with the top and bottom of the unchanged shapes, clear of the largest on either side."""
    unit = base.width / 512
    half += 12 * unit
    stretches = (0, base.left - half), (base.left + half, base.right - half), (base.right + half, base.width)
    return tuple(
        line
        for y in ys
        for start, end in stretches
        for line in dashes((start, y), (end, y), max(1.0, 1.4 * unit), colour)
    )


def _value(base: Irradiation, alpha: float) -> float:
    return _side(base, "left", alpha) - _side(base, "right", alpha)


def _regions_squares(base: Irradiation) -> tuple[Box, ...]:
    return _region(base, base.side * (1 + _REACH) / 2)


def _regions_pentagons(base: Irradiation) -> tuple[Box, ...]:
    return _region(base, base.side * (1 + _REACH) * _RADIUS)


def _region(base: Irradiation, half: float) -> tuple[Box, ...]:
    x = base.left if base.changed == "left" else base.right
    return (box_around((x - half, x + half), (base.y - half, base.y + half), base.width, base.height),)


class _Shape(NamedTuple):
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


def _innermost(grey: Pixels, value: int) -> _Shape | None:
    """The smallest large patch of one value that keeps off the picture's edge, its soft edge counted by coverage."""
    step = max(1, grey.shape[1] // 128)
    coarse = grey[::step, ::step] == value
    boxes = [
        (rows, columns)
        for rows, columns in labelled(coarse)[1]
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
    islands, _ = labelled(crop != ground)
    if ground == value or crop[middle] != value:
        return None
    coverage = np.where(islands == islands[middle], (crop.astype(float) - ground) / (value - ground), 0)
    across, down = coverage.sum(1).max(), coverage.sum(0).max()
    return _Shape(left + middle[1], float(coverage.sum()), float(coverage.sum() / (across * down)))


_FACTOR = Factor("difference in side length, left minus right", "px", visible=2.0, tolerance=0.4, grows=True)

_NO_CLUTTER = (
    "A shape can be told apart only on even ground of the opposite shade, and such grounds are the whole figure."
)

CASES = (
    Case(
        name="irradiation",
        number=9,
        title="Irradiation (squares)",
        category="size",
        sees="The white square on black looks larger than the black square on white.",
        truth="Both squares have the same size.",
        source="Helmholtz 1867; VI-Probe, Table 4, case 9",
        factor=_FACTOR,
        question="Are the small white square and the small black square equally large?",
        question_reversed="Do the small white square and the small black square differ in size?",
        comparison=Comparison("Which of the two small squares is larger, the left or the right one?", "left", "right"),
        state="equally large",
        measurand="the side of the small white square and of the small black one",
        departs="Published: squares of whole pixels; white is always left; the control paints both squares black.",
        sample=_sample_squares,
        geometry=_square,
        value=_value,
        regions=_regions_squares,
        read=measure_squares,
        no_clutter=_NO_CLUTTER,
        smallest_size=128,
    ),
    Case(
        name="irradiation_pentagon",
        number=10,
        title="Irradiation (pentagons)",
        category="size",
        sees="The white pentagon on black looks larger than the black pentagon on white.",
        truth="Both pentagons have the same size.",
        source="Helmholtz 1867; VI-Probe, Table 4, case 10",
        factor=_FACTOR,
        question="Are the white pentagon and the black pentagon equally large?",
        question_reversed="Do the white pentagon and the black pentagon differ in size?",
        comparison=Comparison("Which of the two pentagons is larger, the left or the right one?", "left", "right"),
        state="equally large",
        measurand="the side of the white pentagon and of the black one",
        departs="Published: on larger pentagons, which would make the question ambiguous; the control's are black.",
        sample=_sample_pentagons,
        geometry=_pentagon,
        value=_value,
        regions=_regions_pentagons,
        read=measure_pentagons,
        no_clutter=_NO_CLUTTER,
        smallest_size=128,
    ),
)
