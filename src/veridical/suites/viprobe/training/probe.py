"""Whether a difference is in a network's features: a linear read-out, taught on labels that the network never had."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers.learned.network import Floats, Network
from veridical.suites.viprobe.observers.learned.weights import Weights
from veridical.suites.viprobe.training.taught_pictures import CHANGED, Pool, pool

SEED, TAUGHT, TESTED = 900_000, 200, 100
"""Base items of each case that no network was taught on: the read-out learns on the first, is tested on the rest."""
_RIDGE = 1.0


class ReadOut(NamedTuple):
    """Of `n` changed figures: how many the read-out gets right, and how many the network does when asked."""

    case: str
    right: int
    own: int
    n: int


def probe_pool(folder: Path, workers: int = 2) -> Pool:
    """The pictures of the probe, drawn where the folder has none."""
    return pool(folder, SEED, units=TAUGHT + TESTED, others=0, workers=workers)


def read_out(network: Network, pictures: Pool) -> Iterator[ReadOut]:
    """Which target has more, on changed figures: a ridge regression on the features, and the network's own answers.

    A case with no pictures to be tested on is left out.
    """
    facts = pictures.facts
    for case in CASES.values():
        if case.comparison is None:
            continue
        rows = np.flatnonzero((facts["case"] == case.number) & (facts["sort"] == CHANGED))
        if len(rows) <= TAUGHT:
            continue
        first = facts["first"][rows] == 1
        features = network.looked(pictures.pictures[rows])
        test = slice(TAUGHT, None)
        said = network.outputs(
            features[test], np.full(len(rows) - TAUGHT, _question(case.comparison.question, network))
        )
        right = _ridge(features[:TAUGHT], first[:TAUGHT], features[test])
        yield ReadOut(case.name, int((right == first[test]).sum()), int(((said > 0) == first[test]).sum()), len(said))


def untaught(like: Weights, seed: int) -> Weights:
    """The weights of a network of the same shape that was never taught: what a read-out makes of chance features."""
    rng = np.random.default_rng(seed)
    arrays = dict(like.arrays)
    for name in [name for name in arrays if "." not in name]:
        inputs = arrays[name][0].size
        arrays[name] = rng.integers(-127, 128, arrays[name].shape, np.int8)
        # The variance that keeps the size of what passes through a layer of rectifiers: 2 / inputs.
        arrays[f"{name}.scale"] = np.full(len(arrays[name]), np.sqrt(2 / inputs) / 73.6, np.float32)
        arrays[f"{name}.bias"] = np.zeros_like(arrays[f"{name}.bias"])
    return Weights(like.about, arrays)


def _question(comparison: str, network: Network) -> int:
    return int(network.questions[comparison]["number"])


def _ridge(taught: Floats, labels: NDArray[np.bool_], tested: Floats) -> NDArray[np.bool_]:
    mean, spread = taught.mean(axis=0), taught.std(axis=0) + 1e-6
    known, new = (np.column_stack([(part - mean) / spread, np.ones(len(part))]) for part in (taught, tested))
    inner = known.T @ known + _RIDGE * np.eye(known.shape[1])
    weights = np.linalg.solve(inner, known.T @ np.where(labels, 1.0, -1.0))
    return np.asarray(new @ weights > 0)
