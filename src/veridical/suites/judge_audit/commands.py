"""The commands `veridical judges …`: rubrics and judges, attacks, labels of people, and calibration."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.base.markdown import table

if TYPE_CHECKING:
    from veridical.records import Estimate, Json
    from veridical.verbs import RunResult

app = typer.Typer(
    help="Judges: rubrics, resistance to attacks, and agreement with labels.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
Judge = Annotated[str, typer.Option(metavar="M", help="PROVIDER/NAME, a table of --models, or rule.")]
Models = Annotated[Path | None, typer.Option(help="TOML file with models. Default: models.toml.", exists=True)]
Out = Annotated[Path | None, typer.Option(help="Run folder, to resume and to report on. Default: a temporary one.")]
Limit = Annotated[int | None, typer.Option(help="Maximum number of items, spread evenly over the kinds.", min=1)]
Connections = Annotated[int, typer.Option(help="Number of requests in flight at the same time.", min=1)]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@app.command("list")
def list_(as_json: JsonFlag = False) -> None:
    """List all rubrics, and the embedded judges."""
    from veridical.judges import EMBEDDED, rubrics_of
    from veridical.suite import registry

    by_name = {
        rubric.name: (suite.name, rubric) for suite in registry.every() for rubric in rubrics_of(suite.asking).values()
    }
    judges = {f"veridical/{name}": observer.help for name, observer in EMBEDDED.items()}
    if as_json:
        rubrics = {
            name: {"suite": suite, "sees": list(each.sees), "rule": each.rule is not None, "help": each.help}
            for name, (suite, each) in by_name.items()
        }
        _show({"rubrics": rubrics, "judges": judges})
        return
    for name, (suite, each) in by_name.items():
        rule = "; has a rule judge" if each.rule is not None else ""
        typer.echo(f"{name} ({suite}): {each.help}; sees {', '.join(each.sees)}{rule}")
    for name, text in judges.items():
        typer.echo(f"{name}: {text}")


@app.command()
def show(rubric: Annotated[str, typer.Argument(help="Name of a rubric, as `veridical judges list` has it.")]) -> None:
    """Show a rubric: its prompt, and the schema of a verdict."""
    from veridical.errors import unknown
    from veridical.judges import Rubric, rubrics_of
    from veridical.suite import registry

    rubrics: dict[str, Rubric] = {}
    for suite in registry.every():
        rubrics |= rubrics_of(suite.asking)
    if rubric not in rubrics:
        raise unknown("rubric", rubric, rubrics)
    chosen = rubrics[rubric]
    prompt = chosen.prompt()
    typer.echo(f"{prompt.id}, version {prompt.version}, sha256 {prompt.digest}\n\n{prompt.text}\n")
    _show(chosen.verdict.model_json_schema())


@app.command()
def attack(
    judge: Judge,
    models: Models = None,
    out: Out = None,
    limit: Limit = None,
    max_connections: Connections = 8,
    as_json: JsonFlag = False,
) -> None:
    """Measure how often attacks turn a judge's verdict."""
    result = _marked("attacks", judge, models, out, limit, max_connections)
    _tell(result, ("flipped",), as_json=as_json)


@app.command()
def calibrate(
    judge: Judge,
    models: Models = None,
    out: Out = None,
    limit: Limit = None,
    max_connections: Connections = 8,
    as_json: JsonFlag = False,
) -> None:
    """Measure a judge's agreement with labeled answers."""
    result = _marked("answers", judge, models, out, limit, max_connections)
    _tell(result, ("agreement", "kappa", "too lenient", "too strict"), as_json=as_json)


def _marked(
    recipe: str, judge: str, models: Path | None, out: Path | None, limit: int | None, connections: int
) -> RunResult:
    """The run of a judge on a corpus; raises `InputError` if it ended early."""
    from veridical import verbs
    from veridical.errors import IncompleteError
    from veridical.suites.judge_audit.design import NAME
    from veridical.verbs.sets import make

    name = "veridical/rule" if judge == "rule" else judge
    stimuli = make(NAME, recipe=recipe, units=limit)
    result = verbs.run(stimuli, name, out=out, models=models, max_connections=connections)
    if not all(stage.complete for stage in result.staged):
        raise IncompleteError(f"{result.folder}: the judge was not asked everything; the same command resumes it")
    return result


def _tell(result: RunResult, metrics: Sequence[str], *, as_json: bool) -> None:
    """Prints the estimates, one line per kind and one for all, and the counts of verdicts."""
    chosen = [each for each in result.estimates() if each.metric in metrics]
    if as_json:
        _show({"run": str(result.folder), "model": result.model, "estimates": [asdict(each) for each in chosen]})
        return
    kinds = list(dict.fromkeys(str(each.slice.get("category", "all")) for each in chosen))
    cells = {(str(each.slice.get("category", "all")), each.metric): each for each in chosen}
    rows = [[kind, *(_cell(cells[kind, metric]) for metric in metrics)] for kind in kinds]
    typer.echo(table(["kind", *metrics], rows))
    typer.echo(f"\n{result.model}: {result.counts}; {result.folder}")


def _cell(each: Estimate) -> str:
    if each.value is None:
        return f"undefined ({each.reason})"
    low, high = ("?" if bound is None else each.unit.number(bound) for bound in (each.low, each.high))
    return f"{each.unit.number(each.value)}{each.unit.suffix} [{low}, {high}] of {each.n_units}"


def _show(value: Json) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))
