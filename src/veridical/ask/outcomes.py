"""The outcome table: trial, response and reading, one row per planned trial."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from veridical.answers import Reader, decide
from veridical.errors import unknown
from veridical.records import OUTCOMES, Json, Response, Trial, canonical

_OF_TRIAL = (
    "suite",
    "stage",
    "stimulus",
    "unit",
    "family",
    "category",
    "variant",
    "alpha",
    "congruent",
    "side",
    "gold",
    "reader",
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
    "latency",
)


def outcome_table(
    model: str,
    trials: Sequence[Trial],
    responses: Mapping[tuple[str, int], Response],
    readers: Mapping[str, Reader],
) -> pl.DataFrame:
    """The outcomes in the order of the trials, with the columns of `OUTCOMES`; a trial not asked has no status.

    Raises `InputError` for a trial whose reader is not among those given.
    """
    for name in {trial.reader: None for trial in trials}:
        if name not in readers:
            raise unknown("reader", name, readers)
    rows = _rows(model, trials, responses, readers)
    return pl.DataFrame(list(rows), schema=OUTCOMES, orient="row")


def _rows(
    model: str, trials: Sequence[Trial], responses: Mapping[tuple[str, int], Response], readers: Mapping[str, Reader]
) -> Iterator[tuple[Json, ...]]:
    for trial in trials:
        values: dict[str, Json] = {name: getattr(trial, name) for name in _OF_TRIAL}
        values |= {"model": model, "trial": trial.id, "repeat": 1}
        values |= {"settings": canonical(dict(trial.settings)), "factors": canonical(dict(trial.factors))}
        response = responses.get((trial.id, 1))
        if response is not None:
            reading = decide(response, readers[trial.reader])
            values |= {name: getattr(response, name) for name in _OF_RESPONSE}
            values |= {"status": reading.status, "answer": reading.answer, "reason": reading.reason}
            values["reader_version"] = reading.version
        yield tuple(values.get(name) for name in OUTCOMES)
