"""Explanations and verdicts on them as tables, without a model: outcomes of replies and of a judge's replies."""

from __future__ import annotations

import json

from veridical.ask.outcomes import outcome_table
from veridical.records import Response
from veridical.suite.evidence import Evidence
from veridical.suite.stages import AskingOptions
from veridical.suites.magicbench.asking import ASKING
from veridical.suites.magicbench.asking.marking import GRADE
from veridical.suites.magicbench.asking.trials import trials
from veridical.suites.magicbench.stimuli import FACTORS

RIGHT = {
    "effect": "The coin seems to vanish from the left hand.",
    "anomalies": [{"time": 3.1, "what": "the edge of the coin peeps out of the right hand"}],
    "misdirection": "The left hand is raised and shaken.",
    "steps": [
        "At first the coin lies in the right hand.",
        "From 2.0 s to 3.0 s the right hand only pretends to put the coin into the left hand and keeps it.",
        "The left hand closes empty and opens empty at 4.5 s.",
    ],
    "principle": "The coin never leaves the right hand, where it is hidden behind the fingers.",
    "trick": "yes",
    "confidence": 80,
}
VERDICT = {
    "reasoning": "as constructed",
    "hard_failure_triggered": False,
    "failure_reason": "none",
    "vtg": 8,
    "cpa": 7,
    "cfr": 9,
}


def said(**changes):
    """An explanation as a reply."""
    return json.dumps({**RIGHT, **changes})


def judged_as(**changes):
    """A verdict as a judge's reply."""
    return json.dumps({**VERDICT, **changes})


def asked(stimuli, **levels):
    """The trials of the first stage; by default explanations of whole clips alone."""
    chosen = {"task": ("explain",), "until": ("end",), **{name: _levels(each) for name, each in levels.items()}}
    return list(trials(stimuli, AskingOptions(chosen), None))


def _levels(level):
    return (level,) if isinstance(level, str) else level


def outcomes(planned, reply, model="m"):
    """The outcomes of trials: `reply` gives the text for a trial, or `None` where it is not asked."""
    responses = {}
    for trial in planned:
        text = reply(trial)
        if text is not None:
            responses[trial.id, 1] = Response(trial=trial.id, text=text)
    return outcome_table(model, planned, responses, ASKING.readers, factors=FACTORS)


def evidence(**tables):
    """Evidence of the stages by name, with dashes as underscores."""
    return Evidence.of({name.replace("_", "-"): table for name, table in tables.items()})


def graded(stimuli, table, stage=GRADE, about="ask", rubrics=("pcs",), **others):
    """The trials of a marking stage over outcomes."""
    asking = AskingOptions({"grading": rubrics})
    return list(stage.trials(stimuli, asking, evidence(**{about.replace("-", "_"): table}, **others)))
