"""VI-Probe's figures: consistency (paper, section 3.3 and Fig. 4) and isolation (Table 2), each with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import POINTS, PROPORTION, RATIO, Estimate, Json
from veridical.stats import Cells, Interval
from veridical.suite.rates import CONTRAST_METHOD, NOTHING, RATE_METHOD, contrast, mean_rate
from veridical.suites.viprobe.analysis.contrasts import contrasts, instruction_effects
from veridical.suites.viprobe.analysis.dose import comparisons, same_different
from veridical.suites.viprobe.analysis.pairs import (
    ASIDE,
    PARTS,
    TYPES,
    Slice,
    cells,
    code_outcomes,
    pairs_if_asked,
    slices,
)
from veridical.suites.viprobe.analysis.priors import prior_estimates
from veridical.suites.viprobe.analysis.replies import (
    CONTEXTS,
    accuracy,
    biases,
    choices,
    context_replies,
    detection_changes,
    detections,
    favored_choices,
    replies,
    responses,
    template,
)
from veridical.suites.viprobe.asking.settings import (
    baseline,
    expectations,
    rows_where,
    split_by_instruction,
    with_settings,
)

EPSILON = 0.001
AVERAGES = {"illusion_average": (0.5, 0.5, 0.0, 0.0), "control_average": (0.0, 0.0, 0.5, 0.5)}
CONTRASTS = {
    "delta_original": (1.0, 0.0, -1.0, 0.0),
    "delta_perturbed": (0.0, 1.0, 0.0, -1.0),
    "delta_average": (-0.5, -0.5, 0.5, 0.5),
    "I": (1.0, -1.0, -1.0, 1.0),
}
"""Weights of the accuracies of O, P, OC, PC; `delta_average` is control − illusion, as in the paper's Table 2."""

_MEANS: tuple[tuple[str, ...], ...] = ((), ("category",), ("case",))
_POOLED: tuple[tuple[str, ...], ...] = (
    ("variant",),
    ("variant", "congruent"),
    ("variant", "alpha"),
    ("case", "variant"),
    ("case", "variant", "congruent"),
    ("case", "variant", "alpha"),
)
_SAID = ("unit", "family", "case", "variant", "context", "alpha", "magnitude", "directed", "polarity", "same", "yes")
_ASKED = (*_SAID[:-2], "category", "status", "attempt")
_RATES = ("PFC", *PARTS)
_EVEN = (0.25, 0.25, 0.25, 0.25)
_OVER_TYPES = "plain mean over O, P, OC, PC (P and PC pooled over strengths)"
_OVER_PICTURES = "pooled over pictures"


def estimates(outcomes: pl.DataFrame) -> list[Estimate]:
    """All estimates of a run: overall, per category and per case as plain means over picture types, with the isolation
    figures; per variant, for pictures with a change that goes the illusion's way or against it, per case x variant, and
    per case x variant x strength, pooled over pictures. Comparisons and pictures of inducers alone have their own.

    They are over the questions asked without an instruction (if all had one: over the first way of instructing, and the
    method says so); where there are several, each instruction has a slice as well. A kind of question that was not
    planned has no estimates. Accuracy is PFA. A pair with a missing half stays in every denominator as `no_pair`;
    `PFA_of_answered` leaves such pairs out and says so. A figure that cannot be had is `None` with its reason.
    """
    coded = code_outcomes(outcomes)
    rows = with_settings(coded).with_columns(pl.col("family").to_physical())  # `case` has their names
    expected = expectations(coded)
    yes_no, compared = (rows_where(rows, pl.col("task") == kind) for kind in ("yes-no", "comparison"))
    del rows
    computed = _yes_no(*baseline(yes_no)) if compared.is_empty() or not yes_no.is_empty() else []
    if not compared.is_empty():
        chosen, note = baseline(compared)
        computed += choices(chosen, note)
        computed += comparisons(context_replies(chosen), favored_choices(chosen), note)
    plain, note = baseline(yes_no)
    computed += prior_estimates(_with_type(plain), expected, note)
    ways = list(split_by_instruction(yes_no))
    for where, part in ways:
        computed += _instructed(part, where)
    if ways and (without := yes_no.filter(pl.col("instruction") == "none")).height:
        for where, part in ways:
            if where["instruction"] != "none":
                computed += _instruction_changes(without, part, where)
    for where, part in split_by_instruction(compared):
        computed += choices(part, "", where)
    return computed


def _yes_no(outcomes: pl.DataFrame, note: str) -> list[Estimate]:
    hinted = _with_type(outcomes)
    paired = pairs_if_asked(hinted)
    hinted = hinted.drop("stimulus", "stage", "side", "settings", "factors", "expects")
    of_types, rows = (rows_where(frame, pl.col("variant").is_in(TYPES)) for frame in (hinted, paired))
    computed: list[Estimate] = []
    for keys in _MEANS:
        for piece in slices(of_types, rows, keys, {}, note):
            computed += _consistency(piece, pooled=False) + _isolation(piece)
    for keys in _POOLED:
        for piece in slices(hinted, paired, keys, {}, note):
            computed += _consistency(piece, pooled=True)
    computed += contrasts(hinted, paired, note)
    del of_types, rows, paired  # what follows makes frames as large
    planned, answered = context_replies(hinted).select(_ASKED), replies(hinted).select(_SAID)
    for analysis in (responses, biases, detections, same_different):
        computed += analysis(planned, answered, note)
    hint, figure = (answered.filter(pl.col("context") == context) for context in ("hint", "figure"))
    computed += detection_changes(figure, hint, planned.filter(pl.col("context") == "hint"), {"context": "hint"})
    return computed + accuracy(hinted, note) + template(outcomes, note)


