"""The commands `veridical judges sample` and `calibrate`: judges beside people, and beside labeled answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from veridical.errors import InputError

JUDGE = typer.Option(metavar="M", help="PROVIDER/NAME, a table of --models, or rule.")
RUN_OUT = "Run folder, to resume and to report on. Default: a temporary one."
Models = Annotated[Path | None, typer.Option(help="TOML file with models. Default: models.toml.", exists=True)]
Limit = Annotated[int | None, typer.Option(help="Maximum number of items, spread evenly over the kinds.", min=1)]
Connections = Annotated[int, typer.Option(help="Number of requests in flight at the same time.", min=1)]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Rubric = Annotated[str | None, typer.Option(help="Rubric, if the runs have several.")]
By = Annotated[str, typer.Option(metavar="COLUMN", help="Column with the type: category, family or variant.")]
Seed = Annotated[int, typer.Option(help="Seed of everything that is drawn.", min=0)]


def sample(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Folders of judged runs.")],
    out: Annotated[Path, typer.Option(help="CSV file for people; its key is written beside it.")],
    per_stratum: Annotated[int, typer.Option(metavar="N", help="Maximum number of replies per stratum.")] = 5,
    seed: Seed = 0,
    rubric: Rubric = None,
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
    from veridical.verbs.people.judging import sample_replies

    sampled = sample_replies(
        runs, out, rubric=rubric, score=score, judge=judge, by=by, per_stratum=per_stratum, bands=bands, seed=seed
    )
    if sampled.drawn.empty:
        typer.echo(f"veridical: warning: {_visible(sampled.drawn.empty)}", err=True)
    if as_json:
        facts = {"file": str(sampled.file), "key": str(sampled.key), "replies": len(sampled.drawn.rows)}
        typer.echo(json.dumps({**facts, "strata": sampled.frame().to_dicts()}, indent=2, ensure_ascii=False))
        return
    typer.echo(f"{len(sampled.drawn.rows):,} replies in {sampled.file}; the key, not for people: {sampled.key}")


def calibrate(
    more: Annotated[list[Path] | None, typer.Argument(metavar="RUN", help="More runs of --verdicts.")] = None,
    judge: Annotated[str | None, typer.Option(metavar="M", help="On labeled answers of the library: a judge.")] = None,
    people: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="On people's labels: the table, or several.")
    ] = None,
    verdicts: Annotated[list[Path] | None, typer.Option(metavar="RUN", help="Judged runs that were labeled.")] = None,
    rubric: Rubric = None,
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
    models: Models = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the figures; with --judge, the run folder.")] = None,
    limit: Limit = None,
    max_connections: Connections = 8,
    as_json: JsonFlag = False,
) -> None:
    """Measure a judge's agreement with labels.

    With --people and --verdicts: people's labels of a sample of your runs. With --judge: the library's labeled answers.
    """
    runs = [*(verdicts or []), *(more or [])]
    if judge is not None:
        _only_of_people(people, runs, rubric, judges, key, planted, planted_type, noise)
        from veridical.suites.judge_audit.corpus_runs import marked, tell

        result = marked("answers", judge, models, out, limit, max_connections)
        tell(result, ("agreement", "kappa", "too lenient", "too strict"), as_json=as_json)
        return
    if not people or not runs:
        lacking = "--verdicts RUN" if people else "--people FILE" if runs else ""
        problem = f"{lacking} is missing" if lacking else "nothing says what to calibrate on"
        raise InputError(f"{problem}: --people FILE --verdicts RUN, or --judge M for the library's labeled answers")
    if models is not None or limit is not None:
        raise InputError(f"--{'limit' if models is None else 'models'} goes with --judge, not with --people")
    from veridical.judges.calibration import NOISE
    from veridical.verbs.people.judging import calibrate_judges

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
    )
    if out is not None:
        calibration.write(out)
    if as_json:
        typer.echo(json.dumps(calibration.facts(), indent=2, ensure_ascii=False))
        return
    typer.echo(calibration.text)
    where = f"weights from {calibration.key}" if calibration.key else "no key: every label stands for one reply"
    typer.echo(f"\n{where}{f'; written to {out}' if out is not None else ''}")


def _only_of_people(*options: object) -> None:
    if any(options):
        raise InputError(
            "--judge calibrates a judge on the library's labeled answers, --people and --verdicts judges on people's: "
            "give one of the two"
        )


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise InputError(f"--judges '{text}': a name is missing before or after a comma")
    return names


def _visible(text: str) -> str:
    from veridical.base.format import visible

    return visible(text)
