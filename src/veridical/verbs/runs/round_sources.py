"""What a run in rounds is about: units of a design that are drawn when they are asked, or those of a set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from veridical.base.options import Options, parse_options
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Chunk, Trial
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.growing_set import GrowingSet
from veridical.suite.record import Suite
from veridical.suite.sequential import NextQuestion, Questioner, SequentialPart
from veridical.suite.stages import AskingOptions
from veridical.suite.width_stopping import WidthGoal, WidthQuestioner
from veridical.verbs.runs.stage_states import Ready, no_outcomes
from veridical.verbs.runs.stage_trials import trials_on


class RoundSource(Protocol):
    """Where the questions of a run in rounds come from.

    `trials` are all that may be asked, where that is known. At most so many are asked, and `usual` are enough for a
    clear observer, where that is known.
    """

    asking: AskingOptions
    trials: Sequence[Trial]

    @property
    def most(self) -> int: ...

    @property
    def usual(self) -> int | None: ...

    @property
    def whole(self) -> StimulusSet:
        """The set as it is now."""
        ...

    @property
    def prompts(self) -> Sequence[str]:
        """The hashes of all wordings that may be asked."""
        ...

    def questioner(self) -> Questioner:
        """What chooses the questions, from the first round on."""
        ...

    def planned(self, questions: Sequence[NextQuestion]) -> Sequence[Trial]:
        """The trials of a round, in the order in which they were chosen."""
        ...


@dataclass(repr=False)
class DrawnUnits:
    """Units of a design, drawn in the round that first asks about them, for a suite's own verdict."""

    suite: Suite
    part: SequentialPart
    grown: GrowingSet
    asking: AskingOptions
    crew: Workers
    stated_most: int | None = None
    trials: Sequence[Trial] = ()
    _stimulus_of: dict[str, str] = field(default_factory=dict)

    @property
    def most(self) -> int:
        return self.stated_most or self.part.most

    @property
    def usual(self) -> int:
        return self.part.usual

    @property
    def whole(self) -> StimulusSet:
        return StimulusSet.open(self.grown.folder)

    @cached_property
    def prompts(self) -> Sequence[str]:
        families = dict.fromkeys(chunk.family for chunk in self.suite.design.chunks(self.grown.options))
        return sorted({trial.prompt for family in families for trial in self.pool(Chunk(family, 0))})

    def questioner(self) -> Questioner:
        return self.part.start(self.grown.options, self.pool, self.most)

    def pool(self, chunk: Chunk) -> Sequence[Trial]:
        """The trials of a piece of the design, on stimuli that are not drawn."""
        trials = self._trials(self.suite.design.outlined(self.grown.options, chunk))
        self._stimulus_of |= {trial.id: trial.stimulus for trial in trials}
        return trials

    def planned(self, questions: Sequence[NextQuestion]) -> Sequence[Trial]:
        whole = self.grown.grown([each.chunk for each in questions if each.chunk is not None], self.crew)
        stimuli = whole.stimuli_by_id({self._stimulus_of[each.trial] for each in questions}).values()
        drawn = {trial.id: trial for trial in self._trials(list(stimuli))}
        return [drawn[each.trial] for each in questions]

    def _trials(self, stimuli: Sequence[Any]) -> list[Trial]:
        return trials_on(self.suite, stimuli, self.asking, Ready(self.suite.asking.ordered[0]))


@dataclass(repr=False)
class UnitsOfSet:
    """The units of a set, in the order of asking, until the interval of the suite's main figure is narrow enough."""

    suite: Suite
    whole: StimulusSet
    asking: AskingOptions
    goal: WidthGoal
    trials: Sequence[Trial]
    stated_most: int | None = None

    @property
    def usual(self) -> None:
        return None

    @property
    def most(self) -> int:
        return self.stated_most or len(self.trials)

    @cached_property
    def prompts(self) -> Sequence[str]:
        return sorted({trial.prompt for trial in self.trials})

    def questioner(self) -> Questioner:
        stages = [stage.name for stage in self.suite.asking.ordered]
        return WidthQuestioner(self.suite.analysis, stages, no_outcomes(self.suite), self.goal, self.trials)

    def planned(self, questions: Sequence[NextQuestion]) -> Sequence[Trial]:
        by_id = {trial.id: trial for trial in self.trials}
        return [by_id[each.trial] for each in questions]


def design_of(suite: Suite, whole: StimulusSet) -> Options:
    """The options of the design that a set was drawn by; raises `InputError` for a set that states none."""
    stated: Mapping[str, Any] = whole.manifest.get("arguments") or {}
    known = {name: value for name, value in stated.items() if name in suite.options.model_fields}
    with suppress(InputError):
        if known:
            return parse_options(suite.options, known)
    raise InputError(f"{whole.folder} states no design: name a set that `veridical make` made, or none")
