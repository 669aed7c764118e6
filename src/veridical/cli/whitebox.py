"""Verbs that look into a local model: its states, and what can be read from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.common import JsonFlag, a_folder_to_be, a_run_or_set, app, bar, comma_list, something, tell
from veridical.cli.options import options_of, takes
from veridical.errors import IncompleteError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from rich.table import Table

    from veridical.records import Json
    from veridical.whitebox.places import TokenMap
    from veridical.whitebox.states import StatesCost

group = typer.Typer(
    help="Look into a local model (veridical-hf/NAME).",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(group, name="whitebox")


_WIDE = 96
"""Columns of a terminal from which a figure and its interval stand in one line."""


@group.callback()
def _several() -> None:
    """Look into a local model (veridical-hf/NAME)."""


@group.command()
@takes("model_args", "settings", "prompts", "limit")
def states(
    place: Annotated[Path, typer.Argument(metavar="PLACE", help="A set or run.", callback=a_run_or_set)],
    out: Annotated[
        Path, typer.Option(help="Folder for the states. The same command resumes it.", callback=a_folder_to_be)
    ],
    model: Annotated[
        str | None, typer.Option(metavar="M", help="Local model: veridical-hf/NAME. Default: that of the run.")
    ] = None,
    stage: Annotated[str | None, typer.Option(help="Stage of the suite. Default: the first.")] = None,
    random_weights: Annotated[
        int | None, typer.Option(metavar="SEED", min=0, max=2**32 - 1, help="Random weights, as a control.")
    ] = None,
    no_places: Annotated[bool, typer.Option("--no-places", help="Do not map picture tokens to pixels.")] = False,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Write a model's states for the trials of a set or run.

    They are those of the tower, the projector and each layer of the text model. Picture tokens are mapped to pixels.
    Exit code 1 if a trial has no states.
    """
    from veridical.whitebox.states import write_states

    with bar("reading states") as progress:
        options: dict[str, Any] = {**options_of(words)}
        options |= {"stage": stage, "places": not no_places, "random_weights": random_weights}
        options |= {"agree": _tell_cost, "progress": progress}
        table = write_states(place, out, model, **options)
    without = sum(table.problems.values())
    pictures: list[Json] = [
        {"width": each.width, "height": each.height, "tokens": len(each.boxes), "unseen": each.unseen}
        for each in table.maps
    ]
    pictures += [{"width": size[0], "height": size[1], "problem": why} for size, why in table.unmapped.items()]
    facts = {"states": str(table.folder), "trials": table.trials, "without_picture": table.without_picture}
    lines = [f"{table.trials - without:,} of {table.trials:,} trials have states: {table.folder / 'states'}"]
    lines += [f"{table.without_picture:,} trials that show no picture are left out"] if table.without_picture else []
    lines += [f"{count:,} trials: {reason}" for reason, count in table.problems.items()]
    lines += map(_picture_line, table.maps)
    lines += [f"pictures of {size[0]}x{size[1]} have no map: {reason}" for size, reason in table.unmapped.items()]
    tell({**facts, "problems": dict(table.problems), "pictures": pictures}, lines, as_json=as_json)
    if without:
        raise IncompleteError(f"{without:,} of {table.trials:,} trials have no states")


def _tell_cost(cost: StatesCost) -> None:
    from veridical.base.format import span

    maps = f", {cost.passes:,} passes of the tower to map picture tokens" if cost.passes else ""
    what = f"{cost.trials:,} trials to read{maps}: about {span(cost.seconds)}, {cost.bytes / 1e6:,.1f} MB"
    typer.echo(what, err=True)


def _picture_line(each: TokenMap) -> str:
    seen = f"{100 * each.unseen:.0f} % of it is in no token" if each.unseen >= 0.005 else "all of it is in tokens"
    return f"pictures of {each.width}x{each.height}: {len(each.boxes):,} tokens, {seen}"


@group.command()
def probe(
    states_folder: Annotated[
        Path, typer.Argument(metavar="STATES", help="A folder of `whitebox states`.", callback=something)
    ],
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="What to read. Repeatable. Default: the numeric factors and the label."),
    ] = None,
    by: Annotated[str, typer.Option(metavar="COLUMN", help="Column whose levels are groups.")] = "variant",
    levels: Annotated[
        list[str] | None,
        typer.Option(
            "--group", metavar="LEVEL,LEVEL", help="Levels that make a group. Repeatable: the first against the others."
        ),
    ] = None,
    random: Annotated[
        Path | None,
        typer.Option(metavar="STATES", help="States of the same trials by random weights.", callback=something),
    ] = None,
    shuffles: Annotated[int, typer.Option(min=19, max=10_000, help="Shuffled targets, as a control.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of folds and shuffles.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Read factors and labels from states, layer by layer.

    R² is of units that were left out, beside shuffled targets, pooled pixels and random weights. Tables and figures are
    written into STATES.
    """
    from veridical.whitebox.probe import COMPONENTS, CURVES, TABLES, probe_states

    groups = [comma_list(each) or [] for each in levels or ()]
    with bar("reading out") as progress:
        options: dict[str, Any] = {"random": random, "shuffles": shuffles, "seed": seed, "progress": progress}
        found = probe_states(states_folder, targets=target, by=by, groups=groups, **options)
    if as_json:
        tell(found.table.to_dicts(), (), as_json=True)
        return
    _print_probe(found.table)
    for name in (*TABLES[1:], CURVES, COMPONENTS):
        typer.echo(found.folder / name)


def _print_probe(table: pl.DataFrame) -> None:
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
