"""The rounds of a run that asks until it can conclude: what is asked next, told from the replies that are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import polars as pl

from veridical.ask import Run
from veridical.base.options import Options
from veridical.base.path_checks import holds_run
from veridical.base.run_options import RunOptions
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Json, Trial
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.growing_set import GrowingSet
from veridical.suite.record import Suite
from veridical.suite.rounds_taken import VERDICT
from veridical.suite.sequential import (
    SEQUENTIAL,
    STOP_AT,
    NextQuestion,
    Questioner,
    SequentialPart,
    SequentialStanding,
)
from veridical.suite.width_stopping import WidthGoal
from veridical.verbs.runs.round_sources import DrawnUnits, RoundSource, UnitsOfSet, design_of
from veridical.verbs.runs.stage_trials import trials_of

DRAWN = "stimuli"
"""The folder of a run that its set is drawn in."""
_USED_UP = "the most questions were asked"
_NOTHING_LEFT = "nothing is left to ask"
_APART = {
    "shard": "what is asked follows from all replies",
    "limit": "--max-questions bounds what is asked",
    "retry": "another reply would change what was chosen after it",
}
"""Options of a run that a run in rounds cannot have, and why."""


def goal_of(suite: Suite, options: RunOptions) -> WidthGoal | SequentialPart | None:
    """What a run with these options asks until; `None` if it asks everything.

    Raises `InputError` where the suite has no such goal, and for options that a run in rounds cannot have.
    """
    text = options.get("stop_at")
    if text is None:
        if options.get("max_questions") is not None:
            raise InputError(f"max_questions without {STOP_AT}: --limit bounds a run that asks everything")
        return None
    for name, why in _APART.items():
        if options.get(name):
            raise InputError(f"{name} beside {STOP_AT}: {why}; leave out one of the two")
    if (width := WidthGoal.parse(text)) is not None:
        return width
    if text != VERDICT:
        raise InputError(f"{STOP_AT} '{text[:40]}': {VERDICT}, or width=POINTS, is allowed")
    if suite.sequential is None:
        raise InputError(f"{STOP_AT} {VERDICT}: the suite {suite.name} has none; width=POINTS is allowed")
    if options.get("settings"):
        raise InputError(f"settings beside {STOP_AT} {VERDICT}: the suite says what is asked; leave them out")
    return suite.sequential


@dataclass(repr=False)
class QuestionRounds:
    """The rounds of one run: those that are stored, chosen again from the same replies, and those that follow.

    `trials` are those planned so far, in order; `pending` those of the latest round while it is not answered. `ended`
    is what stands when nothing more is asked.
    """

    suite: Suite
    folder: Path
    goal: str
    source: RoundSource
    trials: list[Trial] = field(default_factory=list)
    pending: list[Trial] = field(default_factory=list)
    ended: SequentialStanding | None = None
    rounds: int = 0
    _questioner: Questioner | None = None

    @classmethod
    def of(cls, suite: Suite, folder: Path, place: StimulusSet | Options, options: RunOptions) -> QuestionRounds:
        """The rounds of a run in a folder, about a set, the design of a set, or one with these options.

        Raises `InputError` as `goal_of` does.
        """
        goal, most = goal_of(suite, options), options.get("max_questions")
        assert goal is not None
        text, first = str(options.get(STOP_AT)), suite.asking.ordered[0]
        if isinstance(goal, WidthGoal):
            if not isinstance(place, StimulusSet):
                raise InputError(f"{STOP_AT} '{text[:40]}' asks the units of a set: name one with --set")
            asking = suite.asked(options.get("settings"), options.get("prompts")).of_stage(first)
            trials = trials_of(suite, place, asking, None)
            return cls(suite, folder, text, UnitsOfSet(suite, place, asking, goal, trials, most))
        design = place if isinstance(place, Options) else design_of(suite, place)
        factors, make = suite.design.factors, suite.design.make
        grown = GrowingSet(folder / DRAWN, suite.name, design, make, factors, suite.title, suite.origin())
        crew = Workers.stated(options.get("workers"), options.get("cluster")) or Workers()
        asking = suite.asked(goal.settings, options.get("prompts")).of_stage(first)
        return cls(suite, folder, text, DrawnUnits(suite, goal, grown, asking, crew, most))

    def identity(self) -> dict[str, Json]:
        """What makes the run what it is in place of its trials: its goal and the wordings."""
        return {STOP_AT: self.goal, "prompts": list(self.source.prompts)}

    def begin(self) -> None:
        """Chooses the rounds again that the folder holds and, where all of these are answered, the next one.

        Raises `InputError` where the stored questions are not those that follow from the stored replies.
        """
        self._questioner = self.source.questioner()
        stored = Run.open(self.folder) if holds_run(self.folder) else None
        held = [] if stored is None else list(stored.trials_by_id())
        outcomes = None if stored is None else stored.outcomes(self.suite.asking.readers)
        while self.ended is None and (questions := self._next()):
            names = [question.trial for question in questions]
            end = len(self.trials) + len(names)
            follows = held[len(self.trials) : end]
            # The latest round may be longer now: fewer questions were allowed then.
            if follows != names[: len(follows)]:
                raise InputError(
                    f"{self.folder}: the questions of round {self.rounds + 1} do not follow from the stored replies: "
                    "these were changed, or are read by another version; use a new folder"
                )
            self._plan(questions)
            if outcomes is None or not self._answered(outcomes, latest=end >= len(held)):
                return
            self._learn(outcomes)

    def follow(self) -> Sequence[Trial]:
        """The trials of the next round, after the replies to the latest one are taken in; none where asking ends."""
        run = Run.open(self.folder)
        self._learn(run.outcomes(self.suite.asking.readers))
        questions = [] if self.ended else self._next()
        if questions:
            self._plan(questions)
            run.extended(self.trials, self.suite.design.factors, **{SEQUENTIAL: self.facts()})
        else:
            run.noted(**{SEQUENTIAL: self.facts()})
        return self.pending

    def replace_trials(self, trials: Sequence[Trial]) -> None:
        """Puts trials with the same ids, whose media are made, in the place of those that only count them."""
        by_id = {trial.id: trial for trial in trials}
        self.source.trials = trials
        self.trials = [by_id[trial.id] for trial in self.trials]
        self.pending = [by_id[trial.id] for trial in self.pending]

    def __str__(self) -> str:
        """How much is asked at most, as a person agrees to it."""
        usual = "" if self.source.usual is None else f", about {self.source.usual:,} for a clear model"
        asked = len(self.trials) - len(self.pending)
        before = f"; {asked:,} of these were asked before" if asked else ""
        return f"at most {self.source.most:,} questions in rounds until {STOP_AT} {self.goal}{usual}{before}"

    def facts(self) -> dict[str, Json]:
        """What can be concluded now, with how much it took, as a JSON value."""
        assert self._questioner is not None
        standing = self.ended or self._questioner.standing()
        return {**asdict(standing), "questions": len(self.trials), "rounds": self.rounds, "most": self.source.most}

    def _next(self) -> Sequence[NextQuestion]:
        """The questions of the next round; none, and why it `ended`, where there are none or they are too many."""
        assert self._questioner is not None
        questions = self._questioner.next_round()
        if questions and len(self.trials) + len(questions) <= self.source.most:
            return questions
        why = _USED_UP if questions else _NOTHING_LEFT
        self.ended = replace(self._questioner.standing(), rule=why)
        return []

    def _plan(self, questions: Sequence[NextQuestion]) -> None:
        self.pending = list(self.source.planned(questions))
        self.trials += self.pending
        self.rounds += 1

    def _answered(self, outcomes: pl.DataFrame, *, latest: bool) -> bool:
        """Whether the latest round was asked; an error is asked again only while no other round followed."""
        rows = outcomes.filter(pl.col("trial").is_in([trial.id for trial in self.pending]))
        open_rows = rows["status"].is_null()
        if latest:
            open_rows |= rows["status"] == "error"
        return rows["trial"].n_unique() == len(self.pending) and not open_rows.any()

    def _learn(self, outcomes: pl.DataFrame) -> None:
        """Takes in the outcomes of the latest round, in the order of its questions."""
        assert self._questioner is not None
        places = {trial.id: place for place, trial in enumerate(self.pending)}
        rows = outcomes.filter(pl.col("trial").is_in(list(places)))
        order = pl.col("trial").replace_strict(places, return_dtype=pl.Int64)
        self._questioner.learn(rows.sort("repeat", order, maintain_order=True))
        self.pending = []
        standing = self._questioner.standing()
        if standing.rule is not None:
            self.ended = standing
