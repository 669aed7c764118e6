"""A user's script: every verb, with what it gives; mypy takes it in strict mode, and it runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import assert_type

import polars as pl

import veridical as v


def ask(folder: Path) -> tuple[v.RunResult, v.RunResult]:
    """A set drawn and described, and two observers asked about it."""
    assert_type(v.__version__, str)
    made = assert_type(
        v.make("viprobe", out=folder / "set", cases=["zollner"], units=3, levels=2, size=128), v.StimulusSet
    )
    assert_type(made.frame(), pl.DataFrame)
    assert_type(v.open_set(folder / "set").stimuli, tuple[v.Stimulus, ...])
    assert_type(v.check(made), v.Check)
    assert_type(v.describe(made), v.Description)
    options: v.RunOptions = {"limit": 2, "settings": {"instruction": ["none", "weigh"]}}
    assert_type(v.plan(made, "veridical/pixel", **options), v.Forecast)
    planned = v.design("viprobe", cases=["ponzo", "zollner"], levels=2, units=3)
    assert_type(v.plan(planned).effects[0].points, float | None)
    assert_type(v.dry_run(made, "veridical/pixel", **options)[0].trial, str)
    looks = assert_type(v.run(made, "veridical/pixel", out=folder / "looks", show="quiet", **options), v.RunResult)
    recalls = v.run(made, "veridical/prior", out=str(folder / "recalls"), show="quiet", **options)
    return looks, recalls


def analyze(looks: v.RunResult, recalls: v.RunResult, folder: Path) -> None:
    """What two runs come to."""
    estimates = assert_type(looks.estimates(), v.Estimates)
    assert_type(estimates[0], v.Estimate)
    assert_type(estimates.frame().filter(pl.col("metric") == "PFA"), pl.DataFrame)
    assert_type([each.value for each in estimates], list[float | None])
    assert_type(looks.frame(), pl.DataFrame)
    assert_type(looks.counts, v.Counts)
    assert_type([each.svg for each in looks.figures()], list[str])
    assert_type(looks.opening(), v.Opening | None)
    differences = assert_type(v.compare(looks, recalls), v.Comparison)
    assert_type(differences.notes, list[str])
    assert_type(differences.second.model, str)
    rescored = assert_type(v.rescore(folder / "looks"), v.RescoredRun)
    assert_type(rescored.changes.statuses, int)
    assert_type(v.repair_run(looks), v.Repairs)
    assert_type(v.write_report([looks, recalls], folder / "report.html"), Path)


def exchange(folder: Path) -> None:
    """Questions out and answers in."""
    assert_type(v.write_trials(folder / "set", folder / "trials.jsonl", limit=1).files, tuple[Path, ...])
    questions = assert_type(v.people.sample(folder / "set", folder / "people.csv", per_person=2, people=3), v.LineFiles)
    assert_type(questions.lines, int)
    answers = pl.read_csv(questions.files[0]).with_columns(answer=pl.lit("1"))
    answers.write_csv(folder / "answers.csv")
    assert_type(v.people.read(folder / "set", folder / "answers.csv", folder / "answered"), v.RunResult)


def refused(folder: Path) -> str:
    """What is wrong, in one line."""
    try:
        v.open_run(folder / "nowhere")
    except v.InputError as error:
        return str(error)
    raise AssertionError


def main(folder: Path) -> None:
    """All of it."""
    analyze(*ask(folder), folder)
    exchange(folder)
    sys.stdout.write(refused(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
