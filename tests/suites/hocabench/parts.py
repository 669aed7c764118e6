"""Parts in the place of those that the suite does not have yet: each clip is asked about once, by its frames."""

from __future__ import annotations

from importlib import import_module

from veridical.answers import LENIENT_CHOICE
from veridical.media.derive import frames_of
from veridical.records import Message, Text, Trial
from veridical.stimulus_set import NotMeasurable
from veridical.suite.asking import Stage
from veridical.suite.parts import AnalysisPart, AskingPart, DesignPart, PresentationPart
from veridical.suites.hocabench import SUITE
from veridical.suites.hocabench.stimuli import FACTORS


def trials(stimuli, asking, evidence):
    for stimulus in stimuli:
        if stimulus.label in ("Yes", "No"):
            frames = asking.derived(stimulus, frames_of("uniform-2"))
            text = Text(f"{stimulus.question} Answer Yes or No.")
            known = {"stage": "ask", "expects": {"options": ["Yes", "No"]}, "prompt": "none", "reader": "plausibility"}
            yield Trial.about(stimulus, "plausibility", messages=(Message("user", (*frames, text)),), **known)


def no_chunks(_):
    return []


def nothing(*_):
    return iter(())


def not_measured(*_):
    return NotMeasurable("a clip of others")


STANDING_IN = {
    "design": DesignPart(families=("gravity",), factors=FACTORS, chunks=no_chunks, make=nothing, verify=not_measured),
    "asking": AskingPart(stages=(Stage(name="ask", trials=trials),), readers={"plausibility": (LENIENT_CHOICE,)}),
    "analysis": AnalysisPart(measures={}, estimates=no_chunks, headline=()),
    "presentation": PresentationPart(),
    "observers": {},
}


def stands(place):
    """Whether the part at a place is there, with all that it loads."""
    module, _, attribute = place.partition(":")
    try:
        return hasattr(import_module(module), attribute)
    except ModuleNotFoundError:
        return False


def lacking():
    """The stand-ins for the parts that the suite does not have yet, by the name of each."""
    return {name: part for name, part in STANDING_IN.items() if not stands(SUITE.parts[name])}
