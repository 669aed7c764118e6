"""SVG charts: documents, grids of small panels, shortened names."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

WIDTH = 7.2
"""The maximum width of a figure, in inches."""

_PAD, _APART = 0.07, 0.04
"""Room above and below each panel in inches, and between panels as a share of a panel, so that no title touches one."""


def document(width: float, height: float, draw: Callable[[Canvas], None], *, math: bool = True) -> str:
    """The SVG of what `draw` puts on an empty canvas. Sizes are in inches; the same drawing gives the same text.

    Without `math`, a dollar sign in a text is one.
    """
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Canvas
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with matplotlib.rc_context(
        {"svg.hashsalt": "veridical", "font.size": 9, "font.family": "DejaVu Sans", "text.parse_math": math}
    ):
        canvas = Canvas(figsize=(width, height), layout=ConstrainedLayoutEngine(h_pad=_PAD, hspace=_APART))
        draw(canvas)
        text = io.StringIO()
        FigureCanvasSVG(canvas).print_svg(text, metadata={"Date": None})
    return text.getvalue()


def panels(canvas: Canvas, count: int, columns: int, label: str) -> list[Axes]:
    """`count` panels with shared axes, row by row, with at most `columns` in a row; `label` is the label of the x axis.

    The lowest panel of each column has the tick labels and the label.
    """
    columns = min(count, columns)
    rows = -(-count // columns)
    axes = canvas.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for unused in axes[count:]:
        unused.set_visible(False)
    for k in range(count):
        axes[k].spines[["top", "right"]].set_visible(False)
        axes[k].tick_params(labelbottom=k + columns >= count)
        if k + columns >= count:
            axes[k].set_xlabel(label, fontsize=8)
    return list(axes[:count])


def grid(count: int) -> tuple[int, float, float]:
    """The layout of `count` curve panels: panels per row, width and height of the figure in inches.

    >>> grid(5)
    (3, 7.2, 4.6)
    """
    columns = 2 if count in (2, 4) else min(count, 3)
    rows = -(-count // columns)
    return columns, (4.2 if count == 1 else WIDTH), round(0.8 + (1.9 if columns > 2 else 2.3) * rows, 2)


def panel_title(name: str, columns: int) -> str:
    """A model's name as a panel title, where a row has `columns` panels."""
    return shorten(name, 30 if columns > 2 else 44)


def shorten(text: str, most: int) -> str:
    """The text in one line; if it has more than `most` characters, an ellipsis replaces its middle.

    Both ends stay because names of models often differ only at the end.

    >>> shorten("a long name", 6)
    'a l…me'
    """
    line = " ".join(text.split())
    end = (most - 1) * 2 // 5
    return line if len(line) <= most else f"{line[: most - 1 - end]}…{line[len(line) - end :]}"
