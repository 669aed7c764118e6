"""Runs without a clip drawn: the trials of small stimuli, replies to them, and verdicts on explanations."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import polars as pl

from tests.suites.hocabench.stimuli import OPTIONS, make_stimulus
from veridical.ask.outcomes import outcome_table
from veridical.media.figures.style import CAMERAS, STYLES
from veridical.records import Response
from veridical.suite.evidence import Evidence
from veridical.suite.stages import AskingOptions, PlannedMedia
from veridical.suites.hocabench.asking import ASKING
from veridical.suites.hocabench.asking.trials import trials
from veridical.suites.hocabench.observers.simulation import NOTHING, reply_to
from veridical.suites.hocabench.stimuli import FACTORS
from veridical.suites.hocabench.taxonomy import SUB_TYPES

EXPLAINED = tuple(SUB_TYPES)[::2]
"""The sub-types that have an explained control here."""
CORE = ("plausibility", "domain", "description", "explanation")


@lru_cache
def stimuli(units=2, sub_types=tuple(SUB_TYPES), panels=0, sequences=0):
    """So many units of each sub-type, with controls; panels and sequences whose truths differ."""
    base = {kind: make_stimulus(kind) for kind in ("violating", "plausible", "explained", "panels", "sequence")}
    made = []
    for number, name in enumerate(sub_types):
        kind = SUB_TYPES[name]
        for index in range(units):
            unit = f"{name}/{index:04}"
            view = {
                "drawing": STYLES[(number + index) % 3],
                "camera": CAMERAS[index % 2],
                "scene": f"scene-{index % 3}",
            }
            for variant in ("violating", "plausible", *(("explained",) if name in EXPLAINED else ())):
                shape = base[variant]
                truth = dict(shape.truth) | {"sub_types": [name]}
                if variant == "violating":
                    options = [OPTIONS[(place + index) % 4] for place in range(4)]
                    own = {**truth["reference"], "attribution": kind.layer.capitalize()}
                    truth |= {"reference": own, "options": options}
                factors = shape.factors | view | {"layer": kind.layer, "sub_type": name}
                named = {"id": f"{unit}/{variant}", "unit": unit, "family": name, "category": kind.domain}
                made.append(replace(shape, truth=truth, factors=factors, **named))
    names = list(SUB_TYPES)
    for index in range(panels):
        pair = sorted((names[index % 18], names[(5 * index + 7) % 18]))
        named = {"id": f"panels/{index:04}/panels", "unit": f"panels/{index:04}", "label": ",".join(pair)}
        made.append(replace(base["panels"], truth=dict(base["panels"].truth) | {"sub_types": pair}, **named))
    for index in range(sequences):
        start = 0.5 + 0.25 * (index % 6)
        truth = dict(base["sequence"].truth) | {"intervals": [[start, start + 1 + 0.25 * (index % 4)]]}
        named = {"id": f"sequence/{index:04}/sequence", "unit": f"sequence/{index:04}"}
        made.append(replace(base["sequence"], truth=truth, **named))
    return tuple(made)


@lru_cache
def planned(units=2, levels=(), **made):
    """The trials of so many `stimuli` at the levels of settings, pairs of a name and its levels."""
    return tuple(trials(stimuli(units, **made), AskingOptions(dict(levels), None, PlannedMedia()), None))


def run(asked, reply, judge=None, repeats=1):
    """Evidence of a run: `reply` gives the text of a reply to a trial and repeat, `None` for one that is not sent.

    `judge` gives the share of full marks of a trial's explanation, or `None` for no verdict.
    """
    responses = {}
    for trial in asked:
        for repeat in range(1, repeats + 1):
            text = reply(trial, repeat)
            if text is not None:
                responses[trial.id, repeat] = Response(trial=trial.id, repeat=repeat, text=text)
    table = outcome_table("m", asked, responses, ASKING.readers, factors=FACTORS, repeats=repeats)
    return Evidence.of({"ask": table, "grade": verdicts(asked, table, judge)})


_TABLES = {}
"""The trials and their table without replies by the trials' identity: they stay, so that no other has the same."""


def _unasked(asked):
    if id(asked) not in _TABLES:
        _TABLES[id(asked)] = asked, outcome_table("m", asked, {}, ASKING.readers, factors=FACTORS)
    return _TABLES[id(asked)][1]


def quick(asked, reply):
    """As `run`, of plausibility and descriptions alone, for replies that need no reader; `None` is refused."""
    table = _unasked(asked)
    answers = [text and text.removeprefix("Answer: ") for text in (reply(trial, 1) for trial in asked)]
    right = [answer == trial.gold for answer, trial in zip(answers, asked, strict=True)]
    status = ["refused" if answer is None else "answered" for answer in answers]
    filled = table.with_columns(
        pl.Series("answer", answers, dtype=pl.String), pl.Series("status", status), pl.Series("correct", right)
    )
    return Evidence.of({"ask": filled})


PARTS = {"scene": 25, "anomaly": 25, "process": 15, "reasoning": 35, "total": 100}


def verdicts(asked, table, judge):
    """The outcomes of a marking pass, as far as estimates read them."""
    by_id = {trial.id: trial for trial in asked}
    rows = []
    marked = table.filter(pl.col("settings").str.contains('"explanation"') & (pl.col("status") == "answered"))
    for name, repeat in marked.select("trial", "repeat").iter_rows() if judge else ():
        share = judge(by_id[name])
        status = "unparsed" if share is None else "answered"
        scores = {f"score_{part}": None if share is None else full * share for part, full in PARTS.items()}
        rows.append({"about_trial": name, "about_repeat": repeat, "status": status} | scores)
    schema = {"about_trial": pl.String, "about_repeat": pl.Int64, "status": pl.String}
    schema |= {f"score_{part}": pl.Float64 for part in PARTS}
    own = pl.DataFrame(rows, schema=schema)
    given = {"model": "judge", "reader": "counterfactual"}
    return own.with_columns(
        *(pl.lit(value).alias(key) for key, value in given.items()), pl.lit(None, pl.String).alias("reason")
    )


def observed(asked, mechanism, seed=0, **more):
    """A run of the suite's simulated observer, with a mechanism; its explanations have full marks, or none."""
    noticed = {}

    def reply(trial, repeat):
        own = np.random.default_rng(_entropy(seed, trial.unit, trial.variant, repeat)).random(8)
        guess = np.random.default_rng(_entropy(seed, trial.id, repeat))
        text = reply_to(trial, mechanism, own.tolist(), guess)
        if trial.settings["task"] == "explanation":
            noticed[trial.id] = float(mechanism.notices(str(trial.factors["layer"]), own[0]))
            return NOTHING
        return text

    return run(asked, reply, lambda trial: noticed[trial.id], **more)


def _entropy(seed, *parts):
    return [seed, *(byte for part in parts for byte in str(part).encode())]
