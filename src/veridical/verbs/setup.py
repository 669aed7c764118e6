"""What a stage of a run is to send: its trials, who is asked, and the facts by which the run is known again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from veridical.ask import Client, clean_endpoint, open_model
from veridical.ask.clients import Schema
from veridical.ask.local import identity_of
from veridical.ask.models import NO_KEY
from veridical.errors import InputError
from veridical.media.derive import Rule
from veridical.records import Json, Trial
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.derive import Derived
from veridical.suite import registry
from veridical.suite.asking import Asking, Planned, Stage
from veridical.suite.record import Suite
from veridical.verbs.derivations import Made, make_derived
from veridical.verbs.embedded import observer_of
from veridical.verbs.resting import lacks_model
from veridical.verbs.roles import STRUCTURED, Asked, require_held, require_place, roles_of, schema_for
from veridical.verbs.run_options import Chosen, RunOptions
from veridical.verbs.sets import open_set, suite_of
from veridical.verbs.stage_trials import planned
from veridical.verbs.stages import PLANNED_ON, Basis

if TYPE_CHECKING:
    from veridical.observers import Observer


@dataclass(frozen=True)
class Setup:
    """A stage of a run before anything is sent: its trials, who is asked, and how. As text, what a person says yes to.

    `basis` is what a later stage's trials are made from. `rules` are those by which the trials' media are derived, by
    digest; until they are `made`, trials only count them.
    """

    suite: Suite
    stimuli: StimulusSet
    stage: Stage
    asking: Asking
    trials: Sequence[Trial]
    role: Asked
    basis: Basis = field(default_factory=Basis)
    rules: Mapping[str, Rule] = field(default_factory=dict)
    made: Made | None = None

    @property
    def model(self) -> str:
        return self.role.model

    @property
    def options(self) -> RunOptions:
        return self.role.options

    @property
    def how(self) -> Chosen:
        return self.role.how

    @property
    def first(self) -> bool:
        """Whether the stage is the one whose trials make the run what it is."""
        return self.stage is self.suite.asking.ordered[0]

    @property
    def repeats(self) -> int:
        """How often each trial is asked: as the run says, or, of a stage with needs, as the stage says."""
        return self.stage.repeats if self.stage.needs else self.how.repeats

    @property
    def endpoint(self) -> str | None:
        """The place of the model without secrets, where it has one of its own."""
        url = self.options.get("base_url")
        return clean_endpoint(url) if url else None

    def with_derived(self, folder: Path, progress: Callable[[int, int], None] | None = None) -> Setup:
        """The same with its derived media made, in the set, or in the run's folder where the set is read-only."""
        if not self.rules:
            return self
        made = Made(make_derived(self.stimuli, list(self.rules.values()), folder, progress))
        asking = replace(self.asking, derivations=made)
        trials = planned(self.suite, self.stimuli, asking, self.options.get("limit"), self.stage, self.basis.evidence)
        return replace(self, asking=asking, trials=trials, made=made)

    def read(self, file: str) -> bytes:
        """The bytes of a medium of the set, or of a derived one."""
        content = self.made.read(file) if self.made else None
        return self.stimuli.read(file) if content is None else content

    def home(self, file: str) -> Path:
        """The folder that a medium's path, of the set or derived, is in."""
        derived = self.made.home(file) if self.made else None
        return self.stimuli.folder if derived is None else derived.folder

    @cached_property
    def observer(self) -> Observer | None:
        """The embedded observer that is asked, where the model is one."""
        return observer_of(self.model, self.suite)

    @property
    def planned(self) -> int:
        """How many replies are wanted, each trial once per repeat."""
        return len(self.trials) * self.repeats

    @property
    def schema(self) -> Schema:
        """What the reply to each trial is held to."""
        every = bool((self.options.get("model_args") or {}).get(STRUCTURED))
        return schema_for(self.suite.asking.readers, every=every)

    def open(self, folder: Path | None = None, *, keyless: bool = False) -> Client:
        """The model, ready to be asked; nothing is sent. An embedded observer is told the suite and the run folder.

        One that is opened `keyless`, to see what it can do, needs no key, and cannot be asked.
        """
        given = self.options.get("model_args") or {}
        arguments = {name: value for name, value in given.items() if name != STRUCTURED}
        context: dict[str, Json] = {}
        if self.observer is not None:
            context = {"suite": self.suite.name, **({"run": str(folder)} if folder else {})}
        return open_model(
            self.model,
            base_url=self.options.get("base_url"),
            model_args={**arguments, **context},
            sampling=self.how.sampling,
            policy=self.how.policy,
            key=self.role.key or (NO_KEY if keyless else None),
            schema=self.schema,
        )

    def identity(self) -> dict[str, Json]:
        """What defines the trials and all that reaches the model, or is known of what answers.

        A later stage's trials are made from replies, so its identity has none of them: wordings and derived media are
        part of their ids. The configuration of a local model is read for its revision.
        """
        return {**identity_of(self.model, self.options.get("model_args") or {}), **self.stated()}

    def stated(self) -> dict[str, Json]:
        """The identity without what only a model's own files say."""
        arguments = self.options.get("model_args") or {}
        facts: dict[str, Json] = {
            "suite": self.suite.name,
            "stage": self.stage.name,
            "role": self.stage.role,
            "set": self.stimuli.digest,
            "limit": self.options.get("limit"),
            "settings": {name: list(levels) for name, levels in self.asking.levels.items()},
            "sampling": self.how.sampling.stated(),
            "model": self.model,
            "model_args": self.observer.identity(arguments) if self.observer else dict(arguments),
            "endpoint": self.endpoint,
        }
        if self.stage.needs:
            facts["rests_on"] = dict(self.basis.folders)
        else:
            facts["prompts"] = sorted({trial.prompt for trial in self.trials})
        if self.rules and not self.stage.needs:
            facts["derived"] = {digest[:16]: rule.identity for digest, rule in sorted(self.rules.items())}
        if self.observer and self.observer.sees != "messages":
            facts |= {"sees": self.observer.sees, "reads": self.observer.reads or f"the {self.observer.sees}"}
        serving = _served(self.options.get("served") or {})
        return {**facts, "serving": serving} if serving else facts

    def execution(self) -> dict[str, Json]:
        """How this start of a run is made; it may differ from start to start."""
        how, prompts = self.how, self.asking.prompts
        preset = {"name": how.preset_name, "source": how.preset.source, **how.preset.stated()} if how.preset else None
        preset = preset if self.role.preset is None else dict(self.role.preset)
        return {
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "preset": preset,
            "max_connections": how.policy.max_connections,
            "max_requests": how.policy.max_requests,
            "attempt_timeout": how.policy.attempt_timeout,
            "stop_after": dict(how.policy.stop_after),
            "budget_tokens": how.limits.budget_tokens,
            "budget_usd": how.limits.budget_usd,
            "time_limit": how.limits.time_limit,
            "price": asdict(how.limits.price) if how.limits.price else None,
            "retry": sorted(how.retry),
            "cache": str(how.cache.resolve()) if how.cache else None,
            "skip_unsupported": self.options.get("skip_unsupported", False),
            "set": str(self.stimuli.folder.resolve()),
            "prompts": str(prompts.resolve()) if prompts else None,
            "settings": {name: list(levels) for name, levels in self.suite.asked(self._chosen()).levels.items()},
            **({PLANNED_ON: self.basis.digest} if self.stage.needs else {}),
            "versions": {name: version(name) for name in ("veridical", "inspect-ai", "openai")},
        }

    def _chosen(self) -> Mapping[str, str | Sequence[str]]:
        return self.options.get("settings") or {}

    def __str__(self) -> str:
        stimuli, units = ({getattr(t, name) for t in self.trials} for name in ("stimulus", "unit"))
        usual, levels = self.suite.asked().levels, self.asking.levels
        unusual = "".join(f"; {name}: {', '.join(levels[name])}" for name in levels if levels[name] != usual[name])
        where = f" at {self.endpoint}" if self.endpoint else ""
        often = f", {self.repeats} times each" if self.repeats > 1 else ""
        name = self.suite.name if self.first else f"{self.suite.name}, {self.stage.name}"
        return (
            f"{name}: {len(self.trials):,} questions on {len(stimuli):,} stimuli ({len(units):,} units)"
            f"{often} to {self.model}{where}, {self.how.policy.max_connections} at a time{unusual}"
        )


