"""The trials of a stage: planned on a set or on replies, with their places in the order of asking, and their checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from veridical.base.garbage import no_collection
from veridical.base.path_checks import derived_rule
from veridical.base.shards import Shard
from veridical.errors import InputError
from veridical.records import Media, Stimulus, Trial, canonical
from veridical.stimulus_set import StimulusSet
from veridical.suite.record import Suite
from veridical.suite.reply import REPLY, SCHEMA, is_held, require_some_held
from veridical.suite.stages import AskingOptions, Stage
from veridical.verbs.runs.stage_states import Ready
from veridical.verbs.sets import limited_units

_PLACE = 16
"""Hexadecimal digits of a place: two of a million units share one with a probability of 3 in 100 million."""


def trials_of(
    suite: Suite, whole: StimulusSet, asking: AskingOptions, limit: int | None, state: Ready | None = None
) -> list[Trial]:
    """The trials of a stage that is ready (default: the suite's first) on a set, or on `limit` whole units of it.

    Trials keep the order of the set; `place_of` has the order of asking. Ids of trials with sources end in the hash of
    these, of the wording and of the rules that derive their media. Raises `InputError` where the suite's first stage
    has nothing to ask, and for trials that are not as their stage says.
    """
    state = Ready(suite.asking.ordered[0]) if state is None else state
    stage, own = state.stage, asking.of_stage(state.stage)
    trials = trials_on(suite, limited_units(whole.stimuli, limit), asking, state)
    if not trials and stage.name == suite.asking.ordered[0].name:
        stated = "; ".join(f"{name}: {', '.join(levels)}" for name, levels in own.levels.items())
        raise InputError(f"{whole.folder} has nothing to ask about in this way ({stated or 'no setting'})")
    if not stage.needs:
        require_some_held(trials, own.levels)
    return trials


def trials_on(suite: Suite, stimuli: Sequence[Stimulus], asking: AskingOptions, state: Ready) -> list[Trial]:
    """The trials of a stage that is ready on these stimuli; raises `InputError` for any not as their stage says."""
    stage, own = state.stage, asking.of_stage(state.stage)
    places = {each.unit: place_of(each) for each in stimuli}
    with no_collection():
        trials = [_stamped(trial, places[trial.unit]) for trial in stage.trials(stimuli, own, state.evidence)]
    _require_of_stage(suite, stage, trials)
    return trials


def shard_trials(trials: Sequence[Trial], shard: Shard | None) -> Sequence[Trial]:
    """The trials on the base items of a shard, in order; all of them for `None`.

    They are planned together with those of the other shards, because a trial may show what other base items have.
    """
    return trials if shard is None else [trial for trial in trials if shard.holds(trial.unit)]


def place_of(stimulus: Stimulus) -> str:
    """The place of a stimulus's unit in the order of asking: units are asked by ascending place.

    It is a hash of seed and unit, so that a model that tires, or a server that fails, does so in no one kind of item,
    and a larger set or a limit changes the order of no two units.
    """
    return sha256(f"{stimulus.seed}/{stimulus.unit}".encode()).hexdigest()[:_PLACE]


def _stamped(trial: Trial, place: str) -> Trial:
    trial = replace(trial, place=place)
    if not trial.sources:
        return trial
    parts = [part for message in trial.messages for part in message.parts if isinstance(part, Media)]
    rules = sorted({rule for part in parts if (rule := derived_rule(part.file)) is not None})
    made_from = [[source.facts() for source in trial.sources], trial.prompt, rules]
    return replace(trial, id=f"{trial.id}#{sha256(canonical(made_from).encode()).hexdigest()[:16]}")


def _require_of_stage(suite: Suite, stage: Stage, trials: Sequence[Trial]) -> None:
    for trial in trials:
        problem = None
        if trial.stage != stage.name:
            problem = f"is of the stage '{trial.stage}'"
        elif bool(trial.sources) != bool(stage.needs):
            problem = "has no sources" if stage.needs else "has sources, and the stage needs no other"
        elif any(source.stage not in stage.needs for source in trial.sources):
            problem = f"has sources in other stages than {', '.join(stage.needs)}"
        elif stage.settings is not None and not trial.settings.keys() <= set(stage.settings):
            problem = f"has other settings than {', '.join(stage.settings) or 'none'}"
        elif is_held(trial) and suite.asking.readers[trial.reader][0].schema is None:
            problem = f"has {REPLY}={SCHEMA}, and its readers '{trial.reader}' have no schema"
        if problem:
            raise InputError(f"the suite {suite.name}: a trial of its stage '{stage.name}', {trial.id}, {problem}")
