"""VI-Probe in an evaluation: does the model see changes, and does it see them in figures that everybody knows?"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from veridical.records import Json
from veridical.suite.conclusions import Conclusion
from veridical.suite.evaluation import (
    OPEN,
    EncodedTarget,
    EvaluationDesign,
    EvaluationPart,
    ProfileAnswer,
    ProfileQuestion,
    designs_of_sizes,
)
from veridical.suite.evidence import Evidence
from veridical.suite.gains import QuestionScores
from veridical.suite.results import Result, find
from veridical.suites.viprobe.analysis.pairs import asked_pairs
from veridical.suites.viprobe.asking.settings import SETTINGS
from veridical.suites.viprobe.options import DEMO
from veridical.suites.viprobe.presentation.conclusions import conclusions_of
from veridical.suites.viprobe.presentation.speech import forced_note, speech
from veridical.suites.viprobe.verdicts import ObserverVerdict, names
from veridical.suites.viprobe.verdicts.sentences import SENTENCES, tone

CHANGES = ProfileQuestion(
    name="changes",
    ability="perceives",
    question="Does it see graded changes where nothing misleads?",
    effect="both opposite questions right, changed controls",
    chance=25.0,
)
FIGURES = ProfileQuestion(
    name="figures",
    ability="recalls",
    question="Does it see them in well-known figures as well?",
    effect="both right, changed figures − their changed controls",
    better="zero",
)
SPEECH = ProfileQuestion(
    name="speech",
    ability="perceives",
    question="Does it see changes, whether or not it says so?",
    effect="changes reported in controls, spoken − graded answers",
    better="zero",
    optional=True,
)
ENCODED = ProfileQuestion(
    name="encoded",
    ability="recalls",
    question="Does it encode changes of figures, and use them?",
    effect="R² of α inside units from the projector, model − random weights",
    optional=True,
)
_SEEN = "sees changes"
_CONTROLS: Mapping[str, Json] = {"context": "control"}
_SIGHTLESS = frozenset({names.WEAK, names.BLIND, names.LANGUAGE, names.INVERTED})
"""Verdicts on models of which nobody can say what a figure takes."""


def answers(result: Result) -> Mapping[str, ProfileAnswer]:
    """What a run says on its questions: of the yes-no questions, else of the comparisons."""
    spoken, where = speech(result, _CONTROLS), _CONTROLS
    graded = {}
    if spoken is not None:
        spoken = spoken._replace(sentence=f"{spoken.sentence} {forced_note(result)}".strip())
        graded = {SPEECH.name: ProfileAnswer(find(result, "spoken_gap", where), spoken)}
    verdict = next((each[0] for each in conclusions_of(result.outcomes) if each), None)
    if verdict is None:
        return graded
    places = {CHANGES.name: ("PFA", {"variant": "PC"}), FIGURES.name: ("delta_perturbed", {})}
    concluded = {CHANGES.name: _changes(verdict), FIGURES.name: _figures(verdict)}
    return {name: ProfileAnswer(find(result, *places[name]), concluded[name]) for name in places} | graded


def scores(evidence: Evidence) -> Mapping[str, QuestionScores]:
    """Pairs of opposite questions that are both right, on what was changed in figures and in controls."""
    _, pairs, _ = asked_pairs(evidence.outcomes())
    figure, control = (pl.col("variant") == name for name in ("P", "PC"))
    key = ("stimulus", "repeat", "setting")
    return {
        CHANGES.name: QuestionScores.of(pairs, "PFA", {"controls": (control, 1.0)}, key),
        FIGURES.name: QuestionScores.of(pairs, "PFA", {"figures": (figure, 1.0), "controls": (control, -1.0)}, key),
    }


def _changes(verdict: ObserverVerdict) -> Conclusion:
    name = verdict.name
    if name in _SIGHTLESS:
        return Conclusion(name, SENTENCES[name], "bad")
    if name in names.DECIDED:
        return Conclusion(_SEEN, "Sees the changes in controls, pictures without what makes the illusion.", "good")
    return Conclusion(OPEN, "Cannot tell yet whether it sees the changes in controls.", "open", verdict.needs)


def _figures(verdict: ObserverVerdict) -> Conclusion:
    name = verdict.name
    if name in _SIGHTLESS:
        wanted = ("a model that sees the changes in controls",)
        return Conclusion(OPEN, "Cannot tell of one that does not see the changes in controls.", "open", wanted)
    return Conclusion(name, SENTENCES[name], tone(name), verdict.needs)


EVALUATION = EvaluationPart(
    short="VI-Probe",
    questions=(CHANGES, FIGURES, SPEECH, ENCODED),
    answers=answers,
    scores=scores,
    designs=designs_of_sizes(
        EvaluationDesign(recipe="quick"),
        demo=DEMO,
        quick=(2, "Names a mechanism over all figures; no verdict on a single figure."),
        standard=(10, "Also names a mechanism for each figure."),
        full=EvaluationDesign(recipe="balanced", decides="Hints, clutter, instructions and comparisons as well."),
    ),
    prototypes={
        "perceiver": ("simulated", {"lapse": 0.05}),
        "recaller": ("simulated", {"memory": 1.0, "lapse": 0.05}),
        "guesser": ("simulated", {"lapse": 1.0}),
    },
    standard=__package__,
    graded_settings={"rationale": SETTINGS["rationale"]},
    encoded=EncodedTarget(
        question=ENCODED.name,
        target="alpha",
        groups=(("O", "P"), ("OC", "PC")),
        unused={FIGURES.name: names.LOSES, CHANGES.name: frozenset({names.BLIND})},
        used={FIGURES.name: frozenset({names.VERIDICAL})},
    ),
)
