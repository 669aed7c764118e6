"""VI-Probe's figures: verdicts, the decomposition of pairs as stacked bars (paper, Fig. 4), those of the analyses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, shortened
from veridical.suite.results import Figure, Result, find
from veridical.suites.viprobe.analysis.pairs import PARTS
from veridical.suites.viprobe.presentation.dose_figures import dose_response, heat_map
from veridical.suites.viprobe.presentation.more_tables import by_pfc
from veridical.suites.viprobe.presentation.psychometric_figures import category_gaps, psychometric
from veridical.suites.viprobe.presentation.verdict_figures import verdict_figures

if TYPE_CHECKING:
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
    ordered = by_pfc(results)
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
        axes.set_yticklabels([shortened(result.model, 40) for result in results], parse_math=False)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        canvas.legend(loc="outside upper left", ncols=2, frameon=False)

    return document(WIDTH, 1.15 + 0.42 * len(results), draw)
