"""The library's own simulated observers: each default, and a region around it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import NamedTuple

import numpy as np
import polars as pl

from studies.viprobe.validation.observers.observer import (
    BLIND,
    ILLUSORY,
    LANGUAGE,
    LOSS,
    MEMORY,
    MIXED,
    PLAIN,
    VERIDICAL,
    WEAK,
    WITH_INDUCERS,
    Expected,
    Needs,
    Observer,
    Ranges,
    expected,
)
from studies.viprobe.validation.observers.recalling import of_recall
from studies.viprobe.validation.observers.scene import Drawn, Scene
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers.simulation import MECHANISMS, ViprobeMechanism, simulate

INFINITE = (math.inf, math.inf)


class _Region(NamedTuple):
    why: str
    box: Ranges
    overall: Expected
    cases: Mapping[str, Expected] = {}
    clear_by_case: bool = False
    needs: Needs = PLAIN


_UNDIRECTED = {name: expected(VERIDICAL) for name, case in CASES.items() if not case.directed}
REGIONS: Mapping[str, _Region] = {
    "veridical": _Region(
        "It sees figures as well as controls, except for the weakest changes.",
        {"jnd": (0.02, 0.05), "criterion": (0.08, 0.14), "lapse": (0.0, 0.03)},
        expected(VERIDICAL),
    ),
    "memory_override": _Region(
        "Almost no change on figures is reported, inducers alone are recited, and clutter is seen.",
        {"memory": (0.95, 1.0), "jnd": (0.02, 0.05), "criterion": (0.08, 0.14), "lapse": (0.0, 0.03)},
        expected(MEMORY, [LOSS]),
        {name: of_recall(case) for name, case in CASES.items()},
        clear_by_case=True,
        needs=WITH_INDUCERS,
    ),
    "competition": _Region(
        "A fifth of the change is reported on figures: a loss of sensitivity, with or without memory.",
        {"memory": (0.7, 0.85), "jnd": (0.03, 0.07), "criterion": (0.08, 0.12), "lapse": (0.0, 0.03)},
        expected(LOSS),
        clear_by_case=True,
        needs=WITH_INDUCERS,
    ),
    "visual_limit": _Region(
        "Noise and criterion hide changes in figures and controls alike.",
        {"jnd": (0.3, 0.45), "criterion": (0.35, 0.45), "lapse": (0.0, 0.03)},
        expected(WEAK),
    ),
    "illusory_percept": _Region(
        "Figures shift what is seen in cases whose illusion has a direction, and have no other effect.",
        {"illusion": (0.4, 0.7), "jnd": (0.03, 0.08), "criterion": (0.15, 0.3), "lapse": (0.0, 0.02)},
        expected(ILLUSORY, [MIXED]),
        _UNDIRECTED,
        clear_by_case=True,
    ),
    "blind": _Region(
        "No reply depends on the picture.",
        {"jnd": INFINITE, "lapse": (0.0, 0.3), "yes_bias": (-0.3, 0.3)},
        expected(BLIND),
        clear_by_case=True,
    ),
    "language_limited": _Region(
        "It sees, but answers nearly all reversed questions as if they were forward ones.",
        {"insensitivity": (0.75, 1.0), "jnd": (0.03, 0.08), "criterion": (0.08, 0.14)},
        expected(LANGUAGE),
        clear_by_case=True,
    ),
}
"""By the library's name of the observer. Parameters that a box leaves out have the shared default."""


def _simulated(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    return simulate(scene.trials, ViprobeMechanism(**drawn), rng)


def _both(name: str, region: _Region) -> Iterator[Observer]:
    default = {field: (value, value) for field, value in asdict(MECHANISMS[name]).items()}
    for group, words, box in (("defaults", "default", default), ("regions", "around the default", region.box)):
        yield Observer(
            name=f"{name}, {words}",
            group=f"the library's observers: {group}",
            why=region.why,
            box=box,
            answer=_simulated,
            overall=region.overall,
            by_case=region.overall._replace(acceptable=region.overall.acceptable - {MIXED}),
            cases=region.cases,
            clear_by_case=region.clear_by_case,
            needs=region.needs,
        )


OBSERVERS = tuple(observer for name, region in REGIONS.items() for observer in _both(name, region))
