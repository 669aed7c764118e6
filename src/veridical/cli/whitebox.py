"""Verbs that look into a local model: its states, what can be read from them, its answers, and patched runs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.common import JsonFlag, a_folder_to_be, a_run_or_set, app, bar, comma_list, something, tell
from veridical.cli.options import options_of, takes
from veridical.cli.readout_words import (
    curve_lines,
    map_lines,
    pictures_facts,
    print_read_outs,
    row_lines,
    tell_cost,
    tell_probe_cost,
)
from veridical.errors import IncompleteError

if TYPE_CHECKING:
    from veridical.verbs.exchange.local_trials import ReadRows

group = typer.Typer(
    help="Look into a local model (veridical-hf/NAME).",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(group, name="whitebox")


WITHOUT_PICTURE = "that show no picture are left out"
_ROWS = {
    "states": "trials have no states",
    "answers": "trials have no answers",
    "patch": "pairs cannot be read",
    "saliency": "stimuli and presentations have no maps",
}


@group.callback()
def _several() -> None:
    """Look into a local model (veridical-hf/NAME)."""


PlaceArgument = Annotated[Path, typer.Argument(metavar="PLACE", help="A set or run.", callback=a_run_or_set)]
OutFlag = Annotated[
    Path | None,
    typer.Option(help="Folder for what is read. Default, of a run: in RUN/inside. Resumable.", callback=a_folder_to_be),
]
ModelFlag = Annotated[
    str | None, typer.Option(metavar="M", help="Local model: veridical-hf/NAME. Default: that of the run.")
]
StageFlag = Annotated[str | None, typer.Option(help="Stage of the suite. Default: the first.")]
RandomFlag = Annotated[
    int | None, typer.Option(metavar="SEED", min=0, max=2**32 - 1, help="Random weights, as a control.")
]
OpeningFlag = Annotated[
    str,
    typer.Option(metavar="TEXT", help="Beginning of each reply, such as '<answer>'; the answer is next."),
]


@group.command()
@takes("model_args", "settings", "prompts", "limit")
def states(
    place: PlaceArgument,
    out: OutFlag = None,
    model: ModelFlag = None,
    stage: StageFlag = None,
    random_weights: RandomFlag = None,
    no_places: Annotated[bool, typer.Option("--no-places", help="Do not map picture tokens to pixels.")] = False,
    batch: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Trials that are read at once. Default: 8 on a GPU, else 1.")
    ] = None,
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
        options |= {"stage": stage, "places": not no_places, "batch": batch}
        options |= {"random_weights": random_weights, "agree": tell_cost, "progress": progress}
        table = write_states(place, out, model, **options)
    lines = row_lines(table, "trials have states", "states", WITHOUT_PICTURE)
    lines += map_lines(table.maps, table.unmapped)
    facts = {"states": str(table.folder), "trials": table.rows, "without_picture": table.left_out}
    tell_rows(table, {**facts, "pictures": pictures_facts(table.maps, table.unmapped)}, lines, as_json=as_json)


@group.command()
@takes("model_args", "settings", "prompts", "limit")
def answers(
    place: PlaceArgument,
    out: OutFlag = None,
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
        options: dict[str, Any] = {**options_of(words), "stage": stage, "agree": tell_cost, "progress": progress}
        table = write_answers(place, out, model, opening=opening, reply_tokens=reply_tokens, **options)
    flags = table.flags()
    agree = f"{table.read - sum(flags.values()):,} of {table.rows:,} trials"
    lines = row_lines(table, "trials have answers", "answers", WITHOUT_PICTURE)
    lines[1:1] = [f"{agree}: the likeliest answer is what the model replies"]
    lines += [f"{count:,} trials flagged: {reason}" for reason, count in flags.items()]
    facts = {"answers": str(table.folder), "trials": table.rows, "without_picture": table.left_out, "flags": flags}
    tell_rows(table, facts, lines, as_json=as_json)


@group.command()
@takes("model_args", "settings", "prompts", "limit")
def patch(
    place: PlaceArgument,
    pair: Annotated[
        list[str],
        typer.Option(metavar="F=A,B", help="Factor with two levels: pictures at B are put into runs at A. Several."),
    ],
    out: OutFlag = None,
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
        options: dict[str, Any] = {
            **options_of(words),
            "stage": stage,
            "agree": partial(tell_cost, what="pairs"),
            "progress": progress,
        }
        table = write_patches(place, out, model, pairs=pair, by=by, opening=opening, **options)
    lines = [*curve_lines(table.curve), *row_lines(table, "pairs are read", "curve.svg", "have no partner")]
    facts = {"patch": str(table.folder), "pairs": table.rows, "unpaired": table.left_out}
    tell_rows(table, {**facts, "curve": table.curve.to_dicts()}, lines, as_json=as_json)


def tell_rows(table: ReadRows, facts: dict[str, Any], lines: list[str], *, as_json: bool) -> None:
    """Prints what is in a folder; raises `IncompleteError` if a row could not be read."""
    tell({**facts, "problems": dict(table.problems)}, lines, as_json=as_json)
    if table.read < table.rows:
        raise IncompleteError(f"{table.rows - table.read:,} of {table.rows:,} {_ROWS[table.name]}")


@group.command()
def probe(
    states_folder: Annotated[
        Path, typer.Argument(metavar="STATES", help="A folder of `whitebox states`, or a run.", callback=something)
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
        typer.Option(
            metavar="STATES",
            help="States of the same trials by random weights. Default, of a run: its own.",
            callback=something,
        ),
    ] = None,
    shuffles: Annotated[int, typer.Option(min=19, max=10_000, help="Shuffled targets, as a control.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of folds and shuffles.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Read factors and labels from states, layer by layer.

    R² is of units that were left out, beside shuffled targets, pooled pixels and random weights. Tables and figures are
    written into the folder of states. Without --by and --group, groups are those that the suite names.
    """
    from veridical.internals.probe import COMPONENTS, CURVES, NO_CONTROL, TABLES, lacks_control, probe_states

    groups = [comma_list(each) or [] for each in levels or ()]
    with bar("reading out") as progress:
        options: dict[str, Any] = {"random": random, "shuffles": shuffles, "seed": seed, "progress": progress}
        options |= {"agree": tell_probe_cost}
        found = probe_states(states_folder, targets=target, by=by, groups=groups, **options)
    if as_json:
        tell(found.table.to_dicts(), (), as_json=True)
        return
    print_read_outs(found.table)
    if lacks_control(found.table):
        typer.echo(NO_CONTROL)
    for name in (*TABLES[1:], CURVES, COMPONENTS):
        typer.echo(found.folder / name)
