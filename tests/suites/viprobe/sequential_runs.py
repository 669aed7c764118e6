"""A design of four base items a case, its questions, and runs of observers that answer them."""

from functools import cache

import numpy as np
import polars as pl

from veridical.ask.outcomes import outcome_table
from veridical.suite.stages import AskingOptions
from veridical.suites.viprobe.asking.settings import DEFAULTS
from veridical.suites.viprobe.asking.trials import READERS, trials
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.observers.simulation import MECHANISMS, mark_outcomes, simulate
from veridical.suites.viprobe.options import VIProbeOptions
from veridical.suites.viprobe.sequential.part import SEQUENTIAL

VARIANTS = ("O", "P", "OC", "PC")


@cache
def options(units=4, cases=None, seed=0):
    return VIProbeOptions(units=units, cases=cases, variants=VARIANTS, seed=seed)


@cache
def piece(chunk):
    return tuple(trials(DESIGN.outlined(options(units=100), chunk), AskingOptions(DEFAULTS)))


@cache
def planned(units=4):
    every = [trial for chunk in DESIGN.chunks(options(units)) for trial in piece(chunk)]
    return outcome_table("m", every, {}, READERS, factors=DESIGN.factors)


@cache
def answered(name, seed=0, units=4):
    return simulate(planned(units), MECHANISMS[name], np.random.default_rng(seed))


def refused(outcomes, gone):
    """The outcomes with those replies refused."""
    none = pl.lit(None, pl.String)
    changed = outcomes.with_columns(
        pl.when(gone).then(pl.lit("refused")).otherwise("status").alias("status"),
        pl.when(gone).then(none).otherwise("answer").alias("answer"),
    )
    return mark_outcomes(changed)


def started(seed=0, most=432, **design):
    return SEQUENTIAL.start(options(**design).model_copy(update={"seed": seed}), piece, most)


def asked_of(outcomes, questions):
    return outcomes.filter(pl.col("trial").is_in([question.trial for question in questions]))


def run(outcomes, seed=0, *, most=432, to_the_end=False, **design):
    """The rounds of a run, what stood after each, and the questioner."""
    questioner, rounds, standings = started(seed, most, **design), [], []
    while questions := questioner.next_round():
        questioner.learn(asked_of(outcomes, questions))
        rounds.append(questions)
        standings.append(questioner.standing())
        if standings[-1].rule and not to_the_end:
            break
    return rounds, standings, questioner
