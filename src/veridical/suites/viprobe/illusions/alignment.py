"""Figures in which one straight line looks broken."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from veridical.media.draw import Item, Line, Polygon, Rectangle
from veridical.media.draw.scene import Point
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    INKS,
    Case,
    CaseFigure,
    CaseItem,
    CaseNuisances,
    Factor,
    Measurement,
    TargetComparison,
    dashes,
)
from veridical.suites.viprobe.illusions.scatter import Rng, ScatterField, transform, turns
from veridical.suites.viprobe.illusions.view import Target, View

_REACH = 18.0
_PIECES = 6
_OCCLUDER = (196, 196, 196)
_RULER = (90, 90, 90)


class Poggendorff(CaseItem):
    """A slanted line behind a gray bar; `rise` names the side toward which the line goes up.

    `angle` lies between the line and the bar's long edges, `crossing` is where the line crosses the bar's axis, from
    the bar's center, and `reach` the displacement at full strength.
    """

    def __init__(self, frame: CaseNuisances, *, upright: bool) -> None:
        super().__init__(frame)
        sides = ("left", "right") if upright else ("top", "bottom")
        self.changed, self.rise = frame.in_turn(sides, ("left", "right"))
        self.upright = upright
        self.ink = frame.one_of(tuple(INKS))
        self.bar = frame.base_scale(52, 88) * frame.scale
        self.bar_length = frame.px(330, 380)
        self.angle = frame.between(34, 46)
        self.segment = frame.px(118, 142)
        self.stroke = frame.stroke(2.6, 3.8)
        self.reach = _REACH * frame.scale
        self.crossing = frame.px(-14, 14)
        self.x = frame.px(248, 264)
        self.y = frame.px(248, 264)
        self.scatter = frame.scatter()


def _offset(base: Poggendorff, alpha: float) -> float:
    """How far the right stroke is above the left one's line, across it.

    Acute angles look too large. Behind an upright bar the stroke on the higher side then looks too high, behind a lying
    one too far out; congruent change is that very displacement.
    """
    return base.reach * alpha * (1 if base.upright == (base.rise == "right") else -1)


def _shift(base: Poggendorff, side: int, alpha: float) -> float:
    """The displacement of a stroke along the bar, rightwards or down: -1 is the left or top stroke."""
    if base.changed not in (("left", "top") if side < 0 else ("right", "bottom")):
        return 0.0
    return _along(base, side, alpha)


def _along(base: Poggendorff, side: int, alpha: float) -> float:
    """The displacement that a stroke has if it is the one that changes."""
    return _offset(base, alpha) / math.sin(math.radians(base.angle)) * (-side if base.upright else side)


def _at(base: Poggendorff, across: float, shift: float = 0.0) -> Point:
    """The point of the line at a distance from the bar's axis, moved along the bar."""
    slope = (1 if base.rise == "left" else -1) / math.tan(math.radians(base.angle))
    along = base.crossing + slope * across + shift
    return (base.x + across, base.y + along) if base.upright else (base.x + along, base.y + across)


def _strokes(base: Poggendorff, alpha: float, gap: float) -> tuple[Line, ...]:
    """Both strokes, left or top first, from `gap` off the bar's axis outwards."""
    far = _far(base)
    lines = []
    for side in (-1, 1):
        shift = _shift(base, side, alpha)
        ends = _at(base, side * gap, shift), _at(base, side * far, shift)
        lines.append(Line(*ends, base.stroke, INKS[base.ink]))
    return tuple(lines)


def _near(base: Poggendorff) -> float:
    """Where the strokes begin, off the bar's axis: the corners of their ends just clear the bar."""
    return base.bar / 2 + base.stroke / 2 * math.cos(math.radians(base.angle)) + base.width / 512


def _far(base: Poggendorff) -> float:
    return _near(base) + base.segment * math.sin(math.radians(base.angle))


def _geometry(base: Poggendorff, alpha: float) -> CaseFigure:
    across, along = (base.bar / 2, base.bar_length / 2) if base.upright else (base.bar_length / 2, base.bar / 2)
    side = -1 if base.changed in ("right", "bottom") else 1
    start, end = side * _near(base), -side * (_far(base) + 0.04 * base.width)
    return base.figure(
        inducers=(Rectangle(base.x - across, base.y - along, base.x + across, base.y + along, _OCCLUDER),),
        targets=_strokes(base, alpha, _near(base)),
        hint=dashes(_at(base, start), _at(base, end), max(1.0, base.stroke / 2), _RULER),
        control_targets=_strokes(base, alpha, 0.11 * base.bar),
        clutter=lambda: _strewn(base),
    )


