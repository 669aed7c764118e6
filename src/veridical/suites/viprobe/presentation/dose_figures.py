"""VI-Probe's figures of accuracy against the strength of the change (paper, Fig. 5): curves,
a map over models, and a small chart for a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from veridical.base.charts import WIDTH, document, grid, panel_title, panels, shorten
from veridical.records import Estimate
from veridical.suite.opening import Chart, ChartCurve
from veridical.suite.results import Figure, Result, are_people, find, slice_values
from veridical.suites.viprobe.analysis.dose import detection_threshold
from veridical.suites.viprobe.presentation.terms import CASE_TITLES, CONTEXT_NAMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


CONTEXT_COLOURS = {"figure": "#b5482f", "control": "#1f5f99", "clutter": "#7d5ba6", "hint": "#6b6f00"}
"""Of blue, brick, violet and olive each pair differs in lightness as well as in hue."""

SIGNED = "← opposing   α   congruent →"
"""The label of an axis of signed strengths."""


MARKS: dict[str, dict[str, Any]] = {
    "figure": {"color": CONTEXT_COLOURS["figure"], "markerfacecolor": "white", "markersize": 5.5, "linewidth": 2.2},
    "control": {"color": CONTEXT_COLOURS["control"], "markersize": 2.6, "linewidth": 1.2},
    "clutter": {"color": CONTEXT_COLOURS["clutter"], "markersize": 3.0, "linewidth": 1.0},
    "hint": {"color": CONTEXT_COLOURS["hint"], "markersize": 3.5, "linewidth": 1.0},
}
"""Figures are drawn first, wide and hollow, so that controls that coincide with them leave both to be seen."""

SHAPES = {"figure": "o", "control": "s", "clutter": "d", "hint": "^"}
LINES = {"figure": "-", "control": "--", "clutter": "-.", "hint": ":"}


_PANELS = 12
_Panel = TypeVar("_Panel")
_CURVE = 3
"""The fewest strengths that make a curve."""
CHANGES = {"figure": ("P", "O"), "control": ("PC", "OC"), "clutter": ("PS", "OS")}
"""The changed and the unchanged picture type of each context that has a curve."""


def dose_response(results: Sequence[Result]) -> list[Figure]:
    """Accuracy against signed α on figures, controls, amid clutter; a panel for each model, at most 12 in a figure."""
    shown = [result for result in results if _has_curve(result)]
    note = (
        "PFA against the signed strength of the change, all cases, pooled over pictures, with 95 % intervals; "
        "diamonds at 0 are the unchanged pictures. Right of 0 a change goes the way of the illusory "
        "impression (congruent), left of it against it (opposing); cases without such a direction count on both sides. "
        "Clutter is over the cases that have pictures amid it."
    )
    thresholds = human_thresholds(results)
    if thresholds:
        each = ", ".join(f"{CASE_TITLES.get(case, case)} {alpha:g}" for case, alpha in thresholds.items())
        note += f" Marks at the foot: |α| from which on people see at least 95 % of the changes, by case: {each}."
    draw = partial(_curves, thresholds=thresholds)
    return page_figures("dose_response", "Accuracy against the strength of the change", note, shown, draw)


def human_thresholds(results: Sequence[Result]) -> dict[str, float]:
    """The |α| from which on people see the change in a case's figures, by case, where they do and were asked."""
    people = next((result for result in results if are_people(result.model)), None)
    found = detection_threshold(people.outcomes) if people else []
    return {str(each.slice["case"]): each.value for each in found if each.value is not None}


def page_figures(
    name: str, title: str, note: str, shown: Sequence[_Panel], draw: Callable[[Sequence[_Panel]], str]
) -> list[Figure]:
    """One figure of at most 12 panels after another; all but the first have their number in their name."""
    parts = [shown[k : k + _PANELS] for k in range(0, len(shown), _PANELS)]
    return [
        Figure(
            name if number == 1 else f"{name}_{number}",
            title + (f", part {number}" if len(parts) > 1 else ""),
            note,
            draw(part),
        )
        for number, part in enumerate(parts, 1)
    ]


def heat_map(results: Sequence[Result]) -> list[Figure]:
    """PFA of perturbed pictures by model and signed α, figures above controls; nothing for fewer than two models."""
    shown = [result for result in results if _has_curve(result)]
    if len(shown) < 2:
        return []
    note = (
        "PFA in percent, all cases, pooled over pictures; models in the order of PFC. Congruent changes stand right, "
        "opposing ones left. The intervals are in the table of the same strengths."
    )
    return [Figure("heat_map", "Accuracy by model and strength", note, _map(shown))]


def strengths(results: Sequence[Result]) -> list[float]:
    """The signed strengths of perturbed pictures over all results, in order."""
    alphas = {
        float(e.slice["alpha"])
        for result in results
        for e in result.estimates
        if e.metric == "PFA" and set(e.slice) == {"variant", "alpha"} and e.slice["variant"] in ("P", "PC")
    }
    return sorted(alphas)


def _has_curve(result: Result) -> bool:
    return len(strengths([result])) >= _CURVE


def accuracies(result: Result, variant: str) -> list[tuple[float, Estimate]]:
    """The accuracies that there are, by strength."""
    estimates = [
        (float(a), find(result, "PFA", {"variant": variant, "alpha": a})) for a in sorted(slice_values(result, "alpha"))
    ]
    return [(alpha, e) for alpha, e in estimates if e is not None and e.value is not None]


