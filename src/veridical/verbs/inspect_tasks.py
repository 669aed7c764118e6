"""The suites as tasks of inspect-ai, from the same trials and readers: `inspect eval veridical/viprobe --model ...`.

Each known suite is a task of its name, and each of its later stages one of `SUITE-STAGE`, on a run's replies. A sample
is a trial; the trial's record is its metadata, the response its store. A request that failed makes its sample an error
that is scored as one, so it stays in every denominator, and `inspect eval-retry` asks it again. `outcomes_of` turns a
log into the outcome table, from which the suite's own estimates follow; inspect's means are over all trials whose reply
can be right, each variant with its own weight.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import lru_cache
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import TypeAdapter
from rich.markup import escape

from veridical.ask import Policy, require_continuation
from veridical.ask.attempt import Asker
from veridical.ask.capabilities import require_media
from veridical.ask.clients import TrialAttempt, content_in
from veridical.ask.clients.inspect_client import InspectClient, chat_messages
from veridical.ask.outcomes import outcome_table
from veridical.ask.redact import redactor
from veridical.ask.trial_table import from_row, to_row
from veridical.base.options import chosen_options
from veridical.base.requirements import extra_needed
from veridical.errors import InputError, unknown
from veridical.records import STATUSES, Json, Media, Response, Trial, canonical
from veridical.stimulus_set import StimulusSet
from veridical.suite import registry
from veridical.suite.record import Suite
from veridical.verbs import provider
from veridical.verbs.exchange.line_files import place_of
from veridical.verbs.exchange.planned_stages import planned_stage
from veridical.verbs.results.result import open_run
from veridical.verbs.runs.roles import require_held, schema_for
from veridical.verbs.runs.setup import Setup
from veridical.verbs.sets import make, open_set

with extra_needed("providers", "a task of inspect"):
    from inspect_ai import Task, task
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.log import EvalLog, EvalSample, read_eval_log, read_eval_log_samples
    from inspect_ai.model import ContentImage, ContentVideo, GenerateConfig, Model, ModelOutput, get_model
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver

__all__ = ["outcomes_of", "plan_trials", "provider", "task_of"]

STORED, _HASHES, _OPAQUE = "response", "media_sha256", "opaque_id"
_POLICY = Policy()
_RESPONSE = TypeAdapter(Response)
_QUICK = "quick"
_SETS: dict[str, StimulusSet] = {}


def task_of(name: str, stage: str | None = None) -> Callable[..., Task]:
    """The task of a stage of the suite of that name, registered with inspect-ai as `veridical/NAME[-STAGE]`.

    That of the first stage takes `set`, the folder of a stimulus set, or the suite's own options of a set that is drawn
    anew (default: its quick recipe), and `limit`, so many whole units of it. That of a later stage takes `run`, the
    folder of a run whose replies its trials are made from, and `rests_on`, the judge that counts. Both take `settings`,
    the levels to cross for settings of the suite. For bad input they raise inspect-ai's own one-line error.
    """

    @task(name=name)
    def suite_task(
        set: str | None = None,  # noqa: A002 (the name that the command line has for it)
        limit: int | None = None,
        settings: Mapping[str, str | Sequence[str]] | None = None,
        **options: Json,
    ) -> Task:
        with _errors_in_one_line():
            return _task(planned_stage(_set(registry.get(name), set, options), None, limit=limit, settings=settings))

    @task(name=f"{name}-{stage}")
    def stage_task(
        run: str | None = None, rests_on: str | None = None, settings: Mapping[str, str | Sequence[str]] | None = None
    ) -> Task:
        with _errors_in_one_line():
            if run is None:
                raise InputError(f"stage {stage} is made from replies: -T run=FOLDER, the folder of a run, is needed")
            result = open_run(run)
            if result.suite.name != name:
                raise InputError(f"{result.folder} is a run of {result.suite.name}, not of {name}")
            return _task(planned_stage(result, stage, rests_on=rests_on, settings=settings))

    return suite_task if stage is None else stage_task


@contextmanager
def _errors_in_one_line() -> Iterator[None]:
    try:
        yield
    except InputError as error:
        # What inspect-ai tells in one line, where it shows the whole stack of anything else.
        raise PrerequisiteError(escape(str(error))) from error


def _task(setup: Setup) -> Task:
    # What inspect-ai is told comes before the sampling that a stage itself states.
    stated: dict[str, Any] = {name: value for name, value in asdict(setup.how.sampling).items() if value is not None}
    return Task(
        dataset=MemoryDataset([_sample(trial, setup) for trial in setup.trials]),
        solver=one_reply(setup.suite.name),
        scorer=reading(setup.suite.name),
        config=GenerateConfig(attempt_timeout=ceil(_POLICY.attempt_timeout), **stated),
        fail_on_error=False,
        score_on_error=True,
        metadata={"suite": setup.suite.name, "stage": setup.stage.name, "set": setup.stimuli.digest},
    )


def plan_trials(
    suite: Suite,
    whole: StimulusSet,
    limit: int | None = None,
    settings: Mapping[str, str | Sequence[str]] | None = None,
) -> list[Trial]:
    """The trials of a suite's first stage on a set, or on `limit` whole units of it, evenly over the cases.

    Raises `InputError` for a set whose table was changed, and settings that are not known or leave nothing to ask.
    """
    return list(planned_stage(open_set(whole, suite.name), None, limit=limit, settings=settings).trials)


def outcomes_of(log: EvalLog | Path | str, trials: Sequence[Trial] | None = None) -> pl.DataFrame:
    """The outcome table of an eval log: a row per planned trial and epoch, with the columns of a run's.

    Readings are made anew, by the suite's present readers. `trials` are those of `plan_trials`; without them
    the log must hold a sample of each. Raises `InputError` where it does not, and for a log of another task.
    """
    header = log if isinstance(log, EvalLog) else read_eval_log(str(log), header_only=True)
    facts = header.eval.metadata or {}
    if "suite" not in facts:
        raise InputError(f"the log of '{header.eval.task}' is not one of a suite's task")
    logged: dict[str, Trial] = {}
    responses: dict[tuple[str, int], Response] = {}
    for sample in _samples(log):
        trial = logged.setdefault(str(sample.id), _trial_in(sample.metadata))
        if STORED in sample.store or sample.error is not None:
            responses[trial.id, sample.epoch] = _response(sample.store.get(STORED), trial.id, sample.epoch)
    ids = [str(key) for key in header.eval.dataset.sample_ids or logged]
    if trials is None and not logged.keys() >= set(ids):
        raise InputError(f"the log holds {len(logged):,} of {len(ids):,} samples: retry it, or give the planned trials")
    planned = [logged[key] for key in ids] if trials is None else trials
    suite, repeats = registry.get(str(facts["suite"])), header.eval.config.epochs or 1
    readers, factors = suite.asking.readers, suite.design.factors
    return outcome_table(header.eval.model, planned, responses, readers, factors=factors, repeats=repeats)


@solver
def one_reply(suite: str) -> Solver:
    """A solver that asks as `veridical run` does, retries counted, and stores the response, whatever it came to."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 (the asking is ours)
        model, trial = get_model(), _trial_in(state.metadata)
        require_held([trial], str(model), None)
        urls = [place for message in state.messages for part in message.content if (place := _place(part))]
        shown = _shown(trial)
        _require_unchanged(shown, urls, state.metadata[_HASHES])
        asker = _asker(model, suite)
        require_media([trial], asker.client, str(model))
        require_continuation([trial], asker.client, str(model), skip=False)
        question = TrialAttempt(
            trial=trial,
            repeat=state.epoch,
            attempt=1,
            place=dict(zip(shown, urls, strict=True)).__getitem__,
            tells_trial=provider.sees_trial(model),
            opaque=state.metadata[_OPAQUE],
        )
        response = (await asker.attempt(question)).response
        state.store.set(STORED, asdict(response))
        if response.error is not None:
            raise RuntimeError(f"{response.error}: {response.detail}")
        state.output = ModelOutput.from_content(str(model), response.text)
        state.messages.append(state.output.message)
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr(cluster="unit")]})
def reading(suite: str) -> Scorer:
    """A scorer that reads the stored response, and says apart what is right and what is no answer.

    Its values are each status (1 or 0), `of_all`, right of all, failures being not right, and `of_answered`, right of
    what was answered; the latter is unscored where there is no answer, both where nothing can be right. The reading is
    in the score's metadata.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 (the trial has it, or none)
        trial = _trial_in(state.metadata)
        response = _response(state.store.get(STORED), trial.id, state.epoch)
        readers = registry.get(suite).asking.readers
        if trial.reader not in readers:
            raise unknown("family of readers", trial.reader, readers)
        read = readers[trial.reader][0].read(response, trial)
        facts = {"status": read.status, "answer": read.answer, "correct": read.correct, "scores": dict(read.scores)}
        right = math.nan if read.correct is None else float(read.correct)
        values: dict[str, str | int | float | bool | None] = {each: float(read.status == each) for each in STATUSES}
        values |= {"of_all": right, "of_answered": right if read.status == "answered" else math.nan}
        return Score(
            value=values,
            answer=read.answer,
            explanation=read.reason,
            reason=None if read.status == "answered" else read.status,
            metadata={**facts, "reader": read.reader, "reader_version": read.version},
        )

    return score


def _sample(trial: Trial, setup: Setup) -> Sample:
    chat = chat_messages(trial, lambda part: str(place_of(part.file, setup.home(part.file).resolve())))
    hashes = [_file_hash(setup, part.file) for part in _shown(trial)]
    beside = {_HASHES: hashes, _OPAQUE: setup.stimuli.opaque(trial.id)}
    return Sample(id=trial.id, input=chat, target=trial.gold or "", metadata={**to_row(trial, {}), **beside})


def _trial_in(metadata: Mapping[str, Json]) -> Trial:
    return from_row({name: value for name, value in metadata.items() if name not in (_HASHES, _OPAQUE)})


def _file_hash(setup: Setup, file: str) -> str:
    """The sha256 of a medium's bytes; empty for a file that is gone, which is an error of its samples alone."""
    present = place_of(file, setup.home(file)).exists()
    return sha256(setup.read(file)).hexdigest() if present else ""


