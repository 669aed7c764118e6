"""The commands `veridical judges …`: rubrics and judges, attacks, labels of people, and calibration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.suites.judge_audit import people_commands

if TYPE_CHECKING:
    from veridical.records import Json

app = typer.Typer(
    help="Judges: rubrics, resistance to attacks, and agreement with labels.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
Judge = Annotated[str, people_commands.JUDGE]
Models = people_commands.Models
Limit = people_commands.Limit
Connections = people_commands.Connections
JsonFlag = people_commands.JsonFlag
RunFolder = Annotated[Path | None, typer.Option("--out", help=people_commands.RUN_OUT)]


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
    out: RunFolder = None,
    limit: Limit = None,
    max_connections: Connections = 8,
    as_json: JsonFlag = False,
) -> None:
    """Measure how often attacks turn a judge's verdict."""
    from veridical.suites.judge_audit.corpus_runs import marked, tell

    result = marked("attacks", judge, models, out, limit, max_connections)
    tell(result, ("flipped",), as_json=as_json)


app.command()(people_commands.sample)
app.command()(people_commands.calibrate)


def _show(value: Json) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))
