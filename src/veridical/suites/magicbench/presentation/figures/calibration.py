"""Calibration: how often an explanation follows, by the confidence that it states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import document, grid, panels, shortened
from veridical.records import Estimate, Json
from veridical.suite.results import Figure, Result, find
from veridical.suites.magicbench.analysis.confidence import BINS
from veridical.suites.magicbench.presentation.figures.style import MOST, STANCE, bars, legend, shown
from veridical.suites.magicbench.presentation.marking import by_judge, judge_name, judges, stances

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Curves = dict[str, list[tuple[float, Estimate]]]


def calibration(results: Sequence[Result]) -> Figure | None:
    """A panel for each model and judge, a curve for each stance."""
    own = []
    for result, judge in by_judge(results):
        curves = {stance: _curve(result, judge, stance) for stance in stances(result, judge)}
        valued = {stance: curve for stance, curve in curves.items() if curve}
        if valued:
            by = f"\nby {judge_name(result, judge)}" if len(judges(result)) > 1 else ""
            own.append((f"{shortened(result.model, 36)}{by}", valued))
    if not own:
        return None
    note = (
        "The share of explanations of tricks that follow from the constraints (a CPA of 7 of 10 or more), by stated "
        "confidence, with 95 % intervals. On the dashed line confidence is what it says; below it, too high."
    )
    return Figure("magicbench-calibration", "Is its confidence earned?", note, _drawn(own[:MOST]))


def _curve(result: Result, judge: dict[str, Json], stance: str) -> list[tuple[float, Estimate]]:
    curve = []
    for low, high in BINS:
        place: dict[str, Json] = {"stance": stance, "confidence": f"{100 * low:.0f} to {100 * high:.0f}", **judge}
        each = find(result, "entailed", place)
        if each is not None and each.value is not None:
            curve.append((50 * (low + high), each))
    return curve


def _drawn(own: Sequence[tuple[str, Curves]]) -> str:
    columns, width, height = grid(len(own))
    present = [stance for _, curves in own for stance in curves]

    def draw(canvas: Canvas) -> None:
        for axes, (title, curves) in zip(panels(canvas, len(own), columns, "stated confidence"), own, strict=True):
            axes.plot([0, 100], [0, 100], "--", color="0.6", linewidth=1)
            for number, (stance, curve) in enumerate(curves.items()):
                bars(axes, [(x + 0.8 * number, each) for x, each in curve], STANCE[stance], 100)
            axes.set_xlim(-3, 103)
            axes.set_ylim(-3, 103)
            axes.set_ylabel("follows, %", fontsize=8)
            axes.set_title(title, fontsize=9)
        legend(canvas, canvas.axes[0], shown(present, STANCE), 5 if columns > 1 else 3)

    return document(width, height + 0.5, draw)
