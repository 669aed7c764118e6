"""Figures in which parallel poles look tilted."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import numpy as np

from veridical.media.draw import Item, Polygon, Rectangle
from veridical.media.draw.colour import mean_light
from veridical.media.draw.scene import Colour, Point
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
    difference,
)
from veridical.suites.viprobe.illusions.view import Target, View

_REACH = 5.0
_CHROMA = 140
_STRETCHES = 8
_FLOOR = (55, 55, 55)


class TwistedCord(CaseItem):
    """Two upright poles with oblique stripes, mirrored; `seem` names the end at which they seem to come together.

    `dark`, `bright` and `ground` are levels of gray: those added to the ink in the two shades of the stripes, and the
    ground's own. `angle` is that between the stripes and the pole, `left_phase` and
    `right_phase` the stripes' places along their poles, 0 to 1.
    """

    def __init__(self, frame: CaseNuisances, dark: int, bright: int, ground: int) -> None:
        super().__init__(frame)
        (self.seem,) = frame.in_turn(("top", "bottom"))
        self.half, self.y = frame.px(180, 200), frame.px(236, 244)
        self.ink = frame.one_of(tuple(INKS))
        self.dark, self.bright, self.ground = dark, bright, ground
        self.pole = frame.base_scale(15, 35) * frame.scale
        self.angle = frame.between(26, 36)
        self.stripe = frame.px(8, 11)
        self.left_phase, self.right_phase = frame.between(0, 1), frame.between(0, 1)
        self.left, self.right = frame.px(160, 180), frame.px(332, 352)
        self.floor = self.y + self.half + frame.px(6, 10)
        self.scatter = frame.scatter()


def _shade(base: TwistedCord, level: int) -> Colour:
    """The ink made lighter by a level of gray; its chroma is the same at every level."""
    ink = INKS[base.ink]
    red, green, blue = (round((channel - min(ink)) * _CHROMA / (max(ink) - min(ink))) + level for channel in ink)
    return red, green, blue


def _tilt(base: TwistedCord, alpha: float) -> float:
    """Degrees by which the left pole's top leans to the right, and the right one's to the left."""
    return _REACH / 2 * alpha * (1 if base.seem == "top" else -1)


def _placed(base: TwistedCord, x: float, tilt: float, points: list[Point]) -> tuple[Point, ...]:
    """Points about a pole's center, turned clockwise by some degrees and moved to where the pole stands."""
    cos, sin = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
    return tuple((x + px * cos - py * sin, base.y + px * sin + py * cos) for px, py in points)


def _stripes(base: TwistedCord, rising: int, phase: float, ends: tuple[float, float]) -> list[list[Point]]:
    """Every other stripe of a stretch, from the top down, a pixel inside the pole's outline, painted but once.

    `rising` is +1 for stripes that go up to the right, else -1; a stretch is from its upper to its lower end.
    """
    edge, (top, bottom) = base.pole / 2 - 1, ends
    slope, step = rising / math.tan(math.radians(base.angle)), base.stripe / math.sin(math.radians(base.angle))

    def border(at: float) -> list[Point]:
        crossings = ((at - y) / slope for y in ends)
        xs = sorted((-edge, edge, *(min(max(x, -edge), edge) for x in crossings)))
        return [(x, min(max(at - slope * x, top), bottom)) for x in xs]

    beyond = edge * abs(slope)
    starts = np.arange(top - beyond - 2 * step * phase, bottom + beyond, 2 * step)
    return [border(start) + border(start + step)[::-1] for start in starts.tolist()]


def _pole(base: TwistedCord, alpha: float, side: int, x: float) -> tuple[Point, ...]:
    edge = base.pole / 2
    outline = [(-edge, -base.half), (edge, -base.half), (edge, base.half), (-edge, base.half)]
    return _placed(base, x, side * _tilt(base, alpha), outline)


def _painted(base: TwistedCord, alpha: float, side: int, x: float, stripes: list[list[Point]]) -> list[Item]:
    """A pole at x with its dark stripes; `side` is +1 for the left one, which leans the other way, else -1."""
    tilt, dark = side * _tilt(base, alpha), _shade(base, base.dark)
    pole = Polygon(_pole(base, alpha, side, x), _shade(base, base.bright))
    return [pole, *(Polygon(_placed(base, x, tilt, stripe), dark) for stripe in stripes)]


