"""What each of VI-Probe's metrics is (paper, section 3.3, Fig. 4, Table 2; the others are ours): formulas and units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from veridical.records import POINTS, PROPORTION, RATIO, SHARE, Measure, Unit, Z

ALPHA = Unit(name="alpha", digits=3, suffix=" α", neutral=0.0)
OWN = Unit(name="the factor's own", digits=2, neutral=0.0)
"""Of a metric whose estimates each carry the unit of their case's factor."""

FACTOR_UNITS = {
    unit.name: unit
    for unit in (
        Unit(name="px", digits=1, suffix=" px", neutral=0.0),
        Unit(name="deg", digits=2, suffix="°", neutral=0.0),
        Unit(name="L*", digits=2, suffix=" L*", neutral=0.0),
        Unit(name="percent", digits=1, suffix=" %", neutral=0.0),
    )
}
"""By the name that a case's factor has for its unit."""


_SAME = "p(same | α) = λ/2 + (1 − λ) P(|α − μ + σε| < c), ε normal"
_CHOICE = "p(favored | α) = λ/2 + (1 − λ) Φ((α − μ) / σ)"

FORMULAS: Mapping[str, str] = {
    "PFC": "n(complementary) / n(pairs) = PFA + CbW",
    "PFA": "n(both right) / n(pairs)",
    "PFA_of_answered": "n(both right) / n(both answered)",
    "CbW": "n(both wrong) / n(pairs)",
    "TFI": "n(same answer twice) / n(pairs)",
    "no_pair": "n(an answer missing) / n(pairs) = 1 − PFA − CbW − TFI",
    "illusion_average": "(O + P) / 2",
    "control_average": "(OC + PC) / 2",
    "delta_original": "O − OC",
    "delta_perturbed": "P − PC",
    "delta_average": "(OC + PC) / 2 − (O + P) / 2",
    "I": "(O − P) − (OC − PC)",
    "R": "|O − P| / (|OC − PC| + 0.001), in percent",
    "gap": "PC − P",
    "clutter_gap": "PC − PS",
    "figure_gap": "PS − P",
    "rise": "P(|α| > m) − P(|α| ≤ m), m = (min |α| + max |α|) / 2",
    "asymmetry": "P(congruent) − P(opposing)",
    "hint_effect_original": "OH − O",
    "hint_effect_perturbed": "PH − P",
    "instruction_effect": "PFA(with the instruction) − PFA(without), same pictures",
    "response": 'p("changed" | changed) − p("changed" | original)',
    "knows_textbook": "n(answer of textbooks) / n(asked), no picture",
    "textbook_rate": "n(answer of the unchanged figure) / n(answered), changed pictures",
    "yes_bias": "p(yes | forward) + p(yes | reversed) − 1",
    "d_prime": 'z(H) − z(F), H = p("changed" | changed), F = p("changed" | original)',
    "criterion": "−(z(H) + z(F)) / 2",
    "graded_area": "P(grade of changed > grade of original) + P(equal) / 2",
    "graded_d_prime": "√2 z(area)",
    "neutral_probability": "t of misses(t) = false alarms(t)",
    "graded_response": "H(t) − F(t), t the neutral probability",
    "spoken_response": 'p("changed" | changed) − p("changed" | original)',
    "spoken_gap": "spoken response − graded response",
    "spoken_d_prime": "z(H) − z(F)",
    "spoken_criterion": "−(z(H) + z(F)) / 2",
    "rank_threshold": "|α| of √2 z(area) = 1",
    "calibration_error": "Σ n(bin) |mean P − share said| / n",
    "calibration_floor": "its mean over answers drawn by P",
    "graded_share": "n(replies with a probability) / n(asked)",
    "graded_forced": "n(forced answers) / n(replies with a probability)",
    "d_prime_change": "d'(after) − d'(before)",
    "criterion_change": "c(after) − c(before)",
    "PSE": f"μ of {_SAME}",
    "JND": f"0.6745 σ of {_SAME}",
    "same_criterion": f"c of {_SAME}",
    "lapse": f"λ of {_SAME}",
    "PSE_choice": f"μ of {_CHOICE}",
    "illusion_size": "PSE(control) − PSE(figure), from comparisons",
    "illusion_size_in_units": "illusion size × mean |change| per α",
    "choice_accuracy": "n(right) / n(asked), targets differ",
    "first_choice": "n(first option) / n(answered), targets equal",
    "template_rate": "n(answer of the unchanged figure) / n(asked), inducers alone",
    "template_rate_of_answered": "n(answer of the unchanged figure) / n(answered), inducers alone",
    "accuracy": "n(right) / n(asked)",
    "kendall_tau": "τ-b of the models' ranks by P and by PC",
    "detection_threshold": "least |α| from which on p(change detected) ≥ 0.95",
    "PFA difference": "PFA(B) − PFA(A)",
}


