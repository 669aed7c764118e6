"""Verbs that look into a local model: its states, answers, and patched runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.common import JsonFlag, a_folder_to_be, a_run_or_set, app, bar, tell
from veridical.cli.options import options_of, takes
from veridical.errors import IncompleteError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from veridical.records import Json
    from veridical.whitebox.local_trials import ReadingCost
    from veridical.whitebox.places import TokenMap

group = typer.Typer(
    help="Look into a local model (veridical-hf/NAME).",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(group, name="whitebox")


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
        options |= {"stage": stage, "places": not no_places, "agree": _tell_cost, "progress": progress}
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
