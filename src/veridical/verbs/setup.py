"""What a run is to send: the trials of a set as its suite asks them, and the facts by which the run is known again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from veridical.ask import Price, Run, Spent, clean_endpoint, open_model
from veridical.errors import InputError
from veridical.media.derive import Rule
from veridical.records import Json, Stimulus, Trial
from veridical.stimulus_set import StimulusSet
from veridical.suite import registry
from veridical.suite.asking import Asking, Planned
from veridical.suite.record import Suite
from veridical.verbs.derivations import Made, make_derived
from veridical.verbs.embedded import observer_of
from veridical.verbs.run_options import Chosen, RunOptions, chosen
from veridical.verbs.sets import open_set, suite_of

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from veridical.observers import Observer


@dataclass(frozen=True)
class Setup:
    """A run before anything is sent: the trials, who is asked, and how. As text, what a person says yes or no to.

    `rules` are those by which the trials' media are derived, by digest; until they are `made`, trials only count them.
    """

    suite: Suite
    stimuli: StimulusSet
    asking: Asking
    trials: Sequence[Trial]
    model: str
    options: RunOptions
    how: Chosen
    rules: Mapping[str, Rule] = field(default_factory=dict)
    made: Made | None = None

    @property
    def endpoint(self) -> str | None:
        """The place of the model without secrets, where it has one of its own."""
        url = self.options.get("base_url")
        return clean_endpoint(url) if url else None

    def with_derived(self, folder: Path, progress: Callable[[int, int], None] | None = None) -> Setup:
        """The same run with its derived media made, in the set, or in the run's folder where the set is read-only."""
        if not self.rules:
            return self
        made = Made(make_derived(self.stimuli, list(self.rules.values()), folder, progress))
        asking = replace(self.asking, derivations=made)
        trials = planned(self.suite, self.stimuli, asking, self.options.get("limit"))
        return replace(self, asking=asking, trials=trials, made=made)

    def read(self, file: str) -> bytes:
        """The bytes of a medium of the set, or of a derived one."""
        found = self.made.read(file) if self.made else None
        return self.stimuli.read(file) if found is None else found

    @cached_property
    def observer(self) -> Observer | None:
        """The embedded observer that is asked, where the model is one."""
        return observer_of(self.model, self.suite)

    @property
    def planned(self) -> int:
        """How many replies are wanted, each trial once per repeat."""
        return len(self.trials) * self.how.repeats

    def open(self, folder: Path | None = None) -> Model:
        """The model, ready to be asked; nothing is sent. An embedded observer is told the suite and the run folder."""
        given = self.options.get("model_args") or {}
        told: dict[str, Json] = {}
        if self.observer is not None:
            told = {"suite": self.suite.name, **({"run": str(folder)} if folder else {})}
        return open_model(
            self.model,
            base_url=self.options.get("base_url"),
            model_args={**given, **told},
            sampling=self.how.sampling,
            policy=self.how.policy,
        )

    def identity(self) -> dict[str, Json]:
        """What defines the trials and all that reaches the model, or is known of what answers."""
        given = self.options.get("model_args") or {}
        facts: dict[str, Json] = {
            "suite": self.suite.name,
            "stage": self.suite.asking.stages[0].name,
            "set": self.stimuli.digest,
            "limit": self.options.get("limit"),
            "prompts": sorted({trial.prompt for trial in self.trials}),
            "settings": {name: list(levels) for name, levels in self.asking.levels.items()},
            "sampling": self.how.sampling.stated(),
            "model": self.model,
            "model_args": self.observer.identity(given) if self.observer else dict(given),
            "endpoint": self.endpoint,
        }
        if self.rules:
            facts["derived"] = {digest[:16]: rule.identity for digest, rule in sorted(self.rules.items())}
        if self.observer and self.observer.sees != "messages":
            facts |= {"sees": self.observer.sees, "reads": self.observer.reads or f"the {self.observer.sees}"}
        serving = _served(self.options.get("served") or {})
        return {**facts, "serving": serving} if serving else facts

    def execution(self) -> dict[str, Json]:
        """How this start of a run is made; it may differ from start to start."""
        how, prompts = self.how, self.asking.prompts
        preset = {"name": how.preset_name, "source": how.preset.source, **how.preset.stated()} if how.preset else None
        return {
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "preset": preset,
            "max_connections": how.policy.max_connections,
            "max_requests": how.policy.max_requests,
            "attempt_timeout": how.policy.attempt_timeout,
            "budget_tokens": how.limits.budget_tokens,
            "budget_usd": how.limits.budget_usd,
            "time_limit": how.limits.time_limit,
            "price": asdict(how.limits.price) if how.limits.price else None,
            "retry": sorted(how.retry),
            "cache": str(how.cache.resolve()) if how.cache else None,
            "skip_unsupported": self.options.get("skip_unsupported", False),
            "set": str(self.stimuli.folder.resolve()),
            "prompts": str(prompts.resolve()) if prompts else None,
            "versions": {name: version(name) for name in ("veridical", "inspect-ai", "openai")},
        }

    def __str__(self) -> str:
        stimuli, units = ({getattr(t, name) for t in self.trials} for name in ("stimulus", "unit"))
        usual, levels = self.suite.asked().levels, self.asking.levels
        asked = "".join(f"; {name}: {', '.join(levels[name])}" for name in levels if levels[name] != usual[name])
        where = f" at {self.endpoint}" if self.endpoint else ""
        often = f", {self.how.repeats} times each" if self.how.repeats > 1 else ""
        return (
            f"{self.suite.name}: {len(self.trials):,} questions on {len(stimuli):,} stimuli ({len(units):,} units)"
            f"{often} to {self.model}{where}, {self.how.policy.max_connections} at a time{asked}"
        )


