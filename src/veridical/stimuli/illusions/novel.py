"""Figures in which targets and inducers meet as in an illusion, and no textbook shows it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from veridical.draw import Item, Line, Polygon, Rectangle
from veridical.draw.colour import grey, hsv, lightness
from veridical.draw.scene import Colour, Point
from veridical.records import Box
from veridical.stimuli.illusions.alignment import principal_axis
from veridical.stimuli.illusions.case import (
    BLACK,
    INKS,
    Case,
    Comparison,
    Factor,
    Figure,
    Frame,
    Measurement,
    Pixels,
    box_around,
)
from veridical.stimuli.illusions.hints import dashes
from veridical.stimuli.illusions.reading import Target, chroma, targets

_LONGER, _LIGHTER, _TURNED = 0.4, 22.0, 5.0
_RULER = (110, 110, 110)
_SEES = "No impression is known: the figure was made for this set."
_SOURCE = "veridical, novel"
_ROOT3 = math.sqrt(3)


@dataclass(frozen=True, slots=True)
class SpiralPills:
    """Two upright pills, each amid a spiral of black triangles; `clockwise` names the one whose spiral winds so."""

    width: int
    height: int
    changed: str
    clockwise: str
    ink: str
    length: float
    thickness: float
    triangles: int
    turns: float
    start: float
    left: float
    right: float
    y: float


def _sample_pills(frame: Frame) -> SpiralPills:
    changed, clockwise = frame.in_turn(("left", "right"), ("left", "right"))
    length = frame.base_scale(54, 76) * frame.scale
    return SpiralPills(
        width=frame.size,
        height=round(frame.size / 2),
        changed=changed,
        clockwise=clockwise,
        ink=frame.one_of(tuple(INKS)),
        length=length,
        thickness=length * frame.between(0.3, 0.38),
        triangles=frame.one_of((17, 19, 21)),
        turns=frame.between(1.3, 1.5),
        start=frame.between(0, 360),
        left=frame.px(124, 132),
        right=frame.px(380, 388),
        y=frame.px(125, 131),
    )


def _pill_length(base: SpiralPills, place: str, alpha: float) -> float:
    return base.length * (1 + _LONGER * alpha) if place == base.changed else base.length


def _pill(x: float, y: float, length: float, thickness: float, colour: Colour) -> Polygon:
    """An upright bar with round ends."""
    turn = np.linspace(0, math.pi, 33)
    xs, ys = np.cos(turn) * thickness / 2, np.sin(turn) * thickness / 2 + (length - thickness) / 2
    corners = np.concatenate([np.stack([x + xs, y + ys], 1), np.stack([x - xs, y - ys], 1)])
    return Polygon(tuple((float(px), float(py)) for px, py in corners), colour)


def _spiral(base: SpiralPills, x: float, winding: int) -> list[Polygon]:
    """Triangles at even distances along a spiral whose radius grows with its angle, each pointing outwards along it."""
    inner, outer, size = 0.92, 1.36, 0.13 * base.length
    made = []
    for radius in np.sqrt(np.linspace(inner**2, outer**2, base.triangles)).tolist():
        at = math.radians(base.start + winding * 360 * base.turns * (radius - inner) / (outer - inner))
        centre = x + radius * base.length * math.cos(at), base.y + radius * base.length * math.sin(at)
        heads = [(at + winding * math.radians(85 + away), size * long) for away, long in ((0, 1.4), (135, 1), (225, 1))]
        corners = tuple((centre[0] + out * math.cos(head), centre[1] + out * math.sin(head)) for head, out in heads)
        made.append(Polygon(corners, BLACK))
    return made


def _pill_figure(base: SpiralPills, alpha: float) -> Figure:
    pills, inducers, hint = [], [], []
    for place, x in (("left", base.left), ("right", base.right)):
        pills.append(_pill(x, base.y, _pill_length(base, place, alpha), base.thickness, INKS[base.ink]))
        inducers += _spiral(base, x, 1 if place == base.clockwise else -1)
    for end in (-1, 1):
        y = base.y + end * base.length / 2
        hint += dashes((0, y), (base.width, y), max(1.0, base.width / 400), _RULER)
    return Figure(
        width=base.width, height=base.height, inducers=tuple(inducers), targets=tuple(pills), hint=tuple(hint)
    )


def _pill_value(base: SpiralPills, alpha: float) -> float:
    return _pill_length(base, "left", alpha) - _pill_length(base, "right", alpha)


def _pill_regions(base: SpiralPills) -> tuple[Box, ...]:
    x, edge = (base.left if base.changed == "left" else base.right), base.thickness / 2
    half = base.length * (1 + _LONGER) / 2
    return (box_around((x - edge, x + edge), (base.y - half, base.y + half), base.width, base.height),)


def _measure_pills(pixels: Pixels) -> Measurement | None:
    """The lengths of two coloured upright bars with round ends, side by side: left minus right."""
    found = sorted(targets(pixels), key=lambda target: target.x)
    if len(found) != 2 or abs(found[0].centre[1] - found[1].centre[1]) > 0.05 * len(pixels):
        return None
    left, right = (_length_of_pill(target) for target in found)
    return None if left is None or right is None else Measurement(left - right)


def _length_of_pill(target: Target) -> float | None:
    """The length by the area, given the width halfway down; `None` where the ends are not round."""
    rows = len(target.coverage)
    middle = target.coverage[rows * 2 // 5 : rows - rows * 2 // 5].sum(1)
    width = float(middle.mean())
    length = target.area / width + (1 - math.pi / 4) * width
    tallest = float(target.coverage.sum(0).max())
    if np.ptp(middle) > 0.05 * width or not 1.3 * width < length < 8 * width:
        return None
    return length if abs(length - tallest) < 0.08 * width + 0.1 else None


@dataclass(frozen=True, slots=True)
class CombHexagons:
    """Two grey hexagons, each in the mouth of a coloured comb: the left comb of `hue`, the right of the opposite one.

    `comb` says whether the combs hang from above or stand below, `shade` is the hexagons' L*.
    """

    width: int
    height: int
    changed: str
    comb: str
    hue: float
    shade: float
    teeth: int
    radius: float
    left: float
    right: float
    y: float


def _sample_hexagons(frame: Frame) -> CombHexagons:
    changed, comb = frame.in_turn(("left", "right"), ("above", "below"))
    return CombHexagons(
        width=frame.size,
        height=round(frame.size / 2),
        changed=changed,
        comb=comb,
        hue=frame.base_scale(0, 1),
        shade=frame.between(52, 58),
        teeth=frame.one_of((9, 11, 13)),
        radius=frame.px(44, 52),
        left=frame.px(122, 134),
        right=frame.px(378, 390),
        y=frame.px(125, 131),
    )


def _hexagon_shade(base: CombHexagons, place: str, alpha: float) -> float:
    return base.shade + _LIGHTER * alpha if place == base.changed else base.shade


def _hexagon(x: float, y: float, radius: float, colour: Colour) -> Polygon:
    turns = [math.radians(60 * corner) for corner in range(6)]
    return Polygon(tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns), colour)


def _comb(base: CombHexagons, x: float, colour: Colour) -> list[Item]:
    """Teeth that stop at the outline of a larger hexagon and go on beside it, on a spine."""
    up, unit, clear = (1 if base.comb == "above" else -1), base.radius, 1.25
    half, spine = 1.85 * unit, 1.95 * unit
    thick = 2 * half / (2 * base.teeth - 1)
    made: list[Item] = [Line((x - half, base.y - up * spine), (x + half, base.y - up * spine), 0.2 * unit, colour)]
    for place in np.linspace(thick / 2 - half, half - thick / 2, base.teeth).tolist():
        inner = max(abs(place) - thick / 2, 0.0) / unit
        tip = min(clear * _ROOT3 / 2, (clear - inner) * _ROOT3) if inner < clear else -_ROOT3 / 2
        made.append(Line((x + place, base.y - up * spine), (x + place, base.y - up * tip * unit), thick, colour))
    return made


def _hexagon_figure(base: CombHexagons, alpha: float) -> Figure:
    hexagons, combs = [], []
    for place, x, turn in (("left", base.left, 0.0), ("right", base.right, 0.5)):
        hexagons.append(_hexagon(x, base.y, base.radius, grey(_hexagon_shade(base, place, alpha))))
        combs += _comb(base, x, hsv(base.hue + turn, 0.7, 0.85))
    apart, thick = 1.25 * base.radius, 0.08 * base.radius
    ruler = Rectangle(base.left + apart, base.y - thick, base.right - apart, base.y + thick, grey(base.shade))
    return Figure(width=base.width, height=base.height, inducers=tuple(combs), targets=tuple(hexagons), hint=(ruler,))


def _hexagon_value(base: CombHexagons, alpha: float) -> float:
    return _hexagon_shade(base, "left", alpha) - _hexagon_shade(base, "right", alpha)


def _hexagon_regions(base: CombHexagons) -> tuple[Box, ...]:
    x, rise = (base.left if base.changed == "left" else base.right), base.radius * _ROOT3 / 2
    return (box_around((x - base.radius, x + base.radius), (base.y - rise, base.y + rise), base.width, base.height),)


def _measure_hexagons(pixels: Pixels) -> Measurement | None:
    """The L* of two neutral hexagons that lie side by side on white ground: left minus right."""
    level = pixels[..., 1]
    found = (chroma(pixels) < 8) & (level < 235)
    if not 0.01 < found.mean() < 0.3 or found[0].any() or found[-1].any():
        return None
    labels, _ = ndimage.label(found)
    shades = []
    for index, box in enumerate(ndimage.find_objects(labels), start=1):
        shade = _hexagon_level(np.where(labels[box] == index, level[box], 255))
        if shade is not None:
            shades.append((box[1].start, float(lightness((shade, shade, shade)))))
    if len(shades) != 2:
        return None
    (_, left), (_, right) = sorted(shades)
    return Measurement(left - right)


def _hexagon_level(area: Pixels) -> float | None:
    """The level of grey of a darker hexagon on white with its corners left and right; `None` for another shape."""
    if area.shape[0] < 6 or area.shape[1] < 6:
        return None
    inside = area[area < 235]
    shade = float(np.median(inside))
    cover = (255 - area.astype(float)) / (255 - shade)
    rows, columns = cover.sum(0).max(), cover.sum(1).max()
    size = float(cover.sum())
    if abs(columns / rows - 2 / _ROOT3) > 0.05 or abs(size / (rows * columns) - 0.75) > 0.03:
        return None
    return shade if np.percentile(np.abs(inside - shade), 75) < 3 else None


@dataclass(frozen=True, slots=True)
class LadderZigzags:
    """Two slanting zigzags with a black ladder between each and the middle; rungs crowd at opposite ends.

    `slope` is in degrees counter-clockwise; `crowded` names the end at which the upper ladder's rungs crowd.
    """

    width: int
    height: int
    changed: str
    crowded: str
    ink: str
    slope: float
    half: float
    legs: int
    swing: float
    thickness: float
    apart: float
    ladder: float
    rungs: int
    stroke: float
    x: float
    y: float


def _sample_zigzags(frame: Frame) -> LadderZigzags:
    changed, crowded = frame.in_turn(("top", "bottom"), ("left", "right"))
    return LadderZigzags(
        width=frame.size,
        height=frame.size,
        changed=changed,
        crowded=crowded,
        ink=frame.one_of(tuple(INKS)),
        slope=frame.between(14, 26) * frame.one_of((-1, 1)),
        half=frame.px(150, 170),
        legs=frame.one_of((10, 12, 14)),
        swing=frame.px(12, 16),
        thickness=frame.px(8, 10),
        apart=frame.px(98, 106),
        ladder=frame.px(26, 32),
        rungs=round(frame.base_scale(8.5, 14.5)),
        stroke=frame.stroke(2.0, 3.0),
        x=frame.px(250, 262),
        y=frame.px(250, 262),
    )


def _turn(base: LadderZigzags, place: str, alpha: float) -> float:
    return _TURNED * alpha if place == base.changed else 0.0


def _turned(origin: Point, degrees: float, along: float, above: float) -> Point:
    """A point given along and above a direction, which is turned counter-clockwise from level."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return origin[0] + along * cos - above * sin, origin[1] - along * sin - above * cos


