"""The outcome table: trial, response and reading, one row per planned trial and repeat."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import polars as pl

from veridical.answers import Reader, Readers
from veridical.answers.reader import FLAGGED, Decision, Marks, Reply, is_gold, like_gold
from veridical.ask.attempts import Attempts
from veridical.ask.capabilities import opens_reply
from veridical.ask.trial_table import TrialRows, first_source, frame_of
from veridical.errors import unknown
from veridical.records import OUTCOMES, FactorTypes, Json, Response, Trial, columns_of

SCORE = "score_"
FIELDS = ("reader", "reader_version", "status", "answer", "correct", "reason")
"""The columns of an outcome table that are a reading; those of scores follow."""
REPLY = ("text", "error", "refused", "stop_reason")
_SEEN = ("family", "expects", "gold", "attempt", *REPLY)
_REMEMBERED = 1024
"""Replies whose reading is remembered, since short replies repeat; long ones rarely do."""

_PLANNED = {"id": "trial", "reader": "family_of_readers"}


def outcome_table(
    model: str,
    trials: Sequence[Trial],
    responses: Mapping[tuple[str, int], Response],
    readers: Readers,
    *,
    factors: FactorTypes,
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
    planned, attempts = TrialRows.of(trials, factors), Attempts.of_responses(responses)
    return stored_outcomes(model, planned, attempts, readers, reader=reader, repeats=repeats, unsupported=unsupported)


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
    def decided(family: str, expects: str, reply: Reply) -> Decision:
        return readers[family].decide(reply, json.loads(expects))

    plainly = {family for family, reader in readers.items() if reader.mark is like_gold}
    own = iter(trials()) if plainly < readers.keys() else None
    none = (None,) * len(scores)
    for family, expects, gold, attempt, *reply in rows.iter_rows():
        reader, trial = readers[family], next(own) if own else None
        if attempt is None:
            yield (reader.name, None, None, None, None, None, *none)
            continue
        status, answer, reason = decision = decided(family, expects, Reply(*reply))
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
    """The outcomes of planned trials in their order; the arguments are those of `outcome_table`.

    Raises `InputError` for an unknown family or reader.
    """
    chosen = _chosen(planned, readers, reader)
    rows = _repeated(planned, repeats).join(
        attempts.last(), on=["trial", "repeat"], how="left", maintain_order="left", coalesce=True
    )
    read = readings(_to_read(rows), chosen, lambda: _of_rows(planned.trials(), repeats))
    rows = rows.with_columns(model=pl.lit(model), **_about(rows["sources"])).with_columns(read.iter_columns())
    if unsupported is not None:
        opening = [trial.id for trial in planned.trials() if opens_reply(trial)]
        unable = pl.col("attempt").is_null() & pl.col("trial").is_in(pl.Series(opening, dtype=pl.String()).implode())
        reason = pl.when(unable).then(pl.lit(f"not asked: {unsupported}")).otherwise("reason")
        rows = rows.with_columns(reason.alias("reason"))
    schema = {**OUTCOMES, **columns_of(planned.factors), **read.schema}
    return rows.select(pl.col(name).cast(kind) for name, kind in schema.items())


def read_anew(
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
    return outcomes.select(kept).with_columns(read.with_columns(unasked.alias("reason")).iter_columns())


def _chosen(planned: TrialRows, readers: Readers, reader: str | None) -> dict[str, Reader]:
    """The reader of each family; raises `InputError` where a family or the named reader is unknown."""
    chosen = {name: reader_of(name, readers, reader) for name in planned.families}
    if reader is not None and reader not in {each.name for each in chosen.values()}:
        raise unknown("reader", reader, {each.name for family in readers.values() for each in family})
    return chosen


def _repeated(planned: TrialRows, repeats: int) -> pl.DataFrame:
    """A row for each planned trial and repeat, in the names that an outcome table has for their columns."""
    rows = planned.rows.rename(_PLANNED)
    if repeats == 1:
        return rows.with_columns(repeat=pl.lit(1, pl.Int64()))
    return rows.join(pl.DataFrame({"repeat": range(1, repeats + 1)}), how="cross", maintain_order="left_right")


def _of_rows(trials: Iterable[Trial], repeats: int) -> Iterator[Trial]:
    return (trial for trial in trials for _ in range(repeats))


def _to_read(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(pl.col("family_of_readers").alias("family"), "expects", "gold", "attempt", *REPLY)


def _about(sources: pl.Series) -> dict[str, pl.Series]:
    """The columns that name the first source of each row."""
    first = [first_source(text) for text in sources]
    return {
        f"about_{name}": pl.Series([each and getattr(each, name) for each in first], dtype=OUTCOMES[f"about_{name}"])
        for name in ("stage", "trial", "repeat")
    }