_PAPER = "Sun et al. 2026, section 3.3"
_TABLE = "Sun et al. 2026, Table 2"
_ROC = "Green and Swets 1966"


def _rate(title: str, definition: str, source: str = "", spelled: str = "", *, better: bool | None = None) -> Measure:
    way: Literal["higher", "lower"] | None = None if better is None else "higher" if better else "lower"
    return Measure(title=title, definition=definition, unit=PROPORTION, source=source, spelled=spelled, better=way)


def _other(title: str, definition: str, unit: Unit, source: str = "", spelled: str = "") -> Measure:
    return Measure(title=title, definition=definition, unit=unit, source=source, spelled=spelled)


_AGREE = "The answers to two opposite questions agree"

_MEASURES: Mapping[str, Measure] = {
    "PFC": _rate("PFC", f"{_AGREE}, right or wrong.", _PAPER, "polarity-flip consistency", better=True),
    "PFA": _rate("PFA", "Both opposite questions are answered right.", _PAPER, "polarity-flip accuracy", better=True),
    "CbW": _rate("CbW", f"{_AGREE}, and both are wrong.", _PAPER, "coherent but wrong", better=False),
    "TFI": _rate(
        "TFI",
        "Both opposite questions get the same answer, so that the two contradict each other.",
        _PAPER,
        "template fixation index",
        better=False,
    ),
    "PFA_of_answered": _rate("PFA of answered", "PFA of the pairs in which both halves were answered.", better=True),
    "no_pair": _rate("no pair", "At least one of the two answers is missing.", better=False),
    "illusion_average": _rate("illusion average", "Mean of the accuracies of O and P.", _TABLE, better=True),
    "control_average": _rate("control average", "Mean of the accuracies of OC and PC.", _TABLE, better=True),
    "delta_original": _other("O − OC", "Accuracy on originals: figure − control.", POINTS, _TABLE),
    "delta_perturbed": _other("P − PC", "Accuracy on changed pictures: figure − control.", POINTS, _TABLE),
    "delta_average": _other("control − illusion", "Mean accuracy: controls − figures.", POINTS, _TABLE),
    "I": _other("interaction I", "(O − P) − (OC − PC), of accuracies.", POINTS),
    "R": _other("multiplier R", "|O − P| / (|OC − PC| + 0.001), of accuracies in percent.", RATIO, _PAPER),
    "gap": _other("gap", "PFA of changed pictures: controls − figures.", POINTS),
    "clutter_gap": _other(
        "clutter gap", "PFA of changed pictures: controls − pictures amid clutter; the effect of any clutter.", POINTS
    ),
    "figure_gap": _other(
        "figure gap", "PFA of changed pictures: amid clutter − figures; the effect of the figure alone.", POINTS
    ),
    "rise": _other("rise", "PFA of P: stronger half of |α| − weaker half.", POINTS),
    "asymmetry": _other("asymmetry", "PFA of P: congruent − opposing changes.", POINTS),
    "hint_effect_original": _other("hint effect, O", "PFA of O: with a hint − without.", POINTS),
    "hint_effect_perturbed": _other("hint effect, P", "PFA of P: with a hint − without.", POINTS),
    "instruction_effect": _other("instruction effect", "PFA: with the instruction − without.", POINTS),
    "response": _other("response", "Share of replies that say changed: changed pictures − originals.", POINTS),
    "knows_textbook": _rate(
        "knows the textbook",
        "Without a picture, of a figure that is named, replies with the answer of textbooks.",
        better=True,
    ),
    "textbook_rate": _rate(
        "textbook rate",
        "Replies to changed pictures that an unchanged figure would get; of recall only where that is known.",
        better=False,
    ),
    "yes_bias": _other("yes bias", "P(yes | forward) + P(yes | reversed) − 1, of answered.", SHARE),
    "d_prime": _other("d'", "Sensitivity: how well changed is told from unchanged.", Z),
    "criterion": _other("criterion", "Leaning toward unchanged (above 0) or changed (below 0).", Z),
    "graded_area": _rate(
        "graded area",
        "Pairs of a changed and an unchanged picture in which “changed” is likelier of the changed one; chance 50 %.",
        _ROC,
        "area under the receiver operating characteristic",
        better=True,
    ),
    "graded_d_prime": _other("graded d'", "The d' of an observer with normal noise and this area.", Z, _ROC),
    "neutral_probability": _rate(
        "neutral probability", "P(changed) from which on saying “changed” would be without bias; 50 % if it is."
    ),
    "graded_response": _other("graded response", "Response of answers cut at the neutral probability.", POINTS),
    "spoken_response": _other("spoken response", "Response of the same replies as they were said.", POINTS),
    "spoken_gap": _other("spoken − graded", "Response: spoken − graded; below 0, more is known than said.", POINTS),
    "spoken_d_prime": _other("spoken d'", "Sensitivity of the same replies as they were said.", Z),
    "spoken_criterion": _other("spoken criterion", "Leaning of these toward unchanged (above 0) or changed.", Z),
    "rank_threshold": _other("threshold, ranks", "Strength that graded answers tell from none with a d' of 1.", ALPHA),
    "calibration_error": _rate(
        "calibration error",
        "How far P(changed) is from how often repeats say so.",
        "Naeini et al. 2015",
        "expected calibration error",
        better=False,
    ),
    "calibration_floor": _rate("calibration floor", "The same, of probabilities that are right, by sampling alone."),
    "graded_share": _rate("graded", "Replies whose answer has a probability, of all asked.", better=True),
    "graded_forced": _rate("forced", "Of these, probabilities of a forced answer, without the reasons of the reply."),
    "d_prime_change": _other("change of d'", "d' after − d' before, on the same base items.", Z),
    "criterion_change": _other("change of criterion", "Criterion after − before, on the same base items.", Z),
    "PSE": _other(
        "PSE", "Strength at which a changed figure looks unchanged.", ALPHA, spelled="point of subjective equality"
    ),
    "JND": _other(
        "JND", "How finely change is seen: the smaller, the finer.", ALPHA, spelled="just-noticeable difference"
    ),
    "same_criterion": _other("same criterion", "Perceived difference up to which the reply is same.", ALPHA),
    "lapse": _other("lapse", "Share of replies that do not depend on the picture.", SHARE),
    "PSE_choice": _other("PSE, comparison", "Strength at which both targets are chosen alike.", ALPHA),
    "illusion_size": _other("illusion size", "How far the figure moves the PSE against its control.", ALPHA),
    "illusion_size_in_units": _other("illusion size, own unit", "The same in the factor's own unit.", OWN),
    "choice_accuracy": _rate(
        "choice accuracy",
        "Share of comparisons that name the target that has more, if the targets differ.",
        better=True,
    ),
    "first_choice": _rate("first choice", "Share of the first option if the targets are equal."),
    "template_rate": _rate("template rate", "Answers that recite the unchanged figure, though no target is there."),
    "template_rate_of_answered": _rate("template rate of answered", "The same, of those answered."),
    "accuracy": _rate("accuracy", "Single answers that are right, in a run of one polarity.", better=True),
    "kendall_tau": _other("Kendall's τ", "Agreement of two orders of models, −1 to 1.", RATIO),
    "detection_threshold": _other("threshold", "Smallest strength from which on a change is seen.", ALPHA),
    "PFA difference": _other("PFA difference", "PFA: second run − first run.", POINTS),
}
MEASURES: Mapping[str, Measure] = {
    name: replace(measure, formula=FORMULAS.get(name, "")) for name, measure in _MEASURES.items()
}
