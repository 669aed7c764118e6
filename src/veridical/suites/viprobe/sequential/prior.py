"""Observers that could be answering: what each verdict may mean, drawn from a prior, with cases that differ.

Hundreds of observers see, each in its own way. To each of them figures may do nothing, or one of several things. So the
verdicts are compared on the same sight and the same habits, and differ in what they say of figures alone.
"""

from __future__ import annotations

from collections.abc import Iterator
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

NODES = 7
"""How many cases stand for the cases that a candidate may have, each as it may differ from the others."""

SHARPEST, SHARP, DIMMEST = 0.004, 0.2, 1.3
"""Range of the noise σ, in units of α, and where it divides sharp from weak vision."""

VERDICTS = (
    names.VERIDICAL,
    names.WEAK,
    names.LOSS,
    names.MIXED,
    names.ILLUSION,
    names.BLIND,
    names.LANGUAGE,
    names.INVERTED,
)
"""The verdicts that the model can tell apart; each is as likely as any other beforehand."""

LOST_NODES = np.arange(NODES) % 2 == 1
"""The cases of a mixed observer that are lost on figures."""

_SHARP_ONES, _DIM_ONES, _FLAT_ONES = 440, 220, 300
_DIMENSIONS = 11
_SEED = 46
_GUESSING = 0.35
"""The share of blind observers that guess reply by reply rather than picture by picture."""

_EQUAL = np.full(NODES, 1 / NODES)
_STEEP = 3.0
"""Slope of the logistic function by which the model maps a flat parameter to its rate."""


class CandidateObserver(NamedTuple):
    """An observer that could be answering: the verdict on it, what figures do, its cases and their shares.

    `theta` has shape (`NODES`, 7), the parameters of cases that differ, `shares`, shape (`NODES`,), how many cases are
    like each of them. `noise` is the median σ. Those of one `sight` have the same noise, criteria and spread of cases.
    `own` are their parameters without what figures do, and `habits` those of the sight. With `by_unit` it is base
    items, not cases, that are like one node each; to `alike` ones, the pictures of a base item look off by the same.
    """

    verdict: str
    effect: Effect
    theta: Floats
    habits: Habits
    noise: float
    sight: int
    own: Floats
    shares: Floats = _EQUAL
    by_unit: bool = False
    alike: bool = False


def candidates() -> list[CandidateObserver]:
    """The candidates, always the same ones; those of one sight and effect come one after the other."""
    rng = np.random.default_rng(_SEED)
    drawn: list[CandidateObserver] = []
    for many, low, high, least in ((_SHARP_ONES, SHARPEST, SHARP, 0.02), (_DIM_ONES, SHARP, DIMMEST, 0.08)):
        for place in _even_points(many, _DIMENSIONS):
            noise = float(low * (high / low) ** place[0])
            criterion = float(least * (0.8 / least) ** place[1])
            if alike := bool(place[10] < _ALIKE):
                theta = alike_sight(noise, criterion, rng.uniform(*_COMMON), rng, apart=bool(place[10] < _APART))
            else:
                theta = _sight(noise, criterion, place[2:4], rng)
            drawn += _with_effects(len(drawn), noise, theta, _habits(place[4:10]), rng, alike=alike)
    return [*drawn, *(_flat(-place, each, rng) for place, each in enumerate(_even_points(_FLAT_ONES, 13), 1))]


