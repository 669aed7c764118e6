"""The nine domains as radars, one for each task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi
from typing import TYPE_CHECKING, Any

from veridical.base.charts import WIDTH, document
from veridical.suite.find import find
from veridical.suite.results import Figure, Result
from veridical.suites.hocabench.presentation.figures.colors import MOST, colored, legend
from veridical.suites.hocabench.presentation.judging import accuracy, judges, score
from veridical.suites.hocabench.taxonomy import DOMAINS

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

TASKS = {
    "I": "I: calls it implausible",
    "II": "II: domain",
    "III": "III: description",
    "IV": "IV: explanation",
}
_FEWEST = 3


def radar(results: Sequence[Result]) -> Figure | None:
    """A radar for each task with values in at least three domains, and a line for each of the first models."""
    shown = list(results)[:MOST]
    values = {task: {result.model: domain_values(result, task) for result in shown} for task in TASKS}
    drawn = {
        task: by_model
        for task, by_model in values.items()
        if any(sum(value is not None for value in each) >= _FEWEST for each in by_model.values())
    }
    if not drawn:
        return None
    note = (
        "From 0 in the middle to 100 % at the rim; the upper three of each radar, marked *, are ontological. I: share "
        "of violating clips called implausible, whatever is said of controls. IV: marks of the first judge."
    )
    return Figure("hocabench-radar", "The nine domains", note, _drawn(drawn, colored(shown)))


def domain_values(result: Result, task: str) -> list[float | None]:
    """The value of a task in each domain, in the order of the taxonomy; `None` where there is none."""
    values: list[float | None] = []
    for name in DOMAINS:
        where = {"category": name}
        estimate = {
            "I": lambda at: find(result, "says implausible", {"variant": "violating", **at}),
            "II": lambda at: accuracy(result, "domain", **at),
            "III": lambda at: accuracy(result, "description", **at),
            "IV": lambda at: score(result, judges(result)[0], **at),
        }[task](where)
        values.append(None if estimate is None else estimate.value)
    return values


def _drawn(values: Mapping[str, Mapping[str, list[float | None]]], colors: Mapping[str, str]) -> str:
    count = len(DOMAINS)
    angles = [2 * pi * k / count for k in range(count)]
    titles = [f"{each.title}{'*' if each.layer == 'ontological' else ''}" for each in DOMAINS.values()]

    def draw(canvas: Canvas) -> None:
        columns = min(2, len(values))
        rows = -(-len(values) // columns)
        panels = canvas.subplots(rows, columns, squeeze=False, subplot_kw={"projection": "polar"}).ravel()
        for panel in panels[len(values) :]:
            panel.set_visible(False)
        axes: Any
        for axes, (task, by_model) in zip(panels, values.items(), strict=False):
            axes.set_theta_offset(pi / 2 + angles[1])
            axes.set_theta_direction(-1)
            axes.set_ylim(0, 1)
            axes.set_yticks([0.25, 0.5, 0.75, 1.0], ["", "50", "", "100"], fontsize=6, color="0.4")
            axes.set_xticks(angles, [title.replace(" and ", "\nand ") for title in titles], fontsize=6.5)
            axes.tick_params(axis="x", pad=5)
            axes.grid(color="0.85", linewidth=0.6)
            axes.spines["polar"].set_color("0.7")
            axes.set_title(TASKS[task], fontsize=9, pad=14)
            for model, line in by_model.items():
                whole = [float("nan") if value is None else value for value in line]
                axes.plot(
                    [*angles, angles[0]],
                    [*whole, whole[0]],
                    "o-",
                    color=colors[model],
                    markersize=3,
                    linewidth=1.2,
                    clip_on=False,
                )
        legend(canvas, panels[0], colors)

    rows = -(-len(values) // 2)
    return document(WIDTH, 0.7 + 3.2 * rows + 0.18 * len(colors) / 2, draw)
