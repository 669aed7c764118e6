"""What tables and figures share: who marked the explanations of a run, where its main figures are, and their style."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document
from veridical.judges.blind import named_judge
from veridical.judges.judged_outcomes import NOT_JUDGED
from veridical.records import Estimate, Json
from veridical.suite.points import legend_below
from veridical.suite.results import Result, find
from veridical.suite.tables import Column, RowHead, Where, drop_keys
from veridical.suites.magicbench.asking.cells import (
    FORENSIC,
    NEUTRAL,
    SKEPTIC,
    STANCES,
    TEXT_ONLY,
    THOUGHT,
    VISION_ONLY,
)
from veridical.suites.magicbench.judging.rubrics import PCS
from veridical.suites.magicbench.stimuli import LETTERS, TYPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

WORDED = (NEUTRAL, SKEPTIC, FORENSIC, THOUGHT)
"""The stances with frames and words."""
ORDER = (VISION_ONLY, *WORDED, TEXT_ONLY)
assert set(ORDER) == set(STANCES)
COLUMNS = {kind: f"{LETTERS[kind]} {kind}" for kind in TYPES}
"""The types of words with the heads of their columns: A lie, B misdirection, C filler, D silence."""
SHARE_OF_ALL = 1 - 1e-9


def judges(result: Result) -> list[dict[str, Json]]:
    """The judges and rubrics of a run, those by the rubric `pcs` first; empty where no explanation has marks."""
    seen = {
        (str(each.slice["judge"]), str(each.slice["rubric"])): None
        for each in result.estimates
        if each.metric == "cpa" and "rubric" in each.slice
    }
    ordered = sorted(seen, key=lambda pair: pair[1] != PCS.name)
    return [{"judge": judge, "rubric": rubric} for judge, rubric in ordered]


def judge_name(result: Result, where: Where) -> str:
    """Who marked, for a cell: the judge, whether its marks are a smoke test, and the rubric where it is not `pcs`."""
    name = named_judge(result, where["judge"])
    return name if where["rubric"] == PCS.name else f"{name}, {where['rubric']}"


def judge_results(results: Sequence[Result]) -> Iterator[tuple[Result, dict[str, Json]]]:
    """Each run with each of its judges and rubrics; a run without marks does not come."""
    for result in results:
        for judge in judges(result):
            yield result, judge


def unmarked_estimate(result: Result) -> Estimate | None:
    """The CPA that a run lacks, with the reason, where it has explanations that nobody marked."""
    return None if judges(result) else find(result, "cpa", {"judge": NOT_JUDGED})


def mark(result: Result, score: str, where: Where, kind: str) -> Estimate | None:
    """A mark in a slice under words of a type; what has no words is the same for all types of our clips."""
    own = find(result, score, {"type": kind, **where})
    return own or (find(result, score, where) if where.get("stance") == VISION_ONLY else None)


def mark_of(score: str, kind: str) -> Column:
    """A column of a mark under words of a type."""
    return lambda result, where: mark(result, score, where, kind)


def mark_of_row(kind: str) -> Column:
    """A column, under words of a type, of the metric that a row's slice names as `metric`."""
    return lambda result, where: mark(result, str(where["metric"]), drop_keys(where, "metric"), kind)


def stance_rows(result: Result, of: Sequence[str] | None = None) -> Iterator[RowHead]:
    """Rows for each judge and stance: those in which it gave a CPA, or the named ones."""
    for judge in judges(result):
        for stance in of or stances(result, judge):
            yield (judge_name(result, judge), stance), {"stance": stance, **judge}


def stances(result: Result, judge: Where, score: str = "cpa") -> list[str]:
    """The stances in which a judge gave a mark, vision-only first."""
    own = [
        each.slice for each in result.estimates if each.metric == score and {*judge.items()} <= {*each.slice.items()}
    ]
    present = {where.get("stance") for where in own}
    return [stance for stance in ORDER if stance in present]


def words(result: Result, metric: str, key: str, order: Sequence[str]) -> list[str]:
    """The levels that a key has in the slices of a metric, in an order; others follow as they come."""
    present = dict.fromkeys(
        str(each.slice[key]) for each in result.estimates if each.metric == metric and key in each.slice
    )
    return [*(level for level in order if level in present), *(level for level in present if level not in order)]


Style = tuple[str, str]
"""A color and a marker."""
PATTER: Mapping[str, Style] = {
    "vision-only": ("#222222", "o"),
    "none": ("#222222", "o"),
    "lie": ("#d55e00", "s"),
    "misdirection": ("#e69f00", "^"),
    "filler": ("#56b4e9", "D"),
    "silence": ("#0072b2", "v"),
    "cue": ("#cc79a7", "<"),
    "nouns": ("#009e73", ">"),
    "truth": ("#8c564b", "P"),
    "own": ("#777777", "X"),
}
"""What is said."""
STANCE: Mapping[str, Style] = {
    "vision-only": ("#222222", "o"),
    "neutral": ("#56b4e9", "^"),
    "skeptic": ("#e69f00", "D"),
    "forensic": ("#d55e00", "s"),
    "image-of-thought": ("#009e73", "v"),
    "text-only": ("#999999", "x"),
}
"""How the model is told to look."""
MOST = 9
"""How many panels a figure has at most."""


def bars(axes: Axes, points: Sequence[tuple[float, Estimate]], style: Style, scale: float, line: str = "-") -> None:
    """Points with their intervals, joined by a line; a bound that is not there is not drawn."""
    color, marker = style
    own = [(x, scale * each.value, each) for x, each in points if each.value is not None]
    axes.plot([x for x, *_ in own], [y for _, y, _ in own], line, marker=marker, color=color, markersize=4, linewidth=1)
    for x, _, each in own:
        if each.low is not None and each.high is not None:
            axes.plot([x, x], [scale * each.low, scale * each.high], color=color, linewidth=0.8)


def legend(canvas: Canvas, axes: Axes, styles: Mapping[str, Style], columns: int = 5) -> None:
    """A legend below everything."""
    keys = [axes.plot([], [], marker=mark, color=color, ls="", label=name)[0] for name, (color, mark) in styles.items()]
    legend_below(canvas, keys, columns)


def select_styles(names: Sequence[str], styles: Mapping[str, Style]) -> dict[str, Style]:
    """The styles of some names, in the order of the styles."""
    return {name: style for name, style in styles.items() if name in names}


Change = tuple[float, float | None, float | None]
"""A value with the bounds of its interval."""


def forest(
    rows: Sequence[tuple[str, Mapping[str, Change]]],
    styles: Mapping[str, Style],
    label: str,
    height: float,
    fontsize: float = 9,
) -> str:
    """Rows with their labels, each of up to three changes beside 0 in the style of its kind, as SVG."""

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        axes.axvline(0, color="0.6", linewidth=0.8)
        for place, (_, changes) in enumerate(rows):
            for number, (kind, (color, marker)) in enumerate(styles.items()):
                if kind in changes:
                    value, low, high = changes[kind]
                    y = place + 0.2 * (number - 1)
                    axes.plot([value], [y], marker, color=color, markersize=5)
                    if low is not None and high is not None:
                        axes.plot([low, high], [y, y], color=color, linewidth=1.2)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_yticks(range(len(rows)), [name for name, _ in rows], fontsize=fontsize)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel(label)
        legend(canvas, axes, styles)

    return document(WIDTH, height, draw)
