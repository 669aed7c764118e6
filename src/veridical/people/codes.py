"""The task of coding failures: which of a suite's fixed codes fit each of a sample of wrong replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.people.label_figures import code_figures
from veridical.people.reply_samples import keyed_row, reply_id, reply_key, spread_sample
from veridical.people.resolution import valid_votes
from veridical.people.run_media import RunMedia
from veridical.people.study_sheets import csv_bytes, write_rows
from veridical.records import Estimates, Json
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
from veridical.verbs.results.result import RunResult, open_run

COUNT = 100
"""How many failures are coded if nobody says otherwise."""
FIELD = "codes"
WrongReplies = Callable[[RunResult], pl.DataFrame]
"""The answered wrong replies of a run: `REPLY_KEY`, `media` (paths), and the texts question, truth and reply."""


def codes_task(suite: str, codes: Sequence[FieldOption], wrong: WrongReplies, help: str) -> PeopleTask:  # noqa: A002
    """The task of coding a suite's wrong replies; `help` says where its codes are from."""
    names = [code.value for code in codes]

    def items(places: Sequence[Path], choices: TaskChoices) -> Iterator[TaskItem]:
        return _items(places, choices, wrong, codes)

    def sheet(votes: Sequence[StudyVote]) -> list[dict[str, Json]]:
        return [_row(vote, names) for vote in votes]

    def read(
        places: Sequence[Path],  # noqa: ARG001 (what a task's reader gets)
        votes: Sequence[StudyVote],
        out: Path | None,
        choices: TaskChoices,  # noqa: ARG001
    ) -> ReadVotes:
        return _read(suite, sheet(valid_votes(votes)), names, out)

    return PeopleTask(
        title="Code failures",
        help=help,
        instructions="Each reply gives a wrong answer. Choose every code that fits what went wrong in it.",
        items=items,
        read=read,
        sheet=sheet,
    )


def _items(
    places: Sequence[Path], choices: TaskChoices, wrong: WrongReplies, codes: Sequence[FieldOption]
) -> Iterator[TaskItem]:
    runs = [open_run(place) for place in places]
    media = [RunMedia(run) for run in runs]
    rows = pl.concat([wrong(run).with_columns(run=pl.lit(index)) for index, run in enumerate(runs)])
    if rows.is_empty():
        raise InputError(f"{', '.join(map(str, places))}: no answer is wrong, so there is no failure to code")
    for row in spread_sample(rows, choices.items or COUNT, choices.seed).iter_rows(named=True):
        texts = {"Question": row["question"], "True answer": row["truth"], "Reply": row["reply"]}
        blocks = [TextBlock(title=title, text=text) for title, text in texts.items()]
        yield TaskItem(
            id=reply_id(row, [row["reply"]]),
            blocks=[*media[row["run"]].blocks(row["media"]), *blocks],
            fields=[FormField(name=FIELD, kind="codes", title="What went wrong", options=codes)],
            key=reply_key(row),
            stratum=row["category"],
        )


def _row(vote: StudyVote, names: Sequence[str]) -> dict[str, Json]:
    chosen = vote.answer.get(FIELD) or ()
    cells: Mapping[str, Json] = {name: "yes" if name in chosen else "no" for name in names}
    return keyed_row(vote, **cells, note=vote.answer.get("note", ""))


def _read(suite: str, rows: Sequence[Mapping[str, Json]], names: Sequence[str], out: Path | None) -> ReadVotes:
    """Writes `codes.csv` with its key and `figures.csv` into a folder; raises `InputError` without a folder or rows."""
    if out is None:
        raise InputError("--out FOLDER is needed: the table of codes and its figures are written there")
    if not rows:
        raise InputError("nobody has answered yet")
    figures = coded_figures(suite, rows, names)
    write_rows(out / "codes.csv", rows)
    frame = figures.frame()
    write_whole(out / "figures.csv", csv_bytes(frame.columns, frame.to_dicts()))
    lines = [f"{len(rows):,} codings in {out}: codes.csv, figures.csv"]
    return ReadVotes(out, lines, {"codings": len(rows), "folder": str(out)})


def coded_figures(suite: str, rows: Sequence[Mapping[str, Json]], names: Sequence[str]) -> Estimates:
    """The figures of the rows of a table of codes."""
    coded = [{**row, **{name: float(row[name] == "yes") for name in names}} for row in rows]
    return code_figures(suite, pl.DataFrame(coded), names)
