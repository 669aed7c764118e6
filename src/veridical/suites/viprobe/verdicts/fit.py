"""Maximum (penalized) likelihood estimates of each case's parameters, many problems at once, and where they start."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.verdicts.model import (
    CRITERION_RATIO,
    HIGH,
    LOW,
    NOISE_RATIO,
    OWN,
    PARAMETERS,
    SHARE,
    SHIFT,
    Design,
    Habits,
    Hypothesis,
    reply_chances,
    unchanged_probability,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SURE = 1e-9
STEP = 1e-4
_TOGETHER = 512
"""Problems whose probabilities are computed in one go: many small ones take as long as one, and all take memory."""
WHOLE = 4
"""Number of columns of pairs without a missing half."""


class Prior(NamedTuple):
    """Normal prior of each parameter of a case, each of shape (7,); an infinite spread is a flat prior."""

    mean: Floats
    spread: Floats


WIDE = Prior(np.array([np.log(0.15), np.log(0.2), 0, 0, 0, 0, 0]), np.array([2.0, 2.0, 0.1, np.inf, np.inf, 4.0, 4.0]))
"""The prior before the other cases are known. The last two values keep ratios finite that the replies leave open."""


class PairProblem(NamedTuple):
    """Reply pairs to fit: `counts`, shape (problems, cells, 8), and the case of each problem, shape (problems,).

    If no half is missing, the last four columns may be left out. The log-likelihood is divided by `dispersion`, at
    least 1, because replies to one base item are correlated.
    """

    counts: Floats
    case: Ints
    design: Design
    habits: Habits
    prior: Prior = WIDE
    dispersion: float = 1.0

    def log_chances(self, theta: Floats, of: Ints, hypothesis: Hypothesis) -> Floats:
        """Log probabilities of all replies of the problems `of`."""
        case = self.case[of]
        same = unchanged_probability(theta, case, self.design, hypothesis.effect, self.habits)
        whole = self.counts.shape[-1] == WHOLE
        chances = reply_chances(same, theta, case, self.design, hypothesis.effect, self.habits, whole=whole)
        return np.log(np.clip(chances, _SURE, 1.0, out=chances), out=chances)

    def height(self, theta: Floats, of: Ints, hypothesis: Hypothesis) -> Floats:
        """Penalized log-likelihood of each of the problems `of`."""
        log_likelihood = (self.counts[of] * self.log_chances(theta, of, hypothesis)).sum((1, 2)) / self.dispersion
        return np.asarray(log_likelihood + self.penalty(theta, hypothesis))

    def penalty(self, theta: Floats, hypothesis: Hypothesis) -> Floats:
        """Log prior of the parameters, without its constant."""
        if hypothesis.effect == "flat":
            return np.zeros(len(theta))
        return np.asarray(-0.5 * (((theta - self.prior.mean) / self.prior.spread) ** 2).sum(1))


def best_fit(
    problem: PairProblem, hypothesis: Hypothesis, start: Floats, *, free: tuple[int, ...] | None = None, steps: int = 25
) -> tuple[Floats, Floats]:
    """The best parameters of each problem, shape (problems, 7), and their height.

    Damped Fisher scoring with finite-difference slopes, all problems at once; only the `free` parameters move.
    """
    moving = list(hypothesis.free if free is None else free)
    theta = np.clip(start, LOW, HIGH) if hypothesis.effect != "flat" else np.clip(start, -8, 8)
    everyone = np.arange(len(theta))
    height = problem.height(theta, everyone, hypothesis)
    if not moving:
        return theta, height
    damping, open_ = np.full(len(theta), 1e-2), everyone
    for _ in range(steps):
        tried = _tried(problem, hypothesis, theta[open_], open_, moving, damping[open_])
        gain = problem.height(tried, open_, hypothesis) - height[open_]
        better = gain > 0
        damping[open_] = np.clip(damping[open_] * np.where(better, 0.15, 8.0), 1e-8, 1e8)
        won = open_[better]
        theta[won] = tried[better]
        height[won] += gain[better]
        open_ = open_[~((better & (gain < 1e-3)) | (~better & (damping[open_] > 1e5)))]
        if not len(open_):
            break
    return theta, height


def _tried(
    problem: PairProblem, hypothesis: Hypothesis, theta: Floats, of: Ints, moving: list[int], damping: Floats
) -> Floats:
    """The next step of each open problem."""
    score, information, stuck = _derivatives(problem, hypothesis, theta, of, moving)
    ends = np.array(moving)
    ridge = damping[:, None] * np.einsum("bkk->bk", information) + 1e-6 + stuck
    step = np.linalg.solve(information + ridge[:, :, None] * np.eye(len(moving)), score[..., None])[..., 0]
    tried = theta.copy()
    tried[:, ends] = np.clip(theta[:, ends] + np.clip(step, -1.5, 1.5), LOW[ends], HIGH[ends])
    return tried


def _derivatives(
    problem: PairProblem, hypothesis: Hypothesis, theta: Floats, of: Ints, moving: list[int]
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Score and expected information of the moving parameters, and which of them are held at a bound."""
    logs, slopes = _logs_and_slopes(problem, hypothesis, theta, of, moving)
    counts = problem.counts[of] / problem.dispersion
    score = np.einsum("boc,kboc->bk", counts, slopes)
    scaled = (slopes * np.sqrt(pairs_by_column(counts) * np.exp(logs))).reshape(len(moving), len(theta), -1)
    by_problem = scaled.transpose(1, 0, 2)
    information = by_problem @ by_problem.swapaxes(1, 2)
    if hypothesis.effect != "flat":
        precision = problem.prior.spread**-2.0
        score -= ((theta - problem.prior.mean) * precision)[:, moving]
        information += np.diag(precision[moving])
    ends = np.array(moving)
    at_low, at_high = theta[:, ends] <= LOW[ends] + 1e-9, theta[:, ends] >= HIGH[ends] - 1e-9
    stuck = (at_low & (score < 0)) | (at_high & (score > 0))
    score = np.where(stuck, 0.0, score)
    return score, np.where(stuck[:, :, None] | stuck[:, None, :], 0.0, information), stuck


