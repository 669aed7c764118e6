"""What the options of a run come to for a suite and a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, ValidationError, create_model

from veridical.ask import UNSTATED, Limits, Policy, Price, Run, Sampling, is_embedded, read_prices, retried_statuses
from veridical.ask.stop import stop_after
from veridical.base.run_options import FLAGS, KINDS, RunOptions, require_allowed
from veridical.base.shards import Shard
from veridical.base.workers import Workers
from veridical.errors import InputError, unknown
from veridical.suite.record import Suite
from veridical.suite.stages import Preset
from veridical.verbs.runs.models import observer_of


@dataclass(frozen=True)
class AskArguments:
    """The options of a run as the arguments that `ask` takes; `preset` is the published way, `preset_name` its name."""

    sampling: Sampling
    repeats: int
    policy: Policy
    limits: Limits
    retry: frozenset[str]
    cache: Path | None
    workers: Workers | None
    preset_name: str | None
    preset: Preset | None


def arguments_of(suite: Suite, model: str | None, options: RunOptions, price: Price | None = None) -> AskArguments:
    """What the options come to for a suite and a model, whose price is the one given, else looked up by its name.

    Raises `InputError` for a value that is not allowed, or that contradicts the preset, and TypeError for a keyword
    that is not known.
    """
    require_kinds(options)
    name, preset = options.get("preset"), preset_of(suite, options)
    if preset is not None:
        published = {key: value for key, value in preset.stated().items() if value != UNSTATED and key != "roles"}
        options = with_stated(options, published, f"the preset '{name}', which has")
    stated: dict[str, Any] = {key: value for key, value in options.items() if value is not None}
    observer = observer_of(model, suite) if model is not None else None
    repeats = stated.get("repeats", 1 if observer is not None and observer.same else suite.asking.repeats)
    retry = stated.get("retry", ())
    return AskArguments(
        sampling=Sampling(**_of(Sampling, stated)),
        repeats=repeats,
        policy=Policy(**_of(Policy, {**stated, "stop_after": stop_after(stated.get("stop_after") or {})})),
        limits=Limits(**{**_of(Limits, stated), "price": price or _price(stated, model)}),
        retry=retried_statuses(retry if isinstance(retry, str) else ",".join(retry)),
        cache=Path(stated["cache"]) if "cache" in stated else None,
        workers=_workers(options),
        preset_name=name,
        preset=preset,
    )


_FIELDS: dict[str, Any] = {name: (kind | None, None) for name, kind in KINDS.items()}
_Values = create_model("RunOptions", __config__=ConfigDict(strict=True), **_FIELDS)


def require_kinds(options: RunOptions) -> None:
    """Raises `InputError` for a value that its option does not allow, and TypeError for an unknown keyword."""
    for key in options:
        if key not in FLAGS:
            raise TypeError(f"unexpected keyword argument '{key}'")
    try:
        _Values.model_validate({**options})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        problem = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
        raise InputError(f"{first['loc'][0]} {str(first['input'])[:40]!r}: {problem}") from None
    require_allowed(options)
    if (shard := options.get("shard")) is not None:
        Shard.parse(shard)
    _workers(options)


def options_of_run(run: Run, options: RunOptions) -> RunOptions:
    """Options with a run's own units, settings and wordings where none are given."""
    stored = run.executions[-1] if run.executions else {}
    usual: RunOptions = {
        "limit": run.identity.get("limit"),
        "shard": None if run.shard is None else str(run.shard),
        "repeats": run.repeats,
        "settings": stored.get("settings"),
        "prompts": stored.get("prompts"),
    }
    stated = {key: value for key, value in options.items() if value not in (None, {}, [])}
    return {**usual, **stated}  # type: ignore[typeddict-item]


def with_stated(options: RunOptions, stated: Mapping[str, Any], source: str, of: str = "") -> RunOptions:
    """Options with what a source states besides; raises `InputError` where the two contradict each other.

    `source` says what has the other value, `of` whose the options are, where that is not the model under test.
    """
    merged: dict[str, Any] = {**options}
    for key, value in stated.items():
        mine = merged.get(key)
        pairs = {key: (mine, value)}
        if isinstance(value, Mapping):
            pairs = {f"{key} {each}": ((mine or {}).get(each), value[each]) for each in value}
            merged[key] = {**(mine or {}), **value}
        else:
            merged[key] = value
        for what, (own, other) in pairs.items():
            if own is not None and own != other:
                raise InputError(f"{what} {own}{of} contradicts {source} {other}: leave out one of the two")
    complete: RunOptions = {**merged}  # type: ignore[typeddict-item]
    return complete


def preset_of(suite: Suite, options: RunOptions) -> Preset | None:
    """The published way of asking that the options name, if any; raises `InputError` for one that is not known."""
    name = options.get("preset")
    if name is not None and name not in suite.asking.presets:
        raise unknown("preset", name, suite.asking.presets)
    return suite.asking.presets[name] if name is not None else None


def _of(kind: type[Sampling | Policy | Limits], stated: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: stated[field.name] for field in fields(kind) if field.name in stated}


def _workers(options: RunOptions) -> Workers | None:
    return Workers.stated(options.get("workers"), options.get("cluster"), options.get("gpus_per_model"))


def _price(options: Mapping[str, Any], model: str | None) -> Price | None:
    table, free = options.get("prices"), model is not None and is_embedded(model)
    if table is None:
        return Price(input=0.0, output=0.0) if free and "budget_usd" in options else None
    if model is None:
        raise InputError("prices need the name of a model")
    prices = read_prices(Path(table))
    return Price(input=0.0, output=0.0) if free and model not in prices.models else prices.of(model)