def _shown(trial: Trial) -> list[Media]:
    return [part for message in trial.messages for part in message.parts if isinstance(part, Media)]


def _require_unchanged(shown: Sequence[Media], urls: Sequence[str], hashes: Sequence[str]) -> None:
    """Raises `InputError` for a medium that is not the file for which its sample was made."""
    for part, url, digest in zip(shown, urls, hashes, strict=True):
        if sha256(content_in(url)).hexdigest() != digest:
            raise InputError(f"{part.file}: the file was changed after the task was made; restore it and retry")


def _place(part: object) -> str | None:
    """The data URL that inspect-ai made of a picture or clip; `None` for text."""
    if isinstance(part, ContentImage):
        return part.image
    return part.video if isinstance(part, ContentVideo) else None


def _samples(log: EvalLog | Path | str) -> Iterable[EvalSample]:
    if isinstance(log, EvalLog) and log.samples is not None:
        return log.samples
    return read_eval_log_samples(log.location if isinstance(log, EvalLog) else str(log), all_samples_required=False)


def _response(stored: Json, trial: str, epoch: int) -> Response:
    """The response that the solver stored; where it stored none, that the sample failed before anything was sent."""
    if stored:
        return _RESPONSE.validate_python(stored)
    return Response(trial=trial, repeat=epoch, requests=0, error="unknown", detail="the sample failed unasked")