@dataclass(frozen=True, kw_only=True)
class Spending:
    """What all starts of a run sent and spent, by what was reported.

    `from_cache` replies needed no request. `cached_tokens` are those of the `input_tokens` that the provider read from
    its own cache, `None` where it never said; `uncounted` replies came without any count. `usd` is at the price that
    was given last, `None` where none ever was.
    """

    requests: int
    from_cache: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int | None
    uncounted: int
    usd: float | None

    @classmethod
    def of(cls, run: Run) -> Spending:
        """What the attempts of a run come to."""
        attempts = list(run.attempts())
        spent = Spent.over(attempts)
        price = next((stored for each in reversed(run.executions) if (stored := _price(each))), None)
        told = any(each.cached_tokens is not None for each in attempts)
        return cls(
            requests=sum(each.requests for each in attempts),
            from_cache=sum(each.cached for each in attempts),
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cached_tokens=spent.cached_tokens if told else None,
            uncounted=spent.uncounted,
            usd=spent.cost(price) if price else None,
        )

    def __str__(self) -> str:
        cached = "" if self.cached_tokens is None else f" ({self.cached_tokens:,} read from the provider's cache)"
        uncounted = f"; {self.uncounted:,} replies without a count" if self.uncounted else ""
        usd = "" if self.usd is None else f"; {self.usd:,.4g} US dollars"
        return (
            f"{self.requests:,} requests, {self.from_cache:,} replies from the cache; "
            f"tokens: {self.input_tokens:,} in{cached}, {self.output_tokens:,} out{uncounted}{usd}"
        )


def prepare(stimuli: StimulusSet | Path | str, model: str, **options: Unpack[RunOptions]) -> Setup:
    """The run of a model on a set with these options, checked as far as it can be without sending anything.

    Raises `InputError` for what a user can put right.
    """
    whole = open_set(stimuli)
    whole.require_intact_table()
    suite = registry.get(suite_of(whole))
    how = chosen(suite, model, options)
    asking = suite.asked(options.get("settings"), options.get("prompts"))
    trials = planned(suite, whole, asking, options.get("limit"))
    rules = asking.derivations.rules if isinstance(asking.derivations, Planned) else {}
    setup = Setup(suite, whole, asking, trials, model, options, how, rules)
    if setup.observer is not None:
        setup.observer.require_able(trials, how.repeats)
    return setup


def planned(suite: Suite, whole: StimulusSet, asking: Asking, limit: int | None) -> list[Trial]:
    """The trials of the suite's only stage on a set, or on `limit` whole units of it.

    Raises `InputError` where there is nothing to ask.
    """
    (stage,) = suite.asking.stages
    trials = list(stage.trials(limited_units(whole.stimuli, limit), asking, None))
    if not trials:
        asked = "; ".join(f"{name}: {', '.join(levels)}" for name, levels in asking.levels.items())
        raise InputError(f"{whole.folder} has nothing to ask about in this way ({asked or 'no setting'})")
    return trials


def _price(execution: Mapping[str, Json]) -> Price | None:
    """The price that a start was given; a run folder may come from anywhere, so anything else is none."""
    stored: Json = execution.get("price")
    try:
        cached = stored["cached_input"]
        numbers = float(stored["input"]), float(stored["output"]), None if cached is None else float(cached)
    except (KeyError, TypeError, ValueError):
        return None
    return Price(input=numbers[0], output=numbers[1], cached_input=numbers[2])


def _served(details: Mapping[str, str]) -> dict[str, str]:
    """Details of serving as they were declared; raises `InputError` for a key without a name or a value."""
    served = {str(key).strip(): str(value).strip() for key, value in details.items()}
    for key, value in served.items():
        if not key or not value:
            raise InputError(f"served '{key}={value}': a name and a value are needed, such as engine=vllm")
    return served


def limited_units(stimuli: Sequence[Stimulus], limit: int | None) -> Sequence[Stimulus]:
    """The stimuli of the first units of each family in turn, until there are `limit` units, in the set's own order."""
    if limit is None:
        return stimuli
    if limit < 1:
        raise InputError(f"limit {limit}: at least 1 whole unit is needed")
    rank: dict[str, int] = {}
    seen: dict[str, int] = {}
    for stimulus in stimuli:
        if stimulus.unit not in rank:
            rank[stimulus.unit] = seen.get(stimulus.family, 0)
            seen[stimulus.family] = rank[stimulus.unit] + 1
    kept = set(sorted(rank, key=lambda unit: rank[unit])[:limit])
    return [stimulus for stimulus in stimuli if stimulus.unit in kept]
