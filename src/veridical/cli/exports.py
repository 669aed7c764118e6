"""The verb `export KIND`: what leaves the library for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.common import JsonFlag, RunFolder, SetFolder, a_set, app, tell
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


def _tell(written: LineFiles, what: str, notes: tuple[str, ...], *, as_json: bool) -> None:
    sizes = {str(file): file.stat().st_size for file in written.files}
    names = [f"  {Path(file).name} ({size:,} bytes)" for file, size in sizes.items()]
    lines = [f"{written.lines:,} {what} in {written.files[0].parent}:", *names, *notes]
    facts = {what: written.lines, "files": [{"file": file, "bytes": size} for file, size in sizes.items()]}
    tell({**facts, "notes": list(notes)}, lines, as_json=as_json)