@lru_cache(maxsize=8)
def _asker(model: Model, suite: str) -> Asker:
    async def pause(seconds: float) -> bool:
        await asyncio.sleep(seconds)
        return True

    client = InspectClient(model, schema=schema_for(registry.get(suite).asking.readers))
    return Asker(client, _POLICY, redactor(client.endpoint, keys=client.secrets()), pause, lambda _: None)


def _set(suite: Suite, folder: str | None, options: Mapping[str, Json]) -> StimulusSet:
    """The set in a folder, or one with these options in a temporary one; drawn once, and kept while Python runs."""
    if folder is not None and options:
        raise InputError(f"set beside {next(iter(options))}: a set that is there, or options of one, are allowed")
    if folder is not None:
        return open_set(folder, suite.name)
    usual = {"recipe": _QUICK} if _QUICK in suite.recipes else {}
    arguments = {**usual, **{name: _listed(suite, name, value) for name, value in options.items()}}
    chosen = chosen_options(suite.options, suite.recipes, arguments)
    key = canonical([suite.name, chosen.model_dump(mode="json")])
    if key not in _SETS:
        _SETS[key] = make(suite.name, **arguments)
    return _SETS[key]


def _listed(suite: Suite, name: str, value: Json) -> Json:
    """A single word for an option that takes several, which inspect-ai's command line cannot tell from one."""
    several = name in suite.options.model_fields and "tuple" in str(suite.options.model_fields[name].annotation)
    return (value,) if several and not isinstance(value, list | tuple) else value


for _name in registry.names():
    task_of(_name)
    for _stage in registry.later_stages(_name):
        task_of(_name, _stage)
