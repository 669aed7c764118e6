"""What a run is to send: the trials of a set as its suite asks them, and the facts by which the run is known again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version

from veridical.ask import Policy
from veridical.errors import InputError
from veridical.records import Json, Stimulus, Trial
from veridical.stimulus_set import StimulusSet
from veridical.suites import Asking, Levels, Suite


@dataclass(frozen=True)
class Plan:
    """What a run would send, before anything is sent. `settings` holds what differs from the suite's defaults."""

    suite: str
    model: str
    endpoint: str | None
    trials: int
    pictures: int
    units: int
    connections: int
    settings: Levels = field(default_factory=dict)

    def __str__(self) -> str:
        where = f" at {self.endpoint}" if self.endpoint else ""
        asked = "".join(f"; {name}: {', '.join(levels)}" for name, levels in self.settings.items())
        return (
            f"{self.suite}: {self.trials:,} questions on {self.pictures:,} pictures ({self.units:,} units) to "
            f"{self.model}{where}, {self.connections} at a time{asked}"
        )


def plan(
    suite: Suite, model: str, endpoint: str | None, trials: Sequence[Trial], connections: int, asking: Asking
) -> Plan:
    """What these trials come to."""
    pictures, units = {trial.stimulus for trial in trials}, {trial.unit for trial in trials}
    usual = suite.asking().levels
    other = {name: levels for name, levels in asking.levels.items() if levels != usual[name]}
    return Plan(suite.name, model, endpoint, len(trials), len(pictures), len(units), connections, other)


def planned(suite: Suite, whole: StimulusSet, asking: Asking, limit: int | None) -> list[Trial]:
    """The trials of the suite's only stage on a set, or on `limit` whole units of it.

    Raises `InputError` where there is nothing to ask.
    """
    (stage,) = suite.stages
    trials = list(stage.trials(_limited(whole.stimuli, limit), asking, None))
    if not trials:
        asked = "; ".join(f"{name}: {', '.join(levels)}" for name, levels in asking.levels.items())
        raise InputError(f"{whole.folder} has no picture to ask about in this way ({asked or 'no setting'})")
    return trials


def identity(
    suite: Suite,
    whole: StimulusSet,
    asking: Asking,
    limit: int | None,
    trials: Sequence[Trial],
) -> dict[str, Json]:
    """What defines the trials; the model, and how it is reached and sampled, come beside it."""
    return {
        "suite": suite.name,
        "stage": suite.stages[0].name,
        "set": whole.digest,
        "limit": limit,
        "prompts": sorted({trial.prompt for trial in trials}),
        "settings": {name: list(levels) for name, levels in asking.levels.items()},
    }


def execution(whole: StimulusSet, asking: Asking, policy: Policy) -> dict[str, Json]:
    """How this start of a run is made; it may differ from start to start."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "max_connections": policy.max_connections,
        "max_requests": policy.max_requests,
        "attempt_timeout": policy.attempt_timeout,
        "set": str(whole.folder.resolve()),
        "prompts": str(asking.prompts.resolve()) if asking.prompts else None,
        "versions": {name: version(name) for name in ("veridical", "inspect-ai", "openai")},
    }


def _limited(stimuli: Sequence[Stimulus], limit: int | None) -> Sequence[Stimulus]:
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
