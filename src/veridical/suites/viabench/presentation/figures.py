"""VIA-Bench's figures: accuracy by category as dots, and the effect of each system turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, shortened
from veridical.suite.results import Figure, Result, find
from veridical.suites.viabench.options import CATEGORIES, CODES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#8c564b")
_MOST = len(_COLORS)
_VARIANTS = {"unusual": "illusions and anomalies", "ordinary": "ordinary counterparts"}


def figures(results: Sequence[Result]) -> list[Figure]:
    """Dots over categories for the first eight models, and the effects of system turns where a run has several."""
    shown = [result for result in results if find(result, "accuracy", {})][:_MOST]
    if not shown:
        return []
    colors = {result.model: color for result, color in zip(shown, _COLORS, strict=False)}
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
                color = colors[result.model]
                for side, variant in enumerate(_VARIANTS):
                    estimate = find(result, "accuracy", {"category": category, "variant": variant})
                    if estimate is None or estimate.value is None:
                        continue
                    x = place + (2 * k + side + 0.5) * offset - 0.4
                    low, high = 100 * (estimate.low or 0.0), 100 * (estimate.high or 1.0)
                    axes.plot([x, x], [low, high], color=color, linewidth=1)
                    fill = color if side == 0 else "white"
                    axes.plot(x, 100 * estimate.value, "o", color=color, markerfacecolor=fill, markersize=5)
            chance = find(results[0], "chance", {"category": category})
            if chance and chance.value is not None:
                axes.plot([place - 0.42, place + 0.42], [100 * chance.value] * 2, color="0.6", linewidth=1, zorder=0)
        _framed(axes, present, "right, %")
        axes.set_ylim(-3, 103)
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
                estimate = find(result, "cot effect", {"cot": turn, "category": category})
                if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
                    continue
                x, color = place + (k + 0.5) * offset - 0.4, colors[result.model]
                axes.plot([x, x], [estimate.low, estimate.high], color=color, linewidth=1)
                fill = color if turn == "zero-shot" else "white"
                axes.plot(x, estimate.value, "s", color=color, markerfacecolor=fill, markersize=5)
        axes.axhline(0, color="0.6", linewidth=1, zorder=0)
        _framed(axes, present, "points; filled: asks for steps, open: five named steps")
        _legend(axes, results, colors)

    return document(WIDTH, 3.4 + 0.18 * len(results), draw)


def _framed(axes: Axes, present: Sequence[str], label: str) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xticks(range(len(present)), [f"{name}\n({CODES[name]})" for name in present])  # type: ignore[index]
    axes.set_xlim(-0.6, len(present) - 0.4)
    axes.set_ylabel(label)


def _legend(axes: Axes, results: Sequence[Result], colors: Mapping[str, str]) -> None:
    for result in results:
        axes.plot([], [], "o", color=colors[result.model], label=shortened(result.model, 60))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=min(len(results), 2), frameon=False, fontsize=8)
