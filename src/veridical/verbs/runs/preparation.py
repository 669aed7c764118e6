"""A stage of a run prepared: planned and checked as far as it can be without sending anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from veridical.base.run_options import RunOptions
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.derived_media import DerivedMedia
from veridical.suite.record import Suite
from veridical.suite.stages import PlannedMedia
from veridical.verbs.runs.picture_limits import require_within_limits
from veridical.verbs.runs.question_rounds import QuestionRounds
from veridical.verbs.runs.roles import RoleModel, require_held, require_place, roles_of
from veridical.verbs.runs.setup import Setup
from veridical.verbs.runs.stage_states import Ready, lacks_model
from veridical.verbs.runs.stage_trials import trials_of
from veridical.verbs.sets import make_derived, open_with_suite


def prepare(stimuli: StimulusSet | Path | str, model: str | None, **options: Unpack[RunOptions]) -> Setup:
    """The first stage of the run of a model on a set, checked as far as it can be without sending anything.

    No key is needed. Raises `InputError` for what a user can put right.
    """
    whole, suite = open_with_suite(stimuli)
    stage = suite.asking.ordered[0]
    role = roles_of(suite, model, options, keys=False).get(stage.role)
    if role is None:
        raise InputError(f"stage {stage.name} waits for {lacks_model(stage)}")
    require_place(role)
    return prepare_stage(suite, whole, Ready(stage), role)


def unplanned_stage(suite: Suite, whole: StimulusSet, state: Ready, role: RoleModel) -> Setup:
    """A stage before its trials are planned: who is asked, and how."""
    options, stage = role.options, state.stage
    asking = suite.asked(options.get("settings"), options.get("prompts")).of_stage(stage)
    own = role.of_stage(stage, first=stage is suite.asking.ordered[0])
    return Setup(suite, whole, state, asking, (), own)


def prepare_stage(suite: Suite, whole: StimulusSet, state: Ready, role: RoleModel) -> Setup:
    """A stage that is ready, with its trials planned, checked as far as it can be without sending anything."""
    bare = unplanned_stage(suite, whole, state, role)
    asking = bare.asking
    trials = trials_of(suite, whole, asking, role.options.get("limit"), state)
    rules = asking.derivations.rules if isinstance(asking.derivations, PlannedMedia) else {}
    return _checked(replace(bare, all_trials=trials, rules=rules))


def prepare_rounds(rounds: QuestionRounds, state: Ready, role: RoleModel) -> Setup:
    """The first stage of a run that asks in rounds, as far as these are known, checked likewise."""
    source = rounds.source
    bare = unplanned_stage(rounds.suite, source.whole, state, role)
    rules = source.asking.derivations.rules if isinstance(source.asking.derivations, PlannedMedia) else {}
    trials = source.trials or rounds.trials
    return _checked(replace(bare, all_trials=trials, asking=source.asking, rules=rules, rounds=rounds))


def _checked(setup: Setup) -> Setup:
    own, trials, whole = setup.role, setup.all_trials, setup.stimuli
    require_held(trials, own.model, own.base_url)
    if setup.observer is not None:
        setup.observer.require_able(trials, setup.repeats)
        setup.observer.require_known(own.model_args, trials, whole.opaque)
        if setup.shard is not None and setup.observer.across_units:
            raise InputError(f"{own.model} replies by all units of its run: ask it without --shard")
    require_within_limits(setup)
    return setup


def derive_media(
    stimuli: StimulusSet | Path | str,
    *,
    settings: Mapping[str, str | Sequence[str]] | None = None,
    progress: Callable[[int, int], None] | None = None,
    workers: int | None = None,
    cluster: str | None = None,
) -> list[DerivedMedia]:
    """The media that runs on a set with these settings derive from it, made in the set, one entry a rule.

    They are made on all cores, by so many `workers`, or on a Ray `cluster`. What is there is not made again. Raises
    `InputError` where nothing is to be derived, and where the set cannot be written to: a run then makes them in its
    own folder.
    """
    setup = prepare(stimuli, "", settings=settings, workers=workers, cluster=cluster)
    if not setup.rules:
        raise InputError(f"{setup.stimuli.folder}: no media are derived for runs of {setup.suite.name} in this way")
    made = make_derived(setup.stimuli, list(setup.rules.values()), setup.stimuli.folder, progress, setup.how.workers)
    return list(made.values())
