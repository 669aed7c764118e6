"""A figure that no textbook shows: parallel zigzags beside ladders."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from veridical.media.draw import Item, Line, Polygon
from veridical.media.draw.scene import Point
from veridical.records import Box
from veridical.suites.viprobe.illusions.alignment import principal_axis
from veridical.suites.viprobe.illusions.case import (
    BLACK,
    INKS,
    Case,
    CaseFigure,
    CaseItem,
    CaseNuisances,
    Factor,
    Measurement,
    TargetComparison,
    dashes,
    difference,
)
from veridical.suites.viprobe.illusions.scatter import ScatterField, nearest_distance, pieces, turns
from veridical.suites.viprobe.illusions.view import Target, View

_TURNED = 10.0
_RULER = (110, 110, 110)
_SEES = "No impression is known: the figure was made for this set."
_SOURCE = "veridical, novel"


class LadderZigzags(CaseItem):
    """Two slanting zigzags with a black ladder between each and the middle; rungs crowd at opposite ends.

    `slope` is in degrees counter-clockwise; `crowded` names the end at which the upper ladder's rungs crowd.
    """

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame)
        self.changed, self.crowded = frame.in_turn(("top", "bottom"), ("left", "right"))
        self.ink = frame.one_of(tuple(INKS))
        self.slope = frame.between(14, 26) * frame.one_of((-1, 1))
        self.half = frame.px(150, 170)
        self.legs = frame.one_of((10, 12, 14))
        self.swing = frame.px(12, 16)
        self.thickness = frame.px(8, 10)
        self.apart = frame.px(108, 116)
        self.ladder = frame.px(26, 32)
        self.rungs = round(frame.base_scale(8.5, 14.5))
        self.stroke = frame.stroke(2.0, 3.0)
        self.x = frame.px(250, 262)
        self.y = frame.px(250, 262)
        self.scatter = frame.scatter()


def _turn(base: LadderZigzags, place: str | None, alpha: float) -> float:
    return _TURNED * alpha if place == base.changed else 0.0


def _turned(origin: Point, degrees: float, along: float, above: float) -> Point:
    """A point given along and above a direction, which is turned counter-clockwise from level."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return origin[0] + along * cos - above * sin, origin[1] - along * sin - above * cos


def _centre(base: LadderZigzags, above: float) -> Point:
    return _turned((base.x, base.y), base.slope, 0, above)


def _zigzag(base: LadderZigzags, place: str | None, alpha: float) -> Polygon:
    """A ribbon with an even number of legs, so that its principal axis is the line along which it runs."""
    centre = _centre(base, base.apart if place == "top" else -base.apart)
    slope = base.slope + _turn(base, place, alpha)
    upper, lower = [], []
    for corner in range(base.legs + 1):
        along = base.half * (2 * corner / base.legs - 1)
        above = base.swing * (1 if corner % 2 else -1)
        upper.append(_turned(centre, slope, along, above + base.thickness / 2))
        lower.append(_turned(centre, slope, along, above - base.thickness / 2))
    return Polygon((*upper, *lower[::-1]), INKS[base.ink])


def _ladder(base: LadderZigzags, place: str) -> list[Line]:
    centre = _centre(base, base.ladder if place == "top" else -base.ladder)
    half, wide = base.half, 0.4 * base.ladder
    towards = 1 if (base.crowded == "left") == (place == "top") else -1
    steps = np.linspace(0, 1, base.rungs) ** 1.8
    ends = [((-half, up * wide), (half, up * wide)) for up in (-1, 1)]
    for step in steps.tolist():
        along = towards * 0.96 * half * (2 * step - 1)
        ends.append(((along, -wide), (along, wide)))
    return [
        Line(_turned(centre, base.slope, *start), _turned(centre, base.slope, *end), base.stroke, BLACK)
        for start, end in ends
    ]


def _zigzag_figure(base: LadderZigzags, alpha: float) -> CaseFigure:
    places = ("top", "bottom")
    reach = base.half + 0.05 * base.width
    hint: list[Item] = []
    for above in (base.apart, -base.apart):
        start, end = (_turned(_centre(base, above), base.slope, side * reach, 0) for side in (-1, 1))
        hint += dashes(start, end, max(1.0, base.stroke / 2), _RULER)
    return base.figure(
        inducers=tuple(line for place in places for line in _ladder(base, place)),
        targets=tuple(_zigzag(base, place, alpha) for place in places),
        hint=hint,
        clutter=lambda: _strewn(base),
    )


