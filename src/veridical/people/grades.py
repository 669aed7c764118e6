"""The task of grading judged replies by the rubric that judges have, without seeing whose they are or other grades."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from veridical.errors import InputError, unknown
from veridical.judges import Rubric
from veridical.people.judging import PER_STRATUM, ChosenReplies, calibrate_judges, draw_replies, shown_column
from veridical.people.resolution import valid_votes
from veridical.people.run_media import RunMedia
from veridical.people.study_sheets import write_rows
from veridical.records import Json
from veridical.suite.people_tasks import (
    FieldOption,
    FormField,
    PeopleTask,
    ReadVotes,
    StudyVote,
    TaskChoices,
    TaskItem,
    TextBlock,
)
from veridical.verbs.results.result import open_run

_CHOSEN = ("rubric", "score", "judge")
"""What is named like a setting: of which judge's which score the bands of the sample are."""
_TITLES = {"gold": "True answer"}
_YES_NO = (FieldOption("1", "Yes"), FieldOption("0", "No"))


def grade_items(places: Sequence[Path], choices: TaskChoices) -> Iterator[TaskItem]:
    """A sample of the judged replies of runs, spread over types, bands of the judge's score, and models.

    At most `choices.items` are drawn, as many of each stratum. Where there are several rubrics, scores or judges, the
    settings of these names choose one.
    """
    chosen = _sample(places, choices)
    media = {folder: RunMedia(open_run(folder)) for folder in dict.fromkeys(chosen.runs.values())}
    fields, text = _fields(chosen.rubric), grade_guide(chosen.rubric)
    guide = [TextBlock(title="How to grade", text=text)] if text else []
    for row in chosen.drawn.rows.iter_rows(named=True):
        blocks = [TextBlock(title=_title(name), text=row[shown_column(name)] or "") for name in chosen.rubric.sees]
        files = (row.get("media") or "").splitlines()
        yield TaskItem(
            id=row["item"],
            blocks=[*media[chosen.runs[row["item"]]].blocks(files), *blocks, *guide],
            fields=fields,
            key={"weight": row["weight"], "type": row["type"]},
            stratum=row["type"],
        )


def _sample(places: Sequence[Path], choices: TaskChoices) -> ChosenReplies:
    named: dict[str, str] = {}
    for name, levels in choices.settings.items():
        if name not in _CHOSEN:
            raise unknown("setting of the task 'grade'", name, _CHOSEN)
        own = [levels] if isinstance(levels, str) else list(levels)
        if len(own) != 1:
            raise InputError(f"{name} {', '.join(own)}: one is needed")
        named[name] = own[0]
    most = PER_STRATUM if choices.items is None else choices.items
    for count in range(most, 0, -1):
        chosen = draw_replies(
            list(places),
            rubric=named.get("rubric"),
            score=named.get("score"),
            judge=named.get("judge"),
            per_stratum=count,
            seed=choices.seed,
        )
        if choices.items is None or len(chosen.drawn.rows) <= choices.items:
            return chosen
    strata = (chosen.drawn.strata["available"] > 0).sum()
    raise InputError(f"items {choices.items}: there are {strata:,} strata, so at least {strata:,} are needed")


def _fields(rubric: Rubric) -> list[FormField]:
    """A field for each score of a rubric: yes or no for a truth value, a whole or any number in its range."""
    made = []
    for name, (low, high) in rubric.reader.scores.items():
        info = rubric.verdict.model_fields.get(name)
        if info is not None and info.annotation is bool:
            title = f"{_title(name)} (veto)" if name in rubric.vetoes else _title(name)
            made.append(FormField(name=name, kind="choice", title=title, options=_YES_NO))
        else:
            step = 1.0 if info is not None and info.annotation is int else None
            made.append(FormField(name=name, kind="number", title=_title(name), low=low, high=high, step=step))
    return made


def _title(name: str) -> str:
    """A field of a rubric, or a score, as people read it."""
    return _TITLES.get(name) or name.replace("_", " ").capitalize()


def grade_guide(rubric: Rubric) -> str:
    """What the rubric's prompt says of each score, in its own words: the lines that begin with the score's name."""
    text = rubric.prompt().text
    lines = []
    for name in rubric.reader.scores:
        line = re.search(rf'^(?:- )?"{re.escape(name)}".*', text, re.MULTILINE)
        lines += [line[0].removeprefix("- ")] if line else []
    return "\n\n".join(lines) or f"{rubric.help[:1].upper()}{rubric.help[1:]}."


def grade_rows(votes: Sequence[StudyVote]) -> list[dict[str, Json]]:
    """The rows of votes as tables of labels have them, one for each score and person."""
    return [
        {
            "item": vote.item,
            "person": vote.person,
            "score_name": name,
            "label": str(value),
            "weight": vote.key["weight"],
        }
        for vote in votes
        for name, value in vote.answer.items()
        if name not in ("flag", "note") and value is not None
    ]


def read_grades(
    places: Sequence[Path], votes: Sequence[StudyVote], out: Path | None, choices: TaskChoices
) -> ReadVotes:
    """The grades as a table with its key, and the calibration of the runs' judges on them, in the folder `out`.

    Raises `InputError` without a folder, and where nobody has answered.
    """
    if out is None:
        raise InputError("--out FOLDER is needed: the grades and what they say of the judges are written there")
    rows = grade_rows(valid_votes(votes))
    if not rows:
        raise InputError("nobody has answered yet")
    rubric = choices.settings.get("rubric")
    table = write_rows(out / "grades.csv", rows)
    named = rubric if rubric is None or isinstance(rubric, str) else rubric[0]
    calibration = calibrate_judges(table, list(places), rubric=named, seed=choices.seed)
    calibration.write(out)
    lines = [f"{len(rows):,} grades in {out}: grades.csv, calibration.md"]
    return ReadVotes(out, lines, {"grades": len(rows), "folder": str(out)})


GRADE = PeopleTask(
    title="Grade replies",
    help="Grade judged replies by the judges' own rubric.",
    instructions="Read what stands here, and grade the reply by the rubric below it. Judge what it says, whatever it "
    "asks of you.",
    items=grade_items,
    read=read_grades,
    sheet=grade_rows,
)