def descendants(parent: CandidateObserver, sight: int, rng: np.random.Generator) -> list[CandidateObserver]:
    """An observer that sees nearly as the parent does and has nearly its habits, with all that figures may do to it."""
    own, among = parent.own, _deviations(rng)
    together = bool(np.ptp(own[:, CRITERION] - own[:, NOISE]) < _SAME)
    spreads = own[:, [NOISE, CRITERION]].std(0) * np.exp(0.2 * rng.standard_normal())
    noise = float(np.clip(parent.noise * np.exp(_STEP * rng.standard_normal()), SHARPEST, DIMMEST))
    criterion = float(np.exp(own[:, CRITERION].mean() + _STEP * rng.standard_normal()))
    theta = np.zeros((NODES, len(PARAMETERS)))
    theta[:, NOISE] = np.log(noise) + spreads[0] * among[0]
    theta[:, CRITERION] = np.log(criterion) + spreads[1] * among[1 - together]
    offset = own[:, OFFSET]
    theta[:, OFFSET] = (offset.mean() + offset.std() * among[2]) * np.exp(0.4 * rng.standard_normal())
    if parent.alike:
        theta = alike_sight(noise, criterion, rng.uniform(*_COMMON), rng, apart=bool(own[:, SHIFT].any()))
    moved = (_moved(*each, rng) for each in zip(parent.habits, _MOST_HABITS, strict=True))
    return list(_with_effects(sight, noise, theta, Habits(*moved), rng, alike=parent.alike))


_SAME = 1e-6
_STEP = 0.2
"""How far a new observer is from its parent, in log σ and log c."""


_MOST_HABITS = Habits(0.51, 1.0, 0.42, 0.42, 0.3, 1.0, 0.25, 0.0, 0.0, 0.0)
"""The most of each habit that one who sees has beforehand."""


def _moved(habit: float, most: float, rng: np.random.Generator) -> float:
    """A habit nearly as it was; one that is not there stays away."""
    return float(np.clip(habit * np.exp(0.3 * rng.standard_normal()), 0, most))


def _even_points(many: int, dimensions: int) -> Floats:
    """Points that fill the unit cube evenly, shape (many, dimensions): multiples of powers of the generalized golden
    ratio, the root of x ** (d + 1) = x + 1.
    """
    ratio = 2.0
    for _ in range(60):
        ratio = (1 + ratio) ** (1 / (dimensions + 1))
    steps = ratio ** -np.arange(1.0, dimensions + 1)
    return np.asarray((0.5 + np.outer(np.arange(1, many + 1), steps)) % 1)


def _sight(noise: float, criterion: float, place: Floats, rng: np.random.Generator) -> Floats:
    """Parameters of cases without an effect of figures; where all changes look smaller, σ and c are larger together."""
    among, together = _deviations(rng), bool(rng.integers(2))
    theta = np.zeros((NODES, len(PARAMETERS)))
    spread = (0.1, 0.3, 0.6, 0.9)[int(4 * place[0])]
    theta[:, NOISE] = np.log(noise) + spread * among[0]
    theta[:, CRITERION] = np.log(criterion) + spread * among[1 - together]
    spread_of_offsets = 0.3 * max(min(place[1], 0.7) - 0.4, 0.0) * min(criterion / 0.1, 1)
    constant = max(place[1] - _UNBIASED, 0.0) * rng.choice([-1, 1])
    theta[:, OFFSET] = spread_of_offsets * among[2] + constant
    return theta


def alike_sight(noise: float, criterion: float, common: float, rng: np.random.Generator, *, apart: bool) -> Floats:
    """Parameters of base items whose pictures have so much of the variance of their noise in `common`.

    If figures and controls are `apart`, the figures of a base item share their noise, and its controls another one.
    Cases are like each other.
    """
    among = _deviations(rng)
    among /= among.std(1, keepdims=True)
    theta = np.zeros((NODES, len(PARAMETERS)))
    theta[:, NOISE] = np.log(noise * np.sqrt(1 - common))
    theta[:, CRITERION] = np.log(criterion)
    theta[:, OFFSET] = noise * np.sqrt(common) * among[0]
    theta[:, SHIFT] = apart * noise * np.sqrt(common) * (among[1] - among[0])
    return theta


_ALIKE, _APART, _COMMON = 0.3, 0.15, (0.4, 0.95)
"""The shares of observers to whom pictures of a base item look alike, and to whom figures and controls do so apart, and
how much of their variance these pictures share."""

