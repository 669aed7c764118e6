"""The command of this study."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from veridical.cli.common import bar, run_and_exit
from veridical.errors import InputError

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def main() -> NoReturn:
    """Runs the command; a user's mistake ends in one line and exit code 2."""
    run_and_exit(app, "python -m studies.hocabench")


@app.command()
def hocabench(
    folder: Annotated[Path, typer.Option(help="Folder of sets and runs.")] = Path("rendered-study"),
    out: Annotated[Path, typer.Option(help="Markdown file.")] = Path("docs/validation-rendered.md"),
    units: Annotated[int, typer.Option(help="Pairs of clips of each sub-type and kind.", min=3)] = 12,
    seed: Annotated[int, typer.Option(help="Seed of both sets.", min=0)] = 11,
) -> None:
    """Ask the same observers about drawn and rendered clips, and write the page. What FOLDER has is kept."""
    if find_spec("sklearn") is None:
        raise InputError("learners need scikit-learn: pip install '.[dev]'")
    from studies.hocabench.page import page, promises
    from studies.hocabench.study import study
    from veridical.base.files import write_whole

    with bar("clips") as progress:
        results = study(folder, units, seed, progress=progress)
    write_whole(out, page(results, units, seed).encode())
    kept = [promise.kept for promise in promises(results)]
    typer.echo(f"{sum(kept)} of {len(kept)} promises kept; {out}")
