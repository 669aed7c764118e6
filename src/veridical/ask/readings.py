"""Readings of the stored replies of a run: a table of replies beside the trials they answer, read by some readers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice

import polars as pl

from veridical.answers import Reader
from veridical.answers.reader import Decision, Marks, Reply, is_gold, like_gold
from veridical.base.garbage import no_collection
from veridical.records import OUTCOMES, Json, Trial

SCORE = "score_"
FIELDS = ("reader", "reader_version", "status", "answer", "correct", "reason")
"""The columns of an outcome table that are a reading; those of scores follow."""
REPLY = ("text", "error", "refused", "stop_reason")
_SEEN = ("family", "expects", "gold", "attempt", *REPLY)
_PIECE = 5_000
"""Rows that are held as Python values at a time."""
_REMEMBERED = 1024
"""Replies whose reading is remembered, since short replies repeat; long ones rarely do."""


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
