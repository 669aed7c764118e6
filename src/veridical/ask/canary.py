"""The message for a failure of the very first request."""

from __future__ import annotations

from typing import NamedTuple

from veridical.ask.failures import Failure, Kind
from veridical.ask.models import key_variable
from veridical.ask.redact import Redact, clean_endpoint, one_line
from veridical.errors import InputError
from veridical.records import Text, Trial

SYSTEMATIC: frozenset[Kind] = frozenset({"auth", "not_found", "connection"})
"""Failures that would affect every other trial as well."""


class Place(NamedTuple):
    """A model, by inspect-ai's name for it, and its endpoint; its text is for people and has no secrets."""

    model: str
    endpoint: str | None

    @property
    def name(self) -> str:
        """The model's name as the user stated it."""
        return self.model.removeprefix("openai-api/veridical/")

    def __str__(self) -> str:
        return f"'{self.name}' at {clean_endpoint(self.endpoint)}" if self.endpoint else f"'{self.name}'"


def place_of(model: str, endpoint: object) -> Place:
    """The model and endpoint of requests; an endpoint that is not a text is ignored.

    >>> str(place_of("openai-api/veridical/m", "http://me:pw@host:8000/v1"))
    "'m' at http://host:8000/v1"
    """
    return Place(model, endpoint if isinstance(endpoint, str) else None)


def refusal(failure: Failure, trial: Trial, place: Place, redact: Redact) -> InputError:
    """The one-line error that ends a run at its first trial: the problem, the place, and what to do."""
    name, url = f"'{place.name}'", " and the base URL" if place.endpoint else ""
    network = "check the base URL and that the server runs" if place.endpoint else "check the network"
    problems = {
        "auth": ("refuses the key", f"set {key_variable(place.model)}, or what models.toml names, to a valid key"),
        "not_found": ("is not there", f"check the model's name {name}{url}"),
        "connection": ("cannot be reached", network),
    }
    other = "refuses the first trial", f"check the model's name {name}, and that it takes media and these settings"
    problem, remedy = problems.get(failure.kind, other)
    reason = in_words(failure, trial, redact)
    return InputError(f"the model {place} {problem} ({reason}): {remedy}; nothing more was sent")


def in_words(failure: Failure, trial: Trial, redact: Redact) -> str:
    """A failure in one line: its detail, and the stated reason unless that repeats the request."""
    fact, reason = redact(failure.detail), one_line(redact(failure.reason), longest=160)
    if reason and fact.rpartition(": ")[2] not in reason and not _quotes(reason, trial):
        fact += f", it says: {reason}" if fact.startswith("HTTP") else f": {reason}"
    return fact


def stops(failure: Failure, *, answered: bool) -> bool:
    """Whether a failure of the very first request ends a run, because it would affect every other trial.

    Any failure that is not transient counts as one, unless something was `answered` before. A reply that is missing
    from a file of answers never ends a run.
    """
    if failure.past or failure.kind == "missing":
        return False
    return failure.kind in SYSTEMATIC or not (failure.again or answered)


def _quotes(reason: str, trial: Trial) -> bool:
    """Whether a server's reason repeats the request: an encoded picture, or any longer line of its text."""
    texts = [part.text for message in trial.messages for part in message.parts if isinstance(part, Text)]
    lines = (" ".join(line.split()) for text in texts for line in text.splitlines())
    return "base64" in reason or any(line[:40] in reason for line in lines if len(line) >= 8)
