"""A stage planned for somebody else to ask: on a set, or, where it is made from replies, on a run."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from veridical.errors import InputError, unknown
from veridical.stimulus_set import StimulusSet
from veridical.suite import registry
from veridical.suite.asking import Stage
from veridical.suite.record import Suite
from veridical.verbs.resting import basis_of, require_known, resting
from veridical.verbs.result import RunResult, open_run
from veridical.verbs.roles import Asked, with_defaults
from veridical.verbs.run_options import RunOptions, chosen
from veridical.verbs.sets import open_set, suite_of
from veridical.verbs.setup import Setup, prepare_stage

Place = StimulusSet | RunResult | Path | str


def set_of_run(result: RunResult, stimuli: StimulusSet | Path | str | None = None) -> StimulusSet:
    """The set that a run was asked about, by default where it was then; raises `InputError` where it is another."""
    stored = result.run.executions[-1] if result.run.executions else {}
    whole = open_set(Path(str(stored.get("set", ""))) if stimuli is None else stimuli, result.suite.name)
    whole.require_intact_table()
    if whole.digest != result.run.identity["set"]:
        raise InputError(f"{whole.folder} is another set than the one that {result.folder} was asked about")
    return whole


def options_of_run(result: RunResult, options: RunOptions) -> RunOptions:
    """Options with a run's own units, settings and wordings where none are given."""
    stored = result.run.executions[-1] if result.run.executions else {}
    usual: RunOptions = {
        "limit": result.run.identity.get("limit"),
        "repeats": result.run.repeats,
        "settings": stored.get("settings"),
        "prompts": stored.get("prompts"),
    }
    stated = {key: value for key, value in options.items() if value not in (None, {}, [])}
    return {**usual, **stated}  # type: ignore[typeddict-item]


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
        whole = open_set(place)
        whole.require_intact_table()
        suite = registry.get(suite_of(whole))
        stage = stage_of(suite, name)
        if stage.needs:
            raise InputError(f"stage {stage.name} is made from replies: name the folder of a run, not of a set")
        usual = with_defaults(suite, model or None, options)
        return prepare_stage(suite, whole, stage, _nobody(suite, stage, usual)).with_derived(whole.folder)
    assert not isinstance(place, StimulusSet)
    result = open_run(place)
    stage = stage_of(result.suite, name)
    merged, rests_on = options_of_run(result, options), options.get("rests_on")
    require_known(rests_on, result.stages)
    below = resting(result.stages, stage, rests_on, accept_errors=bool(options.get("accept_errors")))
    if isinstance(below, str):
        raise InputError(f"stage {stage.name} cannot be planned yet: it waits for {below}")
    basis = basis_of(result.stages, below)
    whole = set_of_run(result)
    nobody = _nobody(result.suite, stage, merged)
    return prepare_stage(result.suite, whole, stage, nobody, basis).with_derived(result.folder)


def _nobody(suite: Suite, stage: Stage, options: RunOptions) -> Asked:
    return Asked(stage.role, "", options, chosen(suite, None, options), {})
