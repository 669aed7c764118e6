"""What a stage of a run is to send: its trials, who is asked, and the facts by which the run is known again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.ask import Client, Run, clean_endpoint, open_model
from veridical.ask.clients import Schema
from veridical.ask.earlier_replies import PlannedNumbers, RemainingTrials
from veridical.ask.local import identity_of, is_local
from veridical.ask.models import NO_KEY, runs_here
from veridical.ask.trial_table import WholeTable
from veridical.base.remote_folders import stored_name
from veridical.base.requirements import versions_of
from veridical.base.run_options import FLAGS, RunOptions
from veridical.base.shards import Shard
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.media.derive import Rule
from veridical.records import Json, Trial
from veridical.stimulus_set import StimulusSet
from veridical.suite.record import Suite
from veridical.suite.stages import AskingOptions, Stage
from veridical.verbs.runs.answered_runs import PLANNED_FROM, planned_from
from veridical.verbs.runs.models import observer_of, open_observer
from veridical.verbs.runs.options import AskArguments
from veridical.verbs.runs.picture_limits import require_within_limits
from veridical.verbs.runs.roles import STRUCTURED, RoleModel, schema_for
from veridical.verbs.runs.stage_states import PLANNED_ON, Ready
from veridical.verbs.runs.stage_trials import shard_trials, trials_of
from veridical.verbs.sets import MadeMedia, make_derived

if TYPE_CHECKING:
    from veridical.observers import Observer
    from veridical.verbs.runs.question_rounds import QuestionRounds


@dataclass(frozen=True)
class Setup:
    """A stage of a run before anything is sent: its trials, who is asked, and how. As text, what a person says yes to.

    `all_trials` are those of all shards. `state` has what a later stage's trials are made from. `rules` are those by
    which the trials' media are derived, by digest; until they are `made`, trials only count them. Where nothing had to
    be planned, since a run has these trials stored, `all_trials` is empty, and `remaining` has those to be asked. Of a
    run that asks in `rounds`, the trials are those of its latest one.
    """

    suite: Suite
    stimuli: StimulusSet
    state: Ready
    asking: AskingOptions
    all_trials: Sequence[Trial]
    role: RoleModel
    rules: Mapping[str, Rule] = field(default_factory=dict)
    made: MadeMedia | None = None
    rounds: QuestionRounds | None = None
    remaining: RemainingTrials | None = None

    @cached_property
    def shard(self) -> Shard | None:
        """The shard whose base items are asked about; `None` for all."""
        text = self.options.get("shard")
        return None if text is None else Shard.parse(text)

    @property
    def trials(self) -> Sequence[Trial]:
        """The trials that are asked, or, where they are stored, those that lack a reply."""
        if self.remaining is not None:
            return self.remaining.trials
        return shard_trials(self.all_trials, self.shard) if self.rounds is None else self.rounds.pending

    @property
    def known_trials(self) -> Sequence[Trial]:
        """The trials that are asked, with those of all rounds so far."""
        return self.trials if self.rounds is None else list(self.rounds.trials)

    @property
    def stage(self) -> Stage:
        return self.state.stage

    @property
    def model(self) -> str:
        return self.role.model

    @property
    def options(self) -> RunOptions:
        return self.role.options

    @property
    def how(self) -> AskArguments:
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
    def servers(self) -> list[str]:
        """The addresses of the model's servers without secrets, where it has any of its own."""
        return [clean_endpoint(url) for url in self.role.base_urls]

    def with_derived(self, folder: Path, progress: Callable[[int, int], None] | None = None) -> Setup:
        """The same with its derived media made, in the set, or in the run's folder where the set is read-only.

        Raises `InputError` where they are larger than the model's provider takes.
        """
        if not self.rules:
            return self
        made = MadeMedia(make_derived(self.stimuli, list(self.rules.values()), folder, progress, self.how.workers))
        asking = replace(self.asking, derivations=made)
        trials = trials_of(self.suite, self.stimuli, asking, self.options.get("limit"), self.state)
        if self.rounds is not None:
            self.rounds.replace_trials(trials)
        whole = replace(self, asking=asking, all_trials=trials, made=made)
        require_within_limits(whole)
        return whole

    def read(self, file: str) -> bytes:
        """The bytes of a medium of the set, or of a derived one."""
        content = self.made.read(file) if self.made else None
        if content is not None:
            return content
        return self.stimuli.read(file) if self.rounds is None else self.rounds.source.whole.read(file)

    def home(self, file: str) -> Path:
        """The folder that a medium's path, of the set or derived, is in."""
        derived = self.made.home(file) if self.made else None
        return self.stimuli.folder if derived is None else derived.folder

    @property
    def replicated(self) -> Workers | None:
        """The workers that hold copies of the model; `None` where it is loaded here, or served."""
        workers = self.how.workers
        return workers if workers is not None and workers.cluster is not None and is_local(self.model) else None

    @cached_property
    def observer(self) -> Observer | None:
        """The embedded observer that is asked, where the model is one."""
        return observer_of(self.model, self.suite)

    @property
    def planned(self) -> int:
        """How many replies are wanted, each trial once per repeat."""
        left = 0 if self.rounds is None else self.rounds.source.most - len(self.rounds.trials)
        return (self.numbers.trials + left) * self.repeats

    def outdated(self, folder: Path) -> bool:
        """Whether the stored trials and replies of a run changed since its remaining trials were read."""
        return self.remaining is not None and self.remaining.marks != Run.read(folder).file_marks()

    @property
    def numbers(self) -> PlannedNumbers:
        """How many trials are planned, on how many stimuli and units."""
        if self.remaining is not None:
            return self.remaining.planned
        stimuli, units = ({getattr(trial, name) for trial in self.trials} for name in ("stimulus", "unit"))
        return PlannedNumbers(len(self.trials), len(stimuli), len(units))

    @property
    def schema(self) -> Schema:
        """What the reply to each trial is held to."""
        every = bool(self.role.model_args.get(STRUCTURED))
        return schema_for(self.suite.asking.readers, every=every)

    @property
    def arguments(self) -> dict[str, Json]:
        """The arguments with which the model is opened."""
        return {name: value for name, value in self.role.model_args.items() if name != STRUCTURED}

    def open(self, folder: Path | None = None, *, keyless: bool = False) -> Client:
        """The model, ready to be asked; nothing is sent. An embedded observer that sees runs is told the folder.

        One that is opened `keyless`, to see what it can do, needs no key, and cannot be asked. A local model on a
        cluster is loaded there.
        """
        arguments, observer = self.arguments, self.observer
        if self.replicated is not None and not keyless:
            from veridical.ask.clients.replica_client import open_replicas

            how = self.how
            return open_replicas(
                self.model, arguments, self.replicated, sampling=how.sampling, policy=how.policy, schema=self.schema
            )
        return open_model(
            self.model,
            base_url=self.role.base_urls,
            model_args=arguments,
            sampling=self.how.sampling,
            policy=self.how.policy,
            key=self.role.key or (NO_KEY if keyless else None),
            schema=self.schema,
            embedded=None
            if observer is None
            else lambda name: open_observer(name, observer, arguments, folder, self.stimuli.opaque),
        )

    def identity(self) -> dict[str, Json]:
        """What defines the trials and all that reaches the model, or is known of what answers.

        A later stage's trials are made from replies, so its identity has none of them: wordings and derived media are
        part of their ids. The configuration of a local model is read for its revision.
        """
        return {**identity_of(self.model, self.role.model_args), **self.stated()}

    def stated(self) -> dict[str, Json]:
        """The identity without what only a model's own files say."""
        arguments = self.role.model_args
        facts: dict[str, Json] = {
            "suite": self.suite.name,
            "stage": self.stage.name,
            "role": self.stage.role,
            "set": self.stimuli.key,
            "limit": self.options.get("limit"),
            "settings": {name: list(levels) for name, levels in self.asking.levels.items()},
            "sampling": self.how.sampling.stated(),
            "model": self.model,
            "model_args": self.observer.identity(arguments) if self.observer else dict(arguments),
        }
        if self.stage.needs:
            facts["rests_on"] = self.state.folders
        else:
            facts["prompts"] = sorted({trial.prompt for trial in self.all_trials})
        if self.shard is not None and self.first:
            facts["shard"] = self.shard._asdict()
        if self.rules and not self.stage.needs:
            facts["derived"] = {digest[:16]: rule.identity for digest, rule in sorted(self.rules.items())}
        if self.observer and self.observer.sees != "messages":
            facts |= {"sees": self.observer.sees, "reads": self.observer.reads or f"the {self.observer.sees}"}
        facts |= self.rounds.identity() if self.rounds and self.first else {}
        serving = _served(self.options.get("served") or {})
        return {**facts, "serving": serving} if serving else facts

    def of_shards(self) -> WholeTable | None:
        """The table of trials of all shards; `None` without shards, and where the trials are made from replies."""
        shard = self.shard
        if shard is None or self.stage.needs:
            return None
        return WholeTable.of(self.all_trials, self.suite.design.factors, lambda trial: shard.holds(trial.unit))

    def execution(self) -> dict[str, Json]:
        """How this start of a run is made; it may differ from start to start."""
        how, prompts, settings = self.how, self.asking.prompts, self.options.get("settings") or {}
        preset = {"name": how.preset_name, "source": how.preset.source, **how.preset.stated()} if how.preset else None
        preset = preset if self.role.preset is None else dict(self.role.preset)
        return {
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "preset": preset,
            **{name: value for name, value in asdict(how.policy).items() if name in FLAGS},
            **asdict(how.limits),
            "retry": sorted(how.retry),
            "cache": str(how.cache.resolve()) if how.cache else None,
            "skip_unsupported": self.options.get("skip_unsupported", False),
            "set": stored_name(self.stimuli.folder),
            "prompts": str(prompts.resolve()) if prompts else None,
            "settings": {name: list(levels) for name, levels in self.suite.asked(settings).levels.items()},
            "servers": self.servers,
            **({"suite_file": str(self.suite.files[0])} if self.suite.files else {}),
            **self._planned_from(),
            **({"max_questions": self.rounds.source.most} if self.rounds else {}),
            "versions": versions_of("veridical", "inspect-ai", "openai"),
        }

    def _planned_from(self) -> dict[str, Json]:
        """What tells later whether the trials would be planned as they are; of rounds, the replies tell it."""
        if self.rounds is not None:
            return {}
        return {PLANNED_ON: self.state.digest} if self.stage.needs else {PLANNED_FROM: planned_from(self)}

    def __str__(self) -> str:
        if self.rounds is not None:
            return f"{self.suite.name}: {self.rounds}, to {self.model}{self._where()}"
        trials, stimuli, units = self.numbers
        usual, levels = self.suite.asked().levels, self.asking.levels
        unusual = "".join(f"; {name}: {', '.join(levels[name])}" for name in levels if levels[name] != usual[name])
        often = f", {self.repeats} times each" if self.repeats > 1 else ""
        name = self.suite.name if self.first else f"{self.suite.name}, {self.stage.name}"
        each = " for each copy" if self.replicated else ""
        wide = self.how.policy.at_a_time(here=runs_here(self.model), servers=max(1, len(self.servers)))
        return (
            f"{name}: {trials:,} questions on {stimuli:,} stimuli ({units:,} units)"
            f"{often} to {self.model}{self._where()}, {wide} at a time{each}{unusual}"
        )

    def _where(self) -> str:
        return f" at {' and '.join(self.servers)}" if self.servers else ""


def _served(details: Mapping[str, str]) -> dict[str, str]:
    """Details of serving as they were declared; raises `InputError` for a key without a name or a value."""
    served = {str(key).strip(): str(value).strip() for key, value in details.items()}
    for key, value in served.items():
        if not key or not value:
            raise InputError(f"served '{key}={value}': a name and a value are needed, such as engine=vllm")
    return served
