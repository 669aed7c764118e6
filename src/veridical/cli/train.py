"""`veridical-train`: teach the learned observers, put their weights in place, and publish what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from veridical.cli.common import ended
from veridical.errors import InputError, unknown

app = typer.Typer(
    help="Teach the learned observers.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
Folder = Annotated[Path, typer.Option("--folder", help="Where pictures, states and weights are kept.")]
Workers = Annotated[int, typer.Option(help="Cores.")]
DEFAULT = Path("learned")


def main() -> NoReturn:
    """Runs the command line of training, with the same ends as `veridical`."""
    ended(app, "veridical-train")


@app.command()
def teach(
    arms: Annotated[list[str] | None, typer.Argument(metavar="ARM…", help="Default: those that are shipped.")] = None,
    folder: Folder = DEFAULT,
    seeds: Annotated[str, typer.Option(help="Comma-separated seeds.")] = "0",
    workers: Workers = 2,
) -> None:
    """Teach networks; what was begun in the folder is taken up, and what is done is left."""
    from veridical.training.arms import ARMS, SHIPPED, dosed_arms

    known = ARMS | dosed_arms()
    for arm in arms or ():
        if arm not in known:
            raise unknown("arm", arm, known)
    try:
        from veridical.training.teach import teach as taught
    except ModuleNotFoundError as error:
        raise InputError(f"training needs {error.name}: install veridical[train]") from error
    wanted = [(arm, known[arm]) for arm in arms or SHIPPED]
    for path in taught(folder, wanted, _seeds(seeds), workers=workers, tell=typer.echo):
        typer.echo(str(path))


def _seeds(text: str) -> list[int]:
    found = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) < 1000 for part in found):
        raise InputError(f"--seeds '{text}': comma-separated whole numbers from 0 to 999 are allowed")
    return [int(part) for part in found]
