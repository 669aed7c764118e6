"""The stored responses of a run as one table, and the outcome table: trial, response and reading, a row per repeat."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import attrgetter
from pathlib import Path

import polars as pl

from veridical.answers import Reader, Readers
from veridical.answers.reader import FLAGGED, Decision, Marks, ReaderInput, is_gold, mark_by_gold
from veridical.ask.answer_logprobs import probability_columns
from veridical.ask.capabilities import opens_reply
from veridical.ask.limits import TokenUse
from veridical.ask.responses import ResponseLine, damaged_lines_error, lines_of, remark_lines
from veridical.ask.trial_table import NO_SOURCES, TrialRows, frame_of
from veridical.base.columns import held_once
from veridical.errors import unknown
from veridical.records import OUTCOMES, TOKENS, FactorTypes, Json, Response, Trial, columns_of

NUMBER = "number"
_ATTEMPT = ("trial", "repeat", "attempt")
_SCHEMA: dict[str, pl.DataType] = {
    **{name: OUTCOMES[name] for name in (*_ATTEMPT, "text", "reasoning", "stop_reason")},
    "refused": pl.Boolean(),
    "error": pl.String(),
    "requests": pl.Int64(),
    **{name: OUTCOMES[name] for name in (*TOKENS, "latency", "ended", "served_model", "cached", "digest")},
    "answer_token": pl.String(),
}
_VALUES = attrgetter(*_SCHEMA)


@dataclass
class Attempts:
    """Every complete line of a file of responses as a row, in order; `NUMBER` is the line's number from 1.

    The other columns are the fields of a response that the outcome table needs, and `digest` and `refused`.
    """

    lines: pl.DataFrame

    @classmethod
    def read(cls, path: Path, columns: Sequence[str] = tuple(_SCHEMA)) -> Attempts:
        """The attempts in a file, in these columns (default: all).

        Raises `InputError` if it cannot be read or a complete line is not a response.
        """
        stored, values = lines_of(path), attrgetter(*columns)
        schema = {NUMBER: pl.Int64(), **{name: _SCHEMA[name] for name in columns}}
        return cls(frame_of((_row(path, line, stored, values) for line in stored), schema))

    @classmethod
    def of_responses(cls, responses: Mapping[tuple[str, int], Response]) -> Attempts:
        """The attempts in memory that count for these trials and repeats."""
        rows = ((0, *key, *_VALUES(response)[2:]) for key, response in responses.items())
        return cls(frame_of(rows, {NUMBER: pl.Int64(), **_SCHEMA}))

    def once(self) -> pl.DataFrame:
        """The first line of each attempt, which is the one that counts."""
        return self.lines.unique(_ATTEMPT, keep="first", maintain_order=True) if self._several else self.lines

    def last(self) -> pl.DataFrame:
        """The response that counts for each trial and repeat, which is that of the highest attempt."""
        attempts = self.once()
        if attempts["attempt"].max() in (None, 1):
            return attempts
        in_order = attempts.sort("attempt", maintain_order=True)
        return in_order.unique(["trial", "repeat"], keep="last", maintain_order=True)

    def clear(self) -> None:
        """Forgets all lines."""
        self.lines = self.lines.clear()

    def of(self, trials: pl.Series, repeats: int) -> Attempts:
        """The attempts at the trials with these ids."""
        planned = self.lines.select(_planned(trials, repeats)).to_series()
        return self if planned.all() else Attempts(self.lines.filter(planned))

    def remarks(self, name: str, trials: pl.Series, repeats: int) -> list[str]:
        """Remarks on the responses of the file of that name: contradictions, and responses that are not counted."""
        foreign = self.lines.select(pl.col(NUMBER).filter(~_planned(trials, repeats))).to_series().to_list()
        return list(remark_lines(name, foreign, self._contradictions()))

    @cached_property
    def _several(self) -> bool:
        """Whether any attempt has several lines."""
        different: int = self.lines.select(pl.struct(_ATTEMPT).hash().n_unique()).item()
        return different < len(self.lines)  # two equal hashes of different attempts would cost time, and no more

    def _contradictions(self) -> list[tuple[int, int]]:
        """The number of each line with another reply to an attempt that has one, and that of the first such line."""
        if not self._several:
            return []
        first = pl.col("digest", NUMBER).first().over(_ATTEMPT).name.prefix("first_")
        differing = self.lines.with_columns(first).filter(pl.col("digest") != pl.col("first_digest"))
        return list(differing.select(NUMBER, f"first_{NUMBER}").iter_rows())


def token_use(attempts: pl.DataFrame) -> TokenUse:
    """The tokens of these attempts, as `TokenUse.over` counts them.

    >>> from veridical.records import Response
    >>> line = Response(trial="t", input_tokens=10, output_tokens=2)
    >>> token_use(pl.DataFrame([_VALUES(line)], schema=_SCHEMA, orient="row")).tokens
    12
    """
    replied = pl.col("error").is_null() & ~pl.col("refused") & ~pl.col("cached")
    uncounted = replied & pl.col("input_tokens").is_null() & (pl.col("requests") > 0)
    many = attempts.select(uncounted.sum()).item()
    return TokenUse(**{name: total(attempts, name) for name in TOKENS}, uncounted=many)


def total(attempts: pl.DataFrame, column: str) -> int:
    """The sum of a column of counts, of any size; what is not stated counts nothing."""
    # A file may state counts whose sum is beyond 64 bits, but hardly as many different ones as it has lines.
    return sum(int(value) * many for value, many in attempts[column].drop_nulls().value_counts().iter_rows())


def _planned(trials: pl.Series, repeats: int) -> pl.Expr:
    return pl.col("trial").is_in(trials.implode()) & (pl.col("repeat") <= repeats)


def _row(
    path: Path, line: ResponseLine, later: Iterable[ResponseLine], values: Callable[[Response], tuple[object, ...]]
) -> tuple[object, ...]:
    if line.response is None:
        raise damaged_lines_error(path, line, later)
    return line.number, *values(line.response)


SCORE = "score_"
FIELDS = ("reader", "reader_version", "status", "answer", "correct", "reason")
"""The columns of an outcome table that are a reading; those of scores follow."""
REPLY = ("text", "error", "refused", "stop_reason")
_SEEN = ("family", "expects", "gold", "attempt", *REPLY)
_REMEMBERED = 1024
"""Replies whose reading is remembered, since short replies repeat; long ones rarely do."""

_ABOUT = ("stage", "trial", "repeat")
"""What the columns `about_…` name of the first source of each row."""
_PLANNED = {"id": "trial", "reader": "family_of_readers"}


def outcome_table(
    model: str,
    trials: Sequence[Trial],
    responses: Mapping[tuple[str, int], Response],
    readers: Readers,
    *,
    factors: FactorTypes,
    repeats: int = 1,
) -> pl.DataFrame:
    """The outcomes of trials and responses in memory, as `stored_outcomes` has them."""
    planned, attempts = TrialRows.of(trials, factors), Attempts.of_responses(responses)
    return stored_outcomes(model, planned, attempts, readers, repeats=repeats)


def reader_of(family: str, readers: Readers, name: str | None) -> Reader:
    """The reader of that name in a family, else the family's default; raises `InputError` for an unknown family."""
    if family not in readers:
        raise unknown("family of readers", family, readers)
    return next((each for each in readers[family] if each.name == name), readers[family][0])


