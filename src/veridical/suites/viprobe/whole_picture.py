"""What a statistic of the whole picture gives away of the answer, without a look at any target.

Where it tells original from perturbed figures better than their controls, a model may answer figures by a shortcut that
controls do not offer, and the difference between the two says nothing about the illusion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import rasterise
from veridical.records import Stimulus
from veridical.suites.viprobe.illusions.case import Case, Context
from veridical.suites.viprobe.illusions.view import chroma

Values = NDArray[np.float64]

_OF_A_PICTURE = ("mean", "spread", "ink", "gradients", "chroma")
STATISTICS = (
    *_OF_A_PICTURE,
    *(f"{name}, left less right" for name in _OF_A_PICTURE),
    *(f"{name}, top less bottom" for name in _OF_A_PICTURE),
)
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
_LUMA = np.float32(0.299), np.float32(0.587), np.float32(0.114)
_INKED = 8


def statistics(pixels: NDArray[np.uint8]) -> Values:
    """The `STATISTICS` of a picture, shape (15,): of gray levels 0 to 255, shares of pixels for ink.

    Ink is what differs from the median of the picture's border; gradients are the mean absolute difference of neighbors
    to the right and below.

    >>> statistics(np.full((4, 4, 3), 90, np.uint8))[:5].round(3).tolist()
    [90.0, 0.0, 0.0, 0.0, 0.0]
    """
    red, green, blue = np.ascontiguousarray(pixels.transpose(2, 0, 1))
    level = _LUMA[0] * red + _LUMA[1] * green + _LUMA[2] * blue
    border = np.median(np.concatenate([level[0], level[-1], level[:, 0], level[:, -1]]))
    steps = np.zeros_like(level)
    steps[:-1] += np.abs(level[1:] - level[:-1])
    steps[:, :-1] += np.abs(level[:, 1:] - level[:, :-1])
    # Levels are told from the border's, so that squares of even pictures differ by nothing but what is there.
    level = level - border
    maps = (level, level**2, np.abs(level) > _INKED, steps, chroma(pixels))
    # The sums by column and by row are all that halves need.
    columns, rows = (np.array([each.mean(axis, dtype=np.float32) for each in maps], float) for axis in (0, 1))
    (left, right), (top, bottom) = _halves(columns), _halves(rows)
    whole = _with_spread(columns.mean(1))
    whole[0] += border
    return np.concatenate([whole, _with_spread(left) - _with_spread(right), _with_spread(top) - _with_spread(bottom)])


def _halves(sums: Values) -> tuple[Values, Values]:
    middle = sums.shape[1] // 2
    return sums[:, :middle].mean(1), sums[:, -middle:].mean(1)


def _with_spread(means: Values) -> Values:
    """The means of the five maps with the spread in place of the mean square."""
    spread = np.sqrt(max(means[1] - means[0] ** 2, 0.0))
    return np.array([means[0], spread, *means[2:]])


def auc(ones: Values, others: Values) -> float:
    """The chance that one of the `others` is larger than one of the `ones`, ties counting half.

    >>> auc(np.array([1.0, 2.0]), np.array([2.0, 3.0]))
    0.875
    """
    ordered = np.sort(np.round(ones, 6))
    rounded = np.round(others, 6)
    below, upto = np.searchsorted(ordered, rounded, "left"), np.searchsorted(ordered, rounded, "right")
    return float((below + upto).mean() / 2 / len(ordered))


def separation(originals: Values, perturbed: Values) -> float:
    """How well one statistic tells the two apart, 0.5 to 1: by its value, its size, or its distance from what is usual.

    >>> separation(np.zeros(9), np.array([-3.0, 4.0]))
    1.0
    """
    usual = np.median(originals)
    ways = (auc(originals, perturbed), auc(np.abs(originals), np.abs(perturbed)))
    return max(*ways, *(1 - way for way in ways), auc(np.abs(originals - usual), np.abs(perturbed - usual)))


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

    >>> breaches({"ink": {"figure": 0.8, "control": 0.65}, "mean": {"figure": 0.55, "control": 0.9}})
    ['ink']
    """
    most = max(each["control"] for each in separation.values())
    return [
        name
        for name, each in separation.items()
        if each["figure"] > each["control"] + ALLOWED and (name in _OF_A_PICTURE or each["figure"] > most)
    ]
