"""The commands of the studies: teach, ship and study learned observers, validate instruments and strengths."""

from __future__ import annotations

from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from veridical.cli.common import JsonFlag, bar, run_and_exit, show
from veridical.errors import InputError, unknown

app = typer.Typer(
    help="Studies of VI-Probe: its learned observers, and its validation.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"max_content_width": 120, "help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
Folder = Annotated[Path, typer.Option("--folder", help="Folder of pictures, states and weights.")]
Workers = Annotated[int, typer.Option(help="Number of processes.", min=1)]
DEFAULT = Path("learned")
LOGITS = Path("tests/suites/viprobe/learned-logits.npz")


def main() -> NoReturn:
    """Runs a command; a user's mistake ends in one line and exit code 2."""
    run_and_exit(app, "python -m studies.viprobe")


@app.command()
def teach(
    arms: Annotated[
        list[str] | None, typer.Argument(metavar="ARM", help="Observers. Default: those that come with the library.")
    ] = None,
    folder: Folder = DEFAULT,
    seeds: Annotated[str, typer.Option(help="Comma-separated seeds.")] = "0",
    workers: Workers = 2,
) -> None:
    """Train learned observers. The same command resumes stopped training."""
    from studies.viprobe.training.arms import ARMS, SHIPPED, dosed_arms

    offered = ARMS | dosed_arms()
    for arm in arms or ():
        if arm not in offered:
            raise unknown("arm", arm, offered)
    _require_torch()
    from studies.viprobe.training.teach import teach as taught

    wanted = [(arm, offered[arm]) for arm in arms or SHIPPED]
    for path in taught(folder, wanted, _seeds(seeds), workers=workers, tell=typer.echo):
        typer.echo(str(path))


@app.command()
def ship(
    folder: Folder = DEFAULT,
    seed: Annotated[int, typer.Option(help="Seed of the networks to ship.", min=0)] = 0,
    logits: Annotated[Path, typer.Option(help="File for PyTorch's outputs, which the tests compare with.")] = LOGITS,
) -> None:
    """Copy the weights of a seed into the library, with their cards."""
    _require_torch()
    from studies.viprobe.training.ship import ship as shipped

    for path in shipped(folder, seed, logits):
        typer.echo(f"{path}: {path.stat().st_size:,} bytes")


@app.command()
def study(
    folder: Folder = DEFAULT,
    out: Annotated[Path, typer.Option(help="Markdown file.")] = Path("docs/learned-observers.md"),
    seeds: Annotated[str, typer.Option(help="Comma-separated seeds.")] = "0,1,2",
    workers: Workers = 2,
    partial: Annotated[
        bool, typer.Option("--partial", help="Continue if networks are missing; the page lists them.")
    ] = False,
) -> None:
    """Test each network on new pictures, and write the page."""
    from studies.viprobe.training import study as studies
    from studies.viprobe.training.every_figure import every_figure
    from studies.viprobe.training.results import Results
    from studies.viprobe.training.study_page import page
    from veridical.base.files import write_whole

    wanted = _seeds(seeds)
    missing = studies.missing(folder, wanted)
    lacking = [path for path in missing if not partial or path.stem in studies.SPOILT]
    if lacking:
        way = "" if partial else ", or say --partial"
        raise InputError(f"{lacking[0]} is missing ({len(missing):,} in all): teach it first{way}")
    with bar("networks") as progress:
        records = studies.study(folder, wanted, workers=workers, progress=progress)
    results = Results(records)
    written = {
        out.with_suffix(".csv"): every_figure(results),
        out.with_suffix(".svg"): studies.pair(folder, wanted[0]),
        out: page(results, [f"{path.parent.name}/{path.stem}" for path in missing]),
    }
    for path, text in written.items():
        write_whole(path, text.encode())
        typer.echo(str(path))


@app.command()
def examine(
    folder: Folder = DEFAULT,
    out: Annotated[Path, typer.Option(help="Markdown file.")] = Path("docs/shipped-observers.md"),
    before: Annotated[
        Path, typer.Option(help="Table of the study, with the earlier verdicts.", exists=True, dir_okay=False)
    ] = Path("docs/learned-observers.csv"),
) -> None:
    """Ask the shipped observers about pictures of this version."""
    from studies.viprobe.training import shipped
    from veridical.base.files import write_whole

    former = shipped.before(before)
    with bar("networks") as progress:
        examination = shipped.examine(folder, progress=progress)
    write_whole(out, shipped.page(examination, former).encode())
    typer.echo(str(out))


@app.command()
def validate(
    out: Annotated[Path, typer.Option(help="Markdown file.")] = Path("docs/validation.md"),
    seeds: Annotated[int, typer.Option(help="Half the runs behind each share of intervals and tests.")] = 200,
    observers: Annotated[int, typer.Option(help="Runs of each observer that gets verdicts.")] = 20,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="One observer that gets verdicts; may be repeated. Default: all."),
    ] = None,
    cases: Annotated[str | None, typer.Option(help="Comma-separated cases of the verdicts. Default: classic.")] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Ray cluster: auto, local or ray://HOST:PORT.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Check the statistics on observers with known mechanisms."""
    from studies.viprobe import validation
    from veridical.base.files import write_whole

    with bar("simulated observers") as progress:
        wanted = cases.split(",") if cases else None
        report = validation.validate(
            seeds, observers=observers, only=only, cases=wanted, cluster=cluster, progress=progress
        )
    write_whole(out, report.page.encode())
    if as_json:
        show({"page": str(out), **asdict(report), "promises": report.promises})
        return
    for name in report.missed:
        typer.echo(f"missed: {name}")
    typer.echo(f"{len(report.promises) - len(report.missed)} of {len(report.promises)} promises kept; {out}")


