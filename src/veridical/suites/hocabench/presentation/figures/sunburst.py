"""The taxonomy as sunbursts: layers, domains and sub-types, by how often their clips are called implausible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, degrees, pi, sin
from typing import TYPE_CHECKING, NamedTuple

from veridical.base.charts import WIDTH, document, shortened
from veridical.records import Json
from veridical.suite.find import find, named
from veridical.suite.results import Figure, Result
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_MOST = 4
_RINGS = ((0.28, 0.50), (0.50, 0.76), (0.76, 1.0))
_EMPTY = "0.93"
_LIGHT = 0.55
"""The share above which a wedge is dark, and its text white."""


class Wedge(NamedTuple):
    """A stretch of a ring: its ring from within, start and end as shares of the circle, title, and value if any."""

    ring: int
    start: float
    end: float
    title: str
    value: float | None


def sunburst(results: Sequence[Result]) -> Figure | None:
    """A sunburst for each of the first four models that were asked about plausibility."""
    shown = [result for result in results if _value(result, {}) is not None][:_MOST]
    if not shown:
        return None
    note = (
        "From within: layers, domains, sub-types; each sub-type of the set has an equal part. The darker, the more of "
        "its violating clips are called implausible; gray: none. In the middle: alarms on plausible controls."
    )
    return Figure("hocabench-sunburst", "The taxonomy, as it is seen", note, _drawn(shown), broad=True)


def wedges(result: Result) -> Iterator[Wedge]:
    """The wedges of a run's sunburst, from within and in the order of the taxonomy."""
    levels = named(result, "sub_type")
    present = [each for each in SUB_TYPES.values() if each.name in levels]
    count = len(present)
    rings: list[list[tuple[str, str, dict[str, Json]]]] = [
        [(each.layer, each.layer.capitalize(), {"layer": each.layer}) for each in present],
        [(each.domain, DOMAINS[each.domain].title, {"category": each.domain}) for each in present],
        [(each.name, each.title, {"sub_type": each.name}) for each in present],
    ]
    for ring, names in enumerate(rings):
        for name, title, where in {key: (key, title, where) for key, title, where in names}.values():
            places = [k for k, each in enumerate(names) if each[0] == name]
            yield Wedge(ring, places[0] / count, (places[-1] + 1) / count, title, _value(result, where))


def _value(result: Result, where: dict[str, Json], variant: str = "violating") -> float | None:
    estimate = find(result, "says implausible", {"variant": variant, **where})
    return None if estimate is None else estimate.value


def _drawn(results: Sequence[Result]) -> str:
    columns = min(2, len(results))
    rows = -(-len(results) // columns)
    side = WIDTH if columns == 1 else 1.55 * WIDTH / 2

    def draw(canvas: Canvas) -> None:
        panels = canvas.subplots(rows, columns, squeeze=False).ravel()
        for axes in panels[len(results) :]:
            axes.set_visible(False)
        for axes, result in zip(panels, results, strict=False):
            _panel(axes, result)

    return document(side * columns, (side + 0.3) * rows, draw)


def _panel(axes: Axes, result: Result) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Wedge as Patch

    axes.set_aspect("equal")
    axes.set_xlim(-1.02, 1.02)
    axes.set_ylim(-1.02, 1.02)
    axes.axis("off")
    axes.set_title(shortened(result.model, 44), fontsize=9)
    blues = colormaps["Blues"]
    for each in wedges(result):
        inner, outer = _RINGS[each.ring]
        first, last = 90 - 360 * each.end, 90 - 360 * each.start
        color = _EMPTY if each.value is None else blues(0.08 + 0.82 * each.value)
        axes.add_patch(Patch((0, 0), outer, first, last, width=outer - inner, facecolor=color, edgecolor="white"))
        _text(axes, each, (inner + outer) / 2)
    alarms = _value(result, {}, "plausible")
    if alarms is not None:
        axes.text(0, 0, f"alarms on\ncontrols\n{100 * alarms:.0f} %", ha="center", va="center", fontsize=8)


def _text(axes: Axes, wedge: Wedge, radius: float) -> None:
    """A wedge's title and value: along the circle within, along the radius in the outer rings."""
    angle = pi / 2 - 2 * pi * (wedge.start + wedge.end) / 2
    turn = degrees(angle)
    turn = turn + 90 if wedge.ring == 0 else turn
    turn = (turn + 90) % 180 - 90
    percent = "" if wedge.value is None else f" {100 * wedge.value:.0f}"
    title = wedge.title.replace(" and ", " and\n") if wedge.ring else wedge.title
    title = title if wedge.ring < 2 else title.replace(" ", "\n", 1) if len(title) > 11 else title
    axes.text(
        radius * cos(angle),
        radius * sin(angle),
        title + percent,
        rotation=turn,
        ha="center",
        va="center",
        fontsize=7,
        linespacing=0.95,
        color="white" if wedge.value is not None and wedge.value > _LIGHT else "0.15",
    )
