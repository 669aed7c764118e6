"""One sequential run of a simulated observer: questions, replies, and what stands after each round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import polars as pl

from studies.viprobe.sequential.observers import LateObserver
from studies.viprobe.validation.observers import Observer, outcomes_of
from veridical.ask.outcomes import outcome_table
from veridical.base.options import parse_options
from veridical.records import Chunk, Trial
from veridical.suite.sequential import SequentialStanding
from veridical.suite.stages import AskingOptions
from veridical.suites.viprobe.asking.settings import DEFAULTS
from veridical.suites.viprobe.asking.trials import READERS, trials
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.options import VIProbeOptions
from veridical.suites.viprobe.sequential.part import SEQUENTIAL
from veridical.suites.viprobe.sequential.questioner import start

MODEL = "veridical/simulated"
Answers = Callable[[pl.DataFrame], pl.DataFrame]
"""The outcomes of planned questions, in the order in which they are asked."""


class Ended(NamedTuple):
    """How a run ended: its standing, the questions asked, and those of cases recalled that its standing names."""

    standing: SequentialStanding
    questions: int


@lru_cache(maxsize=2)
def design(cases: tuple[str, ...] | None = None) -> VIProbeOptions:
    """The options of the suite's own sequential design."""
    return parse_options(VIProbeOptions, {**SEQUENTIAL.values, "cases": cases})


@lru_cache(maxsize=2)
def planned(cases: tuple[str, ...] | None = None) -> pl.DataFrame:
    """Every question of the design, unanswered."""
    every = [trial for chunk in DESIGN.chunks(design(cases)) for trial in piece(chunk, cases)]
    return outcome_table(MODEL, every, {}, READERS, factors=DESIGN.factors)


@lru_cache(maxsize=4000)
def piece(chunk: Chunk, cases: tuple[str, ...] | None = None) -> Sequence[Trial]:
    """The questions about one base item, which is not drawn."""
    return tuple(trials(DESIGN.outlined(design(cases), chunk), AskingOptions(DEFAULTS)))


def ended(answers: Answers, seed: int, *, most: int = SEQUENTIAL.most, to_the_end: bool = False) -> Ended:
    """A run with these answers until it stops, or until nothing may be asked any more."""
    options = design().model_copy(update={"seed": seed})
    questioner, rows = start(options, piece, most), _rows()
    asked = 0
    standing = questioner.standing()
    while (questions := questioner.next_round()) and (to_the_end or standing.rule is None):
        places = [rows[question.trial] for question in questions]
        questioner.learn(answers(planned()[places]))
        asked += len(questions)
        standing = questioner.standing()
    return Ended(standing, asked)


@lru_cache(maxsize=1)
def _rows() -> dict[str, int]:
    return {trial: place for place, trial in enumerate(planned()["trial"])}


def of_catalogue(observer: Observer, seed: int) -> Answers:
    """The answers of an observer of the catalogue, which has one to each question of the design."""
    outcomes = outcomes_of(observer, [seed, 46], planned())
    rows = _rows()
    return lambda asked: outcomes[[rows[trial] for trial in asked["trial"]]]


def of_new(late: LateObserver, seed: int) -> Answers:
    """The answers of an observer beside the catalogue, which may depend on when a question is asked."""
    whole, rng = of_catalogue(late.observer, seed), generator(seed, late.observer.name)
    asked = 0

    def answers(questions: pl.DataFrame) -> pl.DataFrame:
        nonlocal asked
        outcomes = late.altered(whole(questions), asked, rng)
        asked += len(questions)
        return outcomes

    return answers


def generator(seed: int, name: str) -> np.random.Generator:
    """Random numbers of an observer in a run."""
    return np.random.default_rng([seed, *name.encode()])
