"""The outcome table: trial, response and reading, one row per planned trial and repeat."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice

import polars as pl

from veridical.answers import Reader, Readers
from veridical.answers.reader import FLAGGED, Decision, Marks, Reply, is_gold, like_gold
from veridical.ask.attempts import Attempts
from veridical.ask.capabilities import opens_reply
from veridical.ask.trial_table import Tabled, first_source, no_collection, sources_text
from veridical.errors import unknown
from veridical.records import OUTCOMES, FactorTypes, Json, Reading, Response, Trial, canonical, columns_of, typed

_OF_TRIAL = (
    "suite",
    "stage",
    "stimulus",
    "unit",
    "family",
    "category",
    "variant",
    "gold",
)
_OF_RESPONSE = (
    "text",
    "reasoning",
    "stop_reason",
    "error",
    "attempt",
    "requests",
    "input_tokens",
    "output_tokens",
    "cached_tokens",
    "cache_write_tokens",
    "latency",
    "ended",
    "served_model",
    "cached",
    "digest",
)

_NONE = canonical({})
_PIECE = 5_000
"""Rows that are held as Python values at a time."""

SCORE = "score_"
FIELDS = ("reader", "reader_version", "status", "answer", "correct", "reason")
"""The columns of an outcome table that are a reading; those of scores follow."""
REPLY = ("text", "error", "refused", "stop_reason")
_SEEN = ("family", "expects", "gold", "attempt", *REPLY)
"""Rows that are held as Python values at a time."""
_REMEMBERED = 1024
"""Replies whose reading is remembered, since short replies repeat; long ones rarely do."""

_PLANNED = {"id": "trial", "reader": "family_of_readers"}


def outcome_table(
    model: str,
    trials: Iterable[Trial],
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
    their reason. With the `families` of their readers stated, trials may come one by one and are not kept. Raises
    `InputError` for an unknown family or reader.
    """
    trials = list(trials)
    families = dict.fromkeys(trial.reader for trial in trials)
    chosen = {name: reader_of(name, readers, reader) for name in families}
    if reader is not None and reader not in {each.name for each in chosen.values()}:
        raise unknown("reader", reader, {each.name for family in readers.values() for each in family})
    scores = dict.fromkeys(f"score_{name}" for each in chosen.values() for name in each.scores)
    schema = {**OUTCOMES, **columns_of(factors), **dict.fromkeys(scores, pl.Float64())}
    rows = (
        tuple(values.get(name) for name in schema)
        for trial in trials
        for values in _of_trial(model, trial, responses, chosen[trial.reader], factors, repeats, unsupported)
    )
    with no_collection():
        pieces = [pl.DataFrame(schema=schema)]
        while piece := list(islice(rows, _PIECE)):
            pieces.append(pl.DataFrame(piece, schema=schema, orient="row"))
    del rows, trials, responses  # before the table is copied into one piece, since they may be as large
    return pl.concat(pieces)


def reader_of(family: str, readers: Readers, name: str | None) -> Reader:
    """The reader of that name in a family, else the family's default; raises `InputError` for an unknown family."""
    if family not in readers:
        raise unknown("family of readers", family, readers)
    return next((each for each in readers[family] if each.name == name), readers[family][0])


def _of_trial(
    model: str,
    trial: Trial,
    responses: Mapping[tuple[str, int], Response],
    reader: Reader,
    factors: FactorTypes,
    repeats: int,
    unsupported: str | None,
) -> Iterator[dict[str, Json]]:
    planned: dict[str, Json] = {name: getattr(trial, name) for name in _OF_TRIAL}
    planned |= {"model": model, "trial": trial.id, "reader": reader.name}
    if trial.sources:
        about = trial.sources[0]
        planned |= {"about_stage": about.stage, "about_trial": about.trial, "about_repeat": about.repeat}
    planned |= {"sources": sources_text(trial), "settings": _levels(tuple(trial.settings.items()))}
    planned["expects"] = canonical(dict(trial.expects)) if trial.expects else _NONE
    planned["factors"] = canonical({name: value for name, value in trial.factors.items() if name not in factors})
    planned |= {name: typed(name, trial.factors.get(name), kind) for name, kind in factors.items()}
    for repeat in range(1, repeats + 1):
        values = planned | {"repeat": repeat}
        response = responses.get((trial.id, repeat))
        if response is not None:
            values |= {name: getattr(response, name) for name in _OF_RESPONSE}
            values |= _of_reading(reader.read(response, trial))
        elif unsupported is not None and opens_reply(trial):
            values["reason"] = f"not asked: {unsupported}"
        yield values


@lru_cache(maxsize=1024)
def _levels(settings: tuple[tuple[str, str], ...]) -> str:
    """Settings as canonical JSON; a run has few different ones."""
    return canonical(dict(settings))


def _of_reading(reading: Reading) -> dict[str, Json]:
    scores = {f"{SCORE}{name}": score for name, score in reading.scores.items()}
    stated = {name: getattr(reading, name) for name in ("status", "answer", "reason", "correct")}
    return {**stated, "reader_version": reading.version, **scores}


def readings(rows: pl.DataFrame, readers: Mapping[str, Reader], trials: Callable[[], Iterable[Trial]]) -> pl.DataFrame:
    """The readings of the replies in these rows, row by row, in `FIELDS` and a column for each score of the readers.

    A row has a trial's `family` of readers, `expects` and `gold`, and the reply: its `attempt` (`None`: not asked) and
    `REPLY`. `trials` gives the trial of each row; it is called only if a reader marks by more than the gold answer.
    """
    scores = list(dict.fromkeys(name for each in readers.values() for name in each.scores))
    schema = {name: OUTCOMES[name] for name in FIELDS} | {f"{SCORE}{name}": pl.Float64() for name in scores}
    pieces = [pl.DataFrame(schema=schema)]
    with no_collection():
        every = _read(rows.select(_SEEN), readers, scores, trials)
        while piece := list(islice(every, _PIECE)):
            columns = zip(schema.items(), zip(*piece, strict=True), strict=True)
            pieces.append(pl.DataFrame([pl.Series(name, values, kind) for (name, kind), values in columns]))
    return pl.concat(pieces)


def _read(
    rows: pl.DataFrame, readers: Mapping[str, Reader], scores: list[str], trials: Callable[[], Iterable[Trial]]
) -> Iterator[tuple[Json, ...]]:
    @lru_cache(maxsize=_REMEMBERED)
    def decided(family: str, expects: str, reply: Reply) -> Decision:
        return readers[family].decide(reply, json.loads(expects))

    plainly = {family for family, reader in readers.items() if reader.mark is like_gold}
    own = iter(trials()) if plainly < readers.keys() else None
    none = (None,) * len(scores)
    for family, expects, gold, attempt, *reply in _values(rows):
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


def _values(rows: pl.DataFrame) -> Iterator[tuple[Json, ...]]:
    for piece in rows.iter_slices(_PIECE):
        yield from piece.iter_rows()


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
