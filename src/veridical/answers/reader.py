"""A reader is a versioned pure function of a response and its trial; statuses are given in one order by all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from veridical.answers.thinking import split_thinking
from veridical.answers.truncation import Complete, statement_complete
from veridical.records import Json, Reading, Response, Status, Trial


class ParsedAnswer(NamedTuple):
    """An answer, or `None` and the reason."""

    answer: str | None
    reason: str | None = None


class ReaderInput(NamedTuple):
    """What a reader takes of a response: two replies that are equal are read alike."""

    text: str
    error: str | None = None
    refused: bool = False
    stop_reason: str | None = None


class Marks(NamedTuple):
    """Whether an answer is correct (`None`: nothing can be right), and its named scores."""

    correct: bool | None
    scores: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Parser:
    """A named, versioned function from reply text to a `ParsedAnswer`; it never raises and never guesses."""

    name: str
    version: str
    read: Callable[[str], ParsedAnswer]


def is_gold(answer: str | None, gold: str | None) -> bool | None:
    """Whether an answer is the gold answer, which `None`, no answer, never is; `None` where there is no gold answer."""
    return None if gold is None else answer == gold


def mark_by_gold(answer: str, trial: Trial) -> Marks:
    """An answer is correct where it is the gold answer; there are no scores."""
    return Marks(is_gold(answer, trial.gold))


def leave_unmarked(answer: str, trial: Trial) -> Marks:  # noqa: ARG001 (as other marks)
    """Nothing is correct or wrong: a judge marks the answer."""
    return Marks(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What reads the replies to trials of its family; it never raises and never guesses.

    `parse` makes an answer of the reply's text and of what the trial `expects`, and cannot see the gold answer. `mark`
    holds an answer against the trial: whether it is correct, and a number for each name in `scores`, which gives the
    range of each. In a reply that the length limit cut, an answer counts only if it was `complete`: by default, if it
    was stated before the end (see `veridical.answers.truncation`, which has the rules to choose from). `schema` is the
    JSON schema of a reply, for providers that can hold a model to it. A reader that is `special`, for models with a
    form of reply of their own, is used where it is chosen, and no report compares it with the default.
    """

    name: str
    version: str
    parse: Callable[[str, Mapping[str, Json]], ParsedAnswer]
    mark: Callable[[str, Trial], Marks] = mark_by_gold
    scores: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    complete: Complete = statement_complete
    schema: Mapping[str, Json] | None = None
    special: bool = False

    def read(self, response: Response, trial: Trial) -> Reading:
        """The reading of a response. Where a trial has a gold answer, what is not answered is not correct.

        >>> parse = lambda text, _: ParsedAnswer(text or None, "nothing said")
        >>> colour = Reader(name="colour", version="1", parse=parse)
        >>> trial = Trial(id="t", suite="s", stage="ask", stimulus="s", unit="u", family="f", category="c", variant="v",
        ...               messages=(), gold="red", reader="colour", prompt="")
        >>> colour.read(Response(trial="t", text="red"), trial).correct
        True
        >>> reading = colour.read(Response(trial="t", text="", stop_reason="max_tokens"), trial)
        >>> reading.status, reading.correct
        ('truncated', False)
        """
        status, answer, reason = decision = self.decide(response, trial.expects)
        marks = self.marks(decision, trial)
        return Reading(
            status=status,
            answer=answer,
            reason=reason,
            reader=self.name,
            version=self.version,
            scores=marks.scores,
            correct=marks.correct,
        )

    def decide(self, response: Response | ReaderInput, expects: Mapping[str, Json]) -> Decision:
        """The status of a reply with its answer or the reason why there is none, whatever the gold answer is."""
        decision = decide(response, lambda text: self.parse(text, expects))
        if decision.answer is None or response.stop_reason != "max_tokens":
            return decision
        if self.complete(response.text, lambda text: self.parse(text, expects).answer == decision.answer):
            return decision
        return Decision("truncated", None, "the length limit came before the answer was complete")

    def marks(self, decision: Decision, trial: Trial) -> Marks:
        """The marks of what was decided. Where a trial has a gold answer, what is not answered is not correct."""
        if decision.answer is None:
            return Marks(is_gold(None, trial.gold))
        return self.mark(decision.answer, trial)


def text_reader(parser: Parser) -> Reader:
    """A reader of replies to which nothing needs to be known beside the text.

    >>> text_reader(Parser("binary", "1", lambda text: ParsedAnswer(text))).name
    'binary'
    """
    return Reader(name=parser.name, version=parser.version, parse=lambda text, _: parser.read(text))


def options_reader(parser: Callable[..., Parser]) -> Callable[[str, Mapping[str, Json]], ParsedAnswer]:
    """What reads a reply with the parser of the `options` that a trial expects."""
    cached = lru_cache(maxsize=256)(parser)

    def parse(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
        return cached(*expects["options"]).read(text)

    return parse


Readers = Mapping[str, tuple[Reader, ...]]
"""The readers of each family, the default first."""

_REFUSAL = re.compile(
    r"(?i)\b(?:i(?:'m| am) (?:very |so )?(?:sorry|unable|not able)|i (?:can(?:'t|not| not)|won't|will not|must decline)"
    r"|(?:unable|not able) to (?:help|assist|answer|comply|process)|as an ai\b)"
)


def is_refusal(text: str) -> bool:
    """Whether a reply opens by declining to answer (its first 300 characters are looked at).

    >>> is_refusal("I'm sorry, but I can't help with that."), is_refusal("Both lines are equally long.")
    (True, False)
    """
    return _REFUSAL.search(text[:300].replace("\u2019", "'")) is not None


class Decision(NamedTuple):
    """A status, with the answer where there is one, else the reason why not."""

    status: Status
    answer: str | None
    reason: str | None


FLAGGED = "the provider flagged a refusal"
"""The reason of no replies but those that are `refused`."""


def decide(response: Response | ReaderInput, parse: Callable[[str], ParsedAnswer]) -> Decision:
    """The status of a response: error, refused, answered, truncated, unparsed, in the order that facts allow.

    A failure of transport is never an answer; a provider's own refusal stands whatever the text says; what can be read
    is answered, even if the reply was cut afterwards; what was cut before an answer is truncated; the rest is unparsed.

    >>> letter = lambda text: ParsedAnswer(text) if text == "A" else ParsedAnswer(None, "no letter")
    >>> decide(Response(trial="t", text="A"), letter).status
    'answered'
    >>> decide(Response(trial="t", text="well", stop_reason="max_tokens"), letter).status
    'truncated'
    """
    if response.error is not None:
        return Decision("error", None, response.error)
    if response.refused:
        return Decision("refused", None, FLAGGED)
    text, thinking = split_thinking(response.text)
    if thinking and not text.strip():
        return Decision("truncated", None, "the reply ends while it still thinks")
    answer, reason = parse(text)
    if answer is not None:
        return Decision("answered", answer, None)
    if is_refusal(text):
        return Decision("refused", None, "the reply declines and holds no answer")
    if response.stop_reason == "max_tokens":
        return Decision("truncated", None, "the length limit came before an answer")
    return Decision("unparsed", None, reason)
