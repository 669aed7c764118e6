"""MagicBench as people are asked it: the form of an explanation or a probe, and the words as captions."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Stimulus, Trial
from veridical.suite.people_forms import YES_NO, lettered_form, named_form, text_form
from veridical.suite.people_tasks import Caption, FormField
from veridical.suites.magicbench.asking.cells import EXPLAIN
from veridical.suites.magicbench.asking.trials import duration_of
from veridical.suites.magicbench.asking.words import captions_of

_TEXTS = {
    "effect": "What the clip seems to show",
    "steps": "How it is done, a line for each step: where things are, and who moves them",
    "principle": "How it is done, in one sentence",
    "anomalies": "Details that do not fit, a line each, with the second: 2.4 s: a bulge",
    "misdirection": "What draws attention away",
}
_OPTIONAL = ("anomalies", "misdirection")
_EXPLANATION = (
    *(FormField(name=name, kind="text", title=title, required=name not in _OPTIONAL) for name, title in _TEXTS.items()),
    FormField(name="trick", kind="choice", title="Is anything done in secret?", options=named_form(YES_NO)[0].options),
    FormField(
        name="confidence", kind="number", title="How sure are you, from 0, a guess, to 100?", low=0, high=100, step=1
    ),
)


def answer_form(stimulus: Stimulus, trial: Trial) -> Sequence[FormField]:
    """The parts of an explanation, or the options of a probe; a text for what a judge is asked."""
    if trial.stage != "ask":
        return text_form()
    if trial.settings["task"] == EXPLAIN:
        return _EXPLANATION
    return lettered_form(stimulus.truth["probes"][trial.expects["probe"] - 1]["options"])


def captions(stimulus: Stimulus, trial: Trial) -> Sequence[Caption]:
    """The magician's words of a trial; none in silence, and where there is no transcript."""
    patter = trial.settings.get("patter")
    if patter is None:
        return ()
    return captions_of(stimulus.truth["patter"][patter], stimulus.id, duration_of(stimulus))