@app.command()
def sequential(
    out: Annotated[Path, typer.Option(help="Markdown file.")] = Path("docs/validation-sequential.md"),
    results: Annotated[Path, typer.Option(help="JSONL file of runs; those that it has are kept.")] = Path(
        "sequential-runs.jsonl"
    ),
    runs: Annotated[int, typer.Option(help="Runs of each observer.", min=1, max=999)] = 20,
    clearest: Annotated[int, typer.Option(help="Runs of the clearest observer of each verdict.", min=0, max=999)] = 400,
) -> None:
    """Count how many questions verdicts that stop take, and how often they are wrong."""
    from studies.viprobe.sequential.page import page
    from studies.viprobe.sequential.study import measure
    from veridical.base.files import write_whole

    with bar("runs") as progress:
        measured = measure(results, runs, clearest, progress=progress)
    write_whole(out, page(measured, runs, clearest).encode())
    typer.echo(str(out))


@app.command()
def strengths(
    out: Annotated[Path, typer.Option(help="Markdown file.")] = Path("docs/strengths.md"),
    runs: Annotated[int, typer.Option(help="Runs per cell.", min=1)] = 200,
    workers: Workers = 2,
) -> None:
    """Check by simulation which strengths bound the PSE and the JND."""
    from studies.viprobe.validation.strengths import cells, page
    from veridical.base.files import write_whole

    with bar("cells") as progress:
        measured = list(cells(runs, processes=workers, progress=progress))
    write_whole(out, page(measured).encode())
    typer.echo(str(out))


def _require_torch() -> None:
    """Raises `InputError` before anything is drawn where PyTorch is not installed."""
    if find_spec("torch") is None:
        raise InputError("training needs PyTorch: pip install '.[train]'")


def _seeds(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    seeds = [int(part) for part in parts if part.isdecimal() and int(part) < 1000]
    if len(set(seeds)) < len(parts):
        raise InputError(f"--seeds '{text}': different whole numbers from 0 to 999, with commas between, are allowed")
    return seeds