def _logs_and_slopes(
    problem: PairProblem, hypothesis: Hypothesis, theta: Floats, of: Ints, moving: list[int]
) -> tuple[Floats, Floats]:
    """Log probabilities of all replies, and their slopes along each of the moving parameters."""
    # Step inwards at an upper bound: beyond it, probabilities are undefined.
    steps = np.where(theta[:, moving] + STEP > HIGH[moving], -STEP, STEP).T
    moved = np.stack([theta] * (1 + len(moving)))
    moved[np.arange(len(moving)) + 1, :, moving] += steps
    together = max(_TOGETHER // len(theta), 1)
    logs = np.concatenate(
        [
            problem.log_chances(part.reshape(-1, theta.shape[1]), np.tile(of, len(part)), hypothesis)
            for part in np.split(moved, range(together, len(moved), together))
        ]
    )
    logs = logs.reshape(len(moved), len(theta), *logs.shape[1:])
    return logs[0], (logs[1:] - logs[0]) / steps[:, :, None, None]


def best_shared_fit(
    problem: PairProblem, hypothesis: Hypothesis, start: Floats, *, steps: int = 30
) -> tuple[Floats, Floats]:
    """As `best_fit`, but all problems share the effect of figures, which starts at its mean over them.

    Each step solves for the parameters of the cases and then, by the Schur complement, for the shared ones.
    """
    own = [place for place in hypothesis.free if place in OWN]
    shared = list(hypothesis.of_figures)
    theta = np.clip(start, LOW, HIGH)
    theta[:, shared] = theta[:, shared].mean(0)
    if not shared:
        return best_fit(problem, hypothesis, theta)
    everyone, damping = np.arange(len(theta)), 1e-2
    height = problem.height(theta, everyone, hypothesis)
    for _ in range(steps):
        score, information, stuck = _derivatives(problem, hypothesis, theta, everyone, own + shared)
        gain = -1.0
        while damping < 1e8:
            tried = _stepped(theta, score, information, stuck, own, shared, damping)
            ahead = problem.height(tried, everyone, hypothesis)
            gain = float(ahead.sum() - height.sum())
            damping = max(damping * 0.15, 1e-8) if gain > 0 else damping * 8
            if gain > 0:
                theta, height = tried, ahead
                break
        if gain < 1e-3:
            break
    return theta, height


def _stepped(
    theta: Floats,
    score: Floats,
    information: Floats,
    stuck: NDArray[np.bool_],
    own: list[int],
    shared: list[int],
    damping: float,
) -> Floats:
    first = len(own)
    diagonal = np.einsum("bkk->bk", information)
    held = information + (damping * diagonal + 1e-6 + stuck)[:, :, None] * np.eye(len(own) + len(shared))
    inner, border = held[:, :first, :first], held[:, :first, first:]
    solved = np.linalg.solve(inner, np.concatenate([score[:, :first, None], border], 2))
    corner = (held[:, first:, first:] - border.swapaxes(1, 2) @ solved[..., 1:]).sum(0)
    right = (score[:, first:] - (border.swapaxes(1, 2) @ solved[..., :1])[..., 0]).sum(0)
    step = np.linalg.solve(corner + 1e-9 * np.eye(len(shared)), right)
    tried = theta.copy()
    places = own + shared
    tried[:, own] += np.clip(solved[..., 0] - solved[..., 1:] @ step, -1.5, 1.5)
    tried[:, shared] += np.clip(step, -1.5, 1.5)
    tried[:, places] = np.clip(tried[:, places], LOW[places], HIGH[places])
    return tried


def pairs_by_column(counts: Floats) -> Floats:
    """For each column, the number of pairs with the same missing half."""
    if counts.shape[-1] == WHOLE:
        return np.repeat(counts.sum(-1, keepdims=True), WHOLE, -1)
    groups = [counts[..., :4].sum(-1), counts[..., 4:6].sum(-1), counts[..., 6:].sum(-1)]
    return np.stack([groups[0]] * 4 + [groups[1]] * 2 + [groups[2]] * 2, -1)


_STARTS = [(sigma, c) for sigma in (0.03, 0.15, 0.6, 4.0) for c in (0.06, 0.2, 0.7, 3.0)]
_AT_ONCE = len(_STARTS) // 2
"""Points of the grid that are tried together; all at once would take more memory than the rest of a report."""


def starting_values(problem: PairProblem, hypothesis: Hypothesis) -> tuple[Floats, Floats]:
    """Starting values: for each case, the best of a grid of noise levels, criteria and effects; with its height."""
    grid = np.zeros((len(_STARTS), len(PARAMETERS)))
    grid[:, :2] = np.log(_STARTS)
    variants: dict[int, list[dict[int, float]]] = {
        SHARE: [{SHARE: 0.7}],
        SHIFT: [{SHIFT: shift} for shift in (-0.5, -0.15, 0.15, 0.5)],
        NOISE_RATIO: [{NOISE_RATIO: 1.1, CRITERION_RATIO: 1.1}, {CRITERION_RATIO: 2.1}],
    }
    for place, ways in variants.items():
        if place in hypothesis.free:
            grid = np.concatenate([grid, *(_with(grid[: len(_STARTS)], way) for way in ways)])
    heights = np.concatenate([_heights(problem, part, hypothesis) for part in np.split(grid, len(grid) // _AT_ONCE)])
    return np.asarray(grid[np.argmax(heights, 0)]), np.asarray(heights.max(0))


def _heights(problem: PairProblem, grid: Floats, hypothesis: Hypothesis) -> Floats:
    """The height of each case (columns) at each point of a grid (rows)."""
    cases = len(problem.case)
    many = problem._replace(counts=np.tile(problem.counts, (len(grid), 1, 1)), case=np.tile(problem.case, len(grid)))
    of = np.arange(len(grid) * cases)
    return np.asarray(many.height(np.repeat(grid, cases, 0), of, hypothesis).reshape(-1, cases))


def _with(rows: Floats, values: dict[int, float]) -> Floats:
    changed = rows.copy()
    changed[:, list(values)] = list(values.values())
    return changed
