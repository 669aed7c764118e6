"""A folder of stimuli on disk and the records in memory: what was asked for, write, read, verify."""

from __future__ import annotations

from dataclasses import dataclass

SIZES = (64, 4096)


@dataclass(frozen=True, kw_only=True)
class Design:
    """What a stimulus set was asked to hold; together with the library's version it determines every pixel.

    `cases` and `variants` of `None` mean all; `alphas` are the signed strengths of perturbed pictures, in [-1, 1]
    without 0; `size` is the longer side in pixels.
    """

    suite: str
    cases: tuple[str, ...] | None = None
    variants: tuple[str, ...] | None = None
    alphas: tuple[float, ...] = ()
    units: int = 10
    size: int = 512
    seed: int = 0