def _instructed(outcomes: pl.DataFrame, where: dict[str, Json]) -> list[Estimate]:
    """One instruction's consistency over the picture types, and per type."""
    hinted = _with_type(outcomes)
    of_types, paired = hinted.filter(pl.col("variant").is_in(TYPES)), pairs_if_asked(hinted)
    computed: list[Estimate] = []
    for piece in slices(of_types, paired.filter(pl.col("variant").is_in(TYPES)), (), where):
        computed += _consistency(piece, pooled=False)
    for piece in slices(hinted, paired, ("variant",), where):
        computed += _consistency(piece, pooled=True)
    return computed + template(outcomes, "", where)


def _instruction_changes(without: pl.DataFrame, instructed: pl.DataFrame, where: dict[str, Json]) -> Iterator[Estimate]:
    """What an instruction changes: accuracy by picture type, and sensitivity and criterion by context."""
    yield from instruction_effects(
        pairs_if_asked(_with_type(without)), pairs_if_asked(_with_type(instructed)), _with_type(instructed), where
    )
    before, after, trials = replies(without), replies(instructed), context_replies(instructed)
    for context in CONTEXTS:
        of = pl.col("context") == context
        parts = before.filter(of), after.filter(of), trials.filter(of)
        yield from detection_changes(*parts, {**where, "context": context})


def _with_type(outcomes: pl.DataFrame) -> pl.DataFrame:
    return rows_where(outcomes, pl.col("variant").is_in((*TYPES, *ASIDE)))


def _consistency(piece: Slice, *, pooled: bool) -> list[Estimate]:
    rates = _rates(piece, piece.rows, _RATES, _RATES, pooled=pooled)
    answered = piece.rows["answered"].to_numpy() == 1
    if answered.all():
        return [*rates, replace(rates[_RATES.index("PFA")], metric="PFA_of_answered")]
    rows = piece.rows.filter(answered)
    return rates + _rates(piece, rows, ("PFA",), ("PFA_of_answered",), pooled=pooled)


def _rates(
    piece: Slice, rows: pl.DataFrame, columns: tuple[str, ...], metrics: tuple[str, ...], *, pooled: bool
) -> list[Estimate]:
    over = _OVER_PICTURES if pooled else _OVER_TYPES
    method = f"{over}; {RATE_METHOD}"
    data = cells(rows, columns, pooled=pooled)
    lacking = _lacking(data, pooled=pooled)
    if lacking:
        return [piece.estimate(name, PROPORTION, method, None, NOTHING, lacking) for name in metrics]
    weights = (1.0,) if pooled else _EVEN
    computed = []
    for k, name in enumerate(metrics):
        value, bounds = mean_rate(data, k, weights)
        computed.append(piece.estimate(name, PROPORTION, method, value, bounds))
    return computed


def _lacking(data: Cells, *, pooled: bool) -> str | None:
    if not data.units:
        return "no pair to count"
    if pooled:
        return None
    missing = [name for name, count in zip(TYPES, data.rows.sum(0), strict=True) if count == 0]
    return f"no pair of type {', '.join(missing)}" if missing else None


def _isolation(piece: Slice) -> list[Estimate]:
    data = cells(piece.rows, ("PFA",))
    method = f"accuracy = PFA; {CONTRAST_METHOD}"
    lacking = _lacking(data, pooled=False)
    if lacking:
        names = dict.fromkeys(AVERAGES, PROPORTION) | dict.fromkeys(CONTRASTS, POINTS) | {"R": RATIO}
        return [piece.estimate(n, unit, method, None, NOTHING, lacking) for n, unit in names.items()]
    computed = []
    for name, weights in AVERAGES.items():
        value, bounds = mean_rate(data, 0, weights)
        computed.append(piece.estimate(name, PROPORTION, f"mean of two picture types; {RATE_METHOD}", value, bounds))
    for name, weights in CONTRASTS.items():
        value, bounds = contrast(data, weights)
        computed.append(piece.estimate(name, POINTS, method, value, bounds))
    return [*computed, _multiplier(piece, data)]


def _multiplier(piece: Slice, data: Cells) -> Estimate:
    """R, the illusion multiplier (paper, equation 1), from accuracies in percent."""
    method = f"|O - P| / (|OC - PC| + {EPSILON}), in percent; inverted {CONTRAST_METHOD}"
    illusion, control = (abs(100 * float(data.rates[k, 0] - data.rates[k + 1, 0])) for k in (0, 2))
    if control < 1e-9:
        reason = "the controls do not move: OC and PC have the same accuracy"
        return piece.estimate("R", RATIO, method, None, NOTHING, reason)
    value = illusion / (control + EPSILON)
    _, low, high = map(float, data.measured.ratio((1, -1, 0, 0), (0, 0, 1, -1)))
    if np.isinf(high):
        reason = "no upper bound: the interval of OC − PC reaches 0"
        return piece.estimate("R", RATIO, method, value, Interval(min(low, value), None), reason)
    return piece.estimate("R", RATIO, method, value, Interval(min(low, value), high))
