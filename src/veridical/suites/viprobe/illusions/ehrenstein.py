"""A figure in which the straight sides of squares look bowed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Polygon
from veridical.media.draw.scene import Point
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    INKS,
    Case,
    CaseFigure,
    CaseNuisances,
    Factor,
    Measurement,
    TargetComparison,
    dashes,
)
from veridical.suites.viprobe.illusions.curvature import Fan, parabola, strew_rays
from veridical.suites.viprobe.illusions.tilt import midline
from veridical.suites.viprobe.illusions.view import Map, View

_REACH = 14.0
_QUARTER = np.array([[0, -1], [1, 0]])
_FAR = {"beside": (3, 1), "above": (2, 0)}
"""The side of each square that is farthest from the fan's center: so many quarters from the lower one, by the right."""


class Ehrenstein(Fan):
    """Two hollow colored squares on either side of the center of the fan.

    `arrangement` is "beside" (left and right of the center) or "above" (above and below it). The sides that the fan
    crosses head-on, the nearest to its center and the farthest, seem to bend away from it, as Hering's lines do: a
    positive change bends both so, the far one outward and the near one inward. The other two sides stay straight.
    """

    def __init__(self, frame: CaseNuisances) -> None:
        (self.arrangement,) = frame.in_turn(("beside", "above"))
        self.side = frame.px(148, 168)
        super().__init__(frame, 7.5, 17.5)
        self.distance = self.side / 2 + frame.px(23, 31)
        self.scatter = frame.scatter()


def _away(base: Ehrenstein, alpha: float) -> float:
    """How far the middle of the near and of the far side lies beyond the line between its corners, from the center."""
    return _REACH * alpha * base.width / 512


def _centres(base: Ehrenstein) -> tuple[Point, Point]:
    dx, dy = (base.distance, 0.0) if base.arrangement == "beside" else (0.0, base.distance)
    return (base.x - dx, base.y - dy), (base.x + dx, base.y + dy)


