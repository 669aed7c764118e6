"""Tables for people, blinded, with a key beside them, and what follows from their labels.

Of sampled replies, one row per step gives StepSense, the share of right steps; of failed replies, one row each gives
how often each pattern of error occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from veridical.base.files import os_errors, write_whole
from veridical.base.format import visible
from veridical.errors import InputError
from veridical.judges.sampling import key_of
from veridical.people.label_figures import agreements, code_figures, labeled_counts
from veridical.people.reply_samples import REPLY_KEY, spread_sample
from veridical.people.run_media import files_of
from veridical.people.study_sheets import csv_bytes
from veridical.records import Estimate, Estimates, Json
from veridical.stimulus_set.imports.sheets import SheetRow, read_rows
from veridical.suite.contrasts import share_of_sums
from veridical.suite.rates import Slice
from veridical.suites.magic.analysis.rows import plain_replies, replies
from veridical.suites.magic.asking.readers import parts_of
from veridical.suites.magic.steps import PATTERNS
from veridical.suites.magic.stimuli import NAME
from veridical.verbs.exchange.planned_stages import set_of_run
from veridical.verbs.results.result import RunResult, open_run

CODES = (*PATTERNS, "other")
FAILED = pl.col("gold").is_not_null() & (pl.col("right") == 0)
"""Which replies are failures to code."""
STEP_COLUMNS = ("item", "reply", "picture", "question", "number", "step", "person", "label")
"""People fill in `label`: yes for a right step, no for a wrong one, nothing for one that states nothing."""
ERROR_COLUMNS = ("item", "picture", "question", "truth", "reasoning", "said", "person", *CODES, "note")
KEY = ("item", *REPLY_KEY)
"""The columns of a key: what a row is about, which people are not to see."""
_OF_REPLY = (*REPLY_KEY, "answer", "right", "gold")
_YES = frozenset(("yes", "y", "true", "right", "correct", "1", "x"))
_NO = frozenset(("no", "n", "false", "wrong", "incorrect", "0"))


def write_steps(runs: Sequence[Path], out: Path, *, count: int | None = 50, seed: int = 0) -> tuple[int, int, Path]:
    """Writes the steps of a sample of replies; returns the numbers of replies and steps, and the place of the key.

    Replies are in random order and spread evenly over models and types of questions; their steps stay in order. People
    see the picture's file, the question and the steps, and not whose reply it is, its answer, or what is right.
    """
    rows = []
    sampled = spread_sample(_answered(runs), count, seed)
    width = len(str(len(sampled)))
    for place, reply in enumerate(sampled.iter_rows(named=True), start=1):
        for number, step in enumerate(parts_of(reply["answer"])[1], start=1):
            item = f"r{place:0{width}}-{number}"
            rows.append({**reply, "item": item, "reply": f"r{place:0{width}}", "number": number, "step": step})
    _, key = write_sheet(out, STEP_COLUMNS, rows)
    return len(sampled), len(rows), key


def write_errors(runs: Sequence[Path], out: Path, *, count: int | None = 100, seed: int = 0) -> tuple[int, int, Path]:
    """Writes a sample of replies whose answer is wrong; returns how many, of how many, and the place of the key.

    They are in random order and spread evenly over models and types of questions. People see the picture's file, the
    question, what is right, and the reply, and not whose it is. The paper looks at 100 failures (section 5.3). Raises
    `InputError` where no answer is wrong.
    """
    wrong = _answered(runs).filter(FAILED)
    if wrong.is_empty():
        raise InputError(f"{', '.join(map(str, runs))}: no answer is wrong, so there is no failure to code")
    sampled = spread_sample(wrong, count, seed)
    rows = []
    for place, reply in enumerate(sampled.iter_rows(named=True), start=1):
        said, steps = parts_of(reply["answer"])
        rows.append({**reply, "item": f"f{place:03}", "reasoning": step_lines(steps), "said": said})
    _, key = write_sheet(out, ERROR_COLUMNS, rows)
    return len(rows), len(wrong), key


def _answered(places: Sequence[Path]) -> pl.DataFrame:
    """The answered replies of runs; raises `InputError` where there is none."""
    tables = [answered_replies(open_run(place)) for place in places]
    replies = pl.concat(tables)
    if replies.is_empty():
        raise InputError(f"{', '.join(map(str, places))}: no reply is answered, so there is nothing to show")
    return replies


def step_lines(steps: Sequence[str]) -> str:
    """Steps as lines with numbers."""
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))


def answered_replies(run: RunResult) -> pl.DataFrame:
    """The answered replies of a run at the view that shows all boxes, with `question`, `picture` and `truth`.

    Raises `InputError` for a run of another suite.
    """
    if run.suite.name != NAME:
        raise InputError(f"{run.folder} is a run of {run.suite.name}, and not of {NAME}")
    rows, _ = plain_replies(replies(run.evidence().outcomes()))
    rows = rows.filter(pl.col("status") == "answered").select(_OF_REPLY)
    stimuli = {stimulus.id: stimulus for stimulus in set_of_run(run).stimuli}
    pictures = {trial.id: next(iter(files_of(trial)), "") for trial in run.run.trials()}
    named = [
        (pictures[trial], stimuli[own].question, str(stimuli[own].truth.get("full") or stimuli[own].label or ""))
        for trial, own in rows.select("trial", "stimulus").iter_rows()
    ]
    columns = pl.DataFrame(named, schema=dict.fromkeys(("picture", "question", "truth"), pl.String), orient="row")
    return pl.concat([rows, columns], how="horizontal")


def write_sheet(out: Path, columns: Sequence[str], rows: Sequence[Mapping[str, Json]]) -> tuple[Path, Path]:
    """Writes a CSV with these columns of each row, and beside it the key `…-key.csv`; returns both paths.

    No cell is taken for a formula by a spreadsheet, and hidden characters are spelled out. Raises `InputError` for a
    file that exists, which may hold labels, and for one that cannot be written.
    """
    key = key_of(out)
    for path in (out, key):
        if path.exists():
            raise InputError(f"{path} exists, and may hold labels: name another file")
    keyed = list({row["item"]: row for row in rows}.values())
    with os_errors(out, "written"):
        write_whole(out, csv_bytes(columns, rows))
        write_whole(key, csv_bytes(KEY, sorted(keyed, key=lambda row: str(row["item"]))))
    return out, key


def _read_key(paths: Sequence[Path], key: Path | None) -> dict[str, dict[str, str]]:
    """The rows of the key, or of those beside the tables, by item; raises `InputError` for one twice in a key."""
    items: dict[str, dict[str, str]] = {}
    for path in [key] if key is not None else dict.fromkeys(map(key_of, paths)):
        own: set[str] = set()
        for row in read_rows(path, KEY, others=True):
            item = row.cells["item"]
            if item in own or items.get(item, row.cells) != row.cells:
                raise InputError(f"{row.place}: item '{item}' occurs twice: a key as it was written is needed")
            own.add(item)
            items[item] = dict(row.cells)
    return items


def _labeled_rows(
    paths: Sequence[Path], key: Mapping[str, Mapping[str, str]], columns: Sequence[str]
) -> list[SheetRow]:
    """The rows of tables in which a person filled in one of the columns."""
    places: dict[tuple[str, str], str] = {}
    rows = []
    for row in (row for path in paths for row in read_rows(path, ("item", "person", *columns), others=True)):
        if not any(row.cells[name] for name in columns):
            continue
        item, person = row.cells["item"], row.cells["person"]
        if item not in key:
            raise InputError(f"{row.place}: the key has no item '{item}': the key of this table is needed")
        if not person:
            raise InputError(f"{row.place}: person is empty: a name or number is needed")
        if (item, person) in places:
            raise InputError(f"{row.place}: '{person}' labeled item '{item}' in {places[item, person]} already")
        places[item, person] = row.place
        rows.append(row)
    if not rows:
        names = ", ".join(map(str, paths))
        raise InputError(f"{names}: nobody filled in {' or '.join(columns)}")
    return rows


def _yes_or_no(row: SheetRow, column: str) -> bool | None:
    """What a cell says, `None` where it is empty; raises `InputError` for what is neither yes nor no."""
    text = row.cells[column].lower().strip()
    if not text:
        return None
    if text not in _YES | _NO:
        raise InputError(f"{row.place}: {column} '{visible(text)}': yes or no is needed")
    return text in _YES


def read_steps(paths: Sequence[Path], key: Path | None = None) -> pl.DataFrame:
    """The labels of people, a row each: item, person, `right` (1 or 0), and the columns of the key.

    Without a `key`, it is the file `…-key.csv` beside each table.

    Raises `InputError` for an item that the key does not have, a row without a person's name, two rows of one person
    about one item, and tables in which nothing is filled in.
    """

    def right(row: SheetRow) -> dict[str, Json] | None:
        label = _yes_or_no(row, "label")
        return None if label is None else {"right": float(label)}

    return _labels(paths, key, ("label",), right)


def read_errors(paths: Sequence[Path], key: Path | None = None) -> pl.DataFrame:
    """What people coded, a row per item and person, with 1 or 0 for each pattern, and the columns of the key.

    In a row where one pattern is filled in, an empty one means no; a row without any is not coded. Raises `InputError`
    as `read_steps` does.
    """
    return _labels(paths, key, CODES, lambda row: {name: float(bool(_yes_or_no(row, name))) for name in CODES})


def _labels(
    paths: Sequence[Path],
    key: Path | None,
    columns: Sequence[str],
    labels: Callable[[SheetRow], dict[str, Json] | None],
) -> pl.DataFrame:
    known = _read_key(paths, key)
    rows = ((row.cells, labels(row)) for row in _labeled_rows(paths, known, columns))
    return pl.DataFrame([{**known[cells["item"]], "person": cells["person"], **own} for cells, own in rows if own])


def stepsense(labels: pl.DataFrame) -> Estimates:
    """`stepsense`, the share of right steps, over all, by model and by person; and `agreement` of each two people.

    Where several people labeled a step, it counts as the mean of their labels. Intervals and kappa are over units.
    """
    return Estimates([*_step_shares(labels), *agreements(NAME, labels, {"right": {}})])


def _step_shares(labels: pl.DataFrame) -> Iterator[Estimate]:
    groups: list[tuple[dict[str, Json], pl.DataFrame]] = [({}, labels)]
    for column in ("model", "category", "person"):
        groups += [({column: str(level)}, own) for (level,), own in labels.group_by(column, maintain_order=True)]
    for where, own in groups:
        reply = pl.col("item").str.split("-").list.first().alias("reply")
        steps = own.group_by(reply, "item", "unit", "family", maintain_order=True).agg(pl.col("right").mean())
        by_reply = steps.group_by("reply", "unit", "family", maintain_order=True).agg(
            pl.col("right").sum(), pl.len().cast(pl.Float64).alias("labeled")
        )
        piece = Slice(NAME, where, by_reply, labeled_counts(len(by_reply)))
        yield share_of_sums(piece, "stepsense", "right", "labeled", "by people's labels, of the labeled steps")


def error_patterns(coded: pl.DataFrame) -> Estimates:
    """`error pattern` by pattern and person, and `agreement` of each two people by pattern, over units."""
    return code_figures(NAME, coded, CODES)
