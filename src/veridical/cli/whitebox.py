"""Verbs that look into a local model: its states."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.common import JsonFlag, a_folder_to_be, a_run_or_set, app, bar, tell
from veridical.cli.options import options_of, takes
from veridical.errors import IncompleteError

if TYPE_CHECKING:
    from veridical.records import Json
    from veridical.whitebox.places import TokenMap
    from veridical.whitebox.states import StatesCost

group = typer.Typer(
    help="Look into a local model (veridical-hf/NAME).",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(group, name="whitebox")


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
        int | None, typer.Option(metavar="SEED", min=0, max=2**32 - 1, help="Random weights, as a control for `probe`.")
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
