"""Fits of each hypothesis to a run's replies, for all cases and for each, with its habits and overdispersion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.verdicts.counts import SAME, PairCounts
from veridical.suites.viprobe.verdicts.fit import (
    STEP,
    WHOLE,
    WIDE,
    PairProblem,
    Prior,
    best_fit,
    best_shared_fit,
    pairs_by_column,
    starting_values,
)
from veridical.suites.viprobe.verdicts.hypotheses import (
    FLEXIBLE,
    FLEXIBLE_IN_COMPARISONS,
    RIVALS,
    RIVALS_IN_COMPARISONS,
    UPRIGHT,
)
from veridical.suites.viprobe.verdicts.model import (
    COMPARING,
    CRITERION,
    CRITERION_RATIO,
    HABITS_HIGH,
    HABITS_LOW,
    NOISE,
    NOISE_RATIO,
    OFFSET,
    OWN,
    Design,
    Habits,
    Hypothesis,
)

Floats = NDArray[np.float64]


def habits_of(
    problem: PairProblem, hypothesis: Hypothesis, theta: Floats, held: tuple[str, ...] = (), *, steps: int = 20
) -> tuple[Habits, float]:
    """Maximum likelihood estimates of the habits, given the parameters of the cases, and their log-likelihood.

    Habits named in `held` stay fixed.
    """
    low, high = np.array(HABITS_LOW), np.array(HABITS_HIGH)
    moving = np.array([place for place, name in enumerate(Habits._fields) if name not in held])
    everyone = np.arange(len(problem.case))
    weight = pairs_by_column(problem.counts)
    values, damping = np.array(problem.habits, float), 1e-3

    def logs(at: Floats) -> Floats:
        return problem._replace(habits=Habits(*at.tolist())).log_chances(theta, everyone, hypothesis)

    now = logs(values)
    height = float((problem.counts * now).sum())
    for _ in range(steps):
        slopes = np.empty((len(moving), *now.shape))
        for row, place in enumerate(moving):
            moved = values.copy()
            step = STEP if values[place] + STEP <= high[place] else -STEP
            moved[place] += step
            slopes[row] = (logs(moved) - now) / step
        score = np.einsum("boc,kboc->k", problem.counts, slopes)
        scaled = slopes * np.sqrt(weight * np.exp(now))
        flat = scaled.reshape(len(moving), -1)
        information = flat @ flat.T
        stuck = ((values[moving] <= low[moving]) & (score < 0)) | ((values[moving] >= high[moving]) & (score > 0))
        score[stuck] = 0.0
        information[stuck], information[:, stuck] = 0.0, 0.0
        gain = -1.0
        while damping < 1e8:
            ridge = np.diag(damping * np.diag(information) + 1e-3 + stuck)
            tried = values.copy()
            tried[moving] = np.clip(
                values[moving] + np.linalg.solve(information + ridge, score), low[moving], high[moving]
            )
            ahead = logs(tried)
            gain = float((problem.counts * ahead).sum()) - height
            damping = max(damping * 0.2, 1e-8) if gain > 0 else damping * 6
            if gain > 0:
                values, now, height = tried, ahead, height + gain
                break
        if gain < 1e-2:
            break
    return Habits(*values.tolist()), height / problem.dispersion


Ints = NDArray[np.int64]


def dispersion(problem: PairProblem, hypothesis: Hypothesis, theta: Floats, units: Floats, case: Ints) -> float:
    """Variance of the replies of base items relative to independent replies, at least 1.

    For each item, the answers "same" are summed over strengths, plainly and with the sign of the strength, on controls
    and on figures. The result is the ratio of the squared residuals of these sums to their variance under the model.
    """
    chances = np.exp(whole_and_halves(problem).log_chances(theta, np.arange(len(theta)), hypothesis))
    expected, variance = (_of_groups(units, moment[case]) for moment in _moments(chances))
    off = units @ SAME - expected
    design = problem.design
    squares = spread = 0.0
    for context in (design.figure, ~design.figure):
        for sign in (np.ones_like(design.alpha), np.sign(design.alpha)):
            weight = (sign * context)[case]
            squares += float(((weight * off).sum(1) ** 2).sum())
            spread += float((weight**2 * variance).sum())
    spare = len(case) - len(theta)
    if spread < 1 or spare < 1:
        return 1.0
    return max(squares / spread * len(case) / spare, 1.0)


def whole_and_halves(problem: PairProblem) -> PairProblem:
    """The problem with columns for missing halves, even if there are none."""
    lacking = 8 - problem.counts.shape[-1]
    return problem._replace(counts=np.pad(problem.counts, ((0, 0), (0, 0), (0, lacking))))


def _moments(chances: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of the answers "same" in a pair, for whole pairs and for either half: (cases, cells, 3)."""
    groups = (slice(0, 4), slice(4, 6), slice(6, 8))
    mean = np.stack([(chances[..., each] * SAME[each]).sum(-1) for each in groups], -1)
    square = np.stack([(chances[..., each] * SAME[each] ** 2).sum(-1) for each in groups], -1)
    return mean, square - mean**2


