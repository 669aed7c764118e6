"""Sensitivity and readiness: d-prime and criterion of "a trick happened", under each kind of words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, shortened
from veridical.records import Estimate
from veridical.suite.results import Figure, Result, find
from veridical.suites.magicbench.asking.cells import FORENSIC, VISION_ONLY
from veridical.suites.magicbench.presentation.figures.style import PATTER
from veridical.suites.magicbench.presentation.tables.noticed import SAID

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_METRICS = {"d_prime": "d-prime", "criterion": "criterion"}
_MOST = 6
_SPAN = 5.0
"""How far the axes reach: beyond it no bound is drawn."""
Panels = Mapping[str, Mapping[str, Estimate]]


def readiness(results: Sequence[Result]) -> Figure | None:
    """Two panels for each model, d-prime and criterion, with a point for each kind of words."""
    own = [(result.model, panels) for result in results if any((panels := _panels(result)).values())][:_MOST]
    if not own:
        return None
    note = (
        "How well tricks are told from honest controls (d-prime, up: better; 0: not at all) and how readily a clip is "
        "called a trick (criterion, below 0: readily; above 0: taken for honest), without words (vision-only) and, in "
        "the forensic stance, under words of each kind. Where d-prime falls, tricks are told less well; where the "
        "criterion alone moves, the readiness has changed. Intervals are of 95 %; dotted: no bound."
    )
    return Figure("magicbench-readiness", "Told apart, or called readily?", note, _drawn(own), broad=True)


def _panels(result: Result) -> Panels:
    panels: dict[str, dict[str, Estimate]] = {}
    for metric in _METRICS:
        for said in SAID:
            where = {"stance": VISION_ONLY if said == "none" else FORENSIC, "words": said}
            each = find(result, metric, where)
            if each is not None and each.value is not None:
                panels.setdefault(metric, {})[said] = each
    return panels


def _drawn(own: Sequence[tuple[str, Panels]]) -> str:
    present = [said for said in SAID if any(said in points for _, panels in own for points in panels.values())]

    def draw(canvas: Canvas) -> None:
        every = canvas.subplots(len(own), len(_METRICS), sharex=True, sharey="col", squeeze=False)
        for (model, panels), row in zip(own, every, strict=True):
            for axes, (metric, title) in zip(row, _METRICS.items(), strict=True):
                axes.axhline(0, color="0.8", linewidth=0.8, zorder=0)
                axes.spines[["top", "right"]].set_visible(False)
                axes.set_title(title, fontsize=9)
                axes.set_ylim(-_SPAN / 2 if metric == "d_prime" else -3.5, _SPAN if metric == "d_prime" else 3.5)
                for said, each in panels.get(metric, {}).items():
                    _point(axes, present.index(said), each, PATTER[said])
                names = ["no words" if said == "none" else said for said in present]
                axes.set_xticks(range(len(present)), names, fontsize=7, rotation=25, ha="right")
            row[0].set_ylabel(shortened(model, 26), fontsize=8)

    return document(WIDTH, 0.7 + 2.1 * len(own), draw)


def _point(axes: Axes, x: int, each: Estimate, style: tuple[str, str]) -> None:
    """A point with its interval; a side without a bound is dotted up to the edge."""
    color, marker = style
    value = each.value or 0.0
    axes.plot([x], [value], marker, color=color, markersize=5)
    for bound, edge in ((each.low, axes.get_ylim()[0]), (each.high, axes.get_ylim()[1])):
        ends = [value, edge if bound is None else bound]
        axes.plot([x, x], ends, ":" if bound is None else "-", color=color, linewidth=1)
