"""The nouns of the library: medium, stimulus, trial, response, reading, outcome, estimate.

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
Kind = Literal["image", "video"]
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
class Medium:
    """One picture or clip of a stimulus: its file inside the set, and what decoding it gives.

    `sha256` is that of the decoded pixels, of a clip all frames in order. A clip has its number of `frames` and its
    `rate` in frames per second (`None`: the rate varies).
    """

    file: str
    kind: Kind
    width: int
    height: int
    sha256: str
    frames: int | None = None
    rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stimulus:
    """Any number of media with their factors and exact truth.

    `label` is the true answer to `question`, in the suite's own answer format, or `None` where there is none. Stimuli
    made from one base item share `unit`. `factors` holds what varies; those that the suite declares are typed columns
    of its tables.
    """

    id: str
    suite: str
    family: str
    unit: str
    variant: str
    category: str
    question: str
    label: str | None
    seed: int
    media: tuple[Medium, ...] = ()
    factors: Mapping[str, Json] = field(default_factory=dict)
    truth: Mapping[str, Json] = field(default_factory=dict)
    measured: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chunk:
    """An independent piece of a design: the unit of that index in a family."""

    family: str
    index: int


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text in a message."""

    text: str


@dataclass(frozen=True, slots=True)
class Media:
    """A reference to a medium of the stimulus set, by its path inside the set and the hash of its decoded pixels."""

    file: str
    sha256: str
    kind: Kind = "image"

    @classmethod
    def of(cls, medium: Medium) -> Media:
        """The reference to a medium."""
        return cls(medium.file, medium.sha256, medium.kind)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: its role and its parts in the order in which they are sent."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Text | Media, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is put to a model: messages, the settings that they belong to, and the gold answer.

    `reader` names the family of readers of the reply. `expects` is what a reader must know besides the reply: the
    options, how many boxes there are, the keys of a verdict; it is never sent and never exported.
    """

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
    settings: Mapping[str, str] = field(default_factory=dict)
    factors: Mapping[str, Json] = field(default_factory=dict)
    expects: Mapping[str, Json] = field(default_factory=dict)

    @classmethod
    def about(cls, stimulus: Stimulus, form: str, **others: Any) -> Trial:  # noqa: ANN401 (the other fields)
        """A trial about one stimulus, asked in that form.

        Its id is that of the stimulus and the form; `gold` and `factors` are the stimulus's own unless they are given.
        """
        own = {name: getattr(stimulus, name) for name in ("suite", "unit", "family", "category", "variant", "factors")}
        taken = {**own, "id": f"{stimulus.id}?{form}", "stimulus": stimulus.id, "gold": stimulus.label}
        return cls(**{**taken, **others})


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
    """What a reader makes of a response to a trial: a status, an answer where there is one, else the reason why not.

    `scores` are named numbers in the ranges that the reader declares. `correct` is `None` where nothing can be right.
    """

    status: Status
    answer: str | None
    reason: str | None
    reader: str
    version: str
    scores: Mapping[str, float] = field(default_factory=dict)
    correct: bool | None = None


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
    "latency": pl.Float64(),
    "cached": pl.Boolean(),
}
"""The general columns of the outcome table, one row per planned trial and repeat.

A suite's declared factors and the `score_<name>` of its readers follow. A trial not yet asked has a null `status`;
where it cannot be asked, `reason` says why.
"""

FactorTypes = Mapping[str, type]
"""Declared factors with the type of each: str, int, float or bool."""

_COLUMN: dict[type, pl.DataType] = {str: pl.String(), int: pl.Int64(), float: pl.Float64(), bool: pl.Boolean()}


def columns_of(factors: FactorTypes) -> dict[str, pl.DataType]:
    """The typed columns of declared factors, in the order in which they are declared."""
    return {name: _COLUMN[kind] for name, kind in factors.items()}


def factor_types(columns: Mapping[str, pl.DataType]) -> FactorTypes:
    """The declared factors that typed columns hold; the inverse of `columns_of`."""
    kinds = {column: kind for kind, column in _COLUMN.items()}
    return {name: kinds[column] for name, column in columns.items() if column in kinds}


def typed(name: str, value: Json, kind: type) -> Json:
    """The value of a declared factor as its column holds it; `None` stays. Raises ValueError for another type.

    >>> typed("alpha", 0, float)
    0.0
    """
    if value is None or type(value) is kind:
        return value
    if kind is float and type(value) is int:
        return float(value)
    raise ValueError(f"factor {name} {value!r}: declared as {kind.__name__}")


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
class Unit:
    """The unit of an estimate: how its values are written, and what they can be.

    A value is shown times `scale`, with `digits` behind the point and `suffix` after it, `signed` with a plus above 0.
    `low` and `high` bound what is possible (`None`: nothing does); `neutral` is the value that says nothing either way.
    """

    name: str
    digits: int
    suffix: str = ""
    scale: float = 1.0
    signed: bool = False
    low: float | None = None
    high: float | None = None
    neutral: float | None = None

    def __str__(self) -> str:
        return self.name


PROPORTION = Unit(name="proportion", digits=1, suffix=" %", scale=100.0, low=0.0, high=1.0)
POINTS = Unit(name="points", digits=1, suffix=" pts", signed=True, neutral=0.0)
RATIO = Unit(name="ratio", digits=2, low=0.0, neutral=1.0)
SHARE = Unit(name="share", digits=3, low=-1.0, high=1.0, neutral=0.0)
Z = Unit(name="z", digits=2, suffix=" z", neutral=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What a metric is: its title, what it says, where it is from, its unit, and which way is better (if any)."""

    title: str
    definition: str
    unit: Unit
    source: str = ""
    better: Literal["higher", "lower"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its interval, its counts and its method, or no value and the reason.

    `low` and `high` bound the interval at `level`; `None` beside a value means that this side has no bound, and
    `reason` says why. `p` belongs to the test that `method` names, where there is one.
    """

    suite: str
    metric: str
    slice: Mapping[str, Json]
    value: float | None
    low: float | None
    high: float | None
    unit: Unit
    n_units: int
    counts: Counts
    method: str
    level: float = 0.95
    reason: str | None = None
    p: float | None = None