def prepare(stimuli: StimulusSet | Path | str, model: str | None, **options: Unpack[RunOptions]) -> Setup:
    """The first stage of the run of a model on a set, checked as far as it can be without sending anything.

    No key is needed. Raises `InputError` for what a user can put right.
    """
    whole = open_set(stimuli)
    whole.require_intact_table()
    suite = registry.get(suite_of(whole))
    stage = suite.asking.ordered[0]
    role = roles_of(suite, model, options, keys=False).get(stage.role)
    if role is None:
        raise InputError(f"stage {stage.name} waits for {lacks_model(stage)}")
    require_place(role)
    return prepare_stage(suite, whole, stage, role)


def prepare_stage(suite: Suite, whole: StimulusSet, stage: Stage, role: Asked, basis: Basis | None = None) -> Setup:
    """A stage with its trials planned, checked as far as it can be without sending anything."""
    options, basis = role.options, basis or Basis()
    asking = suite.asked(options.get("settings"), options.get("prompts")).of_stage(stage)
    trials = planned(suite, whole, asking, options.get("limit"), stage, basis.evidence)
    rules = asking.derivations.rules if isinstance(asking.derivations, Planned) else {}
    own = role.of_stage(stage, first=stage is suite.asking.ordered[0])
    require_held(trials, own.model, own.options.get("base_url"))
    setup = Setup(suite, whole, stage, asking, trials, own, basis, rules)
    if setup.observer is not None:
        setup.observer.require_able(trials, setup.repeats)
    return setup


def _served(details: Mapping[str, str]) -> dict[str, str]:
    """Details of serving as they were declared; raises `InputError` for a key without a name or a value."""
    served = {str(key).strip(): str(value).strip() for key, value in details.items()}
    for key, value in served.items():
        if not key or not value:
            raise InputError(f"served '{key}={value}': a name and a value are needed, such as engine=vllm")
    return served


def derive_media(
    stimuli: StimulusSet | Path | str,
    *,
    settings: Mapping[str, str | Sequence[str]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Derived]:
    """The media that runs on a set with these settings derive from it, made in the set, one entry a rule.

    What is there is not made again. Raises `InputError` where nothing is to be derived, and where the set cannot be
    written to: a run then makes them in its own folder.
    """
    setup = prepare(stimuli, "", settings=settings)
    if not setup.rules:
        raise InputError(f"{setup.stimuli.folder}: no media are derived for runs of {setup.suite.name} in this way")
    made = make_derived(setup.stimuli, list(setup.rules.values()), setup.stimuli.folder, progress)
    return list(made.values())
