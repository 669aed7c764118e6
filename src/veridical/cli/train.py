"""`veridical-train`: teach the learned observers, put their weights in place, and publish what came of it."""

from __future__ import annotations

from importlib.util import find_spec
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
Workers = Annotated[int, typer.Option(help="Cores.", min=1)]
DEFAULT = Path("learned")
LOGITS = Path("tests/observers/learned-logits.npz")


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
    """Teach networks; what was begun in the folder is taken up."""
    from veridical.suites.viprobe.training.arms import ARMS, SHIPPED, dosed_arms

    known = ARMS | dosed_arms()
    for arm in arms or ():
        if arm not in known:
            raise unknown("arm", arm, known)
    _require_torch()
    from veridical.suites.viprobe.training.teach import teach as taught

    wanted = [(arm, known[arm]) for arm in arms or SHIPPED]
    for path in taught(folder, wanted, _seeds(seeds), workers=workers, tell=typer.echo):
        typer.echo(str(path))


@app.command()
def ship(
    folder: Folder = DEFAULT,
    seed: Annotated[int, typer.Option(help="The seed whose networks are shipped.", min=0)] = 0,
    logits: Annotated[Path, typer.Option(help="Where PyTorch's outputs are kept, for the tests.")] = LOGITS,
) -> None:
    """Put the weights of a seed into the library, each with its card."""
    _require_torch()
    from veridical.suites.viprobe.training.ship import ship as shipped

    for path in shipped(folder, seed, logits):
        typer.echo(f"{path}: {path.stat().st_size:,} bytes")


@app.command()
def study(
    folder: Folder = DEFAULT,
    out: Annotated[Path, typer.Option(help="The Markdown file.")] = Path("docs/learned-observers.md"),
    seeds: Annotated[str, typer.Option(help="Comma-separated seeds.")] = "0,1,2",
    workers: Workers = 2,
    partial: Annotated[bool, typer.Option(help="Also where networks are missing; the page names them.")] = False,
) -> None:
    """Examine every network on fresh pictures, and write the page."""
    from veridical.base.files import write_whole
    from veridical.cli.terminal import bar
    from veridical.suites.viprobe.training import study as studies
    from veridical.suites.viprobe.training.every_figure import every_figure
    from veridical.suites.viprobe.training.page import page
    from veridical.suites.viprobe.training.results import Results

    wanted = _seeds(seeds)
    missing = studies.missing(folder, wanted)
    lacking = [path for path in missing if not partial or path.stem in studies.SPOILT]
    if lacking:
        way = "" if partial else ", or say --partial"
        raise InputError(f"{lacking[0]} is missing ({len(missing):,} in all): teach it first{way}")
    with bar("networks") as progress:
        found = studies.study(folder, wanted, workers=workers, progress=progress)
    results = Results(found)
    written = {
        out.with_suffix(".csv"): every_figure(results),
        out.with_suffix(".svg"): studies.pair(folder, wanted[0]),
        out: page(results, [f"{path.parent.name}/{path.stem}" for path in missing]),
    }
    for path, text in written.items():
        write_whole(path, text.encode())
        typer.echo(str(path))


def _require_torch() -> None:
    """Raises `InputError` before anything is drawn where PyTorch is not installed."""
    if find_spec("torch") is None:
        raise InputError("training needs PyTorch: install veridical[train]")


def _seeds(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    found = [int(part) for part in parts if part.isdecimal() and int(part) < 1000]
    if len(set(found)) < len(parts):
        raise InputError(f"--seeds '{text}': different whole numbers from 0 to 999, with commas between, are allowed")
    return found
