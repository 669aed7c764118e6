"""Trials, responses, readings, and the outcome table with the typed columns of declared factors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from textwrap import shorten
from typing import Any, Literal, get_args

import polars as pl

from veridical.records.stimuli import Json, Kind, Medium, Stimulus, canonical

Status = Literal["answered", "unparsed", "refused", "truncated", "error"]
STATUSES: tuple[Status, ...] = get_args(Status)
TOKENS = ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens")
"""The counts of tokens of a response."""
COUNTED = (*TOKENS, "requests", "latency")
"""The numbers of a response that its provider reports."""

_SHOWN = 60
MOST_COUNTED = 2**53
"""The largest count that is accepted: JSON, tables and floating-point numbers all hold it exactly."""

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

PROBABILITIES: dict[str, pl.DataType] = {
    "probabilities": pl.String(),
    "probability_of_gold": pl.Float64(),
    "probability_elsewhere": pl.Float64(),
}
"""Further columns of the outcomes of a run with log probabilities of answers.

`probabilities` has the probability of each answer that the question allows, as JSON, by canonical answer;
`probability_of_gold` is the gold answer's share of them, `probability_elsewhere` what remains for anything else.
"""

FORCED_ANSWERS: dict[str, pl.DataType] = {"probability_forced": pl.Boolean()}
"""A further column where answers were forced: whether the probabilities are those of an answer without its reasons."""

CRITICAL_SEEN = "critical_seen"
"""A further column of the outcomes of a run whose model's picture tokens were mapped.

