"""The commands `veridical judges …`: rubrics and judges, attacks, labels of people, and calibration."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.base.study_options import StudyDatabase
from veridical.errors import InputError

if TYPE_CHECKING:
    from veridical.judges import Rubric
    from veridical.records import Estimate, Json
    from veridical.verbs import RunResult

app = typer.Typer(
    help="Judges: rubrics, resistance to attacks, and agreement with labels.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
Judge = Annotated[str, typer.Option(metavar="M", help="PROVIDER/NAME, a table of --models, or rule.")]
RunFolder = Annotated[
    Path | None, typer.Option("--out", help="Run folder, to resume and to report on. Default: a temporary one.")
]
Models = Annotated[Path | None, typer.Option(help="TOML file with models. Default: models.toml.", exists=True)]
Limit = Annotated[int | None, typer.Option(help="Maximum number of items, spread evenly over the kinds.", min=1)]
Connections = Annotated[
    int | None,
    typer.Option(
        help="Number of requests in flight at a time. Default: 8 to 64, while questions per second rise.", min=1
    ),
]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
RubricName = Annotated[str | None, typer.Option(help="Rubric, if the runs have several.")]
By = Annotated[str, typer.Option(metavar="COLUMN", help="Column with the type: category, family or variant.")]
Seed = Annotated[int, typer.Option(help="Seed of everything that is drawn.", min=0)]


@app.command("list")
def list_(as_json: JsonFlag = False) -> None:
    """List all rubrics, and the embedded judges."""
    from veridical.judges import EMBEDDED

    by_name = _rubrics()
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

    rubrics = _rubrics()
    if rubric not in rubrics:
        raise unknown("rubric", rubric, rubrics)
    _, chosen = rubrics[rubric]
    prompt = chosen.prompt()
    typer.echo(f"{prompt.id}, version {prompt.version}, sha256 {prompt.digest}\n\n{prompt.text}\n")
    _show(chosen.verdict.model_json_schema())


@app.command()
def attack(
    judge: Judge,
    models: Models = None,
    out: RunFolder = None,
    limit: Limit = None,
    max_connections: Connections = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure how often attacks turn a judge's verdict."""
    result = _corpus_run("attacks", judge, models, out, limit, max_connections)
    _print_estimates(result, ("flipped",), as_json=as_json)


