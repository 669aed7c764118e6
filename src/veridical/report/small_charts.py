"""A small chart of curves as SVG for a row of a table: drawn in the page's own colors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from veridical.base.format import format_number, visible
from veridical.records import Estimate
from veridical.report.headlines import axis
from veridical.suite.opening import Chart, ChartCurve

WIDTH, HEIGHT = 236, 102
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 232, 8, 84
_MARKS = ("ring", "square", "line", "line")
"""How the first four curves are marked; what comes after is drawn as the fourth."""

Point = tuple[float, Estimate]


def small_chart(chart: Chart) -> str:
    """The chart as an `<svg>` element, with its title and the names of its curves as its text for those who listen."""
    points = [point for curve in chart.curves for piece in curve.pieces for point in piece]
    if not points:
        return ""
    draw = _Axes(points)
    lines = "".join(draw.grid()) + "".join(
        draw.curve(curve, number) for number, curve in reversed(list(enumerate(chart.curves)))
    )
    label = escape(visible(f"{chart.title}: {', '.join(curve.name for curve in chart.curves)}"))
    ends = "".join(
        f'<text x="{x}" y="{HEIGHT - 4}" text-anchor="{anchor}">{escape(visible(text))}</text>'
        for x, anchor, text in zip((_LEFT, _RIGHT), ("start", "end"), chart.ends, strict=True)
    )
    return (
        f'<svg class="small-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{lines}{ends}</svg>'
    )


def legend(charts: Iterable[Chart]) -> list[tuple[str, str]]:
    """The names of the curves of several charts with their keys as `<svg>` elements, each name once."""
    names = {curve.name: number for chart in charts for number, curve in enumerate(chart.curves)}
    return [(name, _key(number)) for name, number in sorted(names.items(), key=lambda each: each[1])]


def _key(number: int) -> str:
    line = '<line x1="1" y1="7" x2="25" y2="7"/>'
    return (
        f'<svg class="small-chart key" viewBox="0 0 26 14" aria-hidden="true"><g class="{_class(number)}">{line}'
        f"{_mark(13, 7, number)}</g></svg>"
    )


def _class(number: int) -> str:
    return f"series-{min(number, len(_MARKS) - 1) + 1}"


def _mark(x: float, y: float, number: int) -> str:
    kind = _MARKS[min(number, len(_MARKS) - 1)]
    if kind == "ring":
        return f'<circle cx="{x:.4g}" cy="{y:.4g}" r="3"/>'
    return f'<rect x="{x - 1.75:.4g}" y="{y - 1.75:.4g}" width="3.5" height="3.5"/>' if kind == "square" else ""


class _Axes:
    """Where points stand in the chart."""

    def __init__(self, points: list[Point]) -> None:
        self.unit = points[0][1].unit
        values = [x for _, e in points for x in (e.value, e.low, e.high) if x is not None]
        self.low, self.high = axis(self.unit, values)
        self.first, self.last = min(x for x, _ in points), max(x for x, _ in points)

    def x(self, x: float) -> float:
        share = (x - self.first) / (self.last - self.first) if self.last > self.first else 0.5
        return _LEFT + 6 + share * (_RIGHT - _LEFT - 12)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return _BOTTOM - min(max(share, 0.0), 1.0) * (_BOTTOM - _TOP)

    def grid(self) -> Iterator[str]:
        for value in (self.low, (self.low + self.high) / 2, self.high):
            y = self.y(value)
            label = f"{format_number(round(value * self.unit.scale, 10))}{self.unit.suffix}"
            yield f'<line class="grid" x1="{_LEFT}" y1="{y:.4g}" x2="{_RIGHT}" y2="{y:.4g}"/>'
            yield f'<text x="{_LEFT - 4}" y="{y + 3:.4g}" text-anchor="end">{escape(visible(label))}</text>'
        if self.first < 0 < self.last:
            yield f'<line class="grid" x1="{self.x(0):.4g}" y1="{_TOP}" x2="{self.x(0):.4g}" y2="{_BOTTOM}"/>'

    def curve(self, curve: ChartCurve, number: int) -> str:
        pieces = [[point for point in piece if point[1].value is not None] for piece in curve.pieces]
        return f'<g class="{_class(number)}">{"".join(map(self.band, pieces))}{self.lines(pieces, number)}</g>'

    def band(self, piece: list[Point]) -> str:
        """The intervals of a piece: a band, or a whisker where it is one point."""
        if all(e.low is None and e.high is None for _, e in piece):  # a number without a spread, such as chance
            return ""
        ends = [(self.x(x), *(self.y(end) for end in self.ends(e))) for x, e in piece]
        if len(ends) == 1:
            x, low, high = ends[0]
            return f'<line class="whisker-line" x1="{x:.4g}" y1="{low:.4g}" x2="{x:.4g}" y2="{high:.4g}"/>'
        corners = [f"{x:.4g},{high:.4g}" for x, _, high in ends] + [
            f"{x:.4g},{low:.4g}" for x, low, _ in reversed(ends)
        ]
        return f'<polygon points="{" ".join(corners)}"/>'

    def ends(self, estimate: Estimate) -> tuple[float, float]:
        low = self.low if estimate.low is None else estimate.low
        return low, self.high if estimate.high is None else estimate.high

    def lines(self, pieces: list[list[Point]], number: int) -> str:
        drawn = [[(self.x(x), self.y(e.value or 0.0)) for x, e in piece] for piece in pieces]
        lines = "".join(
            f'<polyline points="{" ".join(f"{x:.4g},{y:.4g}" for x, y in piece)}"/>'
            for piece in drawn
            if len(piece) > 1
        )
        return lines + "".join(_mark(x, y, number) for piece in drawn for x, y in piece)
