"""Colors, marks and error bars that the figures share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.records import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

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
    canvas.legend(handles=keys, loc="outside lower center", ncols=min(len(keys), columns), frameon=False, fontsize=8)


def shown(names: Sequence[str], styles: Mapping[str, Style]) -> dict[str, Style]:
    """The styles of some names, in the order of the styles."""
    return {name: style for name, style in styles.items() if name in names}
