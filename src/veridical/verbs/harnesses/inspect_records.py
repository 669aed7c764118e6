"""A run as a log of inspect-ai: its trials with their replies as samples, its main figures as metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import reduce
from hashlib import sha256
from operator import add
from typing import get_args

import polars as pl
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalPlanStep,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
)
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    StopDetails,
    StopReason,
)
from inspect_ai.scorer import CORRECT, INCORRECT, Score

from veridical.ask import Run
from veridical.ask.clients.inspect_client import chat_messages
from veridical.ask.policy import UNSTATED
from veridical.ask.trial_table import to_row
from veridical.base.requirements import versions_of
from veridical.records import Estimate, Json, Media, Response
from veridical.report.main_figures import figure_title, main_figures
from veridical.verbs.inspect_tasks import STORED
from veridical.verbs.results.result import RunResult

Url = Callable[[Media], str]
_RIGHT, _STATUS = "correct", "status"
_NEVER = "1970-01-01T00:00:00+00:00"


def log_of(result: RunResult, run: Run, url: Url) -> EvalLog:
    """The log of one stage of a run, asked of one model; `url` gives a medium as a data URL.

    That of the first stage has the run's main figures. Its status is `success` if every planned trial was asked.
    """
    outcomes = result.stages.outcomes(run)
    samples = list(_samples(result, run, outcomes, url))
    spec, figures = _spec(result, run), run.folder == result.folder
    usage = [(name, used) for sample in samples for name, used in sample.model_usage.items()]
    started, ended = run.started, outcomes["ended"].max()
    return EvalLog(
        status="success" if run.complete else "cancelled",
        eval=spec,
        plan=EvalPlan(steps=[EvalPlanStep(solver="veridical/run")], config=spec.model_generate_config),
        results=_results(outcomes, list(_figures(result)) if figures else []),
        stats=EvalStats(
            started_at=started,
            completed_at=str(ended or started),
            model_usage={name: reduce(add, [used for _, used in usage]) for name in dict(usage)},
        ),
        samples=samples,
    )


def _spec(result: RunResult, run: Run) -> EvalSpec:
    identity, suite, trials = run.identity, result.suite, run.trials()
    stage = str(identity.get("stage", suite.asking.ordered[0].name))
    task = suite.name if run.folder == result.folder else f"{suite.name}-{stage}"
    stated = {name: value for name, value in (identity.get("sampling") or {}).items() if value != UNSTATED}
    return EvalSpec(
        eval_id=_key("eval", run.folder.name, run.started),
        run_id=_key("run", result.folder.name, result.run.started),
        task_id=_key(task, str(identity["set"])),
        created=run.started or _NEVER,
        task=f"veridical/{task}",
        task_display_name=f"{suite.title}, {stage}",
        dataset=EvalDataset(
            name=f"set {str(identity['set'])[:8]}", samples=len(trials), sample_ids=[each.id for each in trials]
        ),
        model=str(identity["model"]),
        model_generate_config=GenerateConfig(**stated),
        model_base_url=next(iter(run.servers), None),
        config=EvalConfig(epochs=run.repeats, fail_on_error=False),
        packages=versions_of("veridical", "inspect-ai"),
        metadata={"suite": suite.name, "stage": stage, "set": identity["set"], "settings": identity.get("settings")},
    )


def _key(*parts: str) -> str:
    """A name that is the same each time that a run is exported, in the form of those that inspect-ai makes."""
    return sha256("/".join(parts).encode()).hexdigest()[:22]


def _results(outcomes: pl.DataFrame, figures: Sequence[EvalScore]) -> EvalResults:
    asked = outcomes.filter(pl.col("status").is_not_null())
    scored = asked["correct"].drop_nulls()
    right = scored.mean()
    metrics = {} if right is None else {"accuracy": EvalMetric(name="accuracy", value=float(str(right)))}
    of_trials = EvalScore(
        name=_RIGHT,
        scorer=_RIGHT,
        scored_samples=len(scored),
        unscored_samples=len(asked) - len(scored),
        metrics=metrics,
    )
    return EvalResults(
        total_samples=len(outcomes),
        completed_samples=len(asked.filter(pl.col("status") != "error")),
        logged_samples=len(asked),
        scores=[*([of_trials] if metrics else []), *figures],
    )


def _figures(result: RunResult) -> Iterator[EvalScore]:
    """The main figures of a run with their intervals, as reports show them; one without a value is left out."""
    for each in main_figures(result.suite, result.result()):
        if each.value is not None:
            title = figure_title(result.suite, each)
            shown = {"estimate": each.value, "low": each.low, "high": each.high}
            metrics = {
                name: EvalMetric(name=name, value=value * each.unit.scale)
                for name, value in shown.items()
                if value is not None
            }
            yield EvalScore(name=title, scorer="veridical", metrics=metrics, metadata=_facts(each))


def _facts(estimate: Estimate) -> dict[str, Json]:
    facts = asdict(estimate)
    kept = {name: facts[name] for name in ("metric", "slice", "value", "low", "high", "level", "method", "n_units")}
    return {**kept, "unit": str(estimate.unit), "counts": facts["counts"]}


def _samples(result: RunResult, run: Run, outcomes: pl.DataFrame, url: Url) -> Iterator[EvalSample]:
    """A sample for each trial and repeat that was asked, in the order of the outcomes.

    Metadata and store are those of a sample of a task (`inspect_tasks`), so that `outcomes_of` reads both kinds of log.
    """
    factors = result.suite.design.factors
    trials, responses = run.trials_by_id(), run.responses()
    model = str(run.identity["model"])
    for row in outcomes.filter(pl.col("status").is_not_null()).iter_rows(named=True):
        trial, response = trials[row["trial"]], responses[row["trial"], row["repeat"]]
        chat, output = chat_messages(trial, url), _output(response, model)
        yield EvalSample(
            id=trial.id,
            epoch=response.repeat,
            uuid=f"{response.digest[:16]}-{response.repeat}",
            input=chat,
            target=trial.gold or "",
            messages=chat if response.error is not None else [*chat, output.message],
            output=output,
            scores=_scores(row),
            metadata=to_row(trial, factors),
            store={STORED: asdict(response)},
            model_usage={} if output.usage is None else {model: output.usage},
            completed_at=response.ended,
            total_time=response.latency,
            working_time=response.latency,
            error=_error(response),
        )


def _output(response: Response, model: str) -> ModelOutput:
    if response.error is not None:
        return ModelOutput(model=model)
    thought: list[Content] = [ContentReasoning(reasoning=response.reasoning)] if response.reasoning else []
    parts: list[Content] = [*thought, ContentText(text=response.text)]
    known = response.stop_reason in get_args(StopReason)
    choice = ChatCompletionChoice(
        message=ChatMessageAssistant(content=parts if thought else response.text, model=model),
        stop_reason=response.stop_reason if known else "unknown",  # type: ignore[arg-type]
        stop_details=StopDetails(type="refusal") if response.refused else None,
    )
    served = response.served_model or model
    return ModelOutput(model=served, choices=[choice], usage=_usage(response), time=response.latency)


def _usage(response: Response) -> ModelUsage | None:
    read, written = response.input_tokens, response.output_tokens
    if read is None and written is None:
        return None
    cached, stored = response.cached_tokens, response.cache_write_tokens
    return ModelUsage(
        input_tokens=(read or 0) - (cached or 0) - (stored or 0),
        output_tokens=written or 0,
        total_tokens=(read or 0) + (written or 0),
        input_tokens_cache_read=cached,
        input_tokens_cache_write=stored,
    )


def _error(response: Response) -> EvalError | None:
    if response.error is None:
        return None
    words = f"{response.error}: {response.detail}" if response.detail else response.error
    return EvalError(message=words, traceback=words, traceback_ansi=words)


def _scores(row: Mapping[str, Json]) -> dict[str, Score]:
    """Whether a reply is right, unscored where nothing can be, and its status; both say how the reply was read."""
    words = f"{row['status']}, read by {row['reader']} {row['reader_version']}"
    words += f": {row['reason']}" if row["reason"] else ""
    read = {name.removeprefix("score_"): row[name] for name in row if name.startswith("score_")}
    facts = {"status": row["status"], "reader": row["reader"], "reader_version": row["reader_version"], "scores": read}
    stated = {"answer": row["answer"], "explanation": words, "metadata": facts}
    status = Score(value=row["status"], answer=row["answer"], explanation=words)
    if row["correct"] is None:
        return {_RIGHT: Score.unscored(reason="nothing can be right", **stated), _STATUS: status}
    return {_RIGHT: Score(value=CORRECT if row["correct"] else INCORRECT, **stated), _STATUS: status}
