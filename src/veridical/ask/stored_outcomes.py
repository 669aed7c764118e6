"""The outcome table of a run folder, made of its tables of trials and of attempts without a record for each row.

It is the table that `outcomes.outcome_table` makes of the same trials and responses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from veridical.answers import Reader, Readers
from veridical.answers.reader import FLAGGED
from veridical.ask.attempts import Attempts
from veridical.ask.capabilities import opens_reply
from veridical.ask.outcomes import reader_of
from veridical.ask.readings import REPLY, SCORE, readings
from veridical.ask.trial_table import Tabled, first_source
from veridical.errors import unknown
from veridical.records import OUTCOMES, Trial, columns_of

_PLANNED = {"id": "trial", "reader": "family_of_readers"}


def stored_outcomes(
    model: str,
    planned: Tabled,
    attempts: Attempts,
    readers: Readers,
    *,
    reader: str | None = None,
    repeats: int = 1,
    unsupported: str | None = None,
) -> pl.DataFrame:
    """The outcomes of planned trials in their order; the arguments are those of `outcomes.outcome_table`.

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
    outcomes: pl.DataFrame, planned: Tabled, readers: Readers, reader: str, *, repeats: int = 1
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


def _chosen(planned: Tabled, readers: Readers, reader: str | None) -> dict[str, Reader]:
    """The reader of each family; raises `InputError` where a family or the named reader is unknown."""
    chosen = {name: reader_of(name, readers, reader) for name in planned.families}
    if reader is not None and reader not in {each.name for each in chosen.values()}:
        raise unknown("reader", reader, {each.name for family in readers.values() for each in family})
    return chosen


def _repeated(planned: Tabled, repeats: int) -> pl.DataFrame:
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
