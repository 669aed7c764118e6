"""The verb that recomputes the papers' own numbers: replicate."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated

import typer

from veridical.cli.common import JsonFlag, app


@app.command()
def replicate(
    paper: Annotated[str | None, typer.Option(metavar="NAME", help="One paper only, in full.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="File for a Markdown page, or for the JSON.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Recompute the papers' own numbers from each other."""
    from veridical import published
    from veridical.base.files import write_whole

    comparisons = published.replicate(None if paper is None else [paper])
    if as_json:
        text = json.dumps(published.as_json(comparisons), indent=2, ensure_ascii=False) + "\n"
    elif out is not None:
        text = published.markdown(comparisons)
    else:
        lines = published.as_lines(comparisons, get_terminal_size().columns, brief=paper is None)
        text = "\n".join(lines).rstrip() + "\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    write_whole(out, text.encode())
    typer.echo(
        f"{out}: {len(comparisons):,} numbers compared, {sum(each.verdict == 'agrees' for each in comparisons):,} agree"
    )