@lru_cache(maxsize=64)
def _strewn(base: LadderZigzags) -> tuple[Item, ...]:
    """The rungs of both ladders and their rails, broken, strewn over the strip in which the ladders lie.

    Rungs are shorter by what the rails cover of them.
    """
    rng = np.random.default_rng(base.scatter)
    ladders = [line for place in ("top", "bottom") for line in _ladder(base, place)]
    zigzags = [_strip(base, side * base.apart) for side in (-1, 1)]
    near = min(nearest_distance(ladders, zigzag) for zigzag in zigzags)
    rails = [line for line in ladders if math.dist(line.start, line.end) > base.half]
    bars = [piece for rail in rails for piece in pieces(rail, round(2 * base.half / base.ladder))]
    bars += [pieces(rung, 1, base.stroke)[0] for rung in ladders if rung not in rails]
    field = ScatterField(
        rng, (base.width, base.height), [(zigzag, 0.95 * near) for zigzag in zigzags], apart=base.stroke
    )
    far = 1.4 * base.ladder

    def spot(_: int) -> Point:
        return _turned((base.x, base.y), base.slope, rng.uniform(-1, 1) * base.half, rng.uniform(-1, 1) * far)

    field.strew(bars, turns(rng, len(bars)), spot)
    return tuple(field.items)


def _strip(base: LadderZigzags, above: float) -> Line:
    """The strip in which a zigzag runs while it is unchanged."""
    start, end = (_turned((base.x, base.y), base.slope, side * base.half, above) for side in (-1, 1))
    return Line(start, end, 2 * base.swing + base.thickness, BLACK)


def _zigzag_regions(base: LadderZigzags) -> tuple[Box, ...]:
    corners = [point for alpha in (-1, 1) for point in _zigzag(base, base.changed, alpha).points]
    xs, ys = zip(*corners, strict=True)
    return (base.box((min(xs), max(xs)), (min(ys), max(ys))),)


def _measure_zigzags(view: View) -> Measurement | None:
    """Degrees between two colored zigzags, one above the other: top minus bottom, counter-clockwise positive."""
    targets = sorted(view.targets, key=lambda target: target.centre[1])
    if len(targets) != 2:
        return None
    top, bottom = (_slope_of_zigzag(target, view.width) for target in targets)
    return difference(top, bottom)


def _slope_of_zigzag(target: Target, width: int) -> float | None:
    """The slope of a target's axis; `None` where it does not swing from one side of its axis to the other."""
    (x, y), (right, down), along, across = principal_axis(target)
    if not 0.4 * width < math.sqrt(12) * along < 0.9 * width or not 0.03 < across / along < 0.2:
        return None
    if target.area > 0.6 * 12 * along * across:  # of a solid bar it would be all
        return None
    rows, columns = np.nonzero(target.coverage > 0.5)
    xs, ys = columns + target.x + 0.5 - x, rows + target.y + 0.5 - y
    places = np.floor((xs * right + ys * down) / along * 12).astype(int)
    places -= places.min()
    sides = np.bincount(places, ys * right - xs * down) / np.maximum(np.bincount(places), 1)
    swings = np.count_nonzero(np.diff(np.sign(sides[np.abs(sides) > across / 2])))
    return -math.degrees(math.atan2(down, right)) if swings >= 7 else None


CASES = (
    Case(
        name="ladder_zigzags",
        number=30,
        title="Zigzags beside ladders",
        category="orientation",
        sees=_SEES,
        truth="Both zigzags run in the same direction.",
        source=_SOURCE,
        factor=Factor(
            "difference in direction, top minus bottom, counter-clockwise positive", "deg", 0.25, 0.2, grows=False
        ),
        question="Do both {ink} zigzags run in the same direction?",
        question_reversed="Do the two {ink} zigzags run in different directions?",
        comparison=TargetComparison(
            "Compared with the lower {ink} zigzag, is the upper one turned counter-clockwise or clockwise?",
            "counter-clockwise",
            "clockwise",
        ),
        state="running in the same direction",
        measurand="the direction in which each {ink} zigzag runs",
        directed=False,
        novel=True,
        sample=LadderZigzags,
        geometry=_zigzag_figure,
        value=lambda base, alpha: _turn(base, "top", alpha) - _turn(base, "bottom", alpha),
        regions=_zigzag_regions,
        read=_measure_zigzags,
    ),
)
