"""What a statistic of the whole picture gives away of the answer, without a look at any target.

Where it tells original from perturbed figures better than their controls, a model may answer figures by a shortcut that
controls do not offer, and the difference between the two says nothing about the illusion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from veridical.media.draw import rasterise
from veridical.records import Stimulus
from veridical.suite.shortcuts import OF_A_PICTURE, STATISTICS, Values, separation, statistics
from veridical.suites.viprobe.illusions.case import Case, Context

ALLOWED = 0.1
"""By how much a statistic's AUC in the figure may exceed that in the control."""
LEAST_UNITS, MOST_UNITS, _MOST_STRENGTHS = 10, 20, 4
_TYPES: Mapping[str, tuple[Context, bool]] = {
    "O": ("figure", False),
    "P": ("figure", True),
    "OC": ("control", False),
    "PC": ("control", True),
}
_STRENGTHS = (-1.0, -0.5, 0.5, 1.0)


def separations(by_type: Mapping[str, Sequence[Values]]) -> dict[str, dict[str, float]] | None:
    """By statistic its separation in `figure` and `control`, from the statistics of pictures by type (O, P, OC, PC).

    `None` where a type has fewer than `LEAST_UNITS` pictures.
    """
    if any(len(by_type.get(name, ())) < LEAST_UNITS for name in _TYPES):
        return None
    held = {name: np.array(by_type[name]) for name in _TYPES}
    return {
        statistic: {
            "figure": separation(held["O"][:, place], held["P"][:, place]),
            "control": separation(held["OC"][:, place], held["PC"][:, place]),
        }
        for place, statistic in enumerate(STATISTICS)
    }


def sampled(stimuli: Sequence[Stimulus]) -> list[Stimulus]:
    """The pictures of one case that are looked at: of at most 20 units, and at most four strengths, evenly chosen."""
    units = set(list(dict.fromkeys(s.unit for s in stimuli))[:MOST_UNITS])
    strengths = sorted({s.factors["alpha"] for s in stimuli if s.variant in ("P", "PC")})
    picks = np.linspace(0, len(strengths) - 1, min(_MOST_STRENGTHS, len(strengths))).round().astype(int)
    kept = {0.0, *(strengths[place] for place in picks)}
    return [s for s in stimuli if s.variant in _TYPES and s.unit in units and s.factors["alpha"] in kept]


def drawn(case: Case, *, units: int, seed: int) -> dict[str, dict[str, float]] | None:
    """The separations of a case's freshly drawn pictures, at four strengths and 256 px or the least that it needs."""
    by_type: dict[str, list[Values]] = {}
    for unit in range(units):
        base = case.base(max(256, case.smallest_size), seed, unit)
        for variant, (context, changed) in _TYPES.items():
            for alpha in _STRENGTHS if changed else (0.0,):
                pixels = rasterise(case.geometry(base, alpha).scene(context))
                by_type.setdefault(variant, []).append(statistics(pixels))
    return separations(by_type)


def breaches(separation: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The statistics that give the answer away more in the figure than in the control, beyond what is allowed.

    A difference between halves is one only where no statistic of the control tells as much.

    >>> breaches({"inked": {"figure": 0.8, "control": 0.65}, "mean": {"figure": 0.55, "control": 0.9}})
    ['inked']
    """
    most = max(each["control"] for each in separation.values())
    return [
        name
        for name, each in separation.items()
        if each["figure"] > each["control"] + ALLOWED and (name in OF_A_PICTURE or each["figure"] > most)
    ]