def _curves(results: Sequence[Result], thresholds: Mapping[str, float]) -> str:
    reach = max(abs(alpha) for alpha in strengths(results))

    columns, width, height = grid(len(results))

    def draw(canvas: Canvas) -> None:
        axes = panels(canvas, len(results), columns, SIGNED)
        for number, (ax, result) in enumerate(zip(axes, results, strict=True)):
            for context in CHANGES:
                _curve(ax, result, context, f"curve-{number}-{context}")
            for case, alpha in thresholds.items():
                (mark,) = ax.plot([-alpha, alpha], [0, 0], "|", color="black", markersize=9, markeredgewidth=1.1)
                mark.set_gid(f"human-{number}-{case}")
            ax.locator_params(axis="x", nbins=5)
            ax.axvline(0, color="#9aa0a6", linewidth=0.6, zorder=0)
            ax.set(xlim=(-1.1 * reach, 1.1 * reach), ylim=(-3, 103), yticks=[0, 25, 50, 75, 100])
            ax.set_title(panel_title(result.model, columns), fontsize=9, parse_math=False)
        canvas.supylabel("PFA, %", fontsize=9)
        handles, names = axes[0].get_legend_handles_labels()
        canvas.legend(handles, names, loc="outside upper left", ncols=3, frameon=False)

    return document(width, height, draw)


def _curve(ax: Axes, result: Result, context: str, gid: str) -> None:
    changed, unchanged = CHANGES[context]
    colour, points_of_run = CONTEXT_COLOURS[context], accuracies(result, changed)
    if not points_of_run:
        return
    for sign in (-1, 1):
        # Between the two weakest changes nothing was asked, so that no band and no line lies there.
        side = [(alpha, e) for alpha, e in points_of_run if alpha * sign > 0]
        low = [100 * (e.low or 0.0) for _, e in side]
        high = [100 * (1.0 if e.high is None else e.high) for _, e in side]
        ax.fill_between([alpha for alpha, _ in side], low, high, color=colour, alpha=0.2, linewidth=0)
    points = [(alpha, 100 * (e.value or 0.0)) for alpha, e in points_of_run if alpha]
    points.insert(sum(alpha < 0 for alpha, _ in points), (float("nan"), float("nan")))
    x, y = zip(*points, strict=True)
    style = SHAPES[context] + LINES[context]
    (line,) = ax.plot(x, y, style, label=CONTEXT_NAMES[context], **MARKS[context])
    line.set_gid(gid)
    at_zero = find(result, "PFA", {"variant": unchanged})
    if at_zero and at_zero.value is not None and at_zero.low is not None and at_zero.high is not None:
        middle = 100 * at_zero.value
        reach = [[middle - 100 * at_zero.low], [100 * at_zero.high - middle]]
        ax.errorbar([0], [middle], reach, fmt="D", **MARKS[context])


def _map(results: Sequence[Result]) -> str:
    levels = strengths(results)

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots(2, 1, sharex=True)
        for ax, variant, name in zip(
            axes, ("P", "PC"), ("perturbed figures, P", "perturbed controls, PC"), strict=True
        ):
            rows_of_runs = [dict(accuracies(result, variant)) for result in results]
            shares = [
                [100 * (row[level].value or 0.0) if level in row else float("nan") for level in levels]
                for row in rows_of_runs
            ]
            mesh = ax.pcolormesh(shares, cmap="cividis", vmin=0, vmax=100, edgecolors="white", linewidth=0.8)
            for row, values in enumerate(shares):
                for column, value in enumerate(values):
                    if len(levels) <= 16 and value == value:
                        colour = "white" if value < 45 else "black"
                        place = (column + 0.5, row + 0.5)
                        ax.text(*place, f"{value:.0f}", ha="center", va="center", color=colour, fontsize=8)
            ax.set(yticks=[row + 0.5 for row in range(len(results))])
            ax.set_yticklabels([shorten(result.model, 36) for result in results], parse_math=False)
            ax.set_xticks(
                [column + 0.5 for column in range(len(levels))],
                [f"{level:+g}".replace("-", "−") for level in levels],
                rotation=90 if len(levels) > 16 else 0,
            )
            ax.set_title(name, fontsize=9, loc="left", pad=7)
            ax.invert_yaxis()
            ax.spines[:].set_visible(False)
            ax.tick_params(length=0, labelbottom=True)
        axes[1].set_xlabel(SIGNED)
        canvas.colorbar(mesh, ax=list(axes), label="PFA, %", aspect=30)

    return document(WIDTH, 1.5 + 0.6 * len(results), draw)


_NAMES = {"figure": "figures", "control": "controls"}


def small_chart(result: Result, people: Result | None) -> Chart | None:
    """The dose-response curves of figures and controls, with that of people on figures where they were asked.

    Nothing where no accuracy at any strength is there.
    """
    curves = [_small_curve(result, context, name) for context, name in _NAMES.items()]
    if people is not None and people is not result:
        curves.append(_small_curve(people, "figure", "people, on figures"))
    shown = tuple(curve for curve in curves if curve.pieces)
    if not shown:
        return None
    title = "Accuracy by strength of the change"
    return Chart(title=title, curves=shown, ends=("opposing α", "congruent α"))


def _small_curve(result: Result, context: str, name: str) -> ChartCurve:
    """Both sides of 0, and at 0 the unchanged picture; between them nothing was asked."""
    changed, unchanged = CHANGES[context]
    points = [(alpha, each) for alpha, each in accuracies(result, changed) if alpha]
    sides = [tuple(point for point in points if (point[0] > 0) == positive) for positive in (False, True)]
    at_zero = find(result, "PFA", {"variant": unchanged})
    middle = ((0.0, at_zero),) if at_zero is not None and at_zero.value is not None and points else ()
    return ChartCurve(name, tuple(piece for piece in (sides[0], middle, sides[1]) if piece))
