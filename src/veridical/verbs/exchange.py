"""Trials out, also as the input of an OpenAI batch; pictures from elsewhere in."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from veridical.ask.clients import Schema, free_form
from veridical.ask.clients.by_openai import response_format
from veridical.ask.folder import distinct_trials
from veridical.ask.pending import data_url
from veridical.ask.policy import Sampling
from veridical.errors import InputError, unknown
from veridical.records import Json, Media, Message, Text, Trial
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.imported import write_import
from veridical.suite import registry
from veridical.suite.parts import Release
from veridical.verbs.line_files import Most, Written, write_lines
from veridical.verbs.line_files import write_trials as write_trial_lines
from veridical.verbs.placed import Place, planned_stage
from veridical.verbs.run_options import RunOptions
from veridical.verbs.sets import folder_for

_LONGEST = 1_000

_URL = "/v1/chat/completions"
ACCEPTED = Most(bytes=200_000_000, lines=50_000)
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
) -> Written:
    """What was written to the file `out`: the trials of a set, a line each, as a run with the same arguments asks them.

    `stage` names a stage of the suite (default: the first). One that is made from replies is that of a run, so that
    `place` is the run's folder, and can be written once its needs are answered; `rests_on` and `accept_errors` are as
    in `run`. The file has JSON lines (see `line_files.write_trials`), with the true answers if `gold` is set; with
    `batch`, it is the input of an OpenAI batch to `model`, in several files named after `out` where one would be larger
    than the service takes (see `batch.ACCEPTED`). Raises `InputError` for what a user can put right.
    """
    options: RunOptions = {"settings": settings, "prompts": prompts, "limit": limit, "rests_on": rests_on}
    options["accept_errors"] = accept_errors
    sampled = {"model": model, "temperature": temperature, "max_tokens": max_tokens}
    return export(place, out, stage=stage, gold=gold, batch=batch, sampled=sampled, options=options)


def export(
    place: Place,
    out: Path | str,
    *,
    stage: str | None,
    gold: bool,
    batch: bool,
    sampled: Mapping[str, Any],
    options: RunOptions,
) -> Written:
    """What `write_trials` writes; `sampled` are the model and the sampling of a batch."""
    named, model = [name for name, value in sampled.items() if value is not None], sampled["model"]
    if batch and not model:
        raise InputError("a batch file names the model that is to answer: give its name as model")
    if batch and gold:
        raise InputError("a batch file is sent to the model, so it holds no true answers: leave out gold or batch")
    if named and not batch:
        raise InputError(f"{', '.join(named)}: only a batch file holds that; leave it out, or give batch")
    setup = planned_stage(place, stage, model or "", **options)
    if batch:
        return write_batches(Path(out), setup.trials, setup.read, schema=setup.schema, **sampled)
    lines = write_trial_lines(Path(out), setup.trials, setup.home, gold=gold, schema=setup.schema)
    return Written(lines, (Path(out),))


def releases() -> dict[str, Release]:
    """What can be imported, by name, over all suites; of two suites with one name, the first has it."""
    by_name: dict[str, Release] = {}
    for suite in registry.every():
        try:
            offered = suite.releases
        except InputError as error:
            warnings.warn(str(error), registry.BrokenSuiteWarning, stacklevel=2)
            continue
        for name, release in offered.items():
            by_name.setdefault(name, release)
    return by_name


def import_release(
    name: str,
    place: Path | str,
    out: Path | str | None = None,
    *,
    source: str | None = None,
    license_name: str | None = None,
    attribution: str | None = None,
    may_be_passed_on: bool | None = None,
    strict: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> StimulusSet:
    """The stimulus set of media on disk, written to the folder `out` (default: a temporary one).

    `name` is one of `releases`. What was found on the way stands in the manifest under `import`, items that cannot be
    used with the reason; `strict` refuses an import that leaves anything out. `source`, `license_name` (such as
    CC-BY-4.0), `attribution` and `may_be_passed_on` are stored in the place of what the importer says. Raises
    `InputError` for what a user can put right.
    """
    offered = releases()
    if name not in offered:
        raise unknown("import", name, offered)
    stated = {"source": source, "license": license_name, "attribution": attribution}
    for key, text in stated.items():
        if text is not None and not (0 < len(text) <= _LONGEST and text.isprintable()):
            raise InputError(f"{key} {text[:40]!r}: 1 to {_LONGEST} characters in one line are allowed")
    rights = {
        key: value for key, value in {**stated, "may_be_passed_on": may_be_passed_on}.items() if value is not None
    }
    what = offered[name].read(Path(place))
    return write_import(replace(what, about={**what.about, **rights}), folder_for(out), progress, strict=strict)


def write_batches(
    path: Path,
    trials: Iterable[Trial],
    read: Callable[[str], bytes],
    *,
    model: str,
    temperature: float | None = None,
    max_tokens: int | None = None,
    schema: Schema = free_form,
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
            for trial in distinct_trials(trials)
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