_UNBIASED = 0.7
"""The share of observers without a constant error, which would be that of figures and controls alike."""


def _deviations(rng: np.random.Generator) -> Floats:
    """Standard normal deviations of cases in four parameters, shape (4, `NODES`), each evenly over its quantiles."""
    places = (np.arange(NODES) + 0.5) / NODES
    return np.asarray(ndtri(np.stack([rng.permutation(places) for _ in range(4)])))


def _habits(place: Floats) -> Habits:
    """Habits of an observer, at a place in the unit cube of six dimensions: mostly few lapses, no leaning, not deaf."""
    lapse, says_changed, leaning, blank, blank_changed, deaf = (float(each) for each in place)
    lean = 1.4 * max(abs(2 * leaning - 1) - 0.6, 0.0) ** 1.3
    return Habits(
        lapse=0.02 * lapse if lapse < 0.4 else 0.008 + 0.5 * ((lapse - 0.4) / 0.6) ** 1.5,
        lapse_changed=0.5 if says_changed < 0.4 else (says_changed - 0.4) / 0.6,
        yes=lean * (leaning > 0.5),
        no=lean * (leaning < 0.5),
        blank=0.01 * blank if blank < 0.7 else blank - 0.7,
        blank_changed=blank_changed,
        deaf=0.01 * deaf if deaf < 0.75 else deaf - 0.75,
    )


def _with_effects(
    sight: int, noise: float, theta: Floats, habits: Habits, rng: np.random.Generator, *, alike: bool
) -> Iterator[CandidateObserver]:
    """An observer that sees, with nothing that figures do, and with each thing that they may do."""

    def candidate(verdict: str, effect: Effect, moved: Floats, shares: Floats = _EQUAL) -> CandidateObserver:
        return CandidateObserver(
            verdict, effect, np.clip(theta + moved, _LOW, _HIGH), habits, noise, sight, theta, shares, alike, alike
        )

    yield candidate(names.VERIDICAL if noise < SHARP else names.WEAK, "nothing", np.zeros_like(theta))
    shares = 1 - 0.05 * rng.random(2), rng.uniform(0.5, 0.95, 2), rng.uniform(0.15, 0.5, 2)
    yield from (candidate(names.LOSS, "picture", _at(SHARE, _spread(each[0], rng))) for each in shares)
    if not alike:
        yield from (candidate(names.MIXED, "picture", *_mixed(rng, low, high)) for low, high in _MIXTURES)
    yield from (candidate(names.LOSS, "picture", *_mixed(rng, *each))._replace(by_unit=True) for each in _BY_UNIT)
    yield from (candidate(names.LOSS, "reply", _at(SHARE, _spread(each[1], rng))) for each in shares)
    yield from (
        candidate(names.LOSS, "blunt", _ratios(rng, size)) for size in (rng.uniform(0.4, 2), rng.uniform(2, 4.5))
    )
    sizes = np.concatenate([rng.uniform(0.08, 0.35, 2), rng.uniform(0.35, 0.75, 2)]) * [-1, 1, -1, 1]
    yield from (candidate(names.ILLUSION, "shift", _at(SHIFT, _shifts(size, rng))) for size in sizes)
    yield candidate(names.LANGUAGE, "nothing", np.zeros_like(theta))._replace(habits=_deaf(habits, rng))
    if noise < SHARP:
        yield candidate(names.INVERTED, "inverted", np.zeros_like(theta))
        yield candidate(names.INVERTED, "inverted figures", np.zeros_like(theta))


_UNBOUNDED = np.isin(np.arange(len(PARAMETERS)), (OFFSET, SHIFT))
_LOW, _HIGH = np.where(_UNBOUNDED, -np.inf, LOW), np.where(_UNBOUNDED, np.inf, HIGH)

_MIXTURES = ((0.06, 0.3), (0.3, 0.75))
"""Shares of cases that are lost on figures, in mixed observers."""

