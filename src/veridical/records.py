"""The nouns of the library: stimulus, trial, response, reading, outcome, estimate.

Records live at the edges, where things are made, sent and stored. Analysis works on the outcome table, whose one
declared schema is `OUTCOMES`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

import polars as pl

Json = Any
Status = Literal["answered", "unparsed", "refused", "truncated", "error"]
STATUSES: tuple[Status, ...] = get_args(Status)


def canonical(value: Json) -> str:
    """The one JSON text of a value: keys sorted, no spaces, no NaN.

    >>> canonical({"b": 1, "a": [0.5, None]})
    '{"a":[0.5,null],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


class Box(NamedTuple):
    """A rectangle of whole pixels: x0, y0 inclusive, x1, y1 exclusive; y points down."""

    x0: int
    y0: int
    x1: int
    y1: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stimulus:
    """One picture (or a small group of media) with its factors and exact truth.

    `alpha` is the signed strength of the change in [-1, 1], 0 for an unchanged figure, `None` where a suite has no
    such axis; `congruent` tells whether the change goes the way of the illusory impression (`None`: no change, or the
    impression has no direction). `label` is the true answer to `question`, in the suite's own answer format, or `None`
    where there is none; `sha256` is that of the decoded pixels. Stimuli made from one base item share `unit`.
    """

    id: str
    suite: str
    family: str
    unit: str
    variant: str
    category: str
    media: tuple[str, ...]
    question: str
    label: str | None
    width: int
    height: int
    seed: int
    sha256: str
    question_reversed: str | None = None
    alpha: float | None = None
    congruent: bool | None = None
    side: str | None = None
    factors: Mapping[str, Json] = field(default_factory=dict)
    truth: Mapping[str, Json] = field(default_factory=dict)
    measured: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text in a message."""

    text: str


@dataclass(frozen=True, slots=True)
class Media:
    """A reference to a file of the stimulus set, by its path inside the set and the hash of its decoded pixels."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: its role and its parts in the order in which they are sent."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Text | Media, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is put to a model: messages, the setting they belong to, the gold answer, and the reader of the reply."""

    id: str
    suite: str
    stage: str
    stimulus: str
    unit: str
    family: str
    category: str
    variant: str
    messages: tuple[Message, ...]
    gold: str | None
    reader: str
    prompt: str
    alpha: float | None = None
    congruent: bool | None = None
    side: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    factors: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What came back from one attempt at a trial: a fact, never changed.

    An attempt ends with a reply or with `error`, the kind of failure; `requests` counts what was sent for it,
    retries included. `attempt` counts from 1 over all starts of the run. `latency` is in seconds, of the last request.
    `cached_tokens` are those of the `input_tokens` that the provider read from its own cache. A reply that is `cached`
    was given in an earlier run and taken from there: no request was sent for it, and no token was spent.
    """

    trial: str
    repeat: int = 1
    attempt: int = 1
    requests: int = 1
    text: str = ""
    reasoning: str | None = None
    stop_reason: str | None = None
    refused: bool = False
    error: str | None = None
    detail: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    latency: float | None = None
    ended: str | None = None
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reader makes of a response: a status, an answer where there is one, else the reason why not."""

    status: Status
    answer: str | None
    reason: str | None
    reader: str
    version: str


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
    "alpha": pl.Float64(),
    "congruent": pl.Boolean(),
    "side": pl.String(),
    "settings": pl.String(),
    "factors": pl.String(),
    "gold": pl.String(),
    "reader": pl.String(),
    "reader_version": pl.String(),
    "status": pl.String(),
    "answer": pl.String(),
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
    "latency": pl.Float64(),
    "cached": pl.Boolean(),
}
"""Columns of the outcome table, one row per planned trial and repeat.

A trial not yet asked has a null `status`; where it cannot be asked, `reason` says why.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many trials stand behind a figure: planned, asked, one count per status, and how many were asked again."""

    planned: int
    asked: int
    answered: int
    unparsed: int
    refused: int
    truncated: int
    error: int
    asked_again: int = 0

    @classmethod
    def of(cls, outcomes: pl.DataFrame) -> Counts:
        """Counts over the rows of an outcome table; every planned row is in `planned`, none leaves."""
        status = outcomes["status"]
        return cls(
            planned=len(outcomes),
            asked=len(outcomes) - status.null_count(),
            asked_again=int((outcomes["attempt"] > 1).sum() or 0),
            **{name: int((status == name).sum() or 0) for name in STATUSES},
        )

    def __str__(self) -> str:
        parts = [f"{getattr(self, name)} {name}" for name in STATUSES]
        again = [f"{self.asked_again} asked again"] if self.asked_again else []
        return f"planned {self.planned}, asked {self.asked}: " + ", ".join(parts + again)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its interval, its counts and its method, or no value and the reason.

    `unit` is "proportion" (0 to 1), "share" (-1 to 1), "points" (percentage points), "ratio", "z" (of the noise),
    "alpha" (strength), or a factor's own. `low` and `high` bound the interval at
    `level`; `None` beside a value means that this side has no bound, and `reason` says why. `p` belongs to the test
    that `method` names, where there is one.
    """

    suite: str
    metric: str
    slice: Mapping[str, Json]
    value: float | None
    low: float | None
    high: float | None
    unit: str
    n_units: int
    counts: Counts
    method: str
    level: float = 0.95
    reason: str | None = None
    p: float | None = None
