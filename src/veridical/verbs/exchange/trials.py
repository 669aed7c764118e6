"""Trials for a runner of one's own, also as the input of an OpenAI batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from veridical.ask.clients import Schema, free_form
from veridical.ask.clients.openai_client import response_format
from veridical.ask.folder import distinct_trials
from veridical.ask.pending_trials import data_url
from veridical.ask.policy import Policy, Sampling
from veridical.base.run_options import RunOptions
from veridical.errors import InputError
from veridical.records import Json, Media, Text, Trial
from veridical.verbs.exchange.line_files import FileLimit, LineFiles, write_lines
from veridical.verbs.exchange.line_files import write_trials as write_trial_lines
from veridical.verbs.exchange.planned_stages import Place, outgoing_trials, planned_stage

_URL = "/v1/chat/completions"
ACCEPTED = FileLimit(bytes=200_000_000, lines=50_000)
"""What OpenAI's batch service takes in one file."""


def write_trials(
    place: Place,
    out: Path | str,
    *,
    stage: str | None = None,
    rests_on: str | None = None,
    accept_errors: bool = False,
    settings: Mapping[str, str | Sequence[str]] | None = None,
    prompts: Path | str | None = None,
    limit: int | None = None,
    gold: bool = False,
    batch: bool = False,
    model: str | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    logprobs: bool = False,
    top_logprobs: int | None = None,
) -> LineFiles:
    """What was written to the file `out`: the trials of a set, a line each, as a run with the same arguments asks them.

    Ids and the names of media, which are copied, are opaque: `-M answers=` of `veridical/replay` takes these ids too.

    `stage` names a stage of the suite (default: the first). One that is made from replies is that of a run, so that
    `place` is the run's folder, and can be written once its needs are answered; `rests_on` and `accept_errors` are as
    in `run`. The file has JSON lines (see `line_files.write_trials`), with the true answers if `gold` is set; with
    `batch`, it is the input of an OpenAI batch to `model`, in several files named after `out` where one would be larger
    than the service takes (see `batch.ACCEPTED`). Raises `InputError` for what a user can put right.
    """
    sampled: dict[str, Any] = {"model": model, "temperature": temperature, "max_tokens": max_tokens}
    sampled |= {"logprobs": logprobs or None, "top_logprobs": top_logprobs}
    named = [name for name, value in sampled.items() if value is not None]
    if batch and not model:
        raise InputError("a batch file names the model that is to answer: give its name as model")
    if batch and gold:
        raise InputError("a batch file is sent to the model, so it holds no true answers: leave out gold or batch")
    if named and not batch:
        raise InputError(f"{', '.join(named)}: only a batch file holds that; leave it out, or give batch")
    options: RunOptions = {"settings": settings, "prompts": prompts, "limit": limit, "rests_on": rests_on}
    options["accept_errors"] = accept_errors
    setup = planned_stage(place, stage, model or "", **options)
    opaque, trials = setup.stimuli.opaque, outgoing_trials(setup)
    if batch:
        return write_batches(Path(out), trials, setup.read, opaque=opaque, schema=setup.schema, **sampled)
    lines = write_trial_lines(Path(out), trials, setup.read, opaque=opaque, gold=gold, schema=setup.schema)
    return LineFiles(lines, (Path(out),))


def write_batches(
    path: Path,
    trials: Iterable[Trial],
    read: Callable[[str], bytes],
    *,
    opaque: Callable[[str], str],
    model: str,
    temperature: float | None = None,
    max_tokens: int | None = None,
    logprobs: bool | None = None,
    top_logprobs: int | None = None,
    schema: Schema = free_form,
    most: FileLimit = ACCEPTED,
) -> LineFiles:
    """What was written: one chat completion per trial, `custom_id` being what `opaque` makes of the trial's id.

    Parts stand in the trial's order, pictures as data URLs of their own bytes, which `read` gives by their path in the
    set. Neither the true answers nor what a reader expects are in the file. `max_tokens` goes as
    `max_completion_tokens`, the `schema` that a reply is held to as `response_format`; with `logprobs`, those of the
    `top_logprobs` likeliest tokens (default: 20) are asked for. What one file may not hold goes on in further ones (see
    `write_lines`); each appears when all are whole. Raises `InputError` where they cannot be written, for sampling that
    is not allowed, for a clip, for what is no picture, for two trials of one id, and for a request that is larger than
    a file may be.
    """
    Sampling(temperature=temperature, max_tokens=max_tokens)
    tops = Policy(logprobs=bool(logprobs), top_logprobs=top_logprobs).tops
    stated = {"model": model, "temperature": temperature, "max_completion_tokens": max_tokens}
    stated |= {} if tops is None else {"logprobs": True, "top_logprobs": tops}
    fixed = {name: value for name, value in stated.items() if value is not None}

    @lru_cache(maxsize=4)
    def url(picture: Media) -> str:
        return data_url(picture, read(picture.file))

    return write_lines(
        path,
        (
            {
                "custom_id": opaque(trial.id),
                "method": "POST",
                "url": _URL,
                "body": {
                    **fixed,
                    **_held(schema(trial)),
                    "messages": chat_turns(trial, url, "a batch"),
                },
            }
            for trial in distinct_trials(trials)
        ),
        most,
    )


def _held(schema: Mapping[str, Json] | None) -> dict[str, Json]:
    return {} if schema is None else {"response_format": response_format(schema)}


def chat_turns(trial: Trial, url: Callable[[Media], str], form: str) -> list[dict[str, Json]]:
    """The messages of a trial as chat completions have them, parts in order; `url` gives a picture's data URL.

    Raises `InputError`, which names the `form` of file, for a clip.
    """
    turns: list[dict[str, Json]] = []
    for message in trial.messages:
        only = message.parts[0] if len(message.parts) == 1 else None
        content = only.text if isinstance(only, Text) else [_part(trial, part, url, form) for part in message.parts]
        turns.append({"role": message.role, "content": content})
    return turns


def _part(trial: Trial, part: Text | Media, url: Callable[[Media], str], form: str) -> dict[str, Json]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    require_picture(trial, part, form)
    return {"type": "image_url", "image_url": {"url": url(part)}}


def require_picture(trial: Trial, part: Media, form: str) -> None:
    """Raises `InputError`, which names the `form` of file, for a clip. Frames of a clip are pictures."""
    if part.kind != "image":
        raise InputError(f"trial '{trial.id}' shows the clip {part.file}: {form} takes pictures alone")
