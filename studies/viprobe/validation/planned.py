"""Whether the minimum detectable effect that `plan` states has the promised power, on newly simulated designs."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from studies.viprobe.validation.coverage import ALPHA
from veridical.records import Json
from veridical.stats import sign_flip_p
from veridical.stats.power import detectable

DESIGNS = ((10, 10), (40, 10), (120, 10))
"""Units, and pictures per unit in each condition: the units of one case, of four, of twelve."""

CORRELATIONS = (0.2, 0.5)
BASE, POWER = 0.8, 0.8
_AT_ONCE = 50


class Planned(NamedTuple):
    """The number of runs of a design in which the sign-flip test detects the stated difference."""

    units: int
    pictures: int
    correlation: float
    detected: int
    runs: int


def plans(seeds: int) -> list[Json]:
    """Work for `powered`: two runs of each design and correlation per seed, at most 50 at a time."""
    starts = range(0, 2 * seeds, _AT_ONCE)
    return [
        [place, part, correlation, min(_AT_ONCE, 2 * seeds - start)]
        for place in range(len(DESIGNS))
        for correlation in CORRELATIONS
        for part, start in enumerate(starts)
    ]


def powered(job: Json, item: Json) -> Json:
    """One row, as in `Planned`; `item` is the design's number, the part, the correlation and the number of runs."""
    place, part, correlation, runs = item
    units, pictures = DESIGNS[place]
    effect = _stated(units, pictures, correlation)
    rng = np.random.default_rng([job["seed"], 5, place, part, CORRELATIONS.index(correlation)])
    spread = (1 - correlation) / correlation
    detected = 0
    for _ in range(runs):
        shares = [
            rng.binomial(pictures, rng.beta(rate * spread, (1 - rate) * spread, units)) / pictures
            for rate in (BASE, BASE - effect)
        ]
        detected += sign_flip_p(shares[0] - shares[1]) <= ALPHA
    return [units, pictures, correlation, detected, runs]


@lru_cache(maxsize=len(DESIGNS) * len(CORRELATIONS))
def _stated(units: int, pictures: int, correlation: float) -> float:
    effect = detectable(np.full((units, 2), pictures), BASE, power=POWER, correlation=correlation)
    if effect is None:
        raise ValueError(f"{units} units of {pictures} pictures: no effect is detectable")
    return effect
