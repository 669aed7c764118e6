"""Whether the smallest change of a design can be seen, and how far its pictures may be reduced."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.illusions.case import Case
from veridical.suites.viprobe.illusions.drawing import CHANGED, strength_text, variants
from veridical.suites.viprobe.options import GRID, SIZES, VIProbeOptions

_LEGIBLE = 0.6
_LOOKED_AT, _NEARLY = 50, 0.9
_PAPER_UNITS = {"size": 11, "color": 10, "orientation": 11}


def grades(case: Case, options: VIProbeOptions) -> int | None:
    """The steps of the base scale where the design grades it (the paper's: 11, of hues 10), else `None`."""
    return units(case, options) if options.recipe == "paper" else None


def units(case: Case, options: VIProbeOptions) -> int:
    """How many base items the case has."""
    return _PAPER_UNITS[case.category] if options.recipe == "paper" else options.units


def alphas_of(case: Case, options: VIProbeOptions) -> tuple[float, ...]:
    """The strengths that a case has in a design: those asked for, else those of `GRID` that its pictures can carry.

    >>> from veridical.suites.viprobe.illusions import CASES
    >>> [alpha for alpha in alphas_of(CASES["ebbinghaus"], VIProbeOptions(size=512)) if alpha > 0]
    [0.1, 0.2, 0.3, 0.4, 0.6, 1.0]
    """
    return options.alphas or visible_alphas(case.name, options.size)


@lru_cache(maxsize=256)
def visible_alphas(name: str, size: int) -> tuple[float, ...]:
    """The strengths of `GRID` that change pictures of a size by as much as counts, and the strongest two in any case.

    Told by the first 50 base items of one seed, so that all sets of a size have the same.
    """
    case = illusions.CASES[name]
    bases = [case.base(size, 0, index) for index in range(_LOOKED_AT)] if size >= case.smallest_size else []
    weakest = max(map(abs, GRID))
    for alpha in sorted({abs(alpha) for alpha in GRID}, reverse=True):
        if any(abs(case.value(base, sign * alpha)) < case.factor.least for base in bases for sign in (-1, 1)):
            break
        weakest = alpha
    return tuple(alpha for alpha in GRID if abs(alpha) >= weakest)


def min_side(case: Case, value: float, size: int) -> int | None:
    """The smallest longer side, in px, to which the picture may be reduced before its change can be missed.

    `None` where that is 224 px or less, or where reducing leaves the factor as it is.
    """
    if not case.factor.grows:
        return None
    side = math.ceil(size * _LEGIBLE / abs(value))
    return side if side > 224 else None


class FaintDesign(NamedTuple):
    """Why a design cannot be drawn, and the size from which it could be (0: no size helps)."""

    size: int
    problem: str


def too_faint(case: Case, options: VIProbeOptions, indices: range | list[int]) -> FaintDesign | None:
    """What is wrong where the smallest change would be too small, or the figure not legible; else `None`.

    Strengths that follow from the size were told by other base items, which may be a little larger than these.
    """
    side = case.smallest_size
    if options.size < side:
        return FaintDesign(side, f"size {options.size}: {case.name} needs at least {side} px on the longer side")
    if not set(CHANGED) & set(variants(options)):
        return None
    strengths = alphas_of(case, options)
    weakest = min(map(abs, strengths))
    alphas = [alpha for alpha in strengths if abs(alpha) == weakest]
    bases = (case.base(options.size, options.seed, index, grades(case, options)) for index in indices)
    changes = [(abs(case.value(base, alpha)), alpha) for base in bases for alpha in alphas]
    smallest, alpha = min(changes, default=(math.inf, 0.0))
    least = case.factor.least
    if smallest >= (least if options.alphas else _NEARLY * least):
        return None
    change = f"{case.name} at strength {strength_text(alpha)} changes by {_below(smallest)} {case.factor.unit}"
    size = math.ceil(options.size * least / smallest)
    if case.factor.grows and size <= SIZES[1]:
        return FaintDesign(size, f"{change}, and at least {least:g} is drawn: make it at size {size} or larger")
    enough = math.ceil(abs(alpha) * least / smallest * 100) / 100
    return FaintDesign(0, f"{change}, and at least {least:g} is drawn: use strengths of at least {enough:.2f}")


def _below(value: float) -> str:
    """A number with two decimals, never rounded up to a bound that it is below.

    >>> _below(1.9999)
    '1.99'
    """
    return f"{math.floor(value * 100) / 100:.2f}"