def readings(rows: pl.DataFrame, readers: Mapping[str, Reader], trials: Callable[[], Iterable[Trial]]) -> pl.DataFrame:
    """The readings of the replies in these rows, row by row, in `FIELDS` and a column for each score of the readers.

    A row has a trial's `family` of readers, `expects` and `gold`, and the reply: its `attempt` (`None`: not asked) and
    `REPLY`. `trials` gives the trial of each row; it is called only if a reader marks by more than the gold answer.
    """
    scores = list(dict.fromkeys(name for each in readers.values() for name in each.scores))
    schema = {name: OUTCOMES[name] for name in FIELDS} | {f"{SCORE}{name}": pl.Float64() for name in scores}
    return frame_of(_read(rows.select(_SEEN), readers, scores, trials), schema)


def _read(
    rows: pl.DataFrame, readers: Mapping[str, Reader], scores: list[str], trials: Callable[[], Iterable[Trial]]
) -> Iterator[tuple[Json, ...]]:
    @lru_cache(maxsize=_REMEMBERED)
    def decided(family: str, expects: str, reply: ReaderInput) -> Decision:
        return readers[family].decide(reply, json.loads(expects))

    plainly = {family for family, reader in readers.items() if reader.mark is mark_by_gold}
    own = iter(trials()) if plainly < readers.keys() else None
    none = (None,) * len(scores)
    for family, expects, gold, attempt, *reply in rows.iter_rows():
        reader, trial = readers[family], next(own) if own else None
        if attempt is None:
            yield (reader.name, None, None, None, None, None, *none)
            continue
        status, answer, reason = decision = decided(family, expects, ReaderInput(*reply))
        if trial is None or family in plainly:
            yield (reader.name, reader.version, status, answer, is_gold(answer, gold), reason, *none)
        else:
            marks: Marks = reader.marks(decision, trial)
            stated = (marks.scores.get(name) for name in scores)
            yield (reader.name, reader.version, status, answer, marks.correct, reason, *stated)