def _geometry(base: TwistedCord, alpha: float) -> CaseFigure:
    dark, bright = _shade(base, base.dark), _shade(base, base.bright)
    floor = Rectangle(0, base.floor, base.width, base.floor + 0.02 * base.height, _FLOOR)
    striped: list[Item] = []
    plain = []
    hint: list[Item] = []
    for side, x, phase in ((1, base.left, base.left_phase), (-1, base.right, base.right_phase)):
        plain.append(Polygon(_pole(base, alpha, side, x), mean_light(dark, bright)))
        whole = 1 - base.half, base.half - 1
        stripes = _stripes(base, side if base.seem == "top" else -side, phase, whole)
        striped += _painted(base, alpha, side, x, stripes)
        width = max(1.0, base.width / 400)
        for away in (-1, 1):
            ruler = x + away * (base.pole / 2 + 0.012 * base.width)
            hint += dashes((ruler, 0.02 * base.height), (ruler, base.floor), width, (90, 90, 90))
    ground = (base.ground, base.ground, base.ground)
    return base.figure(
        ground=ground,
        control_ground=ground,
        inducers=(floor,),
        targets=striped,
        hint=hint,
        control_targets=(floor, *plain),
        clutter=lambda: (floor,),
        clutter_targets=lambda: (
            *_painted(base, alpha, 1, base.left, _mixed(base)[1]),
            *_painted(base, alpha, -1, base.right, _mixed(base)[-1]),
        ),
    )


@lru_cache(maxsize=64)
def _mixed(base: TwistedCord) -> dict[int, list[list[Point]]]:
    """The stripes of either pole, in stretches of which half rise and half fall, in random order."""
    rng = np.random.default_rng(base.scatter)
    bounds = np.linspace(1 - base.half, base.half - 1, _STRETCHES + 1).tolist()
    return {
        side: [
            stripe
            for rising, ends in zip(rng.permutation([-1, 1] * (_STRETCHES // 2)), pairwise(bounds), strict=True)
            for stripe in _stripes(base, int(rising), rng.random(), ends)
        ]
        for side in (1, -1)
    }


def _regions(base: TwistedCord) -> tuple[Box, ...]:
    sway = base.half * math.sin(math.radians(_REACH / 2)) + base.pole / 2
    rise = base.half + base.pole / 2 * math.sin(math.radians(_REACH / 2))
    ys = (base.y - rise, base.y + rise)
    return tuple(base.box((x - sway, x + sway), ys) for x in (base.left, base.right))


def _measure(view: View) -> Measurement | None:
    """Degrees between the axes of two colored poles side by side, positive where they are closer at the top."""
    targets = view.targets
    if len(targets) != 2:
        return None
    left, right = (_lean(pole, view.height) for pole in sorted(targets, key=lambda pole: pole.x))
    return difference(left, right)


def _lean(pole: Target, height: int) -> float | None:
    """Degrees clockwise from upright, by a straight fit to the rows' centers; `None` for another shape."""
    rows, columns = pole.coverage.shape
    if not 0.5 * height < rows < 0.95 * height or columns > 0.2 * rows:
        return None
    inner = pole.coverage[4:-4]
    mass = inner.sum(1)
    width = float(mass.mean())
    if width < 0.029 * rows or np.ptp(mass) > 0.15 * width + 0.5:
        return None
    at = np.arange(len(mass))
    centre = (inner @ np.arange(columns)) / mass
    slope, offset = np.polyfit(at, centre, 1)
    if np.abs(centre - slope * at - offset).max() > 0.5:
        return None
    return -math.degrees(math.atan(slope))


CONVERGENCE = Factor(
    "convergence of the poles, positive where they are closer at the top", "deg", 0.25, 0.2, grows=False
)


def _case(name: str, number: int, title: str, departs: str, sample: Callable[[CaseNuisances], TwistedCord]) -> Case:
    return Case(
        name=name,
        number=number,
        title=title,
        category="orientation",
        sees="Each column seems to lean the way its stripes lean.",
        truth="The two columns are parallel.",
        source=f"Fraser 1908 (the twisted cord); VI-Probe, Table 4, case {number}",
        factor=CONVERGENCE,
        question="Are the two {ink} columns parallel?",
        question_reversed="Do the two {ink} columns come closer to each other towards one end?",
        comparison=TargetComparison(
            "Are the two {ink} columns closer together at the top or at the bottom?", "at the top", "at the bottom"
        ),
        state="parallel",
        measurand="the lean of each {ink} column",
        departs=departs,
        inseparable="The stripes fill the columns, so without the columns nothing of them is left.",
        sample=sample,
        geometry=_geometry,
        value=lambda base, alpha: 2 * _tilt(base, alpha),
        regions=_regions,
        read=_measure,
    )


CASES = (
    _case(
        "twisted_cord",
        23,
        "Twisted cord",
        "Published: black and white stripes at 45°, always leaning inwards; the columns of the control are black.",
        lambda frame: TwistedCord(frame, 0, 115, 229),
    ),
    _case(
        "twisted_cord_light",
        24,
        "Twisted cord, low contrast",
        "Published: grey stripes at 45°, always leaning inwards; the control's columns are black, of higher contrast.",
        lambda frame: TwistedCord(frame, 20, 70, 128),
    ),
)