@lru_cache(maxsize=64)
def _strewn(base: Poggendorff) -> tuple[Item, ...]:
    """The bar cut into pieces, half of them about either stroke, clear of all places where that may be moved.

    One piece of each half points with a corner at the middle of what either end of the stroke may reach.
    """
    rng = np.random.default_rng(base.scatter)
    swept = [_swept(base, side) for side in (-1, 1)]
    across, along = base.bar / 2, base.bar_length / _PIECES / 2
    piece = Polygon(((-across, -along), (across, -along), (across, along), (-across, along)), _OCCLUDER)
    unit = base.width / 512
    near = base.stroke / 2 + unit
    field = ScatterField(rng, (base.width, base.height), [(zone, near) for zone in swept], apart=2 * unit)
    for side in (-1, 1):
        field.put(_pointing(base, rng, side) for _ in range(40))
    for side, zone in zip((-1, 1), swept, strict=True):
        around = turns(rng, _PIECES // 2 - 1, 360.0)

        def ray(place: int, side: int = side, around: list[float] = around) -> tuple[Point, float]:
            return _at(base, side * rng.uniform(_near(base), _far(base))), around[place] + rng.uniform(-60, 60)

        field.strew_around(zone, [piece] * (_PIECES // 2 - 1), 2 * near, 0.5 * base.bar, ray)
    return tuple(field.items)


def _pointing(base: Poggendorff, rng: Rng, side: int) -> Item:
    """A piece of the bar with a corner just beyond one end of a stroke, turned by up to 25 degrees off its middle."""
    across, along = base.bar, base.bar_length / _PIECES
    if rng.integers(2):
        across, along = along, across
    corner = Polygon(((0.0, 0.0), (across, 0.0), (across, along), (0.0, along)), _OCCLUDER)
    outer = bool(rng.integers(2))
    beyond = base.stroke / 2 + base.width / 400
    end = _far(base) + beyond if outer else _near(base) - beyond
    way = side if outer else -side
    level = 0.0 if way > 0 else 180.0
    turn = level if base.upright else level + 90.0
    return transform(corner, turn - 45 + rng.uniform(-25, 25), _at(base, side * end))


def _swept(base: Poggendorff, side: int) -> Polygon:
    """All places where a stroke may lie if it is the one that changes."""
    (a, b), (c, d) = (
        [_at(base, side * across, _along(base, side, alpha)) for across in (_near(base), _far(base))]
        for alpha in (-1, 1)
    )
    return Polygon((a, b, d, c), _OCCLUDER)


def _regions(base: Poggendorff) -> tuple[Box, ...]:
    side = 1 if base.changed in ("right", "bottom") else -1
    corners = [
        _at(base, side * across, _shift(base, side, alpha))
        for across in (0.11 * base.bar, _far(base))
        for alpha in (-1, 1)
    ]
    xs, ys, edge = [x for x, _ in corners], [y for _, y in corners], base.stroke / 2
    return (base.box((min(xs) - edge, max(xs) + edge), (min(ys) - edge, max(ys) + edge)),)


class Axis(NamedTuple):
    """The principal axis of an area: its center, its direction (rightwards), and the spread along and across it."""

    centre: Point
    direction: Point
    along: float
    across: float


def principal_axis(target: Target) -> Axis:
    """The principal axis of a target by the second moments of its coverage."""
    cover, (x, y) = target.coverage, target.centre
    across = target.x + np.arange(cover.shape[1]) + 0.5 - x
    down = target.y + np.arange(cover.shape[0]) + 0.5 - y
    xx, yy, xy = across**2 @ cover.sum(0), down**2 @ cover.sum(1), down @ cover @ across
    angle = math.atan2(2 * xy, xx - yy) / 2
    spread = math.hypot(xx - yy, 2 * xy)
    long, short = ((xx + yy + sign * spread) / 2 / target.area for sign in (1, -1))
    return Axis((x, y), (math.cos(angle), math.sin(angle)), math.sqrt(long), math.sqrt(max(short, 0.0)))


def measure_strokes(view: View) -> Measurement | None:
    """How far the right one of two slanted straight strokes is above the line of the left one, across it."""
    targets = view.targets
    if len(targets) != 2:
        return None
    ordered = sorted(targets, key=lambda target: target.centre[0])
    left, right = (principal_axis(target) for target in ordered)
    if not all(
        _is_slanted_stroke(axis, target.area, view.height) for axis, target in zip((left, right), ordered, strict=True)
    ):
        return None
    if abs(np.dot(left.direction, right.direction)) < math.cos(math.radians(2)):
        return None
    x, y = right.centre[0] - left.centre[0], right.centre[1] - left.centre[1]
    above = [x * axis.direction[1] - y * axis.direction[0] for axis in (left, right)]
    return Measurement(sum(above) / 2)


def _is_slanted_stroke(axis: Axis, area: float, height: int) -> bool:
    length = math.sqrt(12) * axis.along
    slant = math.degrees(math.atan2(abs(axis.direction[1]), axis.direction[0]))
    full = area / (math.sqrt(12) * axis.across * length)
    return 0.15 * height < length < 0.7 * height and axis.across < 0.022 * length and 25 < slant < 65 and full > 0.45


OFFSET = Factor("offset of the right stroke from the left one's line, positive where it is above", "px", 1.0, 0.4, True)


def _case(number: int, *, upright: bool, name: str, title: str, sees: str, departs: str) -> Case:
    return Case(
        name=name,
        number=number,
        title=title,
        category="orientation",
        sees=sees,
        truth="Both strokes are parts of one straight line.",
        source=f"Poggendorff 1860 (in Zöllner); VI-Probe, Table 4, case {number}",
        factor=OFFSET,
        question="Are the two {ink} strokes parts of one straight line?",
        question_reversed="Are the two {ink} strokes parts of two different straight lines?",
        comparison=TargetComparison(
            "Does the right {ink} stroke run above or below the straight continuation of the left one?",
            "above",
            "below",
        ),
        state="parts of one straight line",
        measurand="the line on which each {ink} stroke lies",
        departs=departs,
        sample=lambda frame: Poggendorff(frame, upright=upright),
        geometry=_geometry,
        value=_offset,
        regions=_regions,
        read=measure_strokes,
    )


CASES = (
    _case(
        25,
        upright=True,
        name="poggendorff",
        title="Poggendorff",
        sees="Beside the upright bar, the upper stroke looks too high to continue the lower one.",
        departs="Published: a red and a black segment; only the right one moves; ends cut to whole pixels.",
    ),
    _case(
        26,
        upright=False,
        name="poggendorff_horizontal",
        title="Poggendorff, lying bar",
        sees="Above the lying bar, the upper stroke looks too far out to continue the lower one.",
        departs="Published: the moved line is drawn at 30° instead of 45°; the control keeps the gap of the bar.",
    ),
)
