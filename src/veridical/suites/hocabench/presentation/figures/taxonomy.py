"""The nine domains as radars, one for each task; layers, domains and sub-types as sunbursts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, degrees, pi, sin
from typing import TYPE_CHECKING, Any, NamedTuple

from veridical.base.charts import WIDTH, document, shorten
from veridical.records import Json
from veridical.suite.points import MOST, legend, model_colors
from veridical.suite.results import Figure, Result, find, slice_values
from veridical.suites.hocabench.presentation.tables.main import judges
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

TASKS = {"I": "I: calls it implausible", "II": "II: domain", "III": "III: description", "IV": "IV: explanation"}
_FEWEST = 3
_MOST = 4
_EDGES = (0.24, 0.44, 0.71, 1.0)
"""Where rings begin and end, as shares of the radius."""
_EMPTY = "0.93"
_LONG = 11
"""Titles with more characters than this are broken at a space."""
_LIGHT = 0.55
"""The share above which a wedge is dark, and its text white."""


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
    return Figure("hocabench-radar", "The nine domains", note, _radars(drawn, model_colors(shown)))


def domain_values(result: Result, task: str) -> list[float | None]:
    """The value of a task in each domain, in the order of the taxonomy; `None` where there is none."""
    metric, where = {
        "I": ("says implausible", {"variant": "violating"}),
        "II": ("accuracy", {"task": "domain"}),
        "III": ("accuracy", {"task": "description"}),
        "IV": ("explanation score", {"part": "total", **judges(result)[0]}),
    }[task]
    estimates = [find(result, metric, {**where, "category": name}) for name in DOMAINS]
    return [None if each is None else each.value for each in estimates]


def _radars(values: Mapping[str, Mapping[str, list[float | None]]], colors: Mapping[str, str]) -> str:
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
        legend(canvas, panels[0], colors, "o-")

    rows = -(-len(values) // 2)
    return document(WIDTH, 0.7 + 3.2 * rows + 0.18 * len(colors) / 2, draw)


class Wedge(NamedTuple):
    """A wedge: its first and last ring from within, start and end as shares of the circle, title, and value if any."""

    first: int
    last: int
    start: float
    end: float
    title: str
    value: float | None


def sunburst(results: Sequence[Result]) -> Figure | None:
    """A sunburst for each of the first four models that were asked about plausibility."""
    shown = [result for result in results if _value(result, {}) is not None][:_MOST]
    if not shown:
        return None
    note = (
        "From within: layers, domains, sub-types, each of these with an equal part. The darker, the more of its "
        "violating clips are called implausible, in percent. In the middle: alarms on plausible controls."
    )
    return Figure("hocabench-sunburst", "The taxonomy, as it is seen", note, _sunbursts(shown), broad=True)


def wedges(result: Result) -> Iterator[Wedge]:
    """The wedges of a run's sunburst, from within and in the order of the taxonomy.

    A domain of one sub-type is one wedge over both rings.
    """
    levels = slice_values(result, "sub_type")
    present = [each for each in SUB_TYPES.values() if each.name in levels]
    domains = [each.domain for each in present]
    for ring, key in enumerate(("layer", "category", "sub_type")):
        of_ring = [(each.layer, each.domain, each.name)[ring] for each in present]
        for name in dict.fromkeys(of_ring):
            places = [k for k, each in enumerate(of_ring) if each == name]
            alone = domains.count(domains[places[0]]) == 1
            if ring < 2 or not alone:
                last = 2 if ring == 1 and alone else ring
                start, end = places[0] / len(present), (places[-1] + 1) / len(present)
                yield Wedge(ring, last, start, end, _title(ring, name), _value(result, {key: name}))


def _title(ring: int, name: str) -> str:
    return (name.capitalize(), getattr(DOMAINS.get(name), "title", ""), getattr(SUB_TYPES.get(name), "title", ""))[ring]


def _value(result: Result, where: dict[str, Json], variant: str = "violating") -> float | None:
    estimate = find(result, "says implausible", {"variant": variant, **where})
    return None if estimate is None else estimate.value


def _sunbursts(results: Sequence[Result]) -> str:
    columns = min(2, len(results))
    rows = -(-len(results) // columns)
    side = WIDTH if columns == 1 else 1.55 * WIDTH / 2

    def draw(canvas: Canvas) -> None:
        panels = canvas.subplots(rows, columns, squeeze=False).ravel()
        for axes in panels[len(results) :]:
            axes.set_visible(False)
        for axes, result in zip(panels, results, strict=False):
            _panel(axes, result)

    return document(side * columns, (side + 0.3) * rows, draw)


def _panel(axes: Axes, result: Result) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Wedge as Patch

    axes.set_aspect("equal")
    axes.set_xlim(-1.02, 1.02)
    axes.set_ylim(-1.02, 1.02)
    axes.axis("off")
    axes.set_title(shorten(result.model, 44), fontsize=9)
    blues = colormaps["Blues"]
    for each in wedges(result):
        inner, outer = _EDGES[each.first], _EDGES[each.last + 1]
        first, last = 90 - 360 * each.end, 90 - 360 * each.start
        color = _EMPTY if each.value is None else blues(0.08 + 0.82 * each.value)
        axes.add_patch(Patch((0, 0), outer, first, last, width=outer - inner, facecolor=color, edgecolor="white"))
        _text(axes, each, (inner + outer) / 2)
    alarms = _value(result, {}, "plausible")
    if alarms is not None:
        axes.text(0, 0, f"alarms on\ncontrols\n{100 * alarms:.0f} %", ha="center", va="center", fontsize=8)


def _text(axes: Axes, wedge: Wedge, radius: float) -> None:
    """A wedge's title and value: along the circle within, along the radius in the outer rings."""
    angle = pi / 2 - pi * (wedge.start + wedge.end)
    turn = degrees(angle) + (90 if wedge.first == 0 else 0)
    percent = "" if wedge.value is None else f"{100 * wedge.value:.0f}"
    words = [wedge.title] if wedge.first == 0 else wedge.title.replace(" and ", " and\n").split("\n")
    if wedge.first == 2 and len(wedge.title) > _LONG:
        words = wedge.title.split(" ", 1)
    axes.text(
        radius * cos(angle),
        radius * sin(angle),
        f"{words[0]} {percent}" if wedge.first == 0 else "\n".join([*words, percent]),
        rotation=(turn + 90) % 180 - 90,
        ha="center",
        va="center",
        fontsize=6.5,
        linespacing=0.95,
        color="white" if wedge.value is not None and wedge.value > _LIGHT else "0.15",
    )
