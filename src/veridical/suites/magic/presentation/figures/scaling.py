"""Scaling: the main figures over the size of models, where a user states it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, shortened
from veridical.records import Estimate
from veridical.suite.results import Figure, Result, find
from veridical.suites.magic.presentation.figures.focus import COLORS, answers, framed, percent, point
from veridical.suites.magic.presentation.tables.healing import self_heal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

PANELS: Mapping[str, Callable[[Result], Estimate | None]] = {
    "F1 of boxes": lambda result: find(result, "magiscore f1", {}),
    "right answers": answers,
    "heals": self_heal,
}


def scaling(results: Sequence[Result]) -> Figure | None:
    """A panel for each main figure, over size on a logarithmic axis; a line for each family with several sizes."""
    sized = [result for result in results if result.about and result.about.size]
    sizes = {result.about.size for result in sized if result.about}
    if len(sizes) < 2:
        return None
    shown = {
        title: [(own, each) for own in sized if (each := of(own)) is not None and each.value is not None]
        for title, of in PANELS.items()
    }
    drawn = {title: own for title, own in shown.items() if own}
    families = list(dict.fromkeys(_family(own) for own in sized))
    colors = {family: COLORS[k % len(COLORS)] for k, family in enumerate(families)}
    note = "By size in billions of parameters, as the file of models states it; lines join the models of a family."

    def draw(canvas: Canvas) -> None:
        panels = canvas.subplots(1, len(drawn), sharey=True, squeeze=False).ravel()
        for axes, (title, own) in zip(panels, drawn.items(), strict=True):
            _panel(axes, own, colors)
            axes.set_title(title, fontsize=9)
        framed(panels[0], "%")
        for axes in panels[1:]:
            axes.spines[["top", "right"]].set_visible(False)
        keys = [panels[0].plot([], [], "o-", color=colors[each], label=shortened(each, 40))[0] for each in families]
        canvas.legend(handles=keys, loc="outside lower center", ncols=min(len(keys), 4), frameon=False, fontsize=8)

    return Figure("magic-scaling", "Scaling with size", note, document(WIDTH, 3.0, draw))


def _family(result: Result) -> str:
    about = result.about
    return ((about.family or about.group) if about else None) or "other models"


def _size(result: Result) -> float:
    return float((result.about.size if result.about else None) or 0.0)


def _panel(axes: Axes, own: Sequence[tuple[Result, Estimate]], colors: Mapping[str, str]) -> None:
    axes.set_xscale("log")
    for family in dict.fromkeys(_family(result) for result, _ in own):
        line = sorted(
            ((_size(result), each) for result, each in own if _family(result) == family), key=lambda at: at[0]
        )
        if family != "other models":
            axes.plot([x for x, _ in line], [percent(each)[0] for _, each in line], color=colors[family], linewidth=1)
        for x, each in line:
            point(axes, x, each, colors[family])
    ticks = sorted({_size(result) for result, _ in own})
    axes.set_xticks(ticks, [f"{each:g}" for each in ticks], fontsize=8)
    axes.minorticks_off()
    axes.set_xlabel("size, B", fontsize=8)
