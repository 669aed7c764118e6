"""The command line: verbs over the same functions that Python has."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from veridical.errors import IncompleteError, InputError

if TYPE_CHECKING:
    from veridical.records import Estimate, Json
    from veridical.runs import Plan
    from veridical.verbs import RunResult

app = typer.Typer(
    help="Does a vision-language model perceive what is in front of it, or recall what is usually there?",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_USAGE: type[typer.BadParameter] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)
"""Typer's base of all errors in how a command was called; it is public only through its subclasses."""

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
SuiteName = Annotated[str, typer.Argument(metavar="SUITE", help="A suite, as `veridical suites` lists them.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")]
Cases = Annotated[str | None, typer.Option(help="Cases, comma-separated. Default: all.")]
Units = Annotated[int, typer.Option(help="Base items per case.")]
Levels = Annotated[int, typer.Option(help="Signed strengths of the change, an even number.")]
Alphas = Annotated[str | None, typer.Option(help="Strengths by hand instead, comma-separated, in [-1, 1].")]
Size = Annotated[int, typer.Option(help="Longer side of the pictures, px: 64 to 4096.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same pixels.")]
Variants = Annotated[str | None, typer.Option(help="Picture types, comma-separated. Default: all.")]


@app.command()
def make(
    suite: SuiteName,
    out: Annotated[Path, typer.Option(help="Folder for the stimulus set, new or empty.")],
    cases: Cases = None,
    units: Units = 10,
    levels: Levels = 10,
    alphas: Alphas = None,
    size: Size = 512,
    seed: Seed = 0,
    variants: Variants = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw a stimulus set."""
    from veridical import verbs
    from veridical.terminal import bar

    with bar("drawing units") as progress:
        made = verbs.make(
            suite,
            out=out,
            cases=_listed(cases),
            units=units,
            levels=levels,
            alphas=_numbers(alphas),
            size=size,
            seed=seed,
            variants=_listed(variants),
            progress=progress,
        )
    if as_json:
        _print({"set": str(made.folder), "stimuli": len(made.stimuli), "counts": made.manifest["counts"]})
        return
    typer.echo(f"{len(made.stimuli):,} stimuli in {made.folder}")


@app.command()
def check(
    stimuli: Annotated[Path, typer.Argument(metavar="SET", help="A stimulus set.")], as_json: JsonFlag = False
) -> None:
    """Measure and hash every picture of a set again. Exit code 2 if anything is wrong."""
    from veridical import verbs

    found = verbs.check(stimuli)
    if as_json:
        _print(asdict(found))
    else:
        for failure in found.failed:
            typer.echo(f"{failure['id']}: {failure['problem']}")
        typer.echo(f"{found.stimuli:,} stimuli, {found.verified:,} verified, {len(found.failed):,} failed")
    if found.failed:
        raise typer.Exit(2)


@app.command()
def run(
    suite: SuiteName,
    model: Annotated[
        str, typer.Option(help="PROVIDER/NAME, veridical/pixel, veridical/prior, or a server's own name.")
    ],
    out: Annotated[Path, typer.Option(help="Run folder; the same command takes it up again.")],
    stimuli: Annotated[Path | None, typer.Option("--set", help="A stimulus set. Default: made inside the run.")] = None,
    limit: Annotated[int | None, typer.Option(help="So many whole units, evenly over the cases.")] = None,
    max_connections: Annotated[int, typer.Option(help="Pictures asked about at the same time.")] = 8,
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature. Default: the model's own.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Limit of a reply's length.")] = None,
    model_args: Annotated[list[str] | None, typer.Option("-M", metavar="KEY=VALUE", help="For the provider.")] = None,
    base_url: Annotated[str | None, typer.Option(help="An OpenAI-compatible server, such as vLLM's.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--setting", "-S", metavar="NAME=LEVEL,…", help="Levels to cross: instruction=none,weigh …"),
    ] = None,
    prompts: Annotated[Path | None, typer.Option(help="Folder with other wordings for the suite's own.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Send without asking.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Ask a model. Exit code 1 if the run ends incomplete."""
    from veridical import suites, verbs

    name = suites.get(suite).name
    made = verbs.make(name, out=out / "stimuli") if stimuli is None else verbs.open_set(stimuli, name)
    result = verbs.run(
        made,
        model,
        out=out,
        limit=limit,
        max_connections=max_connections,
        temperature=temperature,
        max_tokens=max_tokens,
        model_args=_pairs(model_args or []),
        base_url=base_url,
        settings=_levels(settings or []),
        prompts=prompts,
        confirm=lambda plan: _confirmed(plan, yes=yes),
    )
    _summary(result, as_json=as_json)
    if not result.complete:
        raise IncompleteError(f"the run is incomplete: {result.counts}; the same command asks what is missing")


@app.command()
def metrics(run: RunFolder, as_json: JsonFlag = False) -> None:
    """Print a run's estimates with their intervals and counts."""
    from veridical import verbs
    from veridical.terminal import estimates_tables

    result = verbs.open_run(run)
    if as_json:
        _print([estimate_json(each) for each in result.estimates()])
        return
    estimates_tables(result)


@app.command()
def status(run: RunFolder, as_json: JsonFlag = False) -> None:
    """Print how far a run is."""
    from veridical import verbs

    _summary(verbs.open_run(run), as_json=as_json)


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders of one suite.")],
    out: Annotated[Path | None, typer.Option(help="The HTML file. Default: report.html in the first run.")] = None,
    items: Annotated[int, typer.Option(help="At most so many pictures in the browser, in whole units.")] = 220,
    assets: Annotated[Path | None, typer.Option(help="Folder for all pictures, beside the page.")] = None,
    stimuli: Annotated[Path | None, typer.Option("--set", help="The stimulus set, if it was moved.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write tables, figures and one HTML page."""
    from veridical import verbs

    page = verbs.write_report(runs, out, items=items, assets=assets, stimuli=stimuli)
    if as_json:
        _print({"report": str(page), "bytes": page.stat().st_size})
        return
    typer.echo(f"{page} ({page.stat().st_size / 1e6:.1f} MB)")


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="The baseline's run folder.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="The other run folder.")],
    as_json: JsonFlag = False,
) -> None:
    """Print paired differences of two runs, B less A."""
    from veridical import verbs
    from veridical.terminal import differences_table

    found = verbs.compare(first, second)
    if as_json:
        _print([estimate_json(each) for each in found])
        return
    differences_table(found, verbs.open_run(first).model, verbs.open_run(second).model)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the set, the runs and the report.")] = Path("demo"),
    as_json: JsonFlag = False,
) -> None:
    """Show how looking and recalling differ, from set to report."""
    from veridical import demonstration

    shown = demonstration.demo(out)
    if as_json:
        _print(shown.facts)
        return
    for line in shown.lines:
        typer.echo(line)


@app.command()
def suites(as_json: JsonFlag = False) -> None:
    """List the suites and their cases."""
    from veridical import suites as registry

    known = [registry.get(name) for name in registry.names()]
    if as_json:
        _print([{"name": s.name, "title": s.title, "citation": s.citation, "cases": s.families} for s in known])
        return
    for each in known:
        typer.echo(f"{each.name}: {each.title} ({each.citation})")
        for case in each.families:
            typer.echo(f"  {case}")


def main() -> NoReturn:
    """Runs the command line; a user's mistake ends in one line and exit code 2, an incomplete run in exit code 1."""
    try:
        code = app(standalone_mode=False)
    except IncompleteError as error:
        _fail(str(error), 1)
    except InputError as error:
        _fail(str(error), 2)
    except OSError as error:
        _fail(f"{error.filename or 'file'}: {error.strerror or error}", 2)
    except (KeyboardInterrupt, typer.Abort):
        _fail("stopped; what was finished is kept", 130)
    except _USAGE as error:
        _fail(f"{error.format_message()} (see --help)", 2)
    sys.exit(code if isinstance(code, int) else 0)


def estimate_json(estimate: Estimate) -> dict[str, Json]:
    """An estimate as `metrics --json` prints it."""
    return asdict(estimate)


def _summary(result: RunResult, *, as_json: bool) -> None:
    counts = result.counts
    if as_json:
        facts = {"run": str(result.folder), "suite": result.suite.name, "model": result.model}
        _print({**facts, "complete": result.complete, "counts": asdict(counts)})
        return
    typer.echo(f"{result.model} on {result.suite.name}, {'complete' if result.complete else 'incomplete'}: {counts}")


def _confirmed(plan: Plan, *, yes: bool) -> bool:
    typer.echo(str(plan), err=True)
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InputError("nothing was sent: give --yes to send without being asked")
    return typer.confirm("Send?", err=True)


def _listed(text: str | None) -> list[str] | None:
    return [part.strip() for part in text.split(",") if part.strip()] if text is not None else None


def _numbers(text: str | None) -> list[float] | None:
    try:
        return [float(part) for part in _listed(text) or []] if text is not None else None
    except ValueError:
        raise InputError(f"--alphas '{text}': comma-separated numbers from -1 to 1 are allowed") from None


def _pairs(texts: list[str]) -> dict[str, Json]:
    """KEY=VALUE arguments; a value that is JSON (a number, true, a list) is taken as that, else as text."""
    found: dict[str, Json] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise InputError(f"-M '{text}': KEY=VALUE is allowed")
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found


def _levels(texts: list[str]) -> dict[str, list[str]]:
    """NAME=LEVEL,LEVEL settings; a setting that is given twice has the levels of both."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, levels = text.partition("=")
        if not name.strip() or not equals:
            raise InputError(f"-S '{text}': NAME=LEVEL,LEVEL is allowed")
        found.setdefault(name.strip(), []).extend(_listed(levels) or [])
    return found


def _print(value: Json) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def _fail(line: str, code: int) -> NoReturn:
    typer.echo(f"veridical: {' '.join(line.split())}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
