"""The formulas of VI-Probe's metrics, in plain text.

A pair is the two answers to a picture, one to each polarity of the question. They are complementary if exactly one of
them is yes. `n` is a number of pairs or answers, and `p` is a share of replies. O, P, OC, PC, OS, PS, OH and PH stand
for the PFA of that picture type. Φ is the distribution function of the normal distribution, z its quantile function.
"""

from __future__ import annotations

from collections.abc import Mapping

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
    "yes_bias": "p(yes | forward) + p(yes | reversed) − 1",
    "d_prime": 'z(H) − z(F), H = p("changed" | changed), F = p("changed" | original)',
    "criterion": "−(z(H) + z(F)) / 2",
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
