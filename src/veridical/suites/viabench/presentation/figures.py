"""VIA-Bench's figures: accuracy by category as dots, and the effect of each system turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, shorten
from veridical.suite.findings import valued_estimate
from veridical.suite.points import MOST, categories, model_colors, open_axes, percent_bounds, point
from veridical.suite.results import Figure, Result, find
from veridical.suites.viabench.options import CATEGORIES, CODES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_NAMES: dict[str, str] = {name: f"{name}\n({code})" for name, code in CODES.items()}


def figures(results: Sequence[Result]) -> list[Figure]:
    """Dots over categories for the first eight models, and the effects of system turns where a run has several."""
    shown = [result for result in results if find(result, "accuracy", {})][:MOST]
    if not shown:
        return []
    colors = model_colors(shown)
    note = (
        "Accuracy on illusions and anomalies (filled) and on their ordinary counterparts (open), with 95 % intervals. "
        "The short gray line is chance."
    )
    drawn = [Figure("viabench-categories", "Accuracy by category", note, _dots(shown, colors))]
    turned = [result for result in shown if any(each.metric == "cot effect" for each in result.estimates)]
    if turned:
        note = "Accuracy with the system turn − without, on the same items, in points, with 95 % intervals."
        drawn.append(Figure("viabench-cot", "Effect of asking for reasoning", note, _effects(turned, colors)))
    return drawn


def _present(results: Sequence[Result]) -> list[str]:
    return [name for name in CATEGORIES if any(find(result, "accuracy", {"category": name}) for result in results)]


def _dots(results: Sequence[Result], colors: Mapping[str, str]) -> str:
    present = _present(results)

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        offset = 0.8 / max(len(results) * 2, 2)
        for place, category in enumerate(present):
            for k, result in enumerate(results):
                for side, variant in enumerate(("unusual", "ordinary")):
                    if estimate := valued_estimate(result, "accuracy", {"category": category, "variant": variant}):
                        x = place + (2 * k + side + 0.5) * offset - 0.4
                        point(axes, x, estimate, colors[result.model], filled=side == 0)
            if chance := valued_estimate(results[0], "chance", {"category": category}):
                level = percent_bounds(chance)[0]
                axes.plot([place - 0.42, place + 0.42], [level] * 2, color="0.6", linewidth=1, zorder=0)
        categories(axes, map(_NAMES.__getitem__, present))
        open_axes(axes, "right, %")
        _legend(axes, results, colors)

    return document(WIDTH, 3.4 + 0.18 * len(results), draw)


def _effects(results: Sequence[Result], colors: Mapping[str, str]) -> str:
    present = _present(results)

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        pairs = [(result, turn) for result in results for turn in ("zero-shot", "manual")]
        offset = 0.8 / len(pairs)
        for place, category in enumerate(present):
            for k, (result, turn) in enumerate(pairs):
                estimate = valued_estimate(result, "cot effect", {"cot": turn, "category": category})
                if estimate and None not in (estimate.low, estimate.high):
                    x = place + (k + 0.5) * offset - 0.4
                    point(axes, x, estimate, colors[result.model], "s", filled=turn == "zero-shot")
        axes.axhline(0, color="0.6", linewidth=1, zorder=0)
        categories(axes, map(_NAMES.__getitem__, present))
        open_axes(axes, "points; filled: asks for steps, open: five named steps", share=False)
        _legend(axes, results, colors)

    return document(WIDTH, 3.4 + 0.18 * len(results), draw)


def _legend(axes: Axes, results: Sequence[Result], colors: Mapping[str, str]) -> None:
    for result in results:
        axes.plot([], [], "o", color=colors[result.model], label=shorten(result.model, 60))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=min(len(results), 2), frameon=False, fontsize=8)
