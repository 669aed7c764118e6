"""Whether the smallest change of a design can be seen, and how far its pictures may be reduced."""

from __future__ import annotations

import math
from typing import NamedTuple

from veridical.suites.viprobe.illusions.case import Case
from veridical.suites.viprobe.illusions.variants import CHANGED, strength_text, variants
from veridical.suites.viprobe.options import SIZES, VIProbeOptions

_LEGIBLE = 0.6
_PAPER_UNITS = {"size": 11, "color": 10, "orientation": 11}


def grades(case: Case, options: VIProbeOptions) -> int | None:
    """The steps of the base scale where the design grades it (the paper's: 11, of hues 10), else `None`."""
    return units(case, options) if options.recipe == "paper" else None


def units(case: Case, options: VIProbeOptions) -> int:
    """How many base items the case has."""
    return _PAPER_UNITS[case.category] if options.recipe == "paper" else options.units


def min_side(case: Case, value: float, size: int) -> int | None:
    """The smallest longer side, in px, to which the picture may be reduced before its change can be missed.

    `None` where that is 224 px or less, or where reducing leaves the factor as it is.
    """
    if not case.factor.grows:
        return None
    side = math.ceil(size * _LEGIBLE / abs(value))
    return side if side > 224 else None


class TooFaint(NamedTuple):
    """Why a design cannot be drawn, and the size from which it could be (0: no size helps)."""

    size: int
    said: str


def too_faint(case: Case, options: VIProbeOptions, indices: range | list[int]) -> TooFaint | None:
    """What is wrong where the smallest change would not be visible, or the figure not legible; else `None`."""
    least = case.smallest_size
    if options.size < least:
        return TooFaint(least, f"size {options.size}: {case.name} needs at least {least} px on the longer side")
    if not set(CHANGED) & set(variants(options)):
        return None
    weakest = min(map(abs, options.alphas), default=0.0)
    alphas = [alpha for alpha in options.alphas if abs(alpha) == weakest]
    bases = (case.base(options.size, options.seed, index, grades(case, options)) for index in indices)
    changes = [(abs(case.value(base, alpha)), alpha) for base in bases for alpha in alphas]
    smallest, alpha = min(changes, default=(math.inf, 0.0))
    visible = case.factor.visible
    if smallest >= visible:
        return None
    said = f"{case.name} at strength {strength_text(alpha)} changes by {_below(smallest)} {case.factor.unit}"
    size = math.ceil(options.size * visible / smallest)
    if case.factor.grows and size <= SIZES[1]:
        return TooFaint(size, f"{said}, less than the visible {visible:g}: make it at size {size} or larger")
    enough = math.ceil(abs(alpha) * visible / smallest * 100) / 100
    return TooFaint(0, f"{said}, less than the visible {visible:g}: use strengths of at least {enough:.2f}")


def _below(value: float) -> str:
    """A number with two decimals, never rounded up to a bound that it is below.

    >>> _below(1.9999)
    '1.99'
    """
    return f"{math.floor(value * 100) / 100:.2f}"
