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
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for a page; a CSV and the long list stand beside it.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Recompute the papers' own numbers from each other."""
    from veridical import published
    from veridical.base.files import write_whole

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
