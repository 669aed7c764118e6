"""Tables for people, blinded, with a key beside them; and what people filled in."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from veridical.base.files import write_whole
from veridical.base.format import visible
from veridical.errors import InputError
from veridical.judges.sampling import key_of
from veridical.records import Counts, Json, Media
from veridical.report.table_files import inert
from veridical.stimulus_set.imported.sheets import Row, read_rows
from veridical.suites.magic.analysis.rows import plain, replies
from veridical.suites.magic.stimuli import NAME
from veridical.verbs.exchange.places import set_of_run
from veridical.verbs.results.result import RunResult, open_run

STRATA = ("model", "category")
SHOWN = ("model", "stimulus", "unit", "family", "category", "trial", "repeat", "answer", "right", "gold")


def answered(places: Sequence[Path]) -> pl.DataFrame:
    """The answered replies of runs at the view that shows all boxes, with `question`, `picture` and `truth`.

    Raises `InputError` for a run of another suite, and where no reply is answered.
    """
    tables = [_of_run(open_run(place)) for place in places]
    replies = pl.concat(tables)
    if replies.is_empty():
        raise InputError(f"{', '.join(map(str, places))}: no reply is answered, so there is nothing to show")
    return replies


def _of_run(run: RunResult) -> pl.DataFrame:
    if run.suite.name != NAME:
        raise InputError(f"{run.folder} is a run of {run.suite.name}, and not of {NAME}")
    rows, _ = plain(replies(run.evidence().outcomes()))
    rows = rows.filter(pl.col("status") == "answered").select(SHOWN)
    stimuli = {stimulus.id: stimulus for stimulus in set_of_run(run).stimuli}
    pictures = {
        trial.id: next((p.file for m in trial.messages for p in m.parts if isinstance(p, Media)), "")
        for trial in run.run.trials()
    }
    named = [
        (pictures[trial], stimuli[own].question, str(stimuli[own].truth.get("full") or stimuli[own].label or ""))
        for trial, own in rows.select("trial", "stimulus").iter_rows()
    ]
    columns = pl.DataFrame(named, schema=dict.fromkeys(("picture", "question", "truth"), pl.String), orient="row")
    return pl.concat([rows, columns], how="horizontal")


KEY = ("item", "model", "stimulus", "unit", "family", "category", "trial", "repeat")
"""The columns of a key: what a row is about, which people are not to see."""
_YES = frozenset(("yes", "y", "true", "right", "correct", "1", "x"))
_NO = frozenset(("no", "n", "false", "wrong", "incorrect", "0"))


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
    try:
        write_whole(out, _csv(columns, rows))
        write_whole(key, _csv(KEY, sorted(keyed, key=lambda row: str(row["item"]))))
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}") from error
    return out, key


def _csv(columns: Sequence[str], rows: Sequence[Mapping[str, Json]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(row.get(name, "")) for name in columns] for row in rows)
    return text.getvalue().encode(errors="backslashreplace")


def _cell(value: Json) -> Json:
    return inert(visible(value)) if isinstance(value, str) else value


def drawn(rows: pl.DataFrame, count: int | None, seed: int, strata: Sequence[str]) -> pl.DataFrame:
    """A sample of rows in random order, spread evenly over the levels of the columns `strata`; `None` is all.

    >>> rows = pl.DataFrame({"kind": ["a"] * 8 + ["b"] * 2, "n": range(10)})
    >>> sorted(drawn(rows, 4, 0, ["kind"])["kind"])
    ['a', 'a', 'b', 'b']
    """
    shuffled = rows[np.random.default_rng(seed).permutation(len(rows))]
    if count is None or count >= len(rows):
        return shuffled
    turn = pl.int_range(pl.len()).over(strata).alias("turn")
    return shuffled.with_columns(turn).sort("turn", maintain_order=True).head(count).drop("turn")


def read_key(path: Path) -> dict[str, dict[str, str]]:
    """The rows of a key by item; raises `InputError` as `read_rows` does, and for an item that occurs twice."""
    filled: dict[str, dict[str, str]] = {}
    for row in read_rows(path, KEY, others=True):
        if row.cells["item"] in filled:
            raise InputError(f"{row.place}: item '{row.cells['item']}' occurs twice: a key as it was written is needed")
        filled[row.cells["item"]] = dict(row.cells)
    return filled


def filled(paths: Sequence[Path], key: Mapping[str, Mapping[str, str]], columns: Sequence[str]) -> list[Row]:
    """The rows of tables in which a person filled in one of the columns.

    Raises `InputError` for an item that the key does not have, a row without a person's name, two rows of one person
    about one item, and tables in which nothing is filled in.
    """
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


def yes_or_no(row: Row, column: str) -> bool | None:
    """What a cell says, `None` where it is empty; raises `InputError` for what is neither yes nor no."""
    text = row.cells[column].lower().strip()
    if not text:
        return None
    if text not in _YES | _NO:
        raise InputError(f"{row.place}: {column} '{visible(text)}': yes or no is needed")
    return text in _YES


def counts_of(number: int) -> Counts:
    """The counts of so many answered replies."""
    return Counts(planned=number, asked=number, answered=number, unparsed=0, refused=0, truncated=0, error=0)
