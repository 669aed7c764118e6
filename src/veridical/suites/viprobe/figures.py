"""VI-Probe's figures: the decomposition of pairs as stacked bars (paper, Fig. 4)."""

from __future__ import annotations

import io
from collections.abc import Sequence

from veridical.suites import Figure, Result
from veridical.suites.viprobe.find import by_pfc, find
from veridical.suites.viprobe.pairs import PARTS

_COLOURS = {"PFA": "#1f7a6d", "CbW": "#d98a2b", "TFI": "#a33b54", "no_pair": "#9aa0a6"}
_LABELS = {
    "PFA": "PFA: both right",
    "CbW": "CbW: consistent, both wrong",
    "TFI": "TFI: same answer twice",
    "no_pair": "no pair: a half without an answer",
}


def figures(results: Sequence[Result]) -> list[Figure]:
    """The stacked bars, one per model, ordered by PFC; models without an estimate are left out."""
    ordered = [result for result in by_pfc(results) if all(_share(result, part) is not None for part in PARTS)]
    if not ordered:
        return []
    note = (
        "Shares of question pairs, as the plain mean over O, P, OC, PC; models ordered by PFC = PFA + CbW. "
        "The whisker is the 95 % interval of PFA; the dashed line is at 50 %."
    )
    return [Figure("consistency", "What the two answers to a picture say together", note, _stacked(ordered))]


def _share(result: Result, part: str) -> float | None:
    found = find(result, part, {})
    return found.value if found else None


def _stacked(results: Sequence[Result]) -> str:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Canvas

    with matplotlib.rc_context({"svg.hashsalt": "veridical", "font.size": 9, "font.family": "DejaVu Sans"}):
        figure = Canvas(figsize=(7.2, 1.15 + 0.42 * len(results)), layout="constrained")
        axes = figure.add_subplot()
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
            found = find(result, "PFA", {})
            if found and found.low is not None and found.high is not None:
                axes.plot([100 * found.low, 100 * found.high], [place - 0.22] * 2, color="black", linewidth=1.2)
        axes.axvline(50, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set(xlim=(0, 100), ylim=(-0.5, len(results) - 0.5), xlabel="question pairs, %", yticks=places)
        axes.set_yticklabels([result.model[:40] for result in results], parse_math=False)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        figure.legend(loc="outside upper left", ncols=2, frameon=False)
        text = io.StringIO()
        FigureCanvasSVG(figure).print_svg(text, metadata={"Date": None})
    return text.getvalue()
