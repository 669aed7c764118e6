"""A stage planned for somebody else to ask: on a set, or, where it is made from replies, on a run."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from veridical.base.run_options import RunOptions
from veridical.errors import InputError, unknown
from veridical.records import Trial
from veridical.stimulus_set import StimulusSet
from veridical.suite.record import Suite
from veridical.suite.stages import Stage
from veridical.verbs.results.result import RunResult, open_run
from veridical.verbs.runs.options import arguments_of, options_of_run
from veridical.verbs.runs.preparation import prepare_stage
from veridical.verbs.runs.roles import RoleModel, with_defaults
from veridical.verbs.runs.setup import Setup
from veridical.verbs.runs.stage_states import Choice, Ready, WaitingStage, require_known
from veridical.verbs.sets import open_with_suite, set_of

Place = StimulusSet | RunResult | Path | str


def set_of_run(result: RunResult, stimuli: StimulusSet | Path | str | None = None) -> StimulusSet:
    """The set that a run was asked about, by default where it was then; raises `InputError` where it is another."""
    return set_of(result.run, stimuli)


def stage_of(suite: Suite, name: str | None) -> Stage:
    """The stage of that name (default: the first); raises `InputError`, with the nearest name, where there is none."""
    stages = {stage.name: stage for stage in suite.asking.ordered}
    if name is None:
        return suite.asking.ordered[0]
    if name not in stages:
        raise unknown(f"stage of {suite.name}", name, stages)
    return stages[name]


def is_run(place: Place) -> bool:
    """Whether a place is a run folder rather than a set."""
    return isinstance(place, RunResult) or (isinstance(place, Path | str) and (Path(place) / "run.json").exists())


def planned_stage(place: Place, name: str | None, model: str = "", **options: Unpack[RunOptions]) -> Setup:
    """A stage with its trials, planned for `model`, whoever that is, and not asked; its derived media are made.

    `place` is a set, or, for a stage that is made from replies, a run. A set is planned with the levels that the suite
    takes for the model, as a run of it is. Raises `InputError` for a stage that there is
    not, and for one whose needs are open.
    """
    if not is_run(place):
        assert not isinstance(place, RunResult)
        whole, suite = open_with_suite(place)
        stage = stage_of(suite, name)
        if stage.needs:
            raise InputError(f"stage {stage.name} is made from replies: name the folder of a run, not of a set")
        usual = with_defaults(suite, model or None, options)
        return prepare_stage(suite, whole, Ready(stage), _nobody(suite, stage, usual)).with_derived(whole.folder)
    assert not isinstance(place, StimulusSet)
    result = open_run(place)
    stage = stage_of(result.suite, name)
    merged = options_of_run(result.run, options)
    choice = Choice(options.get("rests_on"), bool(options.get("accept_errors")))
    require_known(choice.rests_on, result.stages)
    state = result.stages.state(stage, choice)
    if isinstance(state, WaitingStage):
        raise InputError(f"stage {stage.name} cannot be planned yet: it waits for {state.why}")
    setup = prepare_stage(result.suite, set_of(result.run), state, _nobody(result.suite, stage, merged))
    return setup.with_derived(result.folder)


def outgoing_trials(setup: Setup) -> list[Trial]:
    """The trials of a stage in the order in which they leave: that of asking, and inside of a unit that of their names.

    The order of a set would tell the variants of a unit.
    """
    return sorted(setup.trials, key=lambda trial: (trial.place, setup.stimuli.opaque(trial.id)))


def _nobody(suite: Suite, stage: Stage, options: RunOptions) -> RoleModel:
    return RoleModel(stage.role, "", options, arguments_of(suite, None, options), {})
