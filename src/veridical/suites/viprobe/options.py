"""What a set of VI-Probe can be asked to hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pydantic import Field, field_validator, model_validator

from veridical.base.options import Options, Recipe

SIZES = (64, 4096)
_DIGITS, _STEP = 4, 0.0001
GRID = (-1.0, -0.6, -0.4, -0.3, -0.2, -0.1, -0.05, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 1.0)
"""The strengths of a design that names none: close around 0, where it shows what two targets seem equal."""

VARIANTS = ("O", "P", "OC", "PC", "OS", "PS", "OH", "PH", "I")


class VIProbeOptions(Options):
    """Cases, picture types, strengths and size of a set.

    `alphas` are the signed strengths of perturbed pictures; where only `levels` are given they follow from these, and
    where neither is, they stay empty: each case then has those of `GRID` that its pictures can carry.
    """

    cases: tuple[str, ...] | None = Field(
        None, description="Cases, or groups of them: classic (the default), novel, size, color, orientation, all."
    )
    levels: int | None = Field(
        None,
        description=(
            "Number of signed strengths, evenly spaced: even, from 2 to 100. Without it, ±.05, .1, .2, .3, .4, .6 and "
            "1, if pictures of the size can carry them."
        ),
    )
    alphas: tuple[float, ...] = Field((), description="Explicit strengths instead, in [-1, 1] without 0.")
    size: int = Field(512, description=f"Longer side of the pictures in px, {SIZES[0]} to {SIZES[1]}.")
    variants: tuple[str, ...] | None = Field(None, description=f"Picture types: {', '.join(VARIANTS)}.")

    @field_validator("cases", "variants")
    @classmethod
    def _once(cls, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return tuple(dict.fromkeys(names)) if names else None

    @field_validator("size")
    @classmethod
    def _drawable(cls, size: int) -> int:
        if not SIZES[0] <= size <= SIZES[1]:
            raise ValueError(f"size {size}: the longer side may be {SIZES[0]} to {SIZES[1]} px")
        return size

    @model_validator(mode="before")
    @classmethod
    def _with_strengths(cls, values: dict[str, Any]) -> dict[str, Any]:
        alphas, levels = values.get("alphas"), values.get("levels")
        if isinstance(alphas, list | tuple) and alphas and all(isinstance(each, int | float) for each in alphas):
            return {**values, "alphas": checked_alphas(tuple(alphas))}
        return values if levels is None or alphas else {**values, "alphas": strengths(levels)}


def strengths(levels: int) -> tuple[float, ...]:
    """So many signed strengths in [-1, 1], evenly spaced, half of them opposing, without 0.

    >>> strengths(4)
    (-1.0, -0.5, 0.5, 1.0)
    """
    if not isinstance(levels, int) or levels < 2 or levels > 100 or levels % 2:
        raise ValueError(f"{levels} levels: an even number from 2 to 100, half of them opposing the impression")
    half = levels // 2
    return tuple(round(step / half, 4) for step in range(-half, half + 1) if step)


def checked_alphas(alphas: tuple[float, ...]) -> tuple[float, ...]:
    """Strengths given by hand, sorted and without repeats; raises ValueError outside [-1, 1] and at 0."""
    for alpha in alphas:
        if not math.isfinite(alpha) or not _STEP <= abs(round(float(alpha), _DIGITS)) <= 1:
            steps = f", in steps of {_STEP:g}" if alpha and abs(alpha) < _STEP else ""
            raise ValueError(f"strength {alpha:g}: allowed is -1 to 1 without 0 (0 is the original){steps}")
    return tuple(sorted({round(float(alpha), _DIGITS) for alpha in alphas}))


DEMO: Mapping[str, Any] = {"units": 2, "alphas": (-1.0, -0.6, -0.3, 0.3, 0.6, 1.0), "variants": ("O", "P", "OC", "PC")}
"""The options of the sets of the demonstration."""

RECIPES = {
    "balanced": Recipe(
        note="Every nuisance varies from unit to unit; sides and directions are counterbalanced; all picture types."
    ),
    "paper": Recipe(
        values={"units": 11, "levels": 10, "size": 512, "variants": ("O", "P", "OC", "PC", "OH", "PH")},
        fixed=("units", "levels", "alphas", "size"),
        note=(
            "The published design, base scales x strengths: 11 x 10 for size, 10 x 10 for color, 11 x 10 for "
            "orientation, so 290 originals and 2,900 perturbed pictures of each type, on our exact geometry. "
            "The record of each case lists what it deliberately does not reproduce."
        ),
    ),
    "quick": Recipe(
        values={"units": 2, "levels": 4, "variants": ("O", "P", "OC", "PC")},
        note="A first look: two units, four strengths, no hints.",
    ),
}
