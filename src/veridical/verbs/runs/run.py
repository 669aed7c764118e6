"""Asking models about a set: each stage of the suite as soon as its role has a model and its needs are answered."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Literal, Unpack

from veridical.ask import (
    Limits,
    OtherSpending,
    Progress,
    Run,
    ask,
    is_embedded,
    progress,
    repeats_by_status,
    unreadable_repeats,
)
from veridical.ask.local import LOADED, is_local
from veridical.base.files import folder_lock
from veridical.base.format import visible
from veridical.base.path_checks import RUN, holds_run
from veridical.base.run_options import RunOptions
from veridical.base.shards import shard_folder
from veridical.errors import InputError, UnansweredWarning
from veridical.records import Json
from veridical.stimulus_set import StimulusSet
from veridical.suite import registry
from veridical.suite.record import Suite
from veridical.suite.stages import Stage
from veridical.verbs.results.result import RunResult, refresh
from veridical.verbs.runs.answered_runs import unasked_rest
from veridical.verbs.runs.live_state import LiveState
from veridical.verbs.runs.models import asked_name, observer_of
from veridical.verbs.runs.observer_workers import asked_by_workers
from veridical.verbs.runs.options import options_of_run
from veridical.verbs.runs.other_levels import level_without_continuation
from veridical.verbs.runs.picture_limits import with_fitting_level
from veridical.verbs.runs.places import require_whole, stage_folder
from veridical.verbs.runs.roles import RoleModel, require_other_judge, require_place, require_ready, roles_of
from veridical.verbs.runs.setup import Setup, prepare_stage, unplanned_stage
from veridical.verbs.runs.spending import Spending
from veridical.verbs.runs.stage_states import (
    Choice,
    Ready,
    Stages,
    WaitingStage,
    lacks_model,
    record_of_run,
    require_known,
    whole_run,
)
from veridical.verbs.sets import folder_for, open_with_suite, set_of

Show = Literal["auto", "live", "plain", "quiet"]
Confirm = Callable[[Setup], bool]
Shown = Callable[[int, str | None], Progress]
"""The progress of so many trials, of a stage where a suite has several."""


def run(
    stimuli: StimulusSet | Path | str,
    model: str | None = None,
    *,
    out: Path | str | None = None,
    show: Show = "auto",
    confirm: Confirm | None = None,
    analyze: bool = True,
    live: LiveState | None = None,
    **options: Unpack[RunOptions],
) -> RunResult:
    """The run of models on a set, asked and stored in a folder; the keywords are those of `RunOptions`.

    `model` is the one under test. RoleModel is every stage of the suite whose role has a model and whose needs are
    answered; `RunResult.waiting` says what each other one waits for. `out` is the folder (default: a temporary one,
    kept while Python runs); that of shard 2/4 is `out` with `-2-of-4` at its end. Called again with the same arguments
    it asks only what is missing. `confirm` gets what is planned before anything is sent to a model that is not
    embedded, and may say no. Without `analyze`, outcomes, tables and figures are left for a later verb to write. `live`
    is what a page follows (see `live_server`). Issues an
    `UnansweredWarning` for each stage in which more than 5 % of the replies have no answer (see `RunResult.warnings`),
    unless `analyze` is false. Raises `InputError` for what a user can put right; a run that ends early is returned as
    it stands, and without tables if a signal ended it.
    """
    whole, suite = open_with_suite(stimuli)
    roles = roles_of(suite, model, options)
    folder = folder_for(None if out is None else shard_folder(Path(out), options.get("shard")))
    return RunStart(suite, whole, folder, roles, options, show, confirm, live=live).result(analyze=analyze)


def require_askable(suite: str, names: Sequence[str], out: Path, options: RunOptions) -> None:
    """Raises `InputError` for what is wrong with a run as far as that is known without its set; nothing is loaded."""
    chosen = registry.get(suite)
    wanted: list[str | None] = [*names] if names else [None]
    first = chosen.asking.ordered[0]
    for name in wanted:
        asked = roles_of(chosen, name, options)
        if first.role not in asked and not holds_run(out):
            raise InputError(f"nothing can be asked: stage {first.name} waits for {lacks_model(first)}")
        for role in asked.values() if len(wanted) == 1 else ():  # of several models, one may fail without the others
            require_ready(role)
    chosen.asked(options.get("settings"), options.get("prompts"))


def judge(
    run: RunResult | Path | str,
    *,
    stimuli: StimulusSet | Path | str | None = None,
    show: Show = "auto",
    confirm: Confirm | None = None,
    analyze: bool = True,
    live: LiveState | None = None,
    **options: Unpack[RunOptions],
) -> RunResult:
    """A run that is there, with its later stages asked as far as the roles that are given reach.

    It is `run` with the model under test left out: the set (default: where it was when the run was made), the settings
    and the wordings are those of the run unless they are given. Raises `InputError` as `run` does.
    """
    asked = run.run if isinstance(run, RunResult) else whole_run(run)
    suite = record_of_run(asked)
    whole = set_of(asked, stimuli)
    merged = options_of_run(asked, options)
    roles = roles_of(suite, None, merged)
    if not roles:
        raise InputError("nobody is named who is to be asked: give --judge M, or --role ROLE=M")
    require_other_judge(roles, str(asked.identity["model"]), merged)
    return RunStart(suite, whole, asked.folder, roles, merged, show, confirm, live=live).result(analyze=analyze)


class DeclinedError(InputError):
    """A person did not agree to send anything."""


@dataclass
class RunStart:
    """One start of a run: its set, its folder, and who is asked in which role.

    `lacking` says, by stage, what a stage still waits for when it was come to; `limited`, that the start ended early,
    `interrupted`, by a signal; `asked`, that any stage was planned; `agreed` are the models that a person agreed to
    send to. Where several runs are made in one call, `beside` are the folders of the others, whose spending counts in a
    budget; `shown` is this one's place on their display, and `live` what a page follows.
    """

    suite: Suite
    whole: StimulusSet
    folder: Path
    roles: Mapping[str, RoleModel]
    options: RunOptions
    show: Show
    confirm: Confirm | None
    lacking: dict[str, str] = field(default_factory=dict)
    limited: bool = False
    interrupted: bool = False
    asked: bool = False
    problem: InputError | None = None
    began: float = field(default_factory=monotonic)
    runs: dict[str, Run] = field(default_factory=dict)
    agreed: set[str] = field(default_factory=set)
    beside: Sequence[Path] = ()
    shown: Shown | None = None
    live: LiveState | None = None

    def result(self, *, analyze: bool) -> RunResult:
        """The run that the start comes to, asked as far as it can be."""
        first = self.first()
        with folder_lock(self.folder):
            if first is not None and first.outdated(self.folder):
                first = self.first()
            self._ask_stages(first)
            first = None  # else its trials would be in memory beside the outcomes
            result = RunResult(Run.open(self.folder), lacking=dict(self.lacking))
            analyze = analyze and not self.interrupted  # who stops a run waits for nothing; later verbs compute it
            if analyze and (self.asked or not result.analyzed):
                refresh(result)
        if analyze:
            for line in result.warnings():
                # Issued where `run`, `judge` or `run_models` is called, which call this.
                warnings.warn(visible(line), UnansweredWarning, stacklevel=3)
        if self.problem is not None:
            raise self.problem
        return result

    def first(self) -> Setup | None:
        """The first stage, planned before anything is written; `None` where it is there and nothing is to be asked.

        Raises `InputError` where it is not there, and for what a user can put right.
        """
        begun = holds_run(self.folder)
        # A table of trials that was lost is written anew by this start.
        stages = Stages(Run.read(self.folder), self.suite) if begun else None
        if stages is not None:
            require_whole(stages.root)
        require_known(self._rests_on(), stages, [role.model for role in self.roles.values()])
        state = self._state(self.suite.asking.ordered[0])
        if isinstance(state, Ready):
            role = self.roles[state.stage.role]
            require_place(role)
            followed = self.live is not None or self.shown is not None
            bare = unplanned_stage(self.suite, self.whole, state, role)
            answered, remaining = unasked_rest(self.folder, bare, followed=followed)
            if answered is not None:
                self.runs[state.stage.name] = answered
                return None
            if remaining is not None:
                return replace(bare, remaining=remaining)
            setup = self._prepared(state)
            Run.require_room(self.folder, setup.stated())
            return setup
        if not begun:
            raise InputError(f"nothing can be asked: {state}")
        return None

    def _ask_stages(self, first: Setup | None) -> None:
        """Asks every stage that can be asked, in their order, until one ends early."""
        if first is not None:
            self._ask(first)
        for stage in self.suite.asking.ordered[1:]:
            if self.limited:
                return
            try:
                state = self._state(stage)
                if isinstance(state, Ready):
                    self._ask(self._prepared(state))
            except DeclinedError:
                raise
            except InputError as error:
                # What the other stages can be asked is asked before a person is told.
                self.problem = self.problem or error
                self.lacking[stage.name] = str(error)

    def _prepared(self, state: Ready) -> Setup:
        return prepare_stage(self.suite, self.whole, state, self.roles[state.stage.role])

    def _rests_on(self) -> str | None:
        """The judge that later stages rest on, by the name under which it was asked."""
        named, models = self.options.get("rests_on"), self.options.get("models")
        return None if named is None else asked_name(named, None if models is None else Path(models))

    def _state(self, stage: Stage) -> WaitingStage | Ready:
        """How a stage stands for this start; what it lacks besides replies that it needs is noted in `lacking`."""
        lacks = self._lacks(stage)
        if lacks is not None:
            self.lacking[stage.name] = lacks
            return Ready(stage).waits(lacks)
        if stage is self.suite.asking.ordered[0]:
            return Ready(stage)
        errors = bool(self.options.get("accept_errors"))
        choice = Choice(self._rests_on(), errors, self.runs)
        return Stages(Run.open(self.folder), self.suite).state(stage, choice)

    def _lacks(self, stage: Stage) -> str | None:
        """What a stage lacks besides the replies that it needs."""
        role, first = self.roles.get(stage.role), stage is self.suite.asking.ordered[0]
        if role is None:
            return lacks_model(stage)
        own = role.of_stage(stage, first=first)
        observer = observer_of(own.model, self.suite)
        missing = observer.lacks(own.model_args) if observer else None
        if not missing:
            return None
        place = "answers" if first else f"answers.{stage.name}"
        return f"{missing} for {own.model}: -M {place}=FILE"

    def _ask(self, setup: Setup) -> None:
        stage, how, first = setup.stage, setup.how, setup.first
        identity = {**setup.identity(), **({} if first else {"repeats": setup.repeats})}
        folder = self.folder if first else stage_folder(self.folder, identity)
        opened = None if is_local(setup.model) else setup.open(folder)
        if setup.planned and self.confirm and not is_embedded(setup.model) and setup.model not in self.agreed:
            if not self.confirm(setup):
                raise DeclinedError(f"nothing was sent to {setup.model}: say yes, or give --yes")
            self.agreed.add(setup.model)
        opened = opened or setup.open(folder)  # the weights of a local model are loaded after all questions to a person
        setup = setup.with_derived(self.folder)
        execution = {**setup.execution(), **{key: fact for key, fact in opened.facts().items() if key == LOADED}}
        run = self._started(setup, folder, identity, execution)
        most_tries = 1 if is_embedded(setup.model) else stage.most_tries
        shown = self._progress(setup)
        if (moved := run.moved_servers()) is not None:
            shown.remark(moved)
        workers = asked_by_workers(setup, run, self.folder, opened)
        with with_fitting_level(lambda: self._prepared(setup.state)), workers as (client, policy):
            tally = ask(
                run,
                setup.trials,
                client,
                media=setup.read,
                policy=policy,
                progress=shown,
                limits=how.limits,
                elsewhere=self._elsewhere(run, how.limits),
                again=self._again(run, how.retry, most_tries),
                cache=how.cache,
                skip_unsupported=self.options.get("skip_unsupported", False),
                instead=level_without_continuation(setup),
                tells_trial=setup.observer is not None and setup.observer.sees != "messages",
                shares_replies=stage.shares_replies,
                readers=self.suite.asking.readers,
                most_tries=most_tries,
                earlier=setup.remaining.earlier if setup.remaining else None,
            )
        self.interrupted, self.asked = tally.interrupted, True
        self.limited = tally.interrupted or tally.limit is not None
        self.runs[stage.name] = Run.open(folder)

    def _started(self, setup: Setup, folder: Path, identity: dict[str, Json], execution: dict[str, Json]) -> Run:
        if setup.remaining is not None:
            return Run.resume(folder, execution)
        start = Run.start if setup.first else Run.start_stage
        factors, repeats, of_shards = self.suite.design.factors, setup.repeats, setup.of_shards()
        return start(folder, identity, execution, setup.trials, factors=factors, repeats=repeats, of_shards=of_shards)

    def _again(self, run: Run, retried: frozenset[str], most_tries: int) -> set[tuple[str, int]]:
        """What has a reply and is asked again: statuses that the user names, and unreadable ones with tries left."""
        if not run.begun or not (retried or most_tries > 1):
            return set()
        outcomes = run.outcomes(self.suite.asking.readers)
        unreadable = unreadable_repeats(outcomes, run.attempts(), most_tries) if most_tries > 1 else set()
        return unreadable | repeats_by_status(outcomes, retried)

    def _progress(self, setup: Setup) -> Progress:
        shown = self._shown_progress(setup)
        return shown if self.live is None else self.live.stage(setup, shown)

    def _shown_progress(self, setup: Setup) -> Progress:
        if self.shown is not None:
            return self.shown(setup.planned, f"stage {setup.stage.name}" if not setup.first else None)
        several = len(self.suite.asking.ordered) > 1
        return progress(setup.planned, self.show, f"stage {setup.stage.name}, {setup.model}" if several else None)

    def _elsewhere(self, run: Run, limits: Limits) -> OtherSpending:
        """When this start must end, and, for a budget, what other stages, and the runs beside this one, have spent."""
        limit = self.options.get("time_limit")
        deadline = None if limit is None else self.began + limit
        if limits.budget_tokens is None and limits.budget_usd is None:
            return OtherSpending(deadline=deadline)
        opened = [Run.open(each) for each in (self.folder, *self.beside) if (each / RUN).exists()]
        every = [Stages(each, record_of_run(each)).runs.values() for each in opened]
        others = [each for runs in every for of_stage in runs for each in of_stage if each.folder != run.folder]
        spent = [(Spending.at_most(each), is_embedded(str(each.identity["model"]))) for each in others]
        return OtherSpending(
            tokens=sum(each.input_tokens + each.output_tokens for each, _ in spent),
            usd=sum(each.usd or 0.0 for each, _ in spent),
            uncounted=sum(each.uncounted for each, free in spent if not free),
            deadline=deadline,
        )
