"""The outcome table: its general columns, and the typed columns of declared factors."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from veridical.records.stimuli import Json

OUTCOMES: dict[str, pl.DataType] = {
    "model": pl.String(),
    "trial": pl.String(),
    "repeat": pl.Int64(),
    "suite": pl.String(),
    "stage": pl.String(),
    "stimulus": pl.String(),
    "unit": pl.String(),
    "family": pl.String(),
    "category": pl.String(),
    "variant": pl.String(),
    "settings": pl.String(),
    "factors": pl.String(),
    "expects": pl.String(),
    "gold": pl.String(),
    "reader": pl.String(),
    "reader_version": pl.String(),
    "status": pl.String(),
    "answer": pl.String(),
    "correct": pl.Boolean(),
    "reason": pl.String(),
    "text": pl.String(),
    "reasoning": pl.String(),
    "stop_reason": pl.String(),
    "error": pl.String(),
    "attempt": pl.Int64(),
    "requests": pl.Int64(),
    "input_tokens": pl.Int64(),
    "output_tokens": pl.Int64(),
    "cached_tokens": pl.Int64(),
    "cache_write_tokens": pl.Int64(),
    "latency": pl.Float64(),
    "ended": pl.String(),
    "served_model": pl.String(),
    "cached": pl.Boolean(),
    "digest": pl.String(),
    "sources": pl.String(),
    "about_stage": pl.String(),
    "about_trial": pl.String(),
    "about_repeat": pl.Int64(),
}
"""The general columns of the outcome table, one row per planned trial and repeat.

A suite's declared factors and the `score_<name>` of its readers follow. A trial not yet asked has a null `status`;
if it cannot be asked, `reason` says why. `digest` is the response's. In a later stage `sources` has the responses
that a trial is made from, as canonical JSON; `about_stage`, `about_trial` and `about_repeat` name the first of them.
"""

FactorTypes = Mapping[str, type]
"""Declared factors with the type of each: str, int, float or bool."""

_COLUMN: dict[type, pl.DataType] = {str: pl.String(), int: pl.Int64(), float: pl.Float64(), bool: pl.Boolean()}


def columns_of(factors: FactorTypes) -> dict[str, pl.DataType]:
    """The typed columns of declared factors, in declaration order."""
    return {name: _COLUMN[kind] for name, kind in factors.items()}


def factor_types(columns: Mapping[str, pl.DataType]) -> FactorTypes:
    """The declared factors behind typed columns; the inverse of `columns_of`."""
    kinds = {column: kind for kind, column in _COLUMN.items()}
    return {name: kinds[column] for name, column in columns.items() if column in kinds}


def typed(name: str, value: Json, kind: type) -> Json:
    """The value of a declared factor in the type of its column; `None` stays. Raises ValueError for another type.

    >>> typed("alpha", 0, float)
    0.0
    """
    if value is None or type(value) is kind:
        return value
    if kind is float and type(value) is int:
        return float(value)
    raise ValueError(f"factor {name} {value!r}: declared as {kind.__name__}")
