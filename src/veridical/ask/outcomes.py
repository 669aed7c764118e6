"""The outcome table: trial, response and reading, one row per planned trial and repeat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from veridical.answers import Reader, decide
from veridical.ask.capabilities import opens_reply
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
    "cached_tokens",
    "latency",
    "cached",
)


def outcome_table(
    model: str,
    trials: Sequence[Trial],
    responses: Mapping[tuple[str, int], Response],
    readers: Mapping[str, Reader],
    *,
    repeats: int = 1,
    unsupported: str | None = None,
) -> pl.DataFrame:
    """The outcomes in the order of the trials, with the columns of `OUTCOMES`: one row per trial and repeat.

    A trial not asked has no status. Where the model could not continue an assistant's turn, `unsupported` says why,
    and trials that need it have that as their reason. Raises `InputError` for a trial whose reader is not given.
    """
    for name in {trial.reader: None for trial in trials}:
        if name not in readers:
            raise unknown("reader", name, readers)
    rows = (
        tuple(values.get(name) for name in OUTCOMES)
        for trial in trials
        for values in _of_trial(model, trial, responses, readers, repeats, unsupported)
    )
    return pl.DataFrame(list(rows), schema=OUTCOMES, orient="row")


def _of_trial(
    model: str,
    trial: Trial,
    responses: Mapping[tuple[str, int], Response],
    readers: Mapping[str, Reader],
    repeats: int,
    unsupported: str | None,
) -> Iterator[dict[str, Json]]:
    planned: dict[str, Json] = {name: getattr(trial, name) for name in _OF_TRIAL}
    planned |= {"model": model, "trial": trial.id}
    planned |= {"settings": canonical(dict(trial.settings)), "factors": canonical(dict(trial.factors))}
    for repeat in range(1, repeats + 1):
        values = planned | {"repeat": repeat}
        response = responses.get((trial.id, repeat))
        if response is not None:
            reading = decide(response, readers[trial.reader])
            values |= {name: getattr(response, name) for name in _OF_RESPONSE}
            values |= {"status": reading.status, "answer": reading.answer, "reason": reading.reason}
            values["reader_version"] = reading.version
        elif unsupported is not None and opens_reply(trial):
            values["reason"] = f"not asked: {unsupported}"
        yield values
