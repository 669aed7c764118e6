"""MagiC's own commands: chains collected from a pool of models, and the weakly supervised set."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.suites.magic.people import commands as people

if TYPE_CHECKING:
    from veridical.suites.magic.collect import CollectedChains
    from veridical.verbs.runs.setup import Setup

app = typer.Typer(
    help="Commands of MagiC alone: chains of a pool of models, a weakly supervised set, and people's labels.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
for _command in (people.steps, people.stepsense, people.errors, people.error_counts):
    app.command()(_command)
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
SeedFlag = Annotated[int, typer.Option(help="The same seed gives the same choice.", min=0)]


@app.command()
def collect(
    stimuli: Annotated[Path, typer.Argument(metavar="SET", help="Stimulus set that the models reasoned about.")],
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Runs on it, of one model or several.")],
    out: Annotated[Path, typer.Option(help="Folder for the annotated records, new or empty.")],
    view: Annotated[str, typer.Option(help="View whose replies count.")] = "all-boxes",
    portion: Annotated[str | None, typer.Option(help="Portion of each record: dev, test or weak.")] = None,
    seed: SeedFlag = 0,
    as_json: JsonFlag = False,
) -> None:
    """Collect one reasoning chain per question from runs.

    Replies without steps or an answer and repetition loops are passed over. Nobody has labeled the steps: add labels
    and corrections to the records, then `veridical import magic`.
    """
    from veridical.errors import InputError, unknown
    from veridical.stimulus_set import StimulusSet
    from veridical.suites.magic.collect import collect_chains, write_collected
    from veridical.suites.magic.releases.annotated_files import PORTIONS

    if portion is not None and portion not in PORTIONS:
        raise unknown("portion", portion, PORTIONS)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is no new or empty folder: choose another")
    whole = StimulusSet.open(stimuli)
    made = collect_chains(whole, runs, view=view, seed=seed, **({"portion": portion} if portion else {}))
    write_collected(made, whole, out, view=view, seed=seed)
    _show(made, out, as_json=as_json)


@app.command()
def weak(
    folder: Annotated[Path, typer.Argument(metavar="GQA_FOLDER", help="Folder with GQA's val split.")],
    model: Annotated[
        list[str], typer.Option(metavar="M", help="Model that reasons: PROVIDER/NAME, or one of --models; repeatable.")
    ],
    exclude: Annotated[
        list[Path], typer.Option(metavar="SET", help="Set whose pictures are not to occur; repeatable.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the set. The same command goes on.")],
    limit: Annotated[int, typer.Option(help="Number of questions. The paper has 5,534.", min=1)] = 500,
    seed: SeedFlag = 0,
    models: Annotated[Path | None, typer.Option(help="TOML file with models. Default: models.toml.")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint.")] = None,
    budget_usd: Annotated[float | None, typer.Option(help="Stop at this cost of all runs, in US dollars.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Send without confirmation.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make the weakly supervised set.

    Regions are from GQA's objects, chains from models. No saliency, no misleading boxes, and no picture of the
    excluded sets. Each record has the model whose chain it is. Exit code 1 if replies are missing.
    """
    from veridical.suites.magic.weak import weak as weak_of

    options = {"models": models, "base_url": base_url, "budget_usd": budget_usd}
    stated = {key: value for key, value in options.items() if value is not None}
    made = weak_of(
        folder, model, exclude, out, limit=limit, seed=seed, confirm=lambda setups: _agreed(setups, yes=yes), **stated
    )
    _show(made, out, as_json=as_json)


def _agreed(setups: Sequence[Setup], *, yes: bool) -> bool:
    """Whether the user agrees to send; raises `InputError` if there is no terminal to ask on."""
    from veridical.errors import InputError

    for setup in setups:
        typer.echo(str(setup), err=True)
    if not yes and not sys.stdin.isatty():
        raise InputError("nothing was sent: give --yes to send without confirmation")
    return yes or typer.confirm("Send?", err=True)


def _show(made: CollectedChains, out: Path, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({"folder": str(out), **made.facts()}, ensure_ascii=False))
        return
    from veridical.base.format import visible

    typer.echo(f"{len(made.stimuli):,} questions with a chain in {out}")
    for name, number in sorted(made.chosen.items()):
        typer.echo(f"  by {visible(name)}: {number:,}")
    for reason, number in made.filtered.most_common():
        typer.echo(f"replies passed over, {reason}: {number:,}")
    if made.without:
        typer.echo(f"questions without a usable reply: {made.without:,}")
