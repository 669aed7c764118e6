"""The trials of a stage: made by its suite, held to what the stage says, with ids that follow from their sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from veridical.errors import InputError
from veridical.records import Media, Stimulus, Trial, canonical
from veridical.stimulus_set import StimulusSet
from veridical.suite.asking import Asking, Stage
from veridical.suite.evidence import Evidence
from veridical.suite.record import Suite
from veridical.suite.reply import REPLY, SCHEMA, is_held, require_some_held


def planned(
    suite: Suite,
    whole: StimulusSet,
    asking: Asking,
    limit: int | None,
    stage: Stage | None = None,
    evidence: Evidence = Evidence({}),  # noqa: B008 - frozen
) -> list[Trial]:
    """The trials of a stage (default: the suite's first) on a set, or on `limit` whole units of it.

    Ids of trials with sources end in the hash of these, of the wording and of the rules that derive their media.
    Raises `InputError` where the suite's first stage has nothing to ask, and for trials that are not as their stage
    says.
    """
    stage = suite.asking.ordered[0] if stage is None else stage
    own = asking.of_stage(stage)
    trials = [_stamped(trial) for trial in stage.trials(limited_units(whole.stimuli, limit), own, evidence)]
    _require_of_stage(suite, stage, trials)
    if not trials and stage.name == suite.asking.ordered[0].name:
        stated = "; ".join(f"{name}: {', '.join(levels)}" for name, levels in own.levels.items())
        raise InputError(f"{whole.folder} has nothing to ask about in this way ({stated or 'no setting'})")
    if not stage.needs:
        require_some_held(trials, own.levels)
    return trials


def _stamped(trial: Trial) -> Trial:
    if not trial.sources:
        return trial
    parts = [part for message in trial.messages for part in message.parts if isinstance(part, Media)]
    rules = sorted({part.file.split("/")[1] for part in parts if part.file.startswith("derived/")})
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
