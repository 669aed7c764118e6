"""One start of a run: each stage is asked as soon as its role has a model and its needs are answered."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Literal

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
from veridical.base.options import Options
from veridical.base.path_checks import RUN, holds_run
from veridical.base.run_options import RunOptions
from veridical.errors import InputError, UnansweredWarning
from veridical.records import Json
from veridical.stimulus_set import StimulusSet
from veridical.suite.record import Suite
from veridical.suite.sequential import STOP_AT
from veridical.suite.stages import Stage
from veridical.verbs.results.result import RunResult, refresh
from veridical.verbs.runs.answered_runs import unasked_rest
from veridical.verbs.runs.live_state import LiveState
from veridical.verbs.runs.models import asked_name, observer_of
from veridical.verbs.runs.observer_workers import asked_by_workers
from veridical.verbs.runs.other_levels import level_without_continuation
from veridical.verbs.runs.picture_limits import with_fitting_level
from veridical.verbs.runs.places import require_whole, stage_folder
from veridical.verbs.runs.preparation import prepare_rounds, prepare_stage, unplanned_stage
from veridical.verbs.runs.question_rounds import DRAWN, QuestionRounds, goal_of
from veridical.verbs.runs.roles import RoleModel, require_place
from veridical.verbs.runs.setup import Setup
from veridical.verbs.runs.spending import Spending
from veridical.verbs.runs.stage_states import (
    Choice,
    Ready,
    Stages,
    WaitingStage,
    lacks_model,
    record_of_run,
    require_known,
)

Show = Literal["auto", "live", "plain", "quiet"]
Confirm = Callable[[Setup], bool]
Shown = Callable[[int, str | None], Progress]
"""The progress of so many trials, of a stage where a suite has several."""


class DeclinedError(InputError):
    """A person did not agree to send anything."""


@dataclass
class RunStart:
    """One start of a run: its set, its folder, and who is asked in which role.

    Its `place` is the set, or the design of one that grows with the run.
    `lacking` says, by stage, what a stage still waits for when it was come to; `limited`, that the start ended early,
    `interrupted`, by a signal; `asked`, that any stage was planned; `agreed` are the models that a person agreed to
    send to. Where several runs are made in one call, `beside` are the folders of the others, whose spending counts in a
    budget; `shown` is this one's place on their display, and `live` what a page follows.
    """

    suite: Suite
    place: StimulusSet | Options
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

    @property
    def whole(self) -> StimulusSet:
        """The set that is asked about; raises `InputError` where nothing of it was drawn yet."""
        return self.place if isinstance(self.place, StimulusSet) else StimulusSet.open(self.folder / DRAWN)

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
            if goal_of(self.suite, self.options) is not None:
                return self._first_rounds(state, role)
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

    def _first_rounds(self, state: Ready, role: RoleModel) -> Setup | None:
        """The first stage of a run that asks in rounds; `None` where these have ended."""
        Run.require_room(self.folder, {STOP_AT: self.options.get(STOP_AT)})
        observer = observer_of(role.model, self.suite)
        if observer is not None and observer.across_units:
            raise InputError(f"{role.model} replies by all units of its run: ask it without --stop-at")
        rounds = QuestionRounds.of(self.suite, self.folder, self.place, self.options)
        rounds.begin()
        if rounds.ended is not None:
            self.runs[state.stage.name] = Run.open(self.folder)
            return None
        setup = prepare_rounds(rounds, state, role)
        Run.require_room(self.folder, setup.stated())
        return setup

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
                next_trials=setup.rounds.follow if setup.rounds else None,
            )
        self.interrupted, self.asked = tally.interrupted, True
        self.limited = tally.interrupted or tally.limit is not None
        self.runs[stage.name] = Run.open(folder)

    def _started(self, setup: Setup, folder: Path, identity: dict[str, Json], execution: dict[str, Json]) -> Run:
        if setup.remaining is not None:
            return Run.resume(folder, execution)
        rounds, factors = setup.rounds, self.suite.design.factors
        start = Run.start if setup.first and rounds is None else Run.start_stage
        trials = setup.trials if rounds is None else rounds.trials
        repeats, of_shards = setup.repeats, setup.of_shards()
        return start(folder, identity, execution, trials, factors=factors, repeats=repeats, of_shards=of_shards)

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
