"""Observers that could be answering: what each verdict may mean, drawn from a prior, with cases that differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit, ndtri

from veridical.suites.viprobe.verdicts import names
from veridical.suites.viprobe.verdicts.model import (
    CRITERION,
    CRITERION_RATIO,
    HIGH,
    LOW,
    NOISE,
    NOISE_RATIO,
    OFFSET,
    PARAMETERS,
    SHARE,
    SHIFT,
    Effect,
    Habits,
)

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator], "Candidate"]

NODES = 9
"""How many cases stand for the cases that a candidate may have, each as it may differ from the others."""

SHARPEST, SHARP, DIMMEST = 0.004, 0.2, 1.3
"""Range of the noise σ, in units of α, and where it divides sharp from weak vision."""

_SEED = 46
_STEEP = 3.0
"""Slope of the logistic function by which the model maps a flat parameter to its rate."""


class Candidate(NamedTuple):
    """An observer that could be answering: what figures do to it, its cases and their shares, and its habits.

    `theta` has shape (`NODES`, 7), the parameters of cases that differ, `shares`, shape (`NODES`,), how many cases are
    like each of them. `noise` is the median σ.
    """

    effect: Effect
    theta: Floats
    shares: Floats
    habits: Habits
    noise: float


LOST_NODES = np.arange(NODES) % 2 == 1
"""The cases of a mixed observer that are lost on figures."""

EQUAL = np.full(NODES, 1 / NODES)


def candidates() -> dict[str, list[Candidate]]:
    """The candidates of each verdict, which is as likely as any other beforehand; always the same ones."""
    rng = np.random.default_rng(_SEED)
    return {name: [draw(rng) for _ in range(many)] for name, (draw, many) in _PRIOR.items()}


def _sight(rng: np.random.Generator, low: float, high: float, least: float = 0.02) -> tuple[Floats, float]:
    """Parameters of cases without an effect of figures, and the median σ, log-uniform from `low` to `high`."""
    noise, criterion = (np.exp(rng.uniform(np.log(a), np.log(b))) for a, b in ((low, high), (least, 0.8)))
    among = _deviations(rng)
    theta = np.zeros((NODES, len(PARAMETERS)))
    spread = rng.choice([0.1, 0.3, 0.6])
    theta[:, NOISE] = np.log(noise) + spread * among[0]
    theta[:, CRITERION] = np.log(criterion) + spread * among[1]
    theta[:, OFFSET] = rng.choice([0.0, 0.03, 0.1]) * min(criterion / 0.1, 1) * among[2]
    return theta, float(noise)


def _deviations(rng: np.random.Generator) -> Floats:
    """Standard normal deviations of cases in four parameters, shape (4, `NODES`), each evenly over its quantiles."""
    places = (np.arange(NODES) + 0.5) / NODES
    return np.asarray(ndtri(np.stack([rng.permutation(places) for _ in range(4)])))


def _habits(rng: np.random.Generator, *, deaf: float = 0.25) -> Habits:
    """Habits of an observer: mostly few lapses, no leaning and every question understood."""
    leaning = 0.4 * rng.random() ** 2 if rng.random() < 0.4 else 0.0
    says_yes = rng.random() < 0.5
    return Habits(
        lapse=0.01 * rng.random() if rng.random() < 0.4 else 0.5 * rng.random() ** 1.5,
        lapse_changed=0.5 if rng.random() < 0.4 else rng.random(),
        yes=leaning * says_yes,
        no=leaning * (not says_yes),
        blank=0.01 if rng.random() < 0.7 else 0.3 * rng.random(),
        blank_changed=rng.random(),
        deaf=0.01 * rng.random() if rng.random() < 0.7 else deaf * rng.random(),
    )


def _seeing(low: float, high: float, least: float) -> Draw:
    def draw(rng: np.random.Generator) -> Candidate:
        theta, noise = _sight(rng, low, high, least)
        return Candidate("nothing", theta, EQUAL, _habits(rng), noise)

    return draw


_FORMS: tuple[Effect, ...] = ("picture", "reply", "blunt")


def _losing(rng: np.random.Generator) -> Candidate:
    """A share of what is seen on figures is replaced by "same", by picture or by reply, or figures are seen bluntly."""
    theta, noise = _sight(rng, SHARPEST, 0.8)
    form = _FORMS[rng.integers(len(_FORMS))]
    if form == "blunt":
        theta[:, [NOISE_RATIO, CRITERION_RATIO]] = _ratios(rng)
    else:
        share = 1 - 0.05 * rng.random() if rng.random() < 0.35 else rng.uniform(0.15, 1)
        theta[:, SHARE] = share + rng.choice([0.0, 0.1, 0.25]) * _deviations(rng)[3]
    return Candidate(form, np.clip(theta, LOW, HIGH), EQUAL, _habits(rng), noise)


def _ratios(rng: np.random.Generator) -> tuple[float, float]:
    """Log ratios of σ and c on figures: changes shrink, or noise grows, or the criterion, or each on its own."""
    size = rng.uniform(0.4, 4.5)
    return ((size, size), (size, 0.0), (0.0, 0.75 * size), (size, rng.uniform(0, 3.5)))[rng.integers(4)]


def _mixing(rng: np.random.Generator) -> Candidate:
    """Some cases are lost on figures, the others seen."""
    theta, noise = _sight(rng, SHARPEST, 0.6)
    share, lost = rng.uniform(0.06, 0.75), LOST_NODES
    theta[:, SHARE] = np.where(lost, 1 - 0.2 * rng.random() ** 2, 0.0)
    shares = np.where(lost, share / lost.sum(), (1 - share) / (~lost).sum())
    return Candidate("picture", theta, shares, _habits(rng), noise)


def _shifted(rng: np.random.Generator) -> Candidate:
    theta, noise = _sight(rng, SHARPEST, 0.6)
    size = rng.uniform(0.08, 0.75) * rng.choice([-1, 1])
    theta[:, SHIFT] = size * (1 + rng.choice([0.0, 0.1, 0.3]) * _deviations(rng)[3])
    return Candidate("shift", theta, EQUAL, _habits(rng), noise)


def _flat(rng: np.random.Generator) -> Candidate:
    """Pictures look unchanged at a rate of each kind of picture, mostly the same for both."""
    control, figure = (_rate(rng) for _ in range(2))
    figure = control if rng.random() < 0.6 else figure
    theta, among = np.zeros((NODES, len(PARAMETERS))), _deviations(rng)
    spread = rng.choice([0.0, 0.3, 0.8])
    for place, rate in ((NOISE, control), (CRITERION, figure)):
        theta[:, place] = (logit(np.clip(rate, 1e-4, 1 - 1e-4)) + spread * among[place]) / _STEEP
    return Candidate("flat", theta, EQUAL, _habits(rng), DIMMEST)


def _rate(rng: np.random.Generator) -> float:
    kind = rng.random()
    return float(1 - 0.05 * rng.random() if kind < 0.4 else 0.05 * rng.random() if kind < 0.5 else rng.random())


def _deaf(rng: np.random.Generator) -> Candidate:
    """Reversed questions are answered as forward ones, or nearly all questions with one word."""
    theta, noise = _sight(rng, SHARPEST, 0.8)
    habits = _habits(rng)._replace(deaf=rng.uniform(0.5, 1))
    if rng.random() < 0.25:
        leaning, says_yes = rng.uniform(0.75, 1), rng.random() < 0.5
        habits = habits._replace(yes=leaning * says_yes, no=leaning * (not says_yes))
    return Candidate("nothing", theta, EQUAL, habits, noise)


def _inverted(rng: np.random.Generator) -> Candidate:
    theta, noise = _sight(rng, SHARPEST, 0.3)
    effect: Effect = "inverted" if rng.random() < 0.5 else "inverted figures"
    return Candidate(effect, theta, EQUAL, _habits(rng), noise)


_PRIOR: Mapping[str, tuple[Draw, int]] = {
    names.VERIDICAL: (_seeing(SHARPEST, SHARP, 0.02), 600),
    names.WEAK: (_seeing(SHARP, DIMMEST, 0.08), 450),
    names.LOSS: (_losing, 700),
    names.MIXED: (_mixing, 450),
    names.ILLUSION: (_shifted, 450),
    names.BLIND: (_flat, 300),
    names.LANGUAGE: (_deaf, 250),
    names.INVERTED: (_inverted, 200),
}
"""How the candidates of each verdict are drawn, and how many."""
