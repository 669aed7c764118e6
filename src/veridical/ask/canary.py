"""What a failure of the very first request tells the person who started the run."""

from __future__ import annotations

from typing import NamedTuple

from veridical.ask.failures import Failure, Kind
from veridical.ask.models import key_variable
from veridical.ask.redact import Redact, clean_endpoint, one_line
from veridical.errors import InputError
from veridical.records import Text, Trial

SYSTEMATIC: frozenset[Kind] = frozenset({"auth", "not_found", "connection"})
"""Failures that every other trial would meet as well."""


class Place(NamedTuple):
    """A model, by inspect-ai's name for it, and its endpoint; as a text, for people: as given, and without secrets."""

    model: str
    endpoint: str | None

    @property
    def name(self) -> str:
        """The model's name as it was given."""
        return self.model.removeprefix("openai-api/veridical/")

    def __str__(self) -> str:
        return f"'{self.name}' at {clean_endpoint(self.endpoint)}" if self.endpoint else f"'{self.name}'"


def place_of(model: str, endpoint: object) -> Place:
    """Where a model is asked; an endpoint that is no text is none.

    >>> str(place_of("openai-api/veridical/m", "http://me:pw@host:8000/v1"))
    "'m' at http://host:8000/v1"
    """
    return Place(model, endpoint if isinstance(endpoint, str) else None)


def refusal(failure: Failure, trial: Trial, place: Place, redact: Redact) -> InputError:
    """The one line that ends a run at its first trial: what, where, and what to do."""
    name, url = f"'{place.name}'", " and the base URL" if place.endpoint else ""
    network = "check the base URL and that the server runs" if place.endpoint else "check the network"
    told = {
        "auth": ("refuses the key", f"set {key_variable(place.model)}, or what models.toml names, to a valid key"),
        "not_found": ("is not there", f"check the model's name {name}{url}"),
        "connection": ("cannot be reached", network),
    }
    other = "refuses the first trial", f"check the model's name {name}, and that it takes media and these settings"
    said, remedy = told.get(failure.kind, other)
    return InputError(f"the model {place} {said} ({in_words(failure, trial, redact)}): {remedy}; nothing more was sent")


def in_words(failure: Failure, trial: Trial, redact: Redact) -> str:
    """A failure in one line: its fact, and what the server or the exception says, unless that repeats the request."""
    fact, reason = redact(failure.detail), one_line(redact(failure.reason), longest=160)
    if reason and fact.rpartition(": ")[2] not in reason and not _quotes(reason, trial):
        fact += f", it says: {reason}" if fact.startswith("HTTP") else f": {reason}"
    return fact


def stops(failure: Failure, *, known: bool) -> bool:
    """Whether a failure of the very first request ends a run: every other trial would meet it as well.

    So would any that is not transient while nothing was ever answered; `known` says that something was. A reply that a
    file of answers lacks is nothing but that.
    """
    if failure.past or failure.kind == "missing":
        return False
    return failure.kind in SYSTEMATIC or not (failure.again or known)


def _quotes(reason: str, trial: Trial) -> bool:
    """Whether a server's reason repeats the request, seen by a picture's encoding or by any longer line of its text."""
    texts = [part.text for message in trial.messages for part in message.parts if isinstance(part, Text)]
    lines = (" ".join(line.split()) for text in texts for line in text.splitlines())
    return "base64" in reason or any(line[:40] in reason for line in lines if len(line) >= 8)