def _of_groups(units: Floats, moment: Floats) -> Floats:
    pairs = np.stack([units[..., :4].sum(-1), units[..., 4:6].sum(-1), units[..., 6:].sum(-1)], -1)
    return np.asarray((pairs * moment).sum(-1))


_UNSEEN_IN_COMPARISONS = ("yes", "no", "blank", "blank_changed", "deaf", "lapse_changed", "neglect", "neglect_other")
_ROUNDS = 6
_CLOSE = 0.2
_MOST_ROUNDS, _STILL = 60, 0.01
_LEAST_SPREAD = np.array([0.3, 0.3, 0.02])
_FEW = 4
_IN_THE_RUNNING = 60.0
_OUT_OF_THE_RUNNING = 20.0
"""Per case, in log-likelihood at the starting values."""


@dataclass(frozen=True)
class HypothesisFit:
    """The fit of one hypothesis to one scope: penalized log-likelihood (`height`), case parameters and habits."""

    hypothesis: Hypothesis
    height: float
    theta: Floats
    habits: Habits


@dataclass(frozen=True)
class RunFits:
    """The fits of a run: `together`, with the effect of figures shared by all cases, and `by_case`.

    `problem` has the habits, the dispersion and the prior of σ and c; `best` is the flexible model that they come from,
    with its parameters.
    """

    control: PairCounts
    figure: PairCounts
    problem: PairProblem
    best: HypothesisFit
    together: Mapping[Hypothesis, HypothesisFit]
    by_case: Sequence[Mapping[Hypothesis, HypothesisFit]]


def explanation(control: PairCounts, figure: PairCounts, *, comparison: bool = False) -> RunFits:
    """The fits of all hypotheses to the replies on controls and figures of the same base items."""
    counts = np.concatenate([control.total, figure.total], 1)
    design = Design.of(control, figure, comparison=comparison)
    trimmed = counts if counts[..., WHOLE:].any() else counts[..., :WHOLE]
    base = PairProblem(trimmed, np.arange(len(counts)), design, COMPARING if comparison else Habits())
    flexible = _flexible(base, FLEXIBLE_IN_COMPARISONS if comparison else FLEXIBLE)
    problem, hypothesis, theta = max(flexible, key=lambda each: _heights(each[0], each[1], each[2]).sum())
    units = np.concatenate([control.pairs, figure.pairs], 1)
    spread = dispersion(problem, hypothesis, theta, units, control.case)
    problem = problem._replace(prior=_prior(theta), dispersion=spread)
    for _ in range(_MOST_ROUNDS):
        theta, _ = best_fit(problem, hypothesis, theta, steps=8)
        before, problem = problem.prior.mean, _centered(problem, theta)
        if np.abs(problem.prior.mean - before).max() < _STILL:
            break
    rivals = RIVALS_IN_COMPARISONS if comparison else RIVALS
    separate = _crossed(problem, {each: best_fit(problem, each, _start(problem, each, theta))[0] for each in rivals})
    heights = {each: _heights(problem, each, estimates) for each, estimates in separate.items()}
    together = _together(problem, separate)
    return RunFits(
        control,
        figure,
        problem,
        HypothesisFit(hypothesis, float(_heights(problem, hypothesis, theta).sum()), theta, problem.habits),
        together,
        [
            {
                each: HypothesisFit(each, float(heights[each][k]), separate[each][k : k + 1], problem.habits)
                for each in rivals
            }
            for k in range(len(counts))
        ],
    )


def _together(problem: PairProblem, separate: Mapping[Hypothesis, Floats]) -> dict[Hypothesis, HypothesisFit]:
    """Each hypothesis fitted to all cases at once; plausible ones with their own best habits."""
    shared = {each: best_shared_fit(problem, each, _middling(each, theta))[0] for each, theta in separate.items()}
    fits: dict[Hypothesis, HypothesisFit] = {}
    for each, theta in _crossed(problem, shared, of_figures=False).items():
        again = best_shared_fit(problem, each, theta)[0]
        fits[each] = HypothesisFit(each, float(_heights(problem, each, again).sum()), again, problem.habits)
    best = max(fit.height for fit in fits.values())
    for each, fit in fits.items():
        if fit.height > best - _IN_THE_RUNNING:
            fits[each] = _at_its_best(problem, fit)
    return fits