def _ehrenstein(base: Ehrenstein, alpha: float) -> CaseFigure:
    squares = []
    hint: list[Item] = []
    reach = base.side / 2 + 2.5 * base.stroke
    for (x, y), far in zip(_centres(base), _FAR[base.arrangement], strict=True):
        outer, inner = (_contour(base.side, _away(base, alpha), away * base.stroke / 2, far) for away in (1, -1))
        outline = np.concatenate([outer, outer[:1], inner[::-1], inner[-1:]]).tolist()
        squares.append(Polygon(tuple((x + dx, y + dy) for dx, dy in outline), INKS[base.ink]))
        corners = [(x + reach * i, y + reach * j) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        for corner, following in zip(corners, corners[1:] + corners[:1], strict=True):
            hint += dashes(corner, following, max(1.0, base.ray_stroke))
    return base.figure(inducers=base.lines(), targets=squares, hint=hint, clutter=lambda: strew_rays(base))


def _contour(side: float, away: float, outside: float, quarters: int) -> NDArray[np.float64]:
    """The edge of a square's stroke, `outside` its middle line, from a corner round; mitred at the corners.

    The first side, turned by so many quarters, bends outward by `away`, the opposite one inward.
    """
    edges = []
    for turn, bow in enumerate((away, 0.0, -away, 0.0)):
        along = np.linspace(-1, 1, 25)
        normal = np.stack([4 * bow * along / side, np.ones_like(along)], 1)
        normal /= np.hypot(*normal.T)[:, None]
        middle = np.stack([along * side / 2, side / 2 + bow * (1 - along**2)], 1)
        edges.append((middle + outside * normal) @ np.linalg.matrix_power(_QUARTER, turn + quarters))
    return np.concatenate([_mitred(edges[turn - 1], edges[turn]) for turn in range(4)])


def _mitred(former: NDArray[np.float64], edge: NDArray[np.float64]) -> NDArray[np.float64]:
    """An edge without its last point, its first one where it meets the former edge, both prolonged as they end."""
    (before, end), (start, after) = former[-2:], edge[:2]
    ahead, back = end - before, start - after
    steps = np.linalg.solve(np.stack([ahead, -back], 1), start - end)
    return np.concatenate([(end + steps[0] * ahead)[None], edge[1:-1]])


def _regions_ehrenstein(base: Ehrenstein) -> tuple[Box, ...]:
    reach = base.side / 2 + _away(base, 1) + base.stroke
    return tuple(base.box((x - reach, x + reach), (y - reach, y + reach)) for x, y in _centres(base))


def _measure_ehrenstein(view: View) -> Measurement | None:
    """How far the near and the far sides of two hollow colored squares bend away from the middle between both."""
    targets = view.targets
    if len(targets) != 2 or any(min(target.coverage.shape) < 0.15 * view.width for target in targets):
        return None
    across = np.subtract(targets[1].centre, targets[0].centre)
    beside = abs(across[0]) > abs(across[1])
    first, second = sorted(targets, key=lambda target: target.centre[0 if beside else 1])
    bows = [_bent(target.coverage.T if beside else target.coverage) for target in (first, second)]
    if bows[0] is None or bows[1] is None:
        return None
    return Measurement((bows[1] - bows[0]) / 2)


def _bent(coverage: Map) -> float | None:
    """How far the upper and the lower side of a hollow square bend downward, in the mean; `None` for another shape.

    The two other sides are straight: the distance between them is the length of a side.
    """
    height, width = coverage.shape
    columns, rows = slice(round(0.2 * width), round(0.8 * width)), slice(round(0.3 * height), round(0.7 * height))
    halves = coverage[: height // 2], coverage[height // 2 :]
    upper, lower = (_edge(half[:, columns]) for half in halves)
    left, right = (_edge(half[:, rows]) for half in (coverage.T[: width // 2], coverage.T[width // 2 :]))
    if abs(height - width) > 0.25 * width or upper is None or lower is None or left is None or right is None:
        return None
    side = float(np.mean(right) + width // 2 - np.mean(left))
    fitted = [parabola(edge) for edge in (upper, lower)]
    if fitted[0] is None or fitted[1] is None or max(np.ptp(left), np.ptp(right)) > 0.02 * side + 0.6:
        return None
    bow = -(fitted[0].bend + fitted[1].bend) / 2 * side**2 / 4
    return bow if abs(bow) < 0.15 * side else None


def _edge(half: Map) -> Map | None:
    """The height of the one thin stroke that crosses half a square, by column; `None` for anything else."""
    mass = half.sum(0)
    if mass.max() > 0.2 * len(half) or np.ptp(mass) > 0.3 * mass.max():
        return None
    return midline(half)


CASES = (
    Case(
        name="ehrenstein",
        number=27,
        title="Ehrenstein",
        category="orientation",
        sees="The sides of the squares that the fan crosses head-on seem to bend away from its center.",
        truth="All sides of both squares are straight.",
        source="Ehrenstein 1925; VI-Probe, Table 4, case 27",
        factor=Factor(
            "bow of the near and far sides, away from the middle", "px", least=1.0, tolerance=0.4, grows=True
        ),
        question="Are all sides of the two {ink} squares straight?",
        question_reversed="Are some sides of the two {ink} squares curved?",
        comparison=TargetComparison(
            "Do the bent sides of the two {ink} squares bend away from the point halfway between the squares, or "
            "towards it?",
            "away",
            "towards",
        ),
        state="bounded by straight sides",
        measurand="how far the middle of each side of the {ink} squares lies off the straight line between its corners",
        departs=(
            "Published: smaller black squares on a gray fan, drawn in another way where they are bowed; all their "
            "sides bow, inward or outward, which no square in a fan seems to do."
        ),
        sample=Ehrenstein,
        geometry=_ehrenstein,
        value=_away,
        regions=_regions_ehrenstein,
        read=_measure_ehrenstein,
    ),
)
