"""The verb `export KIND`: what leaves the library for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.common import JsonFlag, RunFolder, SetFolder, a_set, app, bar, comma_list, tell
from veridical.cli.options import options_of, takes

if TYPE_CHECKING:
    from veridical.verbs.exchange.line_files import LineFiles

group = typer.Typer(
    help="Export a run or a set for other tools.",
    epilog="`veridical report --export` prints a run's figures as tables.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(group, name="export")


@group.command("inspect")
def inspect_log(
    run: RunFolder,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.eval", help="Log to write. Default: inspect.eval in the run folder.")
    ] = None,
    stimuli: Annotated[
        Path | None, typer.Option("--set", help="Stimulus set, if it has moved.", callback=a_set)
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write a run as logs for `inspect view`.

    The first stage has the file --out; each later stage and model has one beside it.
    """
    from veridical.verbs.harnesses.inspect_log import export_inspect

    written = export_inspect(run, out, stimuli=stimuli)
    folder = written.files[0].resolve().parent
    _tell(written, "samples", (*written.notes, f"look at them: inspect view --log-dir {folder}"), as_json=as_json)


@group.command("set")
@takes("settings", "prompts", "limit")
def questions(
    stimuli: SetFolder,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the files, new or empty.")],
    harness: Annotated[
        str,
        typer.Option(
            "--for", metavar="HARNESS", help="Harness that reads them: inspect, lmms-eval, openai-evals, vlmevalkit."
        ),
    ],
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Write a set's questions for another harness. `run --from HARNESS` reads the replies."""
    from veridical.verbs.harnesses.set_export import export_set

    options: dict[str, Any] = {**options_of(words)}
    written = export_set(stimuli, out, harness=harness, **options)
    _tell(written, "questions", written.notes, as_json=as_json)


@group.command("training")
@takes("workers", "cluster")
def training_prompts(
    suites: Annotated[list[str], typer.Argument(metavar="SUITE…", help="Suites to draw from, equally.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder, new, empty, or half-made by this command.")],
    trainer: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="TRAINER",
            help="Trainer: trl, verl, swift, llama-factory, openrlhf or parquet.",
        ),
    ],
    examples: Annotated[int, typer.Option("--n", metavar="N", help="Examples of all suites together.")] = 1000,
    recipe: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Recipe, or SUITE/NAME for each suite. Default: each suite's first."),
    ] = None,
    objective: Annotated[
        str,
        typer.Option(
            help="rewards: prompts with solutions; replies: with a good reply; preferences: with a good and a bad one."
        ),
    ] = "rewards",
    seed: Annotated[int, typer.Option(help="Seed, in a space that evaluation sets never draw from.")] = 0,
    hold_out: Annotated[
        list[str] | None, typer.Option(metavar="SUITE/FAMILY,…", help="Families that are not drawn.")
    ] = None,
    apart_from: Annotated[
        list[Path] | None,
        typer.Option(metavar="SET", help="Set whose pictures no example may show; repeatable.", callback=a_set),
    ] = None,
    test_fraction: Annotated[float, typer.Option(help="Share of the units in a split of their own, below 1.")] = 0.0,
    shard: Annotated[str | None, typer.Option(metavar="K/N", help="Make share K of N, in a folder of its own.")] = None,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Write training prompts with rewards.

    The suites' own readers mark the replies: `veridical.rewards` has them in the signatures of trainers.
    """
    from veridical.rewards.export import export_training

    with bar("drawing units") as progress:
        written = export_training(
            suites,
            out,
            examples=examples,
            trainer=trainer,
            recipe=recipe,
            objective=objective,
            seed=seed,
            hold_out=[name for text in hold_out or () for name in comma_list(text) or ()],
            apart_from=apart_from or (),
            test_fraction=test_fraction,
            shard=shard,
            workers=words["workers"],
            cluster=words["cluster"],
            progress=progress,
        )
    _tell(written, "examples", written.notes, as_json=as_json)


def _tell(written: LineFiles, what: str, notes: tuple[str, ...], *, as_json: bool) -> None:
    sizes = {str(file): file.stat().st_size for file in written.files}
    names = [f"  {Path(file).name} ({size:,} bytes)" for file, size in sizes.items()]
    lines = [f"{written.lines:,} {what} in {written.files[0].parent}:", *names, *notes]
    facts = {what: written.lines, "files": [{"file": file, "bytes": size} for file, size in sizes.items()]}
    tell({**facts, "notes": list(notes)}, lines, as_json=as_json)
