"""Training batches: which pictures of a pool a step uses, and how they are augmented."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studies.viprobe.training.arms import Diet
from studies.viprobe.training.taught_pictures import OTHER, Pool
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers.learned_observers.network import HEIGHT, WIDTH

SHARE_OF_OTHERS = 0.04
_VARIED = 0.25
"""Share of a batch that each augmentation applies to, except the position, which varies in all."""
_SHIFT = 6
_SMALLEST = 0.75
_NOISE = 8.0
_LIGHTNESS_CASES = tuple(
    case.number for case in CASES.values() if case.comparison and "lighter" in case.comparison.question
)


class Batch(NamedTuple):
    """Pictures (float32, shape (n, 2, HEIGHT, WIDTH), in [0, 1]) with their topic, kind, and answers; -1 is none."""

    pictures: NDArray[np.float32]
    topic: NDArray[np.int64]
    kind: NDArray[np.int64]
    yes: NDArray[np.int64]
    first: NDArray[np.int64]


class Drawer:
    """Draws batches of a diet from a pool. A batch depends only on (pool, diet, seed, step).

    The arrays of a batch are reused by the next one, since allocating them costs more than filling them.
    """

    def __init__(self, pool: Pool, diet: Diet, seed: int, often: Mapping[str, int] | None = None) -> None:
        """`often` maps cases to how many times as often as others they are drawn."""
        self._pool, self._seed = pool, seed
        times = [(often or {}).get(name, 1) for name in CASES]
        self._turns = np.repeat(np.arange(len(CASES)), times)
        self._kept = np.empty((0, 2, HEIGHT, WIDTH), np.float32)
        facts = pool.facts
        self._sorted = [
            [np.flatnonzero((facts["case"] == case.number) & (facts["sort"] == sort)) for sort in range(OTHER)]
            for case in CASES.values()
        ]
        self._others = np.flatnonzero(facts["sort"] == OTHER)
        self._shares = np.array([diet.shares(case) for case in CASES.values()]).cumsum(axis=1)

    def rows(self, step: int, size: int) -> NDArray[np.int64]:
        """The rows of the pool in a step's batch."""
        return self._rows_of(np.random.default_rng([self._seed, step]), size)

    def batch(self, step: int, size: int) -> Batch:
        """The batch of a step."""
        rng = np.random.default_rng([self._seed, step])
        rows = self._rows_of(rng, size)
        facts = self._pool.facts[rows]
        if len(self._kept) != size:
            self._kept = np.empty((size, 2, HEIGHT, WIDTH), np.float32)
        pictures = self._kept
        for place, row in enumerate(rows):
            varied = _shrunk if rng.random() < _VARIED else _moved
            pictures[place] = varied(self._pool.pictures[row], rng)
        inverted = _recolored(pictures, rng)
        first = facts["first"].astype(np.int64)
        # "Which is lighter" has another answer on a picture with inverted lightness.
        first[inverted & np.isin(facts["case"], _LIGHTNESS_CASES)] = -1
        topic, kind, yes = (facts[name].astype(np.int64) for name in ("topic", "kind", "yes"))
        return Batch(np.divide(pictures, np.float32(255), out=pictures), topic, kind, yes, first)

    def _rows_of(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        return np.array([self._row(rng) for _ in range(size)])

    def _row(self, rng: np.random.Generator) -> int:
        if rng.random() < SHARE_OF_OTHERS:
            return int(rng.choice(self._others))
        case = int(self._turns[rng.integers(len(self._turns))])
        sort = int(np.searchsorted(self._shares[case], rng.random() * self._shares[case][-1], side="right"))
        rows = self._sorted[case][min(sort, OTHER - 1)]
        return int(rows[rng.integers(len(rows))])


def _recolored(pictures: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Inverts the lightness of some pictures and adds noise to some, in place; returns a mask of inverted ones."""
    inverted, noisy = rng.random((2, len(pictures))) < _VARIED
    for place in inverted.nonzero()[0]:
        np.subtract(255, pictures[place, 0], out=pictures[place, 0])
    for place in noisy.nonzero()[0]:
        noise = rng.standard_normal((HEIGHT, WIDTH), np.float32) * np.float32(rng.uniform(0, _NOISE))
        np.clip(pictures[place, 0] + noise, 0, 255, out=pictures[place, 0])
    return np.asarray(inverted)


def _moved(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The picture moved by whole pixels, with its edge replicated."""
    down, right = (int(step) for step in rng.integers(-_SHIFT, _SHIFT + 1, size=2))
    rows = np.clip(np.arange(HEIGHT) - down, 0, HEIGHT - 1)
    columns = np.clip(np.arange(WIDTH) - right, 0, WIDTH - 1)
    return np.asarray(picture.take(rows, axis=1).take(columns, axis=2))


def _shrunk(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.float32]:
    """The picture made smaller, at a random position, with its edge replicated."""
    scale = rng.uniform(_SMALLEST, 1)
    rows = _between(HEIGHT, scale, rng)
    columns = _between(WIDTH, scale, rng)
    return _sampled(_sampled(picture.astype(np.float32), rows, 1), columns, 2)


def _between(length: int, scale: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """For each pixel of a randomly placed smaller copy, its position in the picture."""
    start = rng.uniform(0, length * (1 - scale))
    places = (np.arange(length, dtype=np.float32) - np.float32(start)) / np.float32(scale)
    return np.asarray(places.clip(0, length - 1))


def _sampled(picture: NDArray[np.float32], places: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    low = np.floor(places).astype(int)
    high = np.minimum(low + 1, picture.shape[axis] - 1)
    share = (places - low).reshape((-1, 1) if axis == 1 else (1, -1))
    return np.asarray(picture.take(low, axis) * (1 - share) + picture.take(high, axis) * share)