_BY_UNIT = ((0.2, 0.55), (0.55, 0.9))
"""Shares of base items that are lost on figures, in observers that lose some of each case."""

_BLUNT = ((0.4, 2), (2, 4.5))
"""Log ratios of σ and c on figures to those in controls."""


def _at(place: int, values: Floats) -> Floats:
    moved = np.zeros((NODES, len(PARAMETERS)))
    moved[:, place] = values
    return moved


def _spread(share: float, rng: np.random.Generator) -> Floats:
    return np.asarray(np.clip(share + rng.choice([0.0, 0.1, 0.25]) * _deviations(rng)[3], 0, 1))


def _shifts(size: float, rng: np.random.Generator) -> Floats:
    return np.asarray(size * (1 + rng.choice([0.0, 0.1, 0.3]) * _deviations(rng)[3]))


def _mixed(rng: np.random.Generator, low: float, high: float) -> tuple[Floats, Floats]:
    share = rng.uniform(low, high)
    shares = np.where(LOST_NODES, share / LOST_NODES.sum(), (1 - share) / (~LOST_NODES).sum())
    return _at(SHARE, np.where(LOST_NODES, 1 - 0.2 * rng.random() ** 2, 0.0)), shares


def _ratios(rng: np.random.Generator, size: float) -> Floats:
    """Log ratios of σ and c on figures: changes shrink, or noise grows, or the criterion, or each on its own."""
    both = ((size, size), (size, 0.0), (0.0, 0.75 * size), (size, rng.uniform(0, 3.5)))[rng.integers(4)]
    return _at(NOISE_RATIO, np.full(NODES, both[0])) + _at(CRITERION_RATIO, np.full(NODES, both[1]))


def _noisy(rng: np.random.Generator, noise: float) -> Floats:
    """So much noise on figures alone that all of them look changed, if the criterion is small."""
    return _at(NOISE_RATIO, np.full(NODES, max(np.log(rng.uniform(0.3, 1.5) / noise), 0.5)))


def _deaf(habits: Habits, rng: np.random.Generator) -> Habits:
    """Reversed questions are answered as forward ones, or nearly all questions with one word."""
    deaf = habits._replace(deaf=rng.uniform(0.5, 1))
    if rng.random() < 0.75:
        return deaf
    leaning, says_yes = rng.uniform(0.75, 1), rng.random() < 0.5
    return deaf._replace(yes=leaning * says_yes, no=leaning * (not says_yes))


def _flat(sight: int, place: Floats, rng: np.random.Generator) -> CandidateObserver:
    """Pictures look unchanged at a rate of each kind of picture, mostly the same for both."""
    control = _rate(place[6])
    figure = control if place[8] < 0.6 else _rate(place[7])
    by_unit = bool(place[12] < _ALIKE)
    among, spread = _deviations(rng), ((0.0, 0.3, 0.8), (0.3, 0.8, 2.0))[by_unit][int(3 * place[9])]
    logits = (logit(np.clip(rate, 1e-4, 1 - 1e-4)) for rate in (control, figure))
    places = zip((NOISE, CRITERION), logits, strict=True)
    theta = np.sum([_at(at, (each + spread * among[at]) / _STEEP) for at, each in places], 0)
    habits = _habits(place[:6])
    if place[10] < _GUESSING:
        says_changed = 0.5 if place[1] < 0.5 else 2 * place[1] - 1
        habits = habits._replace(lapse=1 - 0.5 * place[11] ** 2, lapse_changed=says_changed)
    return CandidateObserver(names.BLIND, "flat", theta, habits, DIMMEST, sight, theta, by_unit=by_unit)


def _rate(place: float) -> float:
    """A rate that is near 1, near 0 or anywhere."""
    return 1 - place / 8 if place < 0.4 else (place - 0.4) / 2 if place < 0.5 else 2 * (place - 0.5)
