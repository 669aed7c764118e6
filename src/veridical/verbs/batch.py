"""Trials as the input of an OpenAI batch, which vLLM and others run as well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from veridical.ask.chat import data_url
from veridical.ask.clients.base import Schema, free
from veridical.ask.clients.by_openai import response_format
from veridical.ask.folder import distinct
from veridical.ask.policy import Sampling
from veridical.errors import InputError
from veridical.records import Json, Media, Message, Text, Trial
from veridical.verbs.line_files import Most, Written, write_lines

_URL = "/v1/chat/completions"
ACCEPTED = Most(bytes=200_000_000, lines=50_000)
"""What OpenAI's batch service takes in one file."""


def write_batches(
    path: Path,
    trials: Iterable[Trial],
    read: Callable[[str], bytes],
    *,
    model: str,
    temperature: float | None = None,
    max_tokens: int | None = None,
    schema: Schema = free,
    most: Most = ACCEPTED,
) -> Written:
    """What was written: one chat completion per trial, `custom_id` being the trial's id.

    Parts stand in the trial's order, pictures as data URLs of their own bytes, which `read` gives by their path in the
    set. Neither the true answers nor what a reader expects are in the file. `max_tokens` goes as
    `max_completion_tokens`, the `schema` that a reply is held to as `response_format`. What one file may not hold goes
    on in further ones (see `write_lines`); each appears when all are whole. Raises `InputError` where they cannot be
    written, for sampling that is not allowed, for a clip, for what is no picture, for two trials of one id, and for a
    request that is larger than a file may be.
    """
    Sampling(temperature=temperature, max_tokens=max_tokens)
    stated = {"model": model, "temperature": temperature, "max_completion_tokens": max_tokens}
    fixed = {name: value for name, value in stated.items() if value is not None}

    @lru_cache(maxsize=4)
    def url(picture: Media) -> str:
        return data_url(picture, read(picture.file))

    return write_lines(
        path,
        (
            {
                "custom_id": trial.id,
                "method": "POST",
                "url": _URL,
                "body": {
                    **fixed,
                    **_held(schema(trial)),
                    "messages": [_message(trial.id, m, url) for m in trial.messages],
                },
            }
            for trial in distinct(trials)
        ),
        most,
    )


def _held(schema: Mapping[str, Json] | None) -> dict[str, Json]:
    return {} if schema is None else {"response_format": response_format(schema)}


def _message(trial: str, message: Message, url: Callable[[Media], str]) -> dict[str, Json]:
    first = message.parts[0] if len(message.parts) == 1 else None
    if isinstance(first, Text):
        return {"role": message.role, "content": first.text}
    return {"role": message.role, "content": [_part(trial, part, url) for part in message.parts]}


def _part(trial: str, part: Text | Media, url: Callable[[Media], str]) -> dict[str, Json]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if part.kind != "image":
        raise InputError(f"trial '{trial}' shows the clip {part.file}: a batch takes pictures alone")
    return {"type": "image_url", "image_url": {"url": url(part)}}
