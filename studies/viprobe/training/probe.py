"""A linear probe: whether a network's features encode a difference, with labels that the network never had."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studies.viprobe.training.taught_pictures import CHANGED, Pool, pool
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers.learned_observers.network import Floats, Network
from veridical.suites.viprobe.observers.learned_observers.weights import Weights

SEED, TAUGHT, TESTED = 900_000, 200, 100
"""Seed, training items and test items of the probe, per case; no network is trained on these base items."""
_RIDGE = 1.0


class ReadOut(NamedTuple):
    """Of `n` changed figures: how many the probe gets right, and how many the network's own answers do."""

    case: str
    right: int
    own: int
    n: int


def probe_pool(folder: Path, workers: int = 2) -> Pool:
    """The pictures of the probe, drawn if the folder has none."""
    return pool(folder, SEED, units=TAUGHT + TESTED, others=0, workers=workers)


def read_out(network: Network, pictures: Pool) -> Iterator[ReadOut]:
    """Accuracy of "which target has more" on changed figures: ridge regression on the features, and own answers.

    A case without test pictures is left out.
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
        outputs = network.outputs(
            features[test], np.full(len(rows) - TAUGHT, _question(case.comparison.question, network))
        )
        right = _ridge(features[:TAUGHT], first[:TAUGHT], features[test])
        yield ReadOut(
            case.name, int((right == first[test]).sum()), int(((outputs > 0) == first[test]).sum()), len(outputs)
        )


def untaught(like: Weights, seed: int) -> Weights:
    """Random weights of a network of the same shape: the baseline of the probe."""
    rng = np.random.default_rng(seed)
    arrays = dict(like.arrays)
    for name in [name for name in arrays if "." not in name]:
        inputs = arrays[name][0].size
        arrays[name] = rng.integers(-127, 128, arrays[name].shape, np.int8)
        # Variance 2 / inputs preserves the scale of activations through rectifiers.
        arrays[f"{name}.scale"] = np.full(len(arrays[name]), np.sqrt(2 / inputs) / 73.6, np.float32)
        arrays[f"{name}.bias"] = np.zeros_like(arrays[f"{name}.bias"])
    return Weights(like.about, arrays)


def _question(comparison: str, network: Network) -> int:
    return int(network.questions[comparison]["number"])


def _ridge(taught: Floats, labels: NDArray[np.bool_], tested: Floats) -> NDArray[np.bool_]:
    mean, spread = taught.mean(axis=0), taught.std(axis=0) + 1e-6
    train, test = (np.column_stack([(part - mean) / spread, np.ones(len(part))]) for part in (taught, tested))
    inner = train.T @ train + _RIDGE * np.eye(train.shape[1])
    weights = np.linalg.solve(inner, train.T @ np.where(labels, 1.0, -1.0))
    return np.asarray(test @ weights > 0)