def _crossed(
    problem: PairProblem, fits: Mapping[Hypothesis, Floats], *, of_figures: bool = True
) -> dict[Hypothesis, Floats]:
    """The fits, with each case refitted from the estimates of the other hypotheses if that raises the likelihood.

    Between two strengths, any criterion explains the replies of a sharp observer equally well, so fits end on plateaus.
    Without this step one hypothesis could beat another by having reached a better plateau. The effect of figures stays
    fixed unless `of_figures`.
    """
    upright = [each for each in fits if each.effect in UPRIGHT]
    refitted = dict(fits)
    for each in upright:
        starts = np.stack([fits[each]] * len(upright))
        starts[:, :, list(OWN)] = np.stack([fits[other][:, list(OWN)] for other in upright])
        many = problem._replace(
            counts=np.tile(problem.counts, (len(upright), 1, 1)), case=np.tile(problem.case, len(upright))
        )
        moving = each.free if of_figures else OWN
        theta, height = best_fit(many, each, starts.reshape(-1, starts.shape[-1]), free=moving, steps=6)
        best = height.reshape(len(upright), -1).argmax(0)
        refitted[each] = theta.reshape(starts.shape)[best, np.arange(len(best))]
    return refitted


def _at_its_best(problem: PairProblem, fit: HypothesisFit) -> HypothesisFit:
    for _ in range(_ROUNDS):
        habits, _ = habits_of(problem, fit.hypothesis, fit.theta, held=_held(problem))
        problem = problem._replace(habits=habits)
        theta, _ = best_shared_fit(problem, fit.hypothesis, fit.theta)
        height = float(_heights(problem, fit.hypothesis, theta).sum())
        gain, fit = height - fit.height, HypothesisFit(fit.hypothesis, height, theta, habits)
        if gain < _CLOSE:
            break
    return fit


def _flexible(base: PairProblem, among: Sequence[Hypothesis]) -> list[tuple[PairProblem, Hypothesis, Floats]]:
    """The flexible models that are plausible at their starting values, with fitted habits and parameters."""
    starts = {each: starting_values(base, each) for each in among}
    best = max(float(height.sum()) for _, height in starts.values())
    return [
        _with_habits(base, each, theta)
        for each, (theta, height) in starts.items()
        if float(height.sum()) > best - _OUT_OF_THE_RUNNING * len(theta)
    ]


def _with_habits(problem: PairProblem, hypothesis: Hypothesis, start: Floats) -> tuple[PairProblem, Hypothesis, Floats]:
    theta, _ = best_fit(problem, hypothesis, start, steps=12)
    before = -np.inf
    for _ in range(_ROUNDS):
        habits, height = habits_of(problem, hypothesis, theta, held=_held(problem))
        problem = problem._replace(habits=habits)
        theta, _ = best_fit(problem, hypothesis, theta, steps=8)
        if height - before < _CLOSE:
            break
        before = height
    return problem, hypothesis, theta


def _centered(problem: PairProblem, theta: Floats) -> PairProblem:
    """The problem with the prior of σ and c centered on the cases' mean, so that it biases neither way."""
    if len(theta) < _FEW:
        return problem
    mean = problem.prior.mean.copy()
    mean[[NOISE, CRITERION]] = theta[:, [NOISE, CRITERION]].mean(0)
    return problem._replace(prior=Prior(mean, problem.prior.spread))


def _held(problem: PairProblem) -> tuple[str, ...]:
    """The habits that comparisons cannot identify, or not separately from lapses."""
    return _UNSEEN_IN_COMPARISONS if problem.design.comparison else ()


def _prior(theta: Floats) -> Prior:
    """The prior of σ, c and the offset of a case: median and robust spread over all cases."""
    if len(theta) < _FEW:
        return WIDE
    places = list(OWN)
    mean, spread = WIDE.mean.copy(), WIDE.spread.copy()
    mean[places] = np.median(theta[:, places], 0)
    robust_sd = 1.4826 * np.median(np.abs(theta[:, places] - mean[places]), 0)
    spread[places] = np.clip(robust_sd, _LEAST_SPREAD, WIDE.spread[places])
    mean[OFFSET] = 0.0
    return Prior(mean, spread)


def _heights(problem: PairProblem, hypothesis: Hypothesis, theta: Floats) -> Floats:
    """The height of each problem: log-likelihood over the dispersion, plus the log prior of σ and c."""
    return problem.height(theta, np.arange(len(theta)), hypothesis)


def _start(problem: PairProblem, hypothesis: Hypothesis, theta: Floats) -> Floats:
    """The better of two starting points: σ and c of the flexible model, or from the grid."""
    if hypothesis.effect == "flat":
        return np.zeros_like(theta)
    near = theta.copy()
    near[:, [place for place in range(near.shape[1]) if place not in hypothesis.free]] = 0.0
    if hypothesis.effect == "blunt":
        near[:, [NOISE_RATIO, CRITERION_RATIO]] = np.log(2.0)
    everyone = np.arange(len(theta))
    other, height = starting_values(problem, hypothesis)
    better = problem.height(near, everyone, hypothesis) > height
    return np.where(better[:, None], near, other)


def _middling(hypothesis: Hypothesis, theta: Floats) -> Floats:
    """The parameters of the cases, with the effect of figures replaced by its median."""
    start = theta.copy()
    places = list(hypothesis.of_figures)
    start[:, places] = np.median(start[:, places], 0)
    return start
