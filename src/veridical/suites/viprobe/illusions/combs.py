"""A figure that no textbook shows: gray hexagons of one shade inside colored combs."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from veridical.media.draw import Item, Line, Polygon, Rectangle
from veridical.media.draw.colour import grey, hsv, lightness
from veridical.media.draw.scene import Colour
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    Case,
    CaseFigure,
    CaseItem,
    CaseNuisances,
    Factor,
    Measurement,
    TargetComparison,
)
from veridical.suites.viprobe.illusions.scatter import ScatterField, nearest_distance, transform
from veridical.suites.viprobe.illusions.view import Pixels, View, label_areas, share

_LIGHTER = 22.0
_RULER = (110, 110, 110)
_SEES = "No impression is known: the figure was made for this set."
_SOURCE = "veridical, novel"
_ROOT3 = math.sqrt(3)


class CombHexagons(CaseItem):
    """Two gray hexagons, each in the mouth of a colored comb: the left comb of `hue`, the right of the opposite one.

    `comb` says whether the combs hang from above or stand below, `shade` is the hexagons' L*.
    """

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, wide=True)
        self.changed, self.comb = frame.in_turn(("left", "right"), ("above", "below"))
        self.hue = frame.base_scale(0, 1)
        self.shade = frame.between(52, 58)
        self.teeth = frame.one_of((9, 11, 13))
        self.radius = frame.px(44, 52)
        self.left = frame.px(122, 134)
        self.right = frame.px(378, 390)
        self.y = frame.px(125, 131)
        self.scatter = frame.scatter()


def _hexagon_shade(base: CombHexagons, place: str, alpha: float) -> float:
    return base.shade + _LIGHTER * alpha if place == base.changed else base.shade


def _hexagon(x: float, y: float, radius: float, colour: Colour) -> Polygon:
    turns = [math.radians(60 * corner) for corner in range(6)]
    return Polygon(tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns), colour)


def _comb(base: CombHexagons, x: float, colour: Colour) -> list[Line]:
    """Teeth that stop at the outline of a larger hexagon and go on beside it, on a spine."""
    up, unit, clear = (1 if base.comb == "above" else -1), base.radius, 1.25
    half, spine = 1.85 * unit, 1.95 * unit
    thick = 2 * half / (2 * base.teeth - 1)
    made = [Line((x - half, base.y - up * spine), (x + half, base.y - up * spine), 0.2 * unit, colour)]
    for place in np.linspace(thick / 2 - half, half - thick / 2, base.teeth).tolist():
        inner = max(abs(place) - thick / 2, 0.0) / unit
        tip = min(clear * _ROOT3 / 2, (clear - inner) * _ROOT3) if inner < clear else -_ROOT3 / 2
        made.append(Line((x + place, base.y - up * spine), (x + place, base.y - up * tip * unit), thick, colour))
    return made


def _hexagon_figure(base: CombHexagons, alpha: float) -> CaseFigure:
    hexagons, combs = [], []
    for place, x, turn in (("left", base.left, 0.0), ("right", base.right, 0.5)):
        hexagons.append(_hexagon(x, base.y, base.radius, grey(_hexagon_shade(base, place, alpha))))
        combs += _comb(base, x, hsv(base.hue + turn, 0.7, 0.85))
    apart, thick = 1.25 * base.radius, 0.08 * base.radius
    ruler = Rectangle(base.left + apart, base.y - thick, base.right - apart, base.y + thick, grey(base.shade))
    return base.figure(inducers=combs, targets=hexagons, hint=(ruler,), clutter=lambda: _strewn(base))


@lru_cache(maxsize=64)
def _strewn(base: CombHexagons) -> tuple[Item, ...]:
    """The teeth of both combs and their spines, as many of either hue about each hexagon, the long ones broken.

    Teeth are shorter by what the spine covers of them.
    """
    hexagons = [_hexagon(x, base.y, base.radius, _RULER) for x in (base.left, base.right)]
    parts: list[Polygon] = []
    for turn in (0.0, 0.5):
        spine, *teeth = _comb(base, base.left, hsv(base.hue + turn, 0.7, 0.85))
        for line, less in ((spine, 0.0), *((tooth, spine.width / 2) for tooth in teeth)):
            length = math.dist(line.start, line.end) - less
            count = math.ceil(length / (1.3 * base.radius))
            parts += [_bar(line, length / count)] * count
    parts.sort(key=lambda bar: (bar.points[0], bar.colour))
    comb = [_standing(tooth) for tooth in _comb(base, base.left, _RULER)[1:]]
    near = nearest_distance(comb, hexagons[0])
    keep: list[tuple[Item, float]] = [(hexagon, 0.99 * near) for hexagon in hexagons]
    field = ScatterField(np.random.default_rng(base.scatter), (base.width, base.height), keep, apart=0.05 * base.radius)
    middles = [(x, base.y) for x in (base.left, base.right)]
    field.deal(list(zip(hexagons, middles, strict=True)), parts, near, 1.4 * base.radius)
    return tuple(field.items)


def _bar(line: Line, length: float) -> Polygon:
    """A stroke as a level bar of a length about the origin."""
    along, across = length / 2, line.width / 2
    return Polygon(((-along, -across), (along, -across), (along, across), (-along, across)), line.colour)


def _standing(tooth: Line) -> Polygon:
    """A tooth as a bar where it stands."""
    (x, start), (_, end) = tooth.start, tooth.end
    return transform(_bar(tooth, abs(end - start)), 90.0, (x, (start + end) / 2))


def _hexagon_regions(base: CombHexagons) -> tuple[Box, ...]:
    x, rise = (base.left if base.changed == "left" else base.right), base.radius * _ROOT3 / 2
    return (base.box((x - base.radius, x + base.radius), (base.y - rise, base.y + rise)),)


def _measure_hexagons(view: View) -> Measurement | None:
    """The L* of two neutral hexagons that lie side by side on white ground: left minus right."""
    level = view.level
    dark = (view.chroma < 8) & (level < 235)
    if not 0.01 < share(dark) < 0.3 or dark[0].any() or dark[-1].any():
        return None
    labels, boxes = label_areas(dark)
    shades = []
    for index, box in enumerate(boxes, start=1):
        own = labels[box] == index
        if own.size < 0.002 * labels.size or share(own) < 0.6:
            continue
        shade = _hexagon_level(np.where(own, level[box], 255))
        if shade is not None:
            shades.append((box[1].start, float(lightness((shade, shade, shade)))))
    if len(shades) != 2:
        return None
    (_, left), (_, right) = sorted(shades)
    return Measurement(left - right)


def _hexagon_level(area: Pixels) -> float | None:
    """The level of gray of a darker hexagon on white with its corners left and right; `None` for another shape."""
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


CASES = (
    Case(
        name="comb_hexagons",
        number=29,
        title="Hexagons in combs",
        category="color",
        sees=_SEES,
        truth="Both hexagons have the same shade of gray.",
        source=_SOURCE,
        factor=Factor("difference in lightness, left minus right", "L*", least=2.0, tolerance=1.5, grows=False),
        question="Is a single grey used for both hexagons?",
        question_reversed="Are two different greys used for the hexagons?",
        comparison=TargetComparison(
            "Which hexagon is filled with the lighter grey, the left or the right one?", "left", "right"
        ),
        state="filled with a single grey",
        measurand="the grey of each hexagon",
        directed=False,
        novel=True,
        sample=CombHexagons,
        geometry=_hexagon_figure,
        value=lambda base, alpha: _hexagon_shade(base, "left", alpha) - _hexagon_shade(base, "right", alpha),
        regions=_hexagon_regions,
        read=_measure_hexagons,
        reads_chroma=False,
    ),
)
