"""A reader is a versioned pure function from reply text; `decide` puts the facts and the reading in their one order."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from veridical.records import Reading, Response, Status


class Read(NamedTuple):
    """An answer, or `None` and the reason."""

    answer: str | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """A named, versioned function from reply text to a `Read`; it never raises and never guesses."""

    name: str
    version: str
    read: Callable[[str], Read]


_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) (?:very |so )?(?:sorry|unable|not able)|i (?:can(?:'t|not| not)|won't|will not|must decline)"
    r"|(?:unable|not able) to (?:help|assist|answer|comply|process)|as an ai\b)",
    re.IGNORECASE,
)


def is_refusal(text: str) -> bool:
    """Whether a reply opens by declining to answer (its first 300 characters are looked at).

    >>> is_refusal("I'm sorry, but I can't help with that."), is_refusal("Both lines are equally long.")
    (True, False)
    """
    return _REFUSAL.search(text[:300].replace("\u2019", "'")) is not None


def decide(response: Response, reader: Reader) -> Reading:
    """The reading of a response: error, refused, answered, truncated, unparsed, in the order that facts allow.

    A failure of transport is never an answer; a provider's own refusal stands whatever the text says; what can be read
    is answered, even if the reply was cut afterwards; what was cut before an answer is truncated; the rest is unparsed.

    >>> letter = Reader("letter", "1", lambda text: Read(text) if text == "A" else Read(None, "no letter"))
    >>> decide(Response(trial="t", text="A"), letter).status
    'answered'
    >>> decide(Response(trial="t", text="well", stop_reason="max_tokens"), letter).status
    'truncated'
    """

    def reading(status: Status, answer: str | None, reason: str | None) -> Reading:
        return Reading(status=status, answer=answer, reason=reason, reader=reader.name, version=reader.version)

    if response.error is not None:
        return reading("error", None, response.error)
    if response.refused:
        return reading("refused", None, "the provider flagged a refusal")
    answer, reason = reader.read(response.text)
    if answer is not None:
        return reading("answered", answer, None)
    if is_refusal(response.text):
        return reading("refused", None, "the reply declines and holds no answer")
    if response.stop_reason == "max_tokens":
        return reading("truncated", None, "the length limit came before an answer")
    return reading("unparsed", None, reason)
