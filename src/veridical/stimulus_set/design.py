"""What a stimulus set was asked to hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.errors import InputError
from veridical.records import Json

SIZES = (64, 4096)
MOST_UNITS = 10_000


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A named design of a suite: its numbers where the user gives none; a `fixed` one takes no others."""

    units: int = 10
    levels: int = 10
    variants: tuple[str, ...] | None = None
    size: int = 512
    fixed: bool = False
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Design:
    """What a stimulus set was asked to hold; together with the library's version it determines every pixel.

    `cases` and `variants` of `None` mean the suite's own choice; `alphas` are the signed strengths of perturbed
    pictures, in [-1, 1] without 0; `size` is the longer side in pixels. Raises `InputError` for a number that is not
    allowed.
    """

    suite: str
    cases: tuple[str, ...] | None = None
    variants: tuple[str, ...] | None = None
    alphas: tuple[float, ...] = ()
    recipe: str = "balanced"
    units: int = 10
    size: int = 512
    seed: int = 0

    @classmethod
    def of(cls, arguments: Mapping[str, Json]) -> Design:
        """The design with these arguments, as they stand in JSON."""
        values: dict[str, Json] = {k: tuple(v) if isinstance(v, list) else v for k, v in arguments.items()}
        return cls(**values)

    def __post_init__(self) -> None:
        if not SIZES[0] <= self.size <= SIZES[1]:
            raise InputError(f"size {self.size}: the longer side may be {SIZES[0]} to {SIZES[1]} px")
        if not 1 <= self.units <= MOST_UNITS:
            raise InputError(f"{self.units} units: 1 to {MOST_UNITS} units per case are allowed")
        if not 0 <= self.seed < 2**63:
            raise InputError(f"seed {self.seed}: a whole number from 0 to 2^63 - 1 is allowed")


def strengths(levels: int) -> tuple[float, ...]:
    """So many signed strengths in [-1, 1], evenly spaced, half of them opposing, without 0.

    >>> strengths(4)
    (-1.0, -0.5, 0.5, 1.0)
    """
    if levels < 2 or levels > 100 or levels % 2:
        raise InputError(f"{levels} levels: an even number from 2 to 100, half of them opposing the impression")
    half = levels // 2
    return tuple(round(step / half, 4) for step in range(-half, half + 1) if step)


def checked_alphas(alphas: Sequence[float]) -> tuple[float, ...]:
    """Strengths given by hand, sorted and without repeats; raises `InputError` outside [-1, 1] and at 0."""
    for alpha in alphas:
        if not -1 <= alpha <= 1 or alpha == 0 or not math.isfinite(alpha):
            raise InputError(f"strength {alpha:g}: allowed is -1 to 1 without 0 (0 is the original)")
    return tuple(sorted({round(float(alpha), 4) for alpha in alphas}))