def _centre(base: LadderZigzags, above: float) -> Point:
    return _turned((base.x, base.y), base.slope, 0, above)


def _zigzag(base: LadderZigzags, place: str, alpha: float) -> Polygon:
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


def _zigzag_figure(base: LadderZigzags, alpha: float) -> Figure:
    places = ("top", "bottom")
    reach, hint = base.half + 0.05 * base.width, []
    for above in (base.apart, -base.apart):
        start, end = (_turned(_centre(base, above), base.slope, side * reach, 0) for side in (-1, 1))
        hint += dashes(start, end, max(1.0, base.stroke / 2), _RULER)
    return Figure(
        width=base.width,
        height=base.height,
        inducers=tuple(line for place in places for line in _ladder(base, place)),
        targets=tuple(_zigzag(base, place, alpha) for place in places),
        hint=tuple(hint),
    )


def _zigzag_value(base: LadderZigzags, alpha: float) -> float:
    return _turn(base, "top", alpha) - _turn(base, "bottom", alpha)


def _zigzag_regions(base: LadderZigzags) -> tuple[Box, ...]:
    corners = [point for alpha in (-1, 1) for point in _zigzag(base, base.changed, alpha).points]
    xs, ys = zip(*corners, strict=True)
    return (box_around((min(xs), max(xs)), (min(ys), max(ys)), base.width, base.height),)


