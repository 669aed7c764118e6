"""What differs from picture to picture of a unit, so that what is counted is not all that differs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.puzzle import Pixels
from veridical.suites.viabench.puzzles.shapes import color_mask

_STREAKS = 90


class PictureView(BaseItem):
    """The nuisances of one picture of a unit, at a scale `near` to 1.

    `x` and `y` place the thing in the room that it leaves, -1 to 1; `thick` multiplies widths; `faint` mixes an
    outline with what it surrounds, from 0; `streaks` is the depth of a ground's streaks at the top and at the bottom.
    """

    def __init__(self, nuisances: Nuisances, near: float, depth: float) -> None:
        self.near = nuisances.between(near, 1)
        self.x, self.y = (nuisances.between(-1, 1) for _ in range(2))
        self.thick = nuisances.between(0.8, 1.2)
        self.faint = nuisances.between(0, 0.6)
        self.streaks = nuisances.between(0, depth), nuisances.between(0, depth)
        self.seed = nuisances.scatter()

    def streaked(self, picture: Pixels, *grounds: Colour) -> Pixels:
        """The picture with streaks from side to side wherever it has exactly one of some colors."""
        light = streaks(len(picture), *self.streaks, self.seed)[:, None]
        for ground in grounds:
            shades = np.rint(light * np.array(ground)).astype(np.uint8)
            picture = np.where(color_mask(picture, ground)[..., None], shades[:, None], picture)
        return picture


def views(nuisances: Nuisances, count: int, near: float = 0.8, depth: float = 0.1) -> tuple[PictureView, ...]:
    """A view for each of so many pictures."""
    return tuple(PictureView(nuisances, near, depth) for _ in range(count))


def streaks(length: int, first: float, last: float, seed: int) -> NDArray[np.float64]:
    """The light of streaks over so many pixels, at most 1: their depth changes from the first to the last.

    >>> streaks(4, 0.0, 0.0, 0).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    light = 1 - np.linspace(first, last, _STREAKS) * np.random.default_rng(seed).random(_STREAKS)
    return np.asarray(light[np.arange(length) * _STREAKS // length], float)
