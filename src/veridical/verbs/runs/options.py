"""What a run may be told, once for Python and the command line, and the settings that it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypedDict

from veridical.ask import UNSTATED, Limits, Policy, Price, Run, Sampling, is_embedded, read_prices, retried_statuses
from veridical.ask.policy import MOST_REPEATS
from veridical.ask.stop import stop_after
from veridical.errors import InputError, unknown
from veridical.records import Json
from veridical.suite.asking import Preset
from veridical.suite.record import Suite
from veridical.verbs.runs.models import observer_of


class RunOptions(TypedDict, total=False):
    """Keywords of `run`, `dry_run` and `plan`; what is left out, or `None`, is the suite's or the model's own default.

    What is asked: `limit`, so many whole units, evenly over the cases; `settings`, the levels to cross for settings of
    the suite; `prompts`, a folder whose files stand in for the suite's wordings; `repeats`, how often each trial is
    asked. How replies are sampled: `preset`, a published way of asking, with the judge that it names; `temperature`,
    `max_tokens`, `top_p`, `top_k`, `seed` (of the first repeat, one more for each other), `reasoning_effort`,
    `reasoning_tokens`. Who answers: `model_args` for its provider; `base_url` of an OpenAI-compatible server; `served`,
    what is known of how it is served, such as `{"engine": "vllm", "quantization": "awq"}`. All of these make the run
    what it is.

    Who else answers, where a suite has stages of other roles: `judge` and `roles`, a model for each role, as a table of
    the file `models` (default: `models.toml`) or as PROVIDER/NAME; sampling, endpoint and arguments above are the model
    under test's, theirs stand in the file. `rests_on` names the judge whose verdicts a later stage is made from, where
    there are several; `accept_errors` lets a later stage begin although earlier requests ended in errors;
    `self_judge` allows the model under test as its own judge.

    The rest may change from start to start: `max_connections` (8), `max_requests` for one attempt, retries included
    (5), `attempt_timeout` in seconds (120); `stop_after`, failures in a row that end a start, by kind (`auth` 3,
    `connection` 20, `server` 20; 0 is never); `budget_tokens` and `budget_usd` over all starts and roles, `prices`, a
    table for the latter, `time_limit` of this start in seconds; `cache`, a folder of replies that runs share; `retry`,
    statuses that are asked once more (`unparsed`, `truncated`, `refused`); `skip_unsupported`, to leave out what the
    model cannot be asked.
    """

    limit: int | None
    settings: Mapping[str, str | Sequence[str]] | None
    prompts: Path | str | None
    repeats: int | None
    preset: str | None
    temperature: float | None
    max_tokens: int | None
    top_p: float | None
    top_k: int | None
    seed: int | None
    reasoning_effort: str | None
    reasoning_tokens: int | None
    model_args: Mapping[str, Json] | None
    base_url: str | None
    served: Mapping[str, str] | None
    judge: str | None
    roles: Mapping[str, str] | None
    models: Path | str | None
    rests_on: str | None
    accept_errors: bool
    self_judge: bool
    max_connections: int | None
    max_requests: int | None
    attempt_timeout: float | None
    stop_after: Mapping[str, int] | None
    budget_tokens: int | None
    budget_usd: float | None
    prices: Path | str | None
    time_limit: float | None
    cache: Path | str | None
    retry: str | Sequence[str] | None
    skip_unsupported: bool


@dataclass(frozen=True)
class Chosen:
    """The options of a run as what `ask` takes; `preset` is the published way of asking, `preset_name` its name."""

    sampling: Sampling
    repeats: int
    policy: Policy
    limits: Limits
    retry: frozenset[str]
    cache: Path | None
    preset_name: str | None
    preset: Preset | None


def chosen(suite: Suite, model: str | None, options: RunOptions, price: Price | None = None) -> Chosen:
    """What the options come to for a suite and a model, whose price is the one given, else looked up by its name.

    Raises `InputError` for a value that is not allowed, or that contradicts the preset, and TypeError for a keyword
    that is not known.
    """
    for key in options:
        if key not in RunOptions.__annotations__:
            raise TypeError(f"unexpected keyword argument '{key}'")
    stated: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    name, preset = stated.get("preset"), preset_of(suite, options)
    if preset is not None:
        stated = _with_preset(stated, preset, str(name))
    observer = observer_of(model, suite) if model is not None else None
    repeats = stated.get("repeats", 1 if observer is not None and observer.same else suite.asking.repeats)
    if not 1 <= repeats <= MOST_REPEATS:
        raise InputError(f"repeats {repeats}: 1 to {MOST_REPEATS} are allowed")
    retry = stated.get("retry", ())
    return Chosen(
        sampling=Sampling(**_of(Sampling, stated)),
        repeats=repeats,
        policy=Policy(**_of(Policy, {**stated, "stop_after": stop_after(stated.get("stop_after") or {})})),
        limits=Limits(**{**_of(Limits, stated), "price": price or _price(stated, model)}),
        retry=retried_statuses(retry if isinstance(retry, str) else ",".join(retry)),
        cache=Path(stated["cache"]) if "cache" in stated else None,
        preset_name=name,
        preset=preset,
    )


def options_of_run(run: Run, options: RunOptions) -> RunOptions:
    """Options with a run's own units, settings and wordings where none are given."""
    stored = run.executions[-1] if run.executions else {}
    usual: RunOptions = {
        "limit": run.identity.get("limit"),
        "repeats": run.repeats,
        "settings": stored.get("settings"),
        "prompts": stored.get("prompts"),
    }
    stated = {key: value for key, value in options.items() if value not in (None, {}, [])}
    return {**usual, **stated}  # type: ignore[typeddict-item]


def preset_of(suite: Suite, options: RunOptions) -> Preset | None:
    """The published way of asking that the options name, if any; raises `InputError` for one that is not known."""
    name = options.get("preset")
    if name is not None and name not in suite.asking.presets:
        raise unknown("preset", name, suite.asking.presets)
    return suite.asking.presets[name] if name is not None else None


def _of(kind: type[Sampling | Policy | Limits], stated: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: stated[field.name] for field in fields(kind) if field.name in stated}


def _with_preset(options: Mapping[str, Any], preset: Preset, name: str) -> dict[str, Any]:
    stated = {key: value for key, value in preset.stated().items() if value != UNSTATED and key != "roles"}
    for key, value in stated.items():
        if options.get(key, value) != value:
            raise InputError(
                f"{key} {options[key]} contradicts the preset '{name}', which has {value}: leave out one of the two"
            )
    return {**options, **stated}


def _price(options: Mapping[str, Any], model: str | None) -> Price | None:
    table, free = options.get("prices"), model is not None and is_embedded(model)
    if table is None:
        return Price(input=0.0, output=0.0) if free and "budget_usd" in options else None
    if model is None:
        raise InputError("prices need the name of a model")
    prices = read_prices(Path(table))
    return Price(input=0.0, output=0.0) if free and model not in prices.models else prices.of(model)