def _measure_zigzags(pixels: Pixels) -> Measurement | None:
    """Degrees between two coloured zigzags, one above the other: top minus bottom, counter-clockwise positive."""
    found = sorted(targets(pixels), key=lambda target: target.centre[1])
    if len(found) != 2:
        return None
    top, bottom = (_slope_of_zigzag(target, pixels.shape[1]) for target in found)
    return None if top is None or bottom is None else Measurement(top - bottom)


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
        name="spiral_pills",
        number=28,
        title="Pills in spirals",
        category="size",
        sees=_SEES,
        truth="Both pills have the same length.",
        source=_SOURCE,
        factor=Factor("difference in length, left minus right", "px", visible=2.0, tolerance=0.4, grows=True),
        question="Does one {ink} pill reach exactly as far from end to end as the other?",
        question_reversed="Does one {ink} pill reach farther from end to end than the other?",
        comparison=Comparison(
            "Which of the two {ink} pills reaches farther from end to end, the left or the right one?", "left", "right"
        ),
        state="equally far from end to end",
        measurand="the length of each {ink} pill",
        smallest_size=128,
        directed=False,
        novel=True,
        sample=_sample_pills,
        geometry=_pill_figure,
        value=_pill_value,
        regions=_pill_regions,
        measure=_measure_pills,
    ),
    Case(
        name="comb_hexagons",
        number=29,
        title="Hexagons in combs",
        category="color",
        sees=_SEES,
        truth="Both hexagons have the same shade of grey.",
        source=_SOURCE,
        factor=Factor("difference in lightness, left minus right", "L*", visible=3.0, tolerance=1.5, grows=False),
        question="Is a single grey used for both hexagons?",
        question_reversed="Are two different greys used for the hexagons?",
        comparison=Comparison(
            "Which hexagon is filled with the lighter grey, the left or the right one?", "left", "right"
        ),
        state="filled with a single grey",
        measurand="the grey of each hexagon",
        smallest_size=128,
        directed=False,
        novel=True,
        sample=_sample_hexagons,
        geometry=_hexagon_figure,
        value=_hexagon_value,
        regions=_hexagon_regions,
        measure=_measure_hexagons,
    ),
    Case(
        name="ladder_zigzags",
        number=30,
        title="Zigzags beside ladders",
        category="orientation",
        sees=_SEES,
        truth="Both zigzags run in the same direction.",
        source=_SOURCE,
        factor=Factor(
            "difference in direction, top minus bottom, counter-clockwise positive", "deg", 0.5, 0.2, grows=False
        ),
        question="Do both {ink} zigzags run in the same direction?",
        question_reversed="Do the two {ink} zigzags run in different directions?",
        comparison=Comparison(
            "Compared with the lower {ink} zigzag, is the upper one turned counter-clockwise or clockwise?",
            "counter-clockwise",
            "clockwise",
        ),
        state="running in the same direction",
        measurand="the direction in which each {ink} zigzag runs",
        smallest_size=128,
        directed=False,
        novel=True,
        sample=_sample_zigzags,
        geometry=_zigzag_figure,
        value=_zigzag_value,
        regions=_zigzag_regions,
        measure=_measure_zigzags,
    ),
)
