"""What a failure of the very first request tells the person who started the run."""

from __future__ import annotations

from veridical.ask.failures import Failure, Kind
from veridical.ask.models import KEY_VARIABLE
from veridical.ask.redact import Redact, clean_endpoint, one_line
from veridical.errors import InputError
from veridical.records import Text, Trial

SYSTEMATIC: frozenset[Kind] = frozenset({"auth", "not_found", "connection"})
"""Failures that every other trial would meet as well."""


def place_of(model: str, endpoint: object) -> str:
    """A model and its endpoint, for people: the name as it was given, and the place without secrets."""
    name = model.removeprefix("openai-api/veridical/")
    return f"'{name}' at {clean_endpoint(endpoint)}" if isinstance(endpoint, str) else f"'{name}'"


def refusal(failure: Failure, trial: Trial, place: str, redact: Redact) -> InputError:
    """The one line that ends a run at its first trial: what, where, and what to do."""
    said, remedy = {
        "auth": ("refuses the key", f"set the provider's key variable ({KEY_VARIABLE} for a server of your own)"),
        "not_found": ("is not there", "check the model's name and the base URL"),
        "connection": ("cannot be reached", "check the base URL and that the server runs"),
    }.get(failure.kind, ("refuses the first trial", "check that the model takes media and these settings"))
    return InputError(f"the model {place} {said} ({in_words(failure, trial, redact)}): {remedy}; nothing more was sent")


def in_words(failure: Failure, trial: Trial, redact: Redact) -> str:
    """A failure in one line: its fact, and what the server or the exception says, unless that repeats the request."""
    reason = one_line(redact(failure.reason), longest=160)
    told = f", it says: {reason}" if reason and not _quotes(reason, trial) else ""
    return f"{redact(failure.detail)}{told}"


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
