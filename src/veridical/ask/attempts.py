"""The stored responses of a run as one table, read in pieces, and what follows from them as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from pathlib import Path

import polars as pl

from veridical.ask.limits import Spent
from veridical.ask.response_lines import Line, damaged_lines_error, lines_of, remark_lines
from veridical.ask.trial_table import frame_of
from veridical.records import OUTCOMES, Response

NUMBER = "number"
_ATTEMPT = ("trial", "repeat", "attempt")
_SCHEMA: dict[str, pl.DataType] = {
    **{name: OUTCOMES[name] for name in (*_ATTEMPT, "text", "reasoning", "stop_reason")},
    "refused": pl.Boolean(),
    "error": pl.String(),
    "requests": pl.Int64(),
    **{name: OUTCOMES[name] for name in ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens")},
    **{name: OUTCOMES[name] for name in ("latency", "ended", "served_model", "cached", "digest")},
}
_VALUES = attrgetter(*_SCHEMA)
_TOKENS = ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens")


@dataclass(frozen=True)
class Attempts:
    """Every complete line of a file of responses as a row, in order; `NUMBER` is the line's number from 1.

    The other columns are the fields of a response that the outcome table needs, and `digest` and `refused`.
    """

    lines: pl.DataFrame

    @classmethod
    def read(cls, path: Path) -> Attempts:
        """The attempts in a file; raises `InputError` if it cannot be read or a complete line is not a response."""
        stored = lines_of(path)
        return cls(frame_of((_row(path, line, stored) for line in stored), {NUMBER: pl.Int64(), **_SCHEMA}))

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

    def of(self, trials: Collection[str], repeats: int) -> Attempts:
        """The attempts at these trials."""
        planned = self.lines.select(_planned(trials, repeats)).to_series()
        return self if planned.all() else Attempts(self.lines.filter(planned))

    def remarks(self, name: str, trials: Collection[str], repeats: int) -> list[str]:
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


def spent(attempts: pl.DataFrame) -> Spent:
    """The tokens of these attempts, as `Spent.over` counts them.

    >>> from veridical.records import Response
    >>> line = Response(trial="t", input_tokens=10, output_tokens=2)
    >>> spent(pl.DataFrame([_VALUES(line)], schema=_SCHEMA, orient="row")).tokens
    12
    """
    replied = pl.col("error").is_null() & ~pl.col("refused") & ~pl.col("cached")
    uncounted = replied & pl.col("input_tokens").is_null() & (pl.col("requests") > 0)
    many = attempts.select(uncounted.sum()).item()
    return Spent(**{name: total(attempts, name) for name in _TOKENS}, uncounted=many)


def total(attempts: pl.DataFrame, column: str) -> int:
    """The sum of a column of counts, of any size; what is not stated counts nothing."""
    return sum(map(int, attempts[column].drop_nulls().to_list()))  # a file may state counts whose sum is beyond 64 bits


def _planned(trials: Collection[str], repeats: int) -> pl.Expr:
    wanted = pl.Series("trial", list(trials), pl.String())
    return pl.col("trial").is_in(wanted.implode()) & (pl.col("repeat") <= repeats)


def _row(path: Path, line: Line, later: Iterable[Line]) -> tuple[object, ...]:
    if line.response is None:
        raise damaged_lines_error(path, line, later)
    return line.number, *_VALUES(line.response)
