"""Pictures of what can be read from a model's states: R² along a model, and states on their principal components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from veridical.base.charts import WIDTH, document, shorten
from veridical.stats.readouts import z_scores
from veridical.stats.resample import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure as Canvas

MODEL, RANDOM, PIXELS = "model", "random weights", "pixels"
BEYOND = f"{MODEL} − {RANDOM}"
"""What is read from: the states of the model, those of the same architecture untrained, and pooled pixels."""
PICTURE, CHANGE = "picture", "change"
"""How it is read: from each picture by itself, or from what differs inside a unit."""

_LINES = {MODEL: ("#1f5fa8", "-"), RANDOM: ("#c0561b", "--")}
_TITLES = {PICTURE: "from a picture alone", CHANGE: "unit means removed"}
_LOWEST = -0.3
_MOST_POINTS = 1500


class StateCloud(NamedTuple):
    """States, shape (rows, size), with the value of a target for each, shape (rows,), of a group and source."""

    group: str
    source: str
    state: str
    states: Floats
    target: Floats


def part_of(state: str) -> str:
    """The part of a model that a state is of.

    >>> part_of("tower.3"), part_of("projector"), part_of("language.12.answer")
    ('tower', 'projector', 'text, answer')
    """
    part, *rest = state.split(".")
    return f"text, {rest[-1]}" if len(rest) > 1 else part


def axis_order(states: Sequence[str]) -> list[str]:
    """The states of a model part by part, in the order of its layers, as an axis shows them.

    >>> axis_order(["tower.0", "language.0.picture", "language.0.answer", "language.1.picture", "language.1.answer"])
    ['tower.0', 'language.0.picture', 'language.1.picture', 'language.0.answer', 'language.1.answer']
    """
    parts = list(dict.fromkeys(map(part_of, states)))
    return sorted(states, key=lambda state: parts.index(part_of(state)))


def read_out_curves(table: pl.DataFrame) -> str:
    """The SVG of R² by state with its interval and controls: a row of panels for each target and group of a table."""
    own = table.filter(pl.col("source") == MODEL).filter(~pl.col("group").str.contains(" − ", literal=True))
    rows = own.select("target", "group").unique(maintain_order=True).rows()

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots(len(rows), 2, sharex=True, sharey=True, squeeze=False)
        for line, (target, group) in zip(axes, rows, strict=True):
            for panel, (read, title) in zip(line, _TITLES.items(), strict=True):
                place = (pl.col("target") == target) & (pl.col("group") == group) & (pl.col("read") == read)
                _draw_curves(panel, table.filter(place))
                panel.set_title(shorten(f"{target}, {group}: {title}", 52), fontsize=8)
        canvas.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
        canvas.supylabel(f"R² on units left out (lower ones at −{-_LOWEST})", fontsize=8)

    return document(WIDTH, 1.1 + 1.6 * len(rows), draw, math=False)


def _draw_curves(panel: Axes, rows: pl.DataFrame) -> None:
    states = axis_order(rows.filter(pl.col("source") == MODEL)["state"].to_list())
    parts = [part_of(state) for state in states]
    places = {state: place for place, state in enumerate(states)}
    columns = ("r2", "low", "high", "shuffled")
    for source, (color, style) in _LINES.items():
        own = rows.filter(pl.col("source") == source).sort(pl.col("state").replace_strict(places, default=None))
        drawn = own.select(pl.col(columns).cast(pl.Float64).fill_null(np.nan)).to_numpy().clip(_LOWEST)
        for part in dict.fromkeys(parts) if len(own) else ():
            x = [k for k, each in enumerate(parts) if each == part]
            r2, low, high, shuffled = drawn[x].T
            label = source if part == parts[0] else None
            panel.plot(x, r2, style, color=color, lw=1.2, marker=".", ms=4, label=label)
            panel.errorbar(x, r2, [r2 - low, high - r2], fmt="none", ecolor=color, elinewidth=0.8, alpha=0.6)
            if source == MODEL:
                below = label and "95 % of shuffled targets are below"
                panel.plot(x, shuffled, ":", color="#777777", lw=1, marker="_", ms=5, label=below)
    for value in rows.filter(pl.col("source") == PIXELS)["r2"].drop_nulls():
        panel.axhline(max(value, _LOWEST), color="#3a7d44", ls="-.", lw=1, label="pooled pixels")
    panel.axhline(0, color="#bbbbbb", lw=0.6, zorder=0)
    panel.set_ylim(_LOWEST - 0.03, 1.03)
    starts = [parts.index(part) for part in dict.fromkeys(parts)]
    panel.set_xticks(starts, [parts[k] for k in starts], fontsize=7, rotation=20, ha="right")
    panel.spines[["top", "right"]].set_visible(False)


def component_clouds(clouds: Sequence[StateCloud], label: str) -> str:
    """The SVG of clouds on the first two principal components of each, colored by the target, whose name is `label`.

    A row of panels for each group and source. Of more than 1,500 points, evenly spaced ones are drawn; all enter the
    components.
    """
    rows: dict[tuple[str, str], list[StateCloud]] = {}
    for cloud in clouds:
        rows.setdefault((cloud.group, cloud.source), []).append(cloud)
    width = max(map(len, rows.values()))
    ends = [end(cloud.target) for cloud in clouds if len(cloud.target) for end in (np.min, np.max)]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)

    def draw(canvas: Canvas) -> None:
        from matplotlib import cm
        from matplotlib.colors import Normalize

        colors = cm.ScalarMappable(Normalize(low, high), "coolwarm")
        axes = canvas.subplots(len(rows), width, squeeze=False)
        for line, ((group, source), own) in zip(axes, rows.items(), strict=True):
            for panel, cloud in zip(line, own, strict=False):
                _draw_cloud(panel, cloud, colors)
            for panel in line[len(own) :]:
                panel.set_visible(False)
            line[0].set_ylabel(shorten(f"{group}, {source}", 24), fontsize=8)
        canvas.colorbar(colors, ax=axes, shrink=min(1, 2 / len(rows)), aspect=30).set_label(label, fontsize=8)

    return document(WIDTH, 0.4 + 1.5 * len(rows), draw, math=False)


def _draw_cloud(panel: Axes, cloud: StateCloud, colors: ScalarMappable) -> None:
    places = principal_components(cloud.states)
    some = np.linspace(0, len(places) - 1, min(len(places), _MOST_POINTS)).round().astype(int)
    panel.scatter(places[some, 0], places[some, 1], c=colors.to_rgba(cloud.target[some]), s=6, lw=0)
    panel.set(xticks=[], yticks=[])
    panel.set_title(shorten(cloud.state, 20), fontsize=7)


def principal_components(states: Floats) -> Floats:
    """The first two principal components of standardized states, shape (rows, 2), which may lack variance.

    >>> turned = principal_components(np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]]))
    >>> abs(turned).round(3).tolist()
    [[1.732, 0.0], [0.0, 0.0], [1.732, 0.0]]
    """
    scaled = z_scores(states)
    product = scaled @ scaled.T if len(scaled) < scaled.shape[1] else scaled.T @ scaled
    values, vectors = np.linalg.eigh(product)
    first = vectors[:, ::-1][:, :2]
    places = first * np.sqrt(values[::-1][:2].clip(0)) if len(scaled) < scaled.shape[1] else scaled @ first
    return np.asarray(np.pad(places, ((0, 0), (0, 2 - places.shape[1]))))
