"""What the verbs that look into a local model print: costs, maps of tokens, curves and read-outs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    import polars as pl
    from rich.table import Table

    from veridical.internals.probe import ProbeCost
    from veridical.internals.token_map import Size, TokenMap
    from veridical.records import Json
    from veridical.verbs.exchange.local_trials import ReadingCost, ReadRows

_WIDE = 96
"""Columns of a terminal from which a figure and its interval stand in one line."""


def row_lines(table: ReadRows, what: str, shown: str, left_out: str) -> list[str]:
    """How many rows a folder has, with what is `shown` of them, how many trials are left out, and problems."""
    lines = [f"{table.read:,} of {table.rows:,} {what}: {table.folder / shown}"]
    lines += [f"{table.left_out:,} trials {left_out}"] if table.left_out else []
    return lines + [f"{count:,} {what.split()[0]}: {reason}" for reason, count in table.problems.items()]


def curve_lines(curve: pl.DataFrame) -> list[str]:
    """The curve of each group of pairs: its effect, and a line for each depth."""
    lines = []
    for (group,), rows in curve.group_by("group", maintain_order=True):
        first = rows.row(0, named=True)
        answers = f"{first['changed']:,} of {first['pairs']:,} pairs change their likeliest answer"
        effect = f"mean effect {_bounds(first, 'effect')} nats"
        lines += [f"{group}: {answers}, {effect}, {first['units']:,} units"]
        if first["elsewhere"] > 0.5:
            lines += [f"  the next token is no answer with probability {first['elsewhere']:.2f}: see --opening"]
        if first["share"] is None:
            lines += [f"  no share: {first['reason']}"]
            continue
        lines += [f"  {'depth':<14}{'share of the effect':<24}{'donor answer':<24}difference to the first group"]
        for row in rows.iter_rows(named=True):
            cells = [f"{_bounds(row, name):<24}" for name in ("share", "answers", "difference")]
            lines += [f"  {row['depth']:<14}{''.join(cells)}".rstrip()]
    return lines


def _bounds(row: dict[str, Any], name: str) -> str:
    value, low, high = (
        None if row[each] is None else f"{row[each]:.2f}".replace("-0.00", "0.00")
        for each in (name, f"{name}_low", f"{name}_high")
    )
    bounds = "" if low is None or high is None else f" [{low}, {high}]"
    return "–" if value is None else f"{value}{bounds}"


def tell_cost(cost: ReadingCost, what: str = "trials") -> None:
    """Prints what reading a model takes."""
    from veridical.base.format import span

    maps = f", {cost.passes:,} passes of the tower to map picture tokens" if cost.passes else ""
    size = f", {cost.bytes / 1e6:,.1f} MB" if cost.bytes >= 5e4 else ""
    typer.echo(f"{cost.rows:,} {what} to read{maps}: about {span(cost.seconds)}{size}", err=True)


def tell_probe_cost(cost: ProbeCost) -> None:
    """Prints what probing takes."""
    from veridical.base.format import span

    typer.echo(f"{cost.read_outs:,} read-outs: about {span(cost.seconds)}", err=True)


def pictures_facts(maps: Sequence[TokenMap], unmapped: Mapping[Size, str]) -> list[Json]:
    """The sizes of pictures, with their number of tokens and the part in none, or with why they have no map."""
    pictures: list[Json] = [
        {"width": each.width, "height": each.height, "tokens": len(each.boxes), "unseen": each.unseen} for each in maps
    ]
    return pictures + [{"width": size[0], "height": size[1], "problem": why} for size, why in unmapped.items()]


def map_lines(maps: Sequence[TokenMap], unmapped: Mapping[Size, str]) -> list[str]:
    """A line for each size of picture."""
    without = [f"pictures of {size[0]}x{size[1]} have no map: {reason}" for size, reason in unmapped.items()]
    return [*map(_map_line, maps), *without]


def _map_line(each: TokenMap) -> str:
    seen = f"{100 * each.unseen:.0f} % of it is in no token" if each.unseen >= 0.005 else "all of it is in tokens"
    return f"pictures of {each.width}x{each.height}: {len(each.boxes):,} tokens, {seen}"


def print_read_outs(table: pl.DataFrame) -> None:
    """Prints a table for each target and way of reading it: a row for each state, a column for each group."""
    from rich.console import Console

    from veridical.base.format import visible

    console = Console()
    ways = {"picture": "from a picture alone", "change": "unit means removed"}
    for (target, read), rows in table.group_by("target", "read", maintain_order=True):
        title = visible(f"{target}, {ways[str(read)]}: R² [95 %]")
        console.print(_probe_table(title, rows.to_dicts(), narrow=console.width < _WIDE), markup=False)
        for row in rows.unique("group", maintain_order=True).to_dicts():
            if " − " not in row["group"]:
                left = f", {row['without']:,} more without states or target" if row["without"] else ""
                console.print(
                    visible(f"{row['group']}: {row['n']:,} trials of {row['units']:,} units{left}"), markup=False
                )
        for reason in rows["reason"].drop_nulls().unique(maintain_order=True):
            console.print(f"– {visible(reason)}", markup=False)
    console.print("In parentheses: at most 95 % of shuffled targets give less.", markup=False)


def _probe_table(title: str, rows: Sequence[dict[str, Any]], *, narrow: bool) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from veridical.base.format import visible

    shown = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    groups = list(dict.fromkeys(row["group"] for row in rows))
    for name in ("state", *groups):
        shown.add_column(visible(name), overflow="fold", no_wrap=name == "state")
    lines: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        if row["source"] == "random weights":
            continue  # what the model has beyond them is shown; they are in the written table
        lines.setdefault((row["source"], row["state"]), {})[row["group"]] = _r2(row, "\n" if narrow else " ")
    before = None
    for (source, state), cells in lines.items():
        if source != before and source != state:
            shown.add_row(source, style="italic")
        before = source
        shown.add_row(visible(state), *(cells.get(name, "") for name in groups))
    return shown


def _r2(row: dict[str, Any], space: str) -> str:
    if row["r2"] is None:
        return "–"
    # Rounded first: "-0.00" is no number.
    r2, low, high = (f"{round(row[name], 2) + 0:.2f}" for name in ("r2", "low", "high"))
    text = f"{r2}{space}[{low}, {high}]"
    return f"({text})" if row["p"] is not None and row["p"] > 0.05 else text
