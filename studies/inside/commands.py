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
    run_and_exit(app, "python -m studies.inside")


@app.command()
def inside(
    folder: Annotated[Path, typer.Option(help="Folder of pictures, models and readings.")] = Path("inside"),
    out: Annotated[Path, typer.Option(help="Markdown file.")] = Path("docs/validation-inside.md"),
    seeds: Annotated[str, typer.Option(help="Comma-separated seeds.")] = "0",
) -> None:
    """Teach models whose insides are known, read them, and write the page. What FOLDER has is kept."""
    wanted = [each.strip() for each in seeds.split(",")]
    if not all(each.isdecimal() and int(each) < 1000 for each in wanted) or len(set(wanted)) < len(wanted):
        raise InputError(f"--seeds '{seeds}': different whole numbers from 0 to 999, with commas between, are allowed")
    if find_spec("torch") is None:
        raise InputError("teaching needs PyTorch: pip install '.[train]'")
    from studies.inside.page import page
    from studies.inside.reading import promises
    from studies.inside.study import study
    from studies.inside.twins import TWINS
    from veridical.base.files import write_whole

    with bar("models") as progress:
        results = study(folder, [int(each) for each in wanted], progress=progress)
    write_whole(out, page(results, seeds).encode())
    kept = [
        each
        for twin in TWINS
        for (_, name), found in results.items()
        if name == twin.name
        for each in promises(twin, found).values()
    ]
    typer.echo(f"{sum(kept)} of {len(kept)} promises kept; {out}")
