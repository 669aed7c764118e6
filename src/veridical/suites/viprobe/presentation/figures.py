"""VI-Probe's figures: pairs as stacked bars (paper, Fig. 4), category gaps (Fig. 6), psychometric functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from veridical.base.charts import WIDTH, document, grid, panel_title, panels, shorten
from veridical.stats import same_probability
from veridical.suite.rates import cluster_rows
from veridical.suite.results import Figure, Result, find
from veridical.suites.viprobe.analysis.pairs import PARTS, code_outcomes
from veridical.suites.viprobe.analysis.replies import replies
from veridical.suites.viprobe.asking.settings import baseline, rows_where, with_settings
from veridical.suites.viprobe.presentation.dose_figures import (
    CONTEXT_COLOURS,
    LINES,
    MARKS,
    SHAPES,
    SIGNED,
    dose_response,
    heat_map,
    page_figures,
)
from veridical.suites.viprobe.presentation.more_tables import sort_by_pfc
from veridical.suites.viprobe.presentation.terms import CONTEXT_NAMES
from veridical.suites.viprobe.presentation.verdict_exhibits import verdict_figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_COLOURS = {"PFA": "#1f7a6d", "CbW": "#d98a2b", "TFI": "#a33b54", "no_pair": "#9aa0a6"}
_LABELS = {
    "PFA": "PFA: both right",
    "CbW": "CbW: consistent, both wrong",
    "TFI": "TFI: same answer twice",
    "no_pair": "no pair: a half without an answer",
}


def figures(results: Sequence[Result]) -> list[Figure]:
    """Verdicts, stacked bars, dose-response curves, heat map, category gaps, psychometric functions; by PFC.

    Each is over the models that have the estimates for it, and left out where none has.
    """
    ordered = sort_by_pfc(results)
    analyses = (dose_response, heat_map, category_gaps, psychometric)
    first = (*verdict_figures(ordered), *_consistency(ordered))
    return [*first, *(figure for analysis in analyses for figure in analysis(ordered))]


def _consistency(results: Sequence[Result]) -> list[Figure]:
    complete = [result for result in results if all(_share(result, part) is not None for part in PARTS)]
    if not complete:
        return []
    note = (
        "Shares of question pairs, as the plain mean over O, P, OC, PC; models ordered by PFC = PFA + CbW. "
        "The whisker is the 95 % interval of PFA; the dashed line is at 50 %."
    )
    return [Figure("consistency", "What the two answers to a picture say together", note, _stacked(complete))]


def _share(result: Result, part: str) -> float | None:
    estimate = find(result, part, {})
    return estimate.value if estimate else None


def _stacked(results: Sequence[Result]) -> str:
    def draw(canvas: Canvas) -> None:
        axes = canvas.add_subplot()
        places = list(range(len(results)))[::-1]
        left = [0.0] * len(results)
        for part in PARTS:
            widths = [100 * (_share(result, part) or 0.0) for result in results]
            axes.barh(places, widths, 0.62, left, color=_COLOURS[part], label=_LABELS[part])
            for place, start, width in zip(places, left, widths, strict=True):
                if width >= 6:
                    box = {"facecolor": _COLOURS[part], "edgecolor": "none", "pad": 2.0}
                    axes.text(
                        start + width / 2, place, f"{width:.0f}", ha="center", va="center", color="white", bbox=box
                    )
            left = [start + width for start, width in zip(left, widths, strict=True)]
        for place, result in zip(places, results, strict=True):
            estimate = find(result, "PFA", {})
            if estimate and estimate.low is not None and estimate.high is not None:
                axes.plot([100 * estimate.low, 100 * estimate.high], [place - 0.22] * 2, color="black", linewidth=1.2)
        axes.axvline(50, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set(xlim=(0, 100), ylim=(-0.5, len(results) - 0.5), xlabel="question pairs, %", yticks=places)
        axes.set_yticklabels([shorten(result.model, 40) for result in results], parse_math=False)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        canvas.legend(loc="outside upper left", ncols=2, frameon=False)

    return document(WIDTH, 1.15 + 0.42 * len(results), draw)


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
    return page_figures("psychometric", "What looks unchanged", note, shown, _functions)


def same_rates(outcomes: pl.DataFrame) -> dict[str, Rates]:
    """For each context α, the share of replies "same", and the bounds of its interval, over directed cases."""
    yes_no, _ = baseline(rows_where(with_settings(code_outcomes(outcomes)), pl.col("task") == "yes-no"))
    answered = replies(yes_no).select("unit", "family", "context", "alpha", "directed", "same")
    answered = answered.filter(pl.col("directed")).drop_nulls("alpha")
    by_context: dict[str, Rates] = {}
    for context in CONTEXT_NAMES:
        rows = answered.filter(pl.col("context") == context)
        if rows.is_empty():
            continue
        levels, level = np.unique(rows["alpha"].to_numpy(), return_inverse=True)
        data = cluster_rows(rows, ("same",), level, len(levels)).measured.cells
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
            ax.set_title("all cases" if name is None else shorten(name, 20), fontsize=9, parse_math=False)
            ax.set(ylim=(-0.6, len(results) - 0.4), yticks=list(places))
            ax.set_yticklabels([shorten(result.model, 28) for result in results], parse_math=False)

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
    marks = ax.errorbar(alpha, 100 * value, reach, fmt=SHAPES[context], label=CONTEXT_NAMES[context], **MARKS[context])
    marks.lines[0].set_gid(f"points-{gid}")
    fitted = [find(result, metric, {"context": context}) for metric in _FIT]
    if all(e is not None and e.value is not None for e in fitted):
        centre, jnd, criterion, lapse = (e.value or 0.0 for e in fitted if e)
        x = np.linspace(alpha.min(), alpha.max(), 161)
        y = 100 * same_probability(x, centre, jnd * _SIGMA_PER_JND, criterion, lapse)
        (line,) = ax.plot(x, y, LINES[context], color=colour, linewidth=MARKS[context]["linewidth"], zorder=1)
        line.set_gid(f"fit-{gid}")
