"""Sensitivity and readiness: d-prime and criterion of "a trick happened", under each kind of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import document, grid, panel_title, panels
from veridical.records import Estimate
from veridical.suite.find import find
from veridical.suite.results import Figure, Result
from veridical.suites.magicbench.asking.cells import FORENSIC, VISION_ONLY
from veridical.suites.magicbench.presentation.figures.style import MOST, PATTER, legend, shown
from veridical.suites.magicbench.presentation.tables.noticed import SAID

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

Point = tuple[str, Estimate, Estimate]


def readiness(results: Sequence[Result]) -> Figure | None:
    """A panel for each model: criterion across, d-prime up, a point for each kind of words."""
    own = [(result, points) for result in results if (points := _points(result))][:MOST]
    if not own:
        return None
    note = (
        "How well tricks are told from honest controls (d-prime, up: better) and how readily a clip is called a trick "
        "(criterion, to the left: more readily), with 95 % intervals: without words (vision-only) and, in the forensic "
        "stance, under words of each kind. Where words move a point down, tricks are told less well; to the side, the "
        "readiness alone has changed. A rate of 0 or 1 has no bound on its far side."
    )
    return Figure("magicbench-readiness", "Told apart, or called readily?", note, _drawn(own))


def _points(result: Result) -> list[Point]:
    found = []
    for said in SAID:
        where = {"stance": VISION_ONLY if said == "none" else FORENSIC, "words": said}
        told, ready = (find(result, metric, where) for metric in ("d_prime", "criterion"))
        if told and ready and told.value is not None and ready.value is not None:
            found.append((said, told, ready))
    return found


def _drawn(own: Sequence[tuple[Result, list[Point]]]) -> str:
    columns, width, height = grid(len(own))
    present = [said for _, points in own for said, *_ in points]

    def draw(canvas: Canvas) -> None:
        for axes, (result, points) in zip(panels(canvas, len(own), columns, "criterion"), own, strict=True):
            for point in points:
                _point(axes, point)
            axes.axhline(0, color="0.8", linewidth=0.8, zorder=0)
            axes.axvline(0, color="0.8", linewidth=0.8, zorder=0)
            axes.set_ylabel("d-prime", fontsize=8)
            axes.set_title(panel_title(result.model, columns), fontsize=9)
        legend(canvas, canvas.axes[0], shown(present, PATTER), 5 if columns > 1 else 3)

    return document(width, height + 0.5, draw)


def _point(axes: Axes, point: Point) -> None:
    said, told, ready = point
    color, marker = PATTER[said]
    x, y = ready.value or 0.0, told.value or 0.0
    axes.plot([x], [y], marker, color=color, markersize=5)
    if told.low is not None and told.high is not None:
        axes.plot([x, x], [told.low, told.high], color=color, linewidth=0.8)
    if ready.low is not None and ready.high is not None:
        axes.plot([ready.low, ready.high], [y, y], color=color, linewidth=0.8)