@app.command()
def sample(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Folders of judged runs.")],
    out: Annotated[Path, typer.Option(help="CSV file for people; its key is written beside it.")],
    per_stratum: Annotated[int, typer.Option(metavar="N", help="Maximum number of replies per stratum.")] = 5,
    seed: Seed = 0,
    rubric: RubricName = None,
    score: Annotated[str | None, typer.Option(help="Score that the bands are of, if there are several.")] = None,
    judge: Annotated[
        str | None, typer.Option(help="Judge whose scores the bands are of, if there are several.")
    ] = None,
    by: By = "category",
    bands: Annotated[int | None, typer.Option(help="Number of bands. Default: 3; of a score from 0 to 1, 2.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw a sample of judged replies for people to label.

    Equally many of each type of item, band of the judge's score, and model.
    """
    from veridical.base.format import visible
    from veridical.people.judging import sample_replies

    sampled = sample_replies(
        runs, out, rubric=rubric, score=score, judge=judge, by=by, per_stratum=per_stratum, bands=bands, seed=seed
    )
    if sampled.drawn.empty:
        typer.echo(f"veridical: warning: {visible(sampled.drawn.empty)}", err=True)
    if as_json:
        facts = {"file": str(sampled.file), "key": str(sampled.key), "replies": len(sampled.drawn.rows)}
        _show({**facts, "strata": sampled.frame().to_dicts()})
        return
    typer.echo(f"{len(sampled.drawn.rows):,} replies in {sampled.file}; the key, not for people: {sampled.key}")


@app.command()
def calibrate(
    more: Annotated[list[Path] | None, typer.Argument(metavar="RUN", help="More runs of --verdicts.")] = None,
    judge: Annotated[str | None, typer.Option(metavar="M", help="On labeled answers of the library: a judge.")] = None,
    people: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="On people's labels: tables, or studies.")
    ] = None,
    verdicts: Annotated[list[Path] | None, typer.Option(metavar="RUN", help="Judged runs that were labeled.")] = None,
    rubric: RubricName = None,
    judges: Annotated[str | None, typer.Option(metavar="NAME,…", help="Judges to calibrate, if not all.")] = None,
    key: Annotated[Path | None, typer.Option(help="Key of the sample. Default: …-key.csv beside the table.")] = None,
    planted: Annotated[
        list[Path] | None, typer.Option(metavar="RUN", help="Judged run whose answers are impossible.")
    ] = None,
    planted_type: Annotated[
        list[str] | None, typer.Option(metavar="TYPE", help="Type of replies that are impossible.")
    ] = None,
    by: By = "category",
    noise: Annotated[
        list[float] | None,
        typer.Option(metavar="X", help="Noise on the reference, in its standard deviations. Default: 0.5, 1."),
    ] = None,
    seed: Seed = 0,
    database: StudyDatabase = None,
    models: Models = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the figures; with --judge, the run folder.")] = None,
    limit: Limit = None,
    max_connections: Connections = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure a judge's agreement with labels.

    With --people and --verdicts: people's labels of a sample of your runs. With --judge: the library's labeled answers.
    """
    runs = [*(verdicts or []), *(more or [])]
    if judge is not None:
        if any((people, runs, rubric, judges, key, planted, planted_type, noise, database)):
            raise InputError(
                "--judge calibrates a judge on the library's labeled answers, --people and --verdicts judges on "
                "people's: give one of the two"
            )
        result = _corpus_run("answers", judge, models, out, limit, max_connections)
        _print_estimates(result, ("agreement", "kappa", "too lenient", "too strict"), as_json=as_json)
        return
    if not people or not runs:
        lacking = "--verdicts RUN" if people else "--people FILE" if runs else ""
        problem = f"{lacking} is missing" if lacking else "nothing says what to calibrate on"
        raise InputError(f"{problem}: --people FILE --verdicts RUN, or --judge M for the library's labeled answers")
    if models is not None or limit is not None:
        raise InputError(f"--{'limit' if models is None else 'models'} goes with --judge, not with --people")
    from veridical.judges.calibration import NOISE
    from veridical.people.judging import calibrate_judges

    calibration = calibrate_judges(
        people,
        runs,
        rubric=rubric,
        judges=None if judges is None else _names(judges),
        key=key,
        planted=planted or [],
        planted_types=planted_type or [],
        by=by,
        noise=NOISE if noise is None else noise,
        seed=seed,
        database=database,
    )
    if out is not None:
        calibration.write(out)
    if as_json:
        _show(calibration.facts())
        return
    typer.echo(calibration.text)
    where = f"weights from {calibration.key}" if calibration.key else "no key: every label stands for one reply"
    typer.echo(f"\n{where}{f'; written to {out}' if out is not None else ''}")


def _rubrics() -> dict[str, tuple[str, Rubric]]:
    from veridical.judges import rubrics_of
    from veridical.suite import registry

    return {
        name: (suite.name, rubric)
        for suite in registry.all_suites()
        for name, rubric in rubrics_of(suite.asking).items()
    }


def _corpus_run(
    recipe: str, judge: str, models: Path | None, out: Path | None, limit: int | None, connections: int | None
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


def _print_estimates(result: RunResult, metrics: Sequence[str], *, as_json: bool) -> None:
    """Prints the estimates, one line per kind and one for all, and the counts of verdicts."""
    from veridical.base.markdown import table

    chosen = [each for each in result.estimates() if each.metric in metrics]
    if as_json:
        shown = {"run": str(result.folder), "model": result.model, "estimates": [asdict(each) for each in chosen]}
        _show(shown)
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


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise InputError(f"--judges '{text}': a name is missing before or after a comma")
    return names


def _show(value: Json) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))