def stored_outcomes(
    model: str,
    planned: TrialRows,
    attempts: Attempts,
    readers: Readers,
    *,
    reader: str | None = None,
    repeats: int = 1,
    unsupported: str | None = None,
) -> pl.DataFrame:
    """The outcomes in the order of the trials: one row per trial and repeat.

    The columns are those of `OUTCOMES`, the declared factors, and `score_<name>` for each score that a reader declares.
    `reader` names the reader for the families that have it (default: each family's default). A trial not asked has no
    status. `unsupported` says why the model could not continue an assistant turn; trials that need it have this as
    their reason. Raises `InputError` for an unknown family or reader.
    """
    chosen = _chosen(planned, readers, reader)
    rows = _with_replies(_repeated(planned, repeats), attempts)
    read = readings(_to_read(rows), chosen, lambda: _of_rows(planned.trials(), repeats))
    rows = rows.with_columns(model=pl.lit(model), **_about(rows["sources"]))
    rows = held_once(rows.with_columns(read.iter_columns()), read.columns)
    if unsupported is not None:
        opening = [trial.id for trial in planned.trials() if opens_reply(trial)]
        unable = pl.col("attempt").is_null() & pl.col("trial").is_in(pl.Series(opening, dtype=pl.String()).implode())
        reason = pl.when(unable).then(pl.lit(f"not asked: {unsupported}")).otherwise("reason")
        rows = rows.with_columns(reason.alias("reason"))
    schema = {**OUTCOMES, **columns_of(planned.factors), **read.schema}
    if rows["answer_token"].null_count() < len(rows):
        found = probability_columns(rows.select("answer_token", "answer", "expects", "gold"))
        rows, schema = rows.with_columns(found.iter_columns()), schema | dict(found.schema)
    return rows.select(pl.col(name).cast(kind) for name, kind in schema.items())


def reread_outcomes(
    outcomes: pl.DataFrame, planned: TrialRows, readers: Readers, reader: str, *, repeats: int = 1
) -> pl.DataFrame:
    """The same table as `stored_outcomes` makes with that reader, from the table of the same run by the default ones.

    Only the readings are made anew, of the replies in that table.
    """
    chosen = _chosen(planned, readers, reader)
    kept = [name for name in outcomes.columns if not name.startswith(SCORE)]
    flagged = (pl.col("status") == "refused") & (pl.col("reason") == FLAGGED)
    rows = outcomes.with_columns(
        refused=flagged.fill_null(value=False), family_of_readers=_repeated(planned, repeats)["family_of_readers"]
    )
    read = readings(_to_read(rows), chosen, lambda: _of_rows(planned.trials(), repeats))
    unasked = pl.when(outcomes["attempt"].is_null()).then(outcomes["reason"]).otherwise(read["reason"])
    reread = outcomes.select(kept).with_columns(read.with_columns(unasked.alias("reason")).iter_columns())
    return held_once(reread, read.columns)


def _chosen(planned: TrialRows, readers: Readers, reader: str | None) -> dict[str, Reader]:
    """The reader of each family; raises `InputError` where a family or the named reader is unknown."""
    chosen = {name: reader_of(name, readers, reader) for name in planned.rows["reader"].unique(maintain_order=True)}
    if reader is not None and reader not in {each.name for each in chosen.values()}:
        raise unknown("reader", reader, {each.name for family in readers.values() for each in family})
    return chosen


def _repeated(planned: TrialRows, repeats: int) -> pl.DataFrame:
    """A row for each planned trial and repeat, in the names that an outcome table has for their columns."""
    rows = planned.rows.rename(_PLANNED)
    if repeats == 1:
        return rows.with_columns(repeat=pl.lit(1, pl.Int64()))
    return rows.join(pl.DataFrame({"repeat": range(1, repeats + 1)}), how="cross", maintain_order="left_right")


def _with_replies(rows: pl.DataFrame, attempts: Attempts) -> pl.DataFrame:
    """The rows with the columns of the reply to each, null where there is none; the attempts are used up.

    Only the places of the replies are looked up, and one column after the other takes the place of its source: a join
    of whole tables would hold every column of both twice.
    """
    replies, key = attempts.last(), ["trial", "repeat"]
    attempts.clear()
    places = _places(rows.select(key), replies.select(key))
    for name in replies.columns:
        column, replies = replies[name], replies.drop(name)
        if name not in (*key, NUMBER):
            rows = held_once(rows.with_columns(column.gather(places)), [name])
    return rows


def _places(rows: pl.DataFrame, replies: pl.DataFrame) -> pl.Series:
    """The place in `replies` of each of the rows, null where there is none; both have the same columns."""
    hashes = [table.select(pl.struct(pl.all()).hash().alias("hash")) for table in (rows, replies)]
    own = hashes[1].with_row_index(NUMBER)
    if not hashes[1]["hash"].is_duplicated().any():
        places = hashes[0].join(own, on="hash", how="left", maintain_order="left")[NUMBER]
        if all((replies[name].gather(places) == rows[name]).all() for name in rows.columns):
            return places
    # Two equal hashes of different keys cost time and memory, and no more.
    keys = rows.columns
    return rows.join(replies.with_row_index(NUMBER), on=keys, how="left", maintain_order="left")[NUMBER]


def _about(sources: pl.Series) -> dict[str, pl.Series | pl.Expr]:
    """The columns that name the first source of each row."""
    bare = (sources == NO_SOURCES).all()
    return {
        f"about_{name}": (pl.lit(None) if bare else sources.str.json_path_match(f"$[0].{name}")).cast(
            OUTCOMES[f"about_{name}"]
        )
        for name in _ABOUT
    }


def _of_rows(trials: Iterable[Trial], repeats: int) -> Iterator[Trial]:
    return (trial for trial in trials for _ in range(repeats))


def _to_read(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(pl.col("family_of_readers").alias("family"), "expects", "gold", "attempt", *REPLY)
