"""Figures in which equal gaps look unequal."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from veridical.media.draw import Item, Line, Polygon
from veridical.media.draw.scene import Point
from veridical.records import Box
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
)
from veridical.suites.viprobe.illusions.scatter import ScatterField, random_halves
from veridical.suites.viprobe.illusions.view import Target, View

_REACH = 0.5
_AWAY = {"left": -1, "right": 1}


class OppelKundt(CaseItem):
    """Three upright marker lines; the gap on the `filled` side holds `fill` more lines, evenly spaced.

    `x` is the place of the middle marker, `y` the middle of all lines.
    """

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, wide=True)
        self.changed, self.filled = frame.in_turn(("left", "right"), ("left", "right"))
        self.ink = frame.one_of(tuple(INKS))
        self.gap = frame.base_scale(124, 154) * frame.scale
        self.fill = frame.one_of((6, 7, 8))
        self.tall = frame.px(88, 116)
        self.stroke = frame.stroke(3.4, 4.6)
        self.fill_stroke = frame.stroke(1.6, 2.4)
        self.x = frame.px(247, 265)
        self.y = frame.px(120, 136)
        self.scatter = frame.scatter()


def _gap(base: OppelKundt, side: str, alpha: float) -> float:
    """The gap on a side; congruent change widens the filled gap, which looks wider, or narrows the empty one."""
    return base.gap * (1 + base.change(side, base.filled, _REACH * alpha))


def _geometry(base: OppelKundt, alpha: float) -> CaseFigure:
    top, bottom = base.y - base.tall / 2, base.y + base.tall / 2
    clear = 8 * base.width / 512

    def upright(x: float, ink: str | None) -> Line:
        colour, stroke = (INKS[ink], base.stroke) if ink else (BLACK, base.fill_stroke)
        return Line((x, top), (x, bottom), stroke, colour)

    step = _AWAY[base.filled] * _gap(base, base.filled, alpha) / (base.fill + 1)
    markers = (base.x - _gap(base, "left", alpha), base.x, base.x + _gap(base, "right", alpha))
    hint: list[Line] = []
    for x in (base.x - base.gap, base.x, base.x + base.gap):
        hint += dashes((x, top - clear), (x, 0), max(1.0, base.stroke / 2))
        hint += dashes((x, bottom + clear), (x, base.height), max(1.0, base.stroke / 2))
    return base.figure(
        inducers=tuple(upright(base.x + step * k, None) for k in range(1, base.fill + 1)),
        targets=tuple(upright(x, base.ink) for x in markers),
        hint=hint,
        clutter=lambda: _strewn(base),
    )


@lru_cache(maxsize=64)
def _strewn(base: OppelKundt) -> tuple[Item, ...]:
    """Half of the fill on either side: some steep beside the middle marker, two flat above and below the outer one.

    What lies beside the middle marker keeps clear of the outer one at its nearest.
    """
    rng = np.random.default_rng(base.scatter)
    top, bottom = base.y - base.tall / 2, base.y + base.tall / 2
    near = base.gap / (base.fill + 1) - (base.stroke + base.fill_stroke) / 2
    middle = Line((base.x, top), (base.x, bottom), base.stroke, BLACK)
    line = Line((-base.tall / 2, 0.0), (base.tall / 2, 0.0), base.fill_stroke, BLACK)
    markers: list[Item] = [middle, *(_swept(base, way) for way in _AWAY.values())]
    keep = [(marker, 2 * base.stroke) for marker in markers]
    field = ScatterField(rng, (base.width, base.height), keep, apart=1.5 * base.fill_stroke)
    for own, way in zip(random_halves(rng, [line] * base.fill), _AWAY.values(), strict=True):
        steep = own[2:]

        def inward(_: int, way: int = way) -> tuple[Point, float]:
            return (base.x, base.y + rng.uniform(-0.1, 0.1) * base.tall), 90.0 - 90.0 * way

        def across(place: int, way: int = way) -> tuple[Point, float]:
            return (base.x + way * base.gap, base.y), (90.0 if place else -90.0) + rng.uniform(-20, 20)

        field.strew_around(middle, steep, near, 2 * near, inward, [90 + rng.uniform(-12, 12) for _ in steep])
        outer = Line((base.x + way * base.gap, top), (base.x + way * base.gap, bottom), base.stroke, BLACK)
        field.strew_around(outer, own[:2], near, 1.3 * near, across, [rng.uniform(-12, 12) for _ in own[:2]])
    return tuple(field.items)


def _swept(base: OppelKundt, way: int) -> Polygon:
    """All places where the outer marker of a side may stand."""
    near, far = (base.x + way * base.gap * (1 + end * _REACH) for end in (-1, 1))
    top, bottom = base.y - base.tall / 2, base.y + base.tall / 2
    return Polygon(((near, top), (far, top), (far, bottom), (near, bottom)), BLACK)


def _regions(base: OppelKundt) -> tuple[Box, ...]:
    """Where the outer marker goes, and where the filled gap changes, its fill, which is spaced out anew with it."""
    nearest = 1 - _REACH
    if base.filled == base.changed:
        nearest /= base.fill + 1
    near, far = (base.gap * part for part in (nearest, 1 + _REACH))
    away = -1 if base.changed == "left" else 1
    left, right = sorted((base.x + away * near, base.x + away * far))
    xs = left - base.stroke / 2, right + base.stroke / 2
    return (base.box(xs, (base.y - base.tall / 2, base.y + base.tall / 2)),)


def measure_gaps(view: View) -> Measurement | None:
    """The gaps between three colored upright lines of one height: left minus right."""
    targets = sorted(view.targets, key=lambda target: target.x)
    if len(targets) != 3 or not all(_is_upright(target, view.height) for target in targets):
        return None
    tops, heights = [target.y for target in targets], [len(target.coverage) for target in targets]
    if max(tops) - min(tops) > 1 or max(heights) - min(heights) > 1:
        return None
    left, middle, right = (_middle(target) for target in targets)
    return Measurement((middle - left) - (right - middle))


def _is_upright(target: Target, whole: int) -> bool:
    """Whether it is a straight upright stroke that keeps well inside the picture."""
    height, width = target.coverage.shape
    if height < 6 or width > 0.25 * height + 2 or not 0.2 < height / whole < 0.7:
        return False
    return bool(np.ptp(target.coverage[2:-2], axis=0).max() < 0.2)


def _middle(target: Target) -> float:
    """Where an upright stroke is, by its ink on either side of a pixel border within it.

    A center of mass would put the ink of a soft edge in the middle of its pixel, which is 0.1 px off in thin strokes.
    """
    ink = np.pad(target.coverage[2:-2].mean(0), 1)
    border = int((ink[:-1] + ink[1:]).argmax()) + 1
    return target.x - 1 + border + float(ink[border:].sum() - ink[:border].sum()) / 2


CASES = (
    Case(
        name="oppel_kundt",
        number=8,
        title="Oppel-Kundt",
        category="size",
        sees="The gap that is filled with lines looks wider than the empty one.",
        truth="The middle colored line has the same distance from both others.",
        source="Oppel 1855, Kundt 1863; VI-Probe, Table 4, case 8",
        factor=Factor("difference in width, left gap minus right gap", "px", least=1.0, tolerance=0.4, grows=True),
        question="Is the middle {ink} line equally far from the left {ink} line and from the right {ink} line?",
        question_reversed="Is the middle {ink} line closer to one of the two other {ink} lines than to the other?",
        comparison=TargetComparison(
            "Which of the two other {ink} lines is farther from the middle {ink} line, the left or the right one?",
            "left",
            "right",
        ),
        state="equally spaced",
        measurand="the distance from the middle {ink} line to each of the other two {ink} lines",
        departs="Published: black markers with letters, a fill spaced in whole pixels, always in the right gap.",
        aligned="Both gaps lie on one line and share the middle marker, as the figure needs it.",
        sample=OppelKundt,
        geometry=_geometry,
        value=lambda base, alpha: _gap(base, "left", alpha) - _gap(base, "right", alpha),
        regions=_regions,
        read=measure_gaps,
        smallest_size=224,
    ),
)
