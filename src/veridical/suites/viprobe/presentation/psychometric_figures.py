"""VI-Probe's figures of category gaps (paper, Fig. 6) and of psychometric functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from veridical.base.charts import WIDTH, document, grid, panel_title, panels, shortened
from veridical.stats import same_probability
from veridical.suite.rates import clustered
from veridical.suite.results import Figure, Result, find
from veridical.suites.viprobe.analysis.pairs import needed_columns
from veridical.suites.viprobe.analysis.replies import replies
from veridical.suites.viprobe.asking.settings import baseline, with_settings
from veridical.suites.viprobe.presentation.analysis_tables import CONTEXT_NAMES
from veridical.suites.viprobe.presentation.dose_figures import CONTEXT_COLOURS, LINES, MARKS, SHAPES, SIGNED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_PANELS = 12
_CURVE = 4
"""The fewest levels of α, 0 among them, that make a curve."""
_FIT = ("PSE", "JND", "same_criterion", "lapse")
_SIGMA_PER_JND = 1 / 0.6744897501960817

Rates = list[tuple[float, float, float, float]]


def category_gaps(results: Sequence[Result]) -> list[Figure]:
    """PC − P by category, one panel each and one for all; nothing if the runs have fewer than two categories."""
    names = list(
        dict.fromkeys(
            str(e.slice["category"])
            for result in results
            for e in result.estimates
            if e.metric == "gap" and set(e.slice) == {"category"} and e.value is not None
        )
    )
    shown = [result for result in results if (gap := find(result, "gap", {})) and gap.value is not None]
    if len(names) < 2 or not shown:
        return []
    note = (
        "PFA of perturbed pictures, controls − figures (PC − P), in points, with 95 % intervals: right of 0 the "
        "figures are harder. Filled where the sign-flip test has p < 0.05, by Holm over the categories of a model; "
        "that over all cases is one test."
    )
    return [Figure("category_gaps", "Gap between controls and figures by category", note, _gaps(shown, names))]


def psychometric(results: Sequence[Result]) -> list[Figure]:
    """The share of replies "same" against signed α, with the fitted function where there is one; a panel per model."""
    rated = [(result, same_rates(result.outcomes)) for result in results if find(result, "PSE", {"context": "figure"})]
    shown = [(result, rates) for result, rates in rated if any(len(part) >= _CURVE for part in rates.values())]
    note = (
        "Share of answered replies, both polarities, by which a picture is the same as unchanged, with 95 % intervals; "
        "cases whose impression has a direction, pooled over pictures. Lines are the fitted functions; there is none "
        "where a parameter is not identified. Congruent changes stand right of 0, opposing ones left."
    )
    parts = [shown[k : k + _PANELS] for k in range(0, len(shown), _PANELS)]
    return [
        Figure(
            "psychometric" if number == 1 else f"psychometric_{number}",
            "What looks unchanged" + (f", part {number}" if len(parts) > 1 else ""),
            note,
            _functions(part),
        )
        for number, part in enumerate(parts, 1)
    ]


def same_rates(outcomes: pl.DataFrame) -> dict[str, Rates]:
    """For each context α, the share of replies "same", and the bounds of its interval, over directed cases."""
    yes_no, _ = baseline(with_settings(needed_columns(outcomes)).filter(pl.col("task") == "yes-no"))
    answered = replies(yes_no).filter(pl.col("directed")).drop_nulls("alpha")
    by_context: dict[str, Rates] = {}
    for context in CONTEXT_NAMES:
        rows = answered.filter(pl.col("context") == context)
        if rows.is_empty():
            continue
        levels, level = np.unique(rows["alpha"].to_numpy(), return_inverse=True)
        data = clustered(rows, ("same",), level, len(levels)).measured.cells
        by_context[context] = list(zip(levels.tolist(), *(each.tolist() for each in data), strict=True))
    return by_context


def _gaps(results: Sequence[Result], names: Sequence[str]) -> str:
    places = range(len(results))[::-1]

    def draw(canvas: Canvas) -> None:
        axes = panels(canvas, len(names) + 1, 4, "PC − P, points")
        for number, (ax, name) in enumerate(zip(axes, [None, *names], strict=True)):
            for place, result in zip(places, results, strict=True):
                estimate = find(result, "gap", {} if name is None else {"category": name})
                if estimate is None or estimate.value is None:
                    continue
                low, high = (estimate.value if end is None else end for end in (estimate.low, estimate.high))
                ax.plot([low, high], [place, place], color=CONTEXT_COLOURS["control"], linewidth=1.4)
                sure = estimate.p is not None and estimate.p < 0.05
                face = CONTEXT_COLOURS["control"] if sure else "white"
                (dot,) = ax.plot(
                    [estimate.value], [place], "o", color=CONTEXT_COLOURS["control"], markerfacecolor=face, markersize=5
                )
                dot.set_gid(f"gap-{number}-{len(results) - 1 - place}")
            ax.axvline(0, color="black", linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
            ax.set_title("all cases" if name is None else shortened(name, 20), fontsize=9, parse_math=False)
            ax.set(ylim=(-0.6, len(results) - 0.4), yticks=list(places))
            ax.set_yticklabels([shortened(result.model, 28) for result in results], parse_math=False)

    rows = -(-(len(names) + 1) // 4)
    return document(WIDTH, 0.5 + rows * (0.6 + 0.3 * len(results)), draw)


def _functions(shown: Sequence[tuple[Result, Mapping[str, Rates]]]) -> str:
    columns, width, height = grid(len(shown))

    def draw(canvas: Canvas) -> None:
        axes = panels(canvas, len(shown), columns, SIGNED)
        for number, (ax, (result, rates)) in enumerate(zip(axes, shown, strict=True)):
            for context, points in rates.items():
                _function(ax, result, context, points, f"{number}-{context}")
            ax.locator_params(axis="x", nbins=5)
            ax.axvline(0, color="#9aa0a6", linewidth=0.6, zorder=0)
            ax.set(ylim=(-3, 103), yticks=[0, 25, 50, 75, 100])
            ax.set_title(panel_title(result.model, columns), fontsize=9, parse_math=False)
        canvas.supylabel("replies “same”, %", fontsize=9)
        named = {name: handle for ax in axes for handle, name in zip(*ax.get_legend_handles_labels(), strict=True)}
        canvas.legend(list(named.values()), list(named), loc="outside upper left", ncols=3, frameon=False)

    return document(width, height, draw)


def _function(ax: Axes, result: Result, context: str, points: Rates, gid: str) -> None:
    colour = CONTEXT_COLOURS[context]
    alpha, value, low, high = np.array(points).T
    reach = 100 * np.stack([value - low, high - value]).clip(0)
    marks = ax.errorbar(
        alpha,
        100 * value,
        reach,
        fmt=SHAPES[context],
        label=CONTEXT_NAMES[context],
        **MARKS[context],
    )
    marks.lines[0].set_gid(f"points-{gid}")
    fitted = [find(result, metric, {"context": context}) for metric in _FIT]
    if all(e is not None and e.value is not None for e in fitted):
        centre, jnd, criterion, lapse = (e.value or 0.0 for e in fitted if e)
        x = np.linspace(alpha.min(), alpha.max(), 161)
        y = 100 * same_probability(x, centre, jnd * _SIGMA_PER_JND, criterion, lapse)
        (line,) = ax.plot(x, y, LINES[context], color=colour, linewidth=MARKS[context]["linewidth"], zorder=1)
        line.set_gid(f"fit-{gid}")
