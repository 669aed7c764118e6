"""Probes by what is said and by the moment they are about, and what a lie changes at each moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, grid, panel_title, panels, shortened
from veridical.records import Estimate
from veridical.suite.results import Figure, Result, find
from veridical.suites.magicbench.analysis.seeing import BASES
from veridical.suites.magicbench.presentation.marking import MOST, PATTER, bars, legend, shown, words
from veridical.suites.magicbench.presentation.tables.seeing import MOMENTS, UNDER

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_APART = 0.06
_BY_MOMENT = {"before": ("#999999", "o"), "during": ("#e69f00", "D"), "after": ("#d55e00", "s")}


def lie_by_moment(results: Sequence[Result]) -> Figure | None:
    """The effect of a lie on seeing, before, during and after the secret; a row for each model."""
    base = next((base for base in BASES for each in results if find(each, "effect of a lie", {"against": base})), None)
    if base is None:
        return None
    own = [each for each in results if find(each, "effect of a lie", {"against": base}) is not None]
    note = (
        f"Right answers to the same probes under a lie − {base}, in points with 95 % intervals, by the moment that a "
        "probe is about. A believer falls during and after the secret, where the lie is about something; before it, "
        "nothing is claimed. No model marks anything."
    )
    return Figure("magicbench-lie", "What a lie does to seeing", note, _rows(own, base))


def _rows(results: Sequence[Result], base: str) -> str:
    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        axes.axvline(0, color="0.6", linewidth=0.8)
        for row, result in enumerate(results):
            for place, (moment, (color, marker)) in enumerate(_BY_MOMENT.items()):
                each = find(result, "effect of a lie", {"against": base, "moment": moment})
                if each is None or each.value is None:
                    continue
                y = row + 0.2 * (place - 1)
                axes.plot([each.value], [y], marker, color=color, markersize=5)
                if each.low is not None and each.high is not None:
                    axes.plot([each.low, each.high], [y, y], color=color, linewidth=1.2)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_yticks(range(len(results)), [shortened(each.model, 40) for each in results])
        axes.set_ylim(len(results) - 0.5, -0.5)
        axes.set_xlabel(f"right answers to probes, under a lie − {base}, points")
        legend(canvas, axes, {f"{moment} the secret": style for moment, style in _BY_MOMENT.items()})

    return document(WIDTH, 1.4 + 0.5 * len(results), draw)


def probe_curves(results: Sequence[Result]) -> Figure | None:
    """A panel for each model: right answers before, during and after the secret, under each kind of words."""
    own = [result for result in results if any(len(_points(result, under)) > 1 for under in UNDER)][:MOST]
    if not own:
        return None
    note = (
        "Right answers to probes of tricks, with 95 % intervals, by the moment that they are about, by what is said. "
        "Dashed: the best answer to each kind of question, given without looking."
    )
    return Figure("magicbench-probes", "What is seen, under which words", note, _curves(own))


def _points(result: Result, under: str) -> list[tuple[float, Estimate]]:
    found = [find(result, "probe accuracy", {"under": under, "moment": moment}) for moment in MOMENTS]
    return [(float(place), each) for place, each in enumerate(found) if each is not None]


def _curves(results: Sequence[Result]) -> str:
    columns, width, height = grid(len(results))
    levels = list(dict.fromkeys(each for result in results for each in words(result, "probe accuracy", "under", UNDER)))

    def draw(canvas: Canvas) -> None:
        places = range(len(MOMENTS))
        styles = shown(levels, PATTER)
        for axes, result in zip(panels(canvas, len(results), columns, "the secret"), results, strict=True):
            for number, (under, style) in enumerate(styles.items()):
                shift = _APART * (number - (len(styles) - 1) / 2)
                bars(axes, [(x + shift, each) for x, each in _points(result, under)], style, 100)
            drawn = [find(result, "probe chance", {"chance": "one answer", "moment": moment}) for moment in MOMENTS]
            flat = [
                (x, 100 * each.value) for x, each in zip(places, drawn, strict=True) if each and each.value is not None
            ]
            axes.plot([x for x, _ in flat], [y for _, y in flat], "--", color="0.6", linewidth=1)
            axes.set_xticks(places, list(MOMENTS))
            axes.set_xlim(-0.4, len(MOMENTS) - 0.6)
            axes.set_ylim(-3, 103)
            axes.set_ylabel("right, %", fontsize=8)
            axes.set_title(panel_title(result.model, columns), fontsize=9)
        legend(canvas, canvas.axes[0], styles, 5 if columns > 1 else 3)

    return document(width, height + 0.5, draw)
