"""The outcome table and the remarks of a run, made record by record: what the tables of stored files must equal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

import polars as pl

from veridical.answers import Reader, Readers
from veridical.ask.capabilities import opens_reply
from veridical.ask.outcomes import reader_of
from veridical.ask.responses import ResponseLine, contradictions, lines_of, remark_lines
from veridical.ask.trial_table import sources_text
from veridical.base.garbage import no_collection
from veridical.errors import unknown
from veridical.records import OUTCOMES, FactorTypes, Json, Reading, Response, Trial, canonical, columns_of, typed_value

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
    """The outcomes in the order of the trials: one row per trial and repeat."""
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
    planned |= {name: typed_value(name, trial.factors.get(name), kind) for name, kind in factors.items()}
    for repeat in range(1, repeats + 1):
        values = planned | {"repeat": repeat}
        response = responses.get((trial.id, repeat))
        if response is not None:
            values |= {name: getattr(response, name) for name in _OF_RESPONSE}
            values |= _of_reading(reader.read(response, trial))
        elif unsupported is not None and opens_reply(trial):
            values["reason"] = f"not asked: {unsupported}"
        yield values


def _levels(settings: tuple[tuple[str, str], ...]) -> str:
    """Settings as canonical JSON; a run has few different ones."""
    return canonical(dict(settings))


def _of_reading(reading: Reading) -> dict[str, Json]:
    scores = {f"score_{name}": score for name, score in reading.scores.items()}
    stated = {name: getattr(reading, name) for name in ("status", "answer", "reason", "correct")}
    return {**stated, "reader_version": reading.version, **scores}


def remarks(path: Path, trials: Collection[str], repeats: int) -> Iterator[str]:
    """Remarks on the responses in a file: contradictions, and responses to other trials, which are not counted."""
    foreign: list[int] = []

    def seen() -> Iterator[ResponseLine]:
        for line in lines_of(path):
            if (held := line.response) is not None and not (held.trial in trials and held.repeat <= repeats):
                foreign.append(line.number)
            yield line

    pairs = [(later.number, first) for first, later in contradictions(seen())]
    yield from remark_lines(path.name, foreign, pairs)