It has the share, 0 to 1, that the model sees of the critical region of a trial's stimulus of which it sees least; null
without a critical region or a map.
"""

FactorTypes = Mapping[str, type]
"""Declared factors with the type of each: str, int, float or bool."""

_COLUMN: dict[type, pl.DataType] = {str: pl.String(), int: pl.Int64(), float: pl.Float64(), bool: pl.Boolean()}


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
    """One turn: its role, and its parts in the order of sending."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Text | Media, ...]


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One turn as it is shown: its role, and its texts and the bytes of its media in order.

    A medium that could not be read has no bytes.
    """

    role: Literal["system", "user", "assistant"]
    parts: tuple[str | bytes, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """The response that a trial of a later stage is made from: its stage, trial and repeat, and its digest.

    `reader` is the reader or rubric, as `NAME VERSION`, where a reading chose the response.
    """

    stage: str
    trial: str
    repeat: int
    digest: str
    reader: str | None = None

    @classmethod
    def of(cls, row: Mapping[str, Json], *, read: bool = False) -> Source:
        """The source for a row of an outcome table; `read` means that the row's reading chose it."""
        reader = f"{row['reader']} {row['reader_version']}" if read else None
        return cls(row["stage"], row["trial"], row["repeat"], row["digest"], reader)

    def facts(self) -> dict[str, Json]:
        """The source as a JSON value."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Trial:
    """One question to a model: messages, settings, and the gold answer.

    `reader` names the family of readers of the reply. `expects` is what a reader must know besides the reply: the
    options, the number of boxes, the keys of a verdict. It is never sent and never exported. `sources` are the
    responses that a trial of a later stage is made from; the first is the one that the trial is about. `place` orders
    asking: trials are asked by ascending place, those of one place in the order of their rows.
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
    sources: tuple[Source, ...] = ()
    place: str = ""

    @classmethod
    def about(cls, stimulus: Stimulus, form: str, **others: Any) -> Trial:  # noqa: ANN401 (the other fields)
        """A trial about one stimulus, asked in the given form.

        The ids of the stimulus and the form make its id; `gold` and `factors` default to the stimulus's own.
        """
        own = {name: getattr(stimulus, name) for name in ("suite", "unit", "family", "category", "variant", "factors")}
        taken = {**own, "id": f"{stimulus.id}?{form}", "stimulus": stimulus.id, "gold": stimulus.label}
        return cls(**{**taken, **others})

    def __repr__(self) -> str:
        return f"<Trial {self.id} of stage {self.stage}: gold {self.gold!r}, read as {self.reader}>"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Response:
    """The result of one attempt at a trial; it is never changed.

    An attempt ends with a reply or with `error`, the kind of failure; `requests` counts the requests sent for it,
    retries included. `attempt` counts from 1 over all starts of the run. `latency` is that of the last request, in
    seconds. `served_model` is the model that the server reports, which may be more exact than the requested name. Of
    the `input_tokens`, the provider read `cached_tokens` from its own cache and wrote `cache_write_tokens` to it. A
    `cached` reply comes from an earlier run: no request was sent for it, and no token was spent. `server` is the place
    of the server that was asked last, from 0, in the list of the start in which it was; `None` if there was only one.
    `logprobs`,
    if the run asked for them, hold for the token that states the answer its natural log probability and those of its
    likeliest alternatives, and what of the answer stands before it:
    `[{"token": "1", "logprob": -0.1, "top_logprobs": [{…}, …], "before": ""}]`. Those of an answer without its reasons,
    asked for by a request of its own, also have its beginning as `forced`. They are no part of the digest.

    Counts come from the provider and are validated. A token count that is not a whole number from 0 to 2⁵³ becomes
    `None`, as does a latency outside that range. So do counts of cached tokens that exceed the input tokens. An invalid
    `requests` becomes the smallest possible number.

    >>> wrong = Response(trial="t", input_tokens=2**63, output_tokens=-1, latency=-0.5)
    >>> wrong.input_tokens, wrong.output_tokens, wrong.latency
    (None, None, None)
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
    cache_write_tokens: int | None = None
    served_model: str | None = None
    logprobs: Json = None
    latency: float | None = None
    ended: str | None = None
    cached: bool = False
    server: int | None = None

    def __post_init__(self) -> None:
        for name in TOKENS:
            count = getattr(self, name)
            if count is not None and (type(count) is not int or not 0 <= count <= MOST_COUNTED):
                object.__setattr__(self, name, None)
        if (self.cached_tokens or 0) + (self.cache_write_tokens or 0) > (self.input_tokens or 0):
            object.__setattr__(self, "cached_tokens", None)
            object.__setattr__(self, "cache_write_tokens", None)
        if type(self.requests) is not int or not 0 <= self.requests <= MOST_COUNTED:
            object.__setattr__(self, "requests", 0 if self.cached else 1)
        if self.latency is not None and (type(self.latency) is not float or not 0 <= self.latency <= MOST_COUNTED):
            valid = type(self.latency) is int and 0 <= self.latency <= MOST_COUNTED
            object.__setattr__(self, "latency", float(self.latency) if valid else None)

    def __repr__(self) -> str:
        content = repr(shorten(self.text, _SHOWN)) if self.error is None else f"error {self.error}"
        return f"<Response to {self.trial}, repeat {self.repeat}, attempt {self.attempt}: {content}>"

    @property
    def digest(self) -> str:
        """The sha256 of the trial, the repeat and the content of the reply.

        Attempt, tokens and times do not enter it: a cached, replayed or repeated reply in the same words has the same
        digest.

        >>> Response(trial="t", text="Yes").digest == Response(trial="t", text="Yes", attempt=2, latency=0.5).digest
        True
        """
        content = (self.text, self.reasoning, self.stop_reason, self.refused, self.error)
        return sha256(canonical([self.trial, self.repeat, *content]).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def answer_token(self) -> str | None:
        """The token that states the answer, as JSON; `None` where the `logprobs` of others are stored, or none.

        A stored number that is not finite, which no provider's is, makes it `None` too.

        >>> Response(trial="t", logprobs=[{"token": "1", "logprob": -0.5, "before": ""}]).answer_token
        '{"before":"","logprob":-0.5,"token":"1"}'
        """
        only = self.logprobs[0] if isinstance(self.logprobs, list) and len(self.logprobs) == 1 else None
        if not isinstance(only, Mapping) or "before" not in only:
            return None
        try:
            return canonical(only)
        except ValueError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A reader's result for a response to a trial: a status, and an answer or the reason why there is none.

    `scores` are named numbers in the ranges that the reader declares. `correct` is `None` if there is no gold answer.
    """

    status: Status
    answer: str | None
    reason: str | None
    reader: str
    version: str
    scores: Mapping[str, float] = field(default_factory=dict)
    correct: bool | None = None


def columns_of(factors: FactorTypes) -> dict[str, pl.DataType]:
    """The typed columns of declared factors, in declaration order."""
    return {name: _COLUMN[kind] for name, kind in factors.items()}


def factor_types(columns: Mapping[str, pl.DataType]) -> FactorTypes:
    """The declared factors behind typed columns; the inverse of `columns_of`."""
    kinds = {column: kind for kind, column in _COLUMN.items()}
    return {name: kinds[column] for name, column in columns.items() if column in kinds}


def typed_value(name: str, value: Json, kind: type) -> Json:
    """The value of a declared factor in the type of its column; `None` stays. Raises ValueError for another type.

    >>> typed_value("alpha", 0, float)
    0.0
    """
    if value is None or type(value) is kind:
        return value
    if kind is float and type(value) is int:
        return float(value)
    raise ValueError(f"factor {name} {value!r}: declared as {kind.__name__}")
