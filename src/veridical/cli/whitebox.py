"""Verbs that look into a local model: its states, what can be read from them, its answers, and patched runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.common import JsonFlag, a_folder_to_be, a_run_or_set, app, bar, comma_list, something, tell
from veridical.cli.options import options_of, takes
from veridical.errors import IncompleteError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl
    from rich.table import Table

    from veridical.records import Json
    from veridical.whitebox.local_trials import ReadingCost
    from veridical.whitebox.places import TokenMap

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


PlaceArgument = Annotated[Path, typer.Argument(metavar="PLACE", help="A set or run.", callback=a_run_or_set)]
OutFlag = Annotated[
    Path, typer.Option(help="Folder for what is read. The same command resumes it.", callback=a_folder_to_be)
]
ModelFlag = Annotated[
    str | None, typer.Option(metavar="M", help="Local model: veridical-hf/NAME. Default: that of the run.")
]
StageFlag = Annotated[str | None, typer.Option(help="Stage of the suite. Default: the first.")]
OpeningFlag = Annotated[
    str,
    typer.Option(metavar="TEXT", help="Beginning of each reply, such as '<answer>'; the answer is next."),
]


@group.command()
@takes("model_args", "settings", "prompts", "limit")
def states(
    place: PlaceArgument,
    out: OutFlag,
    model: ModelFlag = None,
    stage: StageFlag = None,
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
    lines += _left_out(table.without_picture, table.problems)
    lines += map(_picture_line, table.maps)
    lines += [f"pictures of {size[0]}x{size[1]} have no map: {reason}" for size, reason in table.unmapped.items()]
    tell({**facts, "problems": dict(table.problems), "pictures": pictures}, lines, as_json=as_json)
    if without:
        raise IncompleteError(f"{without:,} of {table.trials:,} trials have no states")


@group.command()
@takes("model_args", "settings", "prompts", "limit")
def answers(
    place: PlaceArgument,
    out: OutFlag,
    model: ModelFlag = None,
    stage: StageFlag = None,
    opening: OpeningFlag = "",
    reply_tokens: Annotated[
        int, typer.Option(metavar="N", min=1, help="Maximum tokens of the reply that is held against probabilities.")
    ] = 32,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Write how likely a model holds each answer to each trial.

    The probabilities are those of the next token, summed over the spellings of each answer. A trial is flagged where
    the likeliest answer is not what the reader reads from the model's reply. Exit code 1 if a trial cannot be read.
    """
    from veridical.whitebox.answers import write_answers

    with bar("reading answers") as progress:
        options: dict[str, Any] = {**options_of(words), "stage": stage, "agree": _tell_cost, "progress": progress}
        table = write_answers(place, out, model, opening=opening, reply_tokens=reply_tokens, **options)
    without, flagged = sum(table.problems.values()), sum(table.flags.values())
    facts = {"answers": str(table.folder), "trials": table.trials, "without_picture": table.without_picture}
    agree = table.trials - without - flagged
    lines = [f"{table.trials - without:,} of {table.trials:,} trials have answers: {table.folder / 'answers'}"]
    lines += [f"{agree:,} of {table.trials:,} trials: the likeliest answer is what the model replies"]
    lines += [f"{count:,} trials flagged: {reason}" for reason, count in table.flags.items()]
    lines += _left_out(table.without_picture, table.problems)
    tell({**facts, "problems": dict(table.problems), "flags": dict(table.flags)}, lines, as_json=as_json)
    if without:
        raise IncompleteError(f"{without:,} of {table.trials:,} trials have no answers")


@group.command()
@takes("model_args", "settings", "prompts", "limit")
def patch(
    place: PlaceArgument,
    out: OutFlag,
    pair: Annotated[
        list[str],
        typer.Option(metavar="F=A,B", help="Factor with two levels: pictures at B are put into runs at A. Several."),
    ],
    by: Annotated[str | None, typer.Option(metavar="F", help="Factor that divides the groups of pairs.")] = None,
    model: ModelFlag = None,
    stage: StageFlag = None,
    opening: OpeningFlag = "",
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Show at which depth a model's answer follows the picture.

    The picture tokens of a picture are put into the run on another one of its unit, at the projector and after each
    layer. The curve of how much of the answer's change they carry goes to a table and a figure. Exit code 1 if a pair
    cannot be read.
    """
    from veridical.whitebox.patch import write_patches

    with bar("patching") as progress:
        options: dict[str, Any] = {**options_of(words), "stage": stage, "agree": _tell_pairs, "progress": progress}
        table = write_patches(place, out, model, pairs=pair, by=by, opening=opening, **options)
    without = sum(table.problems.values())
    facts = {"patch": str(table.folder), "pairs": table.pairs, "unpaired": table.unpaired}
    lines = _curve_lines(table.curve)
    lines += [f"{table.pairs - without:,} of {table.pairs:,} pairs are read: {table.folder / 'curve.svg'}"]
    lines += [f"{table.unpaired:,} trials have no partner"] if table.unpaired else []
    lines += [f"{count:,} pairs: {reason}" for reason, count in table.problems.items()]
    tell({**facts, "problems": dict(table.problems), "curve": table.curve.to_dicts()}, lines, as_json=as_json)
    if without:
        raise IncompleteError(f"{without:,} of {table.pairs:,} pairs cannot be read")


def _curve_lines(curve: pl.DataFrame) -> list[str]:
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


def _left_out(without_picture: int, problems: Mapping[str, int]) -> list[str]:
    left = [f"{without_picture:,} trials that show no picture are left out"] if without_picture else []
    return [*left, *(f"{count:,} trials: {reason}" for reason, count in problems.items())]


def _tell_pairs(cost: ReadingCost) -> None:
    _tell_cost(cost, "pairs")


def _tell_cost(cost: ReadingCost, what: str = "trials") -> None:
    from veridical.base.format import span

    maps = f", {cost.passes:,} passes of the tower to map picture tokens" if cost.passes else ""
    size = f", {cost.bytes / 1e6:,.1f} MB" if cost.bytes >= 5e4 else ""
    typer.echo(f"{cost.rows:,} {what} to read{maps}: about {span(cost.seconds)}{size}", err=True)


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
