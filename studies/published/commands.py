"""The command that recomputes the papers' own numbers from each other."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, NoReturn

import typer

from studies import published
from veridical.base.files import write_whole
from veridical.cli.common import JsonFlag, run_and_exit

app = typer.Typer(
    add_completion=False,
    context_settings={"max_content_width": 120, "help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def main() -> NoReturn:
    """Runs the command; a user's mistake ends in one line and exit code 2."""
    run_and_exit(app, "python -m studies.published")


@app.command()
def replicate(
    paper: Annotated[str | None, typer.Option(metavar="NAME", help="One paper only, in full.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for a page; a CSV and the long list stand beside it.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Recompute the papers' own numbers from each other."""
    results = published.replicate(None if paper is None else [paper])
    data = json.dumps(published.as_json(results), indent=2, ensure_ascii=False) + "\n" if as_json else ""
    if out is None:
        lines = published.as_lines(results, get_terminal_size().columns, brief=paper is None)
        typer.echo(data or "\n".join(lines).rstrip() + "\n", nl=False)
        return
    texts = {out: data}
    if not as_json:
        texts = {
            out: published.markdown(results, out.stem),
            out.with_suffix(".csv"): published.as_csv(results),
            out.with_name(f"{out.stem}-list.md"): published.as_list(results, out.stem),
        }
    for file, text in texts.items():
        write_whole(file, text.encode())
    hold = sum(result.verdict == "holds" for result in results)
    typer.echo(f"{', '.join(map(str, texts))}: {len(results)} claims, {hold} hold")
