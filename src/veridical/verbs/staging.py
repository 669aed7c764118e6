"""Going through the stages of a run: each is asked as soon as its role has a model and its needs are answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Literal

from veridical.ask import Elsewhere, Progress, Run, ask, is_embedded, progress, to_ask_again, to_try_again
from veridical.ask.local import LOADED, is_local
from veridical.base.places import RUN
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet
from veridical.suite.asking import Stage
from veridical.suite.record import Suite
from veridical.verbs.embedded import observer_of
from veridical.verbs.models_file import asked_as
from veridical.verbs.resting import basis_of, lacks_model, require_known, resting
from veridical.verbs.roles import Asked, require_place
from veridical.verbs.run_options import RunOptions
from veridical.verbs.setup import Setup, prepare_stage
from veridical.verbs.spending import Spending
from veridical.verbs.stages import Stages, folder_of

Show = Literal["auto", "live", "plain", "quiet"]
Confirm = Callable[[Setup], bool]
Shown = Callable[[int, str | None], Progress]
"""The progress of so many trials, of a stage where a suite has several."""


@dataclass
class Staging:
    """One start of a run: its set, its folder, and who is asked in which role.

    `lacking` says, by stage, what a stage still waits for when it was come to; `limited`, that the start ended early;
    `agreed` are the models that a person agreed to send to. Where several runs are made in one call, `beside` are the
    folders of the others, whose spending counts in a budget; `shown` is this one's place on their display.
    """

    suite: Suite
    whole: StimulusSet
    folder: Path
    roles: Mapping[str, Asked]
    options: RunOptions
    show: Show
    confirm: Confirm | None
    lacking: dict[str, str] = field(default_factory=dict)
    limited: bool = False
    problem: InputError | None = None
    began: float = field(default_factory=monotonic)
    runs: dict[str, Run] = field(default_factory=dict)
    agreed: set[str] = field(default_factory=set)
    beside: Sequence[Path] = ()
    shown: Shown | None = None

    def first(self) -> Setup | None:
        """The first stage, planned before anything is written; `None` where nobody has its role and it is there.

        Raises `InputError` where it is not there, and for what a user can put right.
        """
        stage = self.suite.asking.ordered[0]
        begun = (self.folder / "run.json").exists()
        standing = Stages(Run.open(self.folder), self.suite) if begun else None
        require_known(self._rests_on(), standing, [role.model for role in self.roles.values()])
        why = self._cannot(stage, first=True)
        if why is None:
            require_place(self.roles[stage.role])
            setup = prepare_stage(self.suite, self.whole, stage, self.roles[stage.role])
            Run.require_room(self.folder, setup.stated())
            return setup
        if not begun:
            raise InputError(f"nothing can be asked: stage {stage.name} waits for {why}")
        self.lacking[stage.name] = why
        return None

    def go(self, first: Setup | None) -> None:
        """Asks every stage that can be asked, in their order, until one ends early."""
        if first is not None:
            self._ask(first)
        for stage in self.suite.asking.ordered[1:]:
            if self.limited:
                return
            why = self._cannot(stage, first=False)
            if why is not None:
                self.lacking[stage.name] = why
                continue
            try:
                setup = self._setup(stage)
            except InputError as error:
                if self.problem is not None:
                    raise
                # What the other stages can be asked is asked before a person is told.
                self.problem, self.lacking[stage.name] = error, str(error)
                continue
            if setup is not None:
                self._ask(setup)

    def _rests_on(self) -> str | None:
        """The judge that later stages rest on, by the name under which it was asked."""
        named, models = self.options.get("rests_on"), self.options.get("models")
        return None if named is None else asked_as(named, None if models is None else Path(models))

    def _cannot(self, stage: Stage, *, first: bool) -> str | None:
        """What a stage lacks besides the replies that it needs."""
        role = self.roles.get(stage.role)
        if role is None:
            return lacks_model(stage)
        own = role.of_stage(stage, first=first)
        observer = observer_of(own.model, self.suite)
        missing = observer.lacks(own.options.get("model_args") or {}) if observer else None
        if not missing:
            return None
        place = "answers" if first else f"answers.{stage.name}"
        return f"{missing} for {own.model}: -M {place}=FILE"

    def _setup(self, stage: Stage) -> Setup | None:
        """A later stage with its trials planned, or `None` where replies that it needs are missing."""
        role = self.roles[stage.role]
        standing = Stages(Run.open(self.folder), self.suite)
        errors = bool(self.options.get("accept_errors"))
        below = resting(standing, stage, self._rests_on(), current=self.runs, accept_errors=errors)
        if not isinstance(below, dict):
            return None
        return prepare_stage(self.suite, self.whole, stage, role, basis_of(standing, below))

    def _ask(self, setup: Setup) -> None:
        stage, how, first = setup.stage, setup.how, setup.first
        identity = {**setup.identity(), **({} if first else {"repeats": setup.repeats})}
        folder = self.folder if first else folder_of(self.folder, stage, identity)
        opened = None if is_local(setup.model) else setup.open(folder)
        if setup.trials and self.confirm and not is_embedded(setup.model) and setup.model not in self.agreed:
            if not self.confirm(setup):
                raise InputError(f"nothing was sent to {setup.model}: say yes, or give --yes")
            self.agreed.add(setup.model)
        opened = opened or setup.open(folder)  # the weights of a local model are loaded after all questions to a person
        setup = setup.with_derived(self.folder)
        start = Run.start if first else Run.start_stage
        factors = self.suite.design.factors
        execution = {**setup.execution(), **{key: fact for key, fact in opened.facts().items() if key == LOADED}}
        run = start(folder, identity, execution, setup.trials, factors=factors, repeats=setup.repeats)
        readers = self.suite.asking.readers
        most_tries = 1 if is_embedded(setup.model) else stage.most_tries
        again = self._again(run, how.retry, most_tries)
        tally = ask(
            run,
            setup.trials,
            opened,
            media=setup.read,
            policy=how.policy,
            progress=self._progress(setup),
            limits=how.limits,
            elsewhere=self._elsewhere(run),
            again=again,
            cache=how.cache,
            skip_unsupported=self.options.get("skip_unsupported", False),
            tells_trial=setup.observer is not None and setup.observer.sees != "messages",
            shares_replies=stage.shares_replies,
            readers=readers,
            most_tries=most_tries,
        )
        self.limited = tally.interrupted or tally.limit is not None
        self.runs[stage.name] = Run.open(folder)

    def _again(self, run: Run, retried: frozenset[str], most_tries: int) -> set[tuple[str, int]]:
        """What has a reply and is asked again: statuses that the user names, and unreadable ones with tries left."""
        if not run.begun or not (retried or most_tries > 1):
            return set()
        outcomes = run.outcomes(self.suite.asking.readers)
        unreadable = to_try_again(outcomes, run.attempts(), most_tries) if most_tries > 1 else set()
        return unreadable | to_ask_again(outcomes, retried)

    def _progress(self, setup: Setup) -> Progress:
        several = len(self.suite.asking.ordered) > 1
        if self.shown is not None:
            return self.shown(setup.planned, f"stage {setup.stage.name}" if not setup.first else None)
        title = f"stage {setup.stage.name}, {setup.model}" if several else None
        return progress(setup.planned, self.show, title)

    def _elsewhere(self, run: Run) -> Elsewhere:
        """What all other stages, and the runs beside this one, have spent, and when this start must end."""
        begun = [self.folder, *(folder for folder in self.beside if (folder / RUN).exists())]
        standing = [Stages(Run.open(folder), self.suite) for folder in begun]
        runs = [each for stages in standing for runs in stages.runs.values() for each in runs]
        others = [each for each in runs if each.folder != run.folder]
        spent = [(Spending.at_most(each), is_embedded(str(each.identity["model"]))) for each in others]
        limit = self.options.get("time_limit")
        return Elsewhere(
            tokens=sum(each.input_tokens + each.output_tokens for each, _ in spent),
            usd=sum(each.usd or 0.0 for each, _ in spent),
            uncounted=sum(each.uncounted for each, free in spent if not free),
            deadline=None if limit is None else self.began + limit,
        )
