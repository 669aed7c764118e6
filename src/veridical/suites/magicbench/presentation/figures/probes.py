"""Probes by what is said and by moment; readiness to say that a trick happened; how far confidence is earned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, grid, panel_title, panels, shorten
from veridical.records import Estimate, Json
from veridical.suite.findings import valued_estimate
from veridical.suite.points import percent_bounds
from veridical.suite.results import Figure, Result, find
from veridical.suites.magicbench.analysis.probes import BASES, BY_WORDS
from veridical.suites.magicbench.analysis.trick_detection import BINS
from veridical.suites.magicbench.asking.cells import FORENSIC, VISION_ONLY
from veridical.suites.magicbench.presentation.marking import (
    MOST,
    PATTER,
    STANCE,
    Change,
    bars,
    forest,
    judge_name,
    judge_results,
    judges,
    legend,
    select_styles,
    stances,
    words,
)
from veridical.suites.magicbench.presentation.tables.probes import MOMENTS, SAID, UNDER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_APART = 0.06
_BY_MOMENT = {
    "before the secret": ("#999999", "o"),
    "during the secret": ("#e69f00", "D"),
    "after the secret": ("#d55e00", "s"),
}


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
    rows = [(shorten(result.model, 40), _changes(result, base)) for result in own]
    label = f"right answers to probes, under a lie − {base}, points"
    svg = forest(rows, _BY_MOMENT, label, 1.4 + 0.5 * len(rows))
    return Figure("magicbench-lie", "What a lie does to seeing", note, svg)


def _changes(result: Result, base: str) -> dict[str, Change]:
    effects = {
        moment: find(result, "effect of a lie", {"against": base, "moment": moment.removesuffix(" the secret")})
        for moment in _BY_MOMENT
    }
    return {
        moment: (each.value, each.low, each.high)
        for moment, each in effects.items()
        if each is not None and each.value is not None
    }


def probe_curves(results: Sequence[Result]) -> Figure | None:
    """A panel for each model: right answers before, during and after the secret, under each kind of words."""
    own = [result for result in results if any(len(_points(result, under)) > 1 for under in UNDER)][:MOST]
    if not own:
        return None
    note = (
        "Right answers to probes of tricks, with 95 % intervals, by the moment that they are about, by what is said. "
        "Dashed: by words alone, of one that knows how the tricks go and sees nothing."
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
        styles = select_styles(levels, PATTER)
        for axes, result in zip(panels(canvas, len(results), columns, "the secret"), results, strict=True):
            for number, (under, style) in enumerate(styles.items()):
                shift = _APART * (number - (len(styles) - 1) / 2)
                bars(axes, [(x + shift, each) for x, each in _points(result, under)], style, 100)
            drawn = [valued_estimate(result, "probe chance", {"chance": BY_WORDS, "moment": each}) for each in MOMENTS]
            flat = [(x, percent_bounds(each)[0]) for x, each in zip(places, drawn, strict=True) if each]
            axes.plot([x for x, _ in flat], [y for _, y in flat], "--", color="0.6", linewidth=1)
            axes.set_xticks(places, list(MOMENTS))
            axes.set_xlim(-0.4, len(MOMENTS) - 0.6)
            axes.set_ylim(-3, 103)
            axes.set_ylabel("right, %", fontsize=8)
            axes.set_title(panel_title(result.model, columns), fontsize=9)
        legend(canvas, canvas.axes[0], styles, 5 if columns > 1 else 3)

    return document(width, height + 0.5, draw)


_METRICS = {"d_prime": "d-prime", "criterion": "criterion"}
_MOST = 6
_SPAN = 5.0
"""How far the axes reach: beyond it no bound is drawn."""
Panels = Mapping[str, Mapping[str, Estimate]]
Curves = dict[str, list[tuple[float, Estimate]]]


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
    return Figure("magicbench-readiness", "Told apart, or called readily?", note, _readiness(own), broad=True)


def _panels(result: Result) -> Panels:
    panels: dict[str, dict[str, Estimate]] = {}
    for metric in _METRICS:
        for said in SAID:
            where = {"stance": VISION_ONLY if said == "none" else FORENSIC, "words": said}
            if each := valued_estimate(result, metric, where):
                panels.setdefault(metric, {})[said] = each
    return panels


def _readiness(own: Sequence[tuple[str, Panels]]) -> str:
    present = [said for said in SAID if any(said in points for _, panels in own for points in panels.values())]

    def draw(canvas: Canvas) -> None:
        every = canvas.subplots(len(own), len(_METRICS), sharex=True, sharey="col", squeeze=False)
        for (model, curves), row in zip(own, every, strict=True):
            for axes, (metric, title) in zip(row, _METRICS.items(), strict=True):
                axes.axhline(0, color="0.8", linewidth=0.8, zorder=0)
                axes.spines[["top", "right"]].set_visible(False)
                axes.set_title(title, fontsize=9)
                axes.set_ylim(-_SPAN / 2 if metric == "d_prime" else -3.5, _SPAN if metric == "d_prime" else 3.5)
                for said, each in curves.get(metric, {}).items():
                    _point(axes, present.index(said), each, PATTER[said])
                names = ["no words" if said == "none" else said for said in present]
                axes.set_xticks(range(len(present)), names, fontsize=7, rotation=25, ha="right")
            row[0].set_ylabel(shorten(model, 26), fontsize=8)

    return document(WIDTH, 0.7 + 2.1 * len(own), draw)


def _point(axes: Axes, x: int, each: Estimate, style: tuple[str, str]) -> None:
    """A point with its interval; a side without a bound is dotted up to the edge."""
    color, marker = style
    value = each.value or 0.0
    axes.plot([x], [value], marker, color=color, markersize=5)
    for bound, edge in ((each.low, axes.get_ylim()[0]), (each.high, axes.get_ylim()[1])):
        ends = [value, edge if bound is None else bound]
        axes.plot([x, x], ends, ":" if bound is None else "-", color=color, linewidth=1)


def calibration(results: Sequence[Result]) -> Figure | None:
    """A panel for each model and judge, a curve for each stance."""
    own = []
    for result, judge in judge_results(results):
        curves = {stance: _curve(result, judge, stance) for stance in stances(result, judge)}
        valued = {stance: curve for stance, curve in curves.items() if curve}
        if valued:
            by = f"\nby {judge_name(result, judge)}" if len(judges(result)) > 1 else ""
            own.append((f"{shorten(result.model, 36)}{by}", valued))
    if not own:
        return None
    note = (
        "The share of explanations of tricks that follow from the constraints (a CPA of 7 of 10 or more), by stated "
        "confidence, with 95 % intervals. On the dashed line confidence is what it says; below it, too high."
    )
    return Figure("magicbench-calibration", "Is its confidence earned?", note, _calibrated(own[:MOST]))


def _curve(result: Result, judge: dict[str, Json], stance: str) -> list[tuple[float, Estimate]]:
    curve = []
    for low, high in BINS:
        place: dict[str, Json] = {"stance": stance, "confidence": f"{100 * low:.0f} to {100 * high:.0f}", **judge}
        if each := valued_estimate(result, "entailed", place):
            curve.append((50 * (low + high), each))
    return curve


def _calibrated(own: Sequence[tuple[str, Curves]]) -> str:
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
        legend(canvas, canvas.axes[0], select_styles(present, STANCE), 5 if columns > 1 else 3)

    return document(width, height + 0.5, draw)
