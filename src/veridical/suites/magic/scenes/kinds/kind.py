"""What a noun is: how it looks, where it may stand, and how large it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple

import numpy as np
from matplotlib.path import Path

from veridical.media.draw.scene import Colour
from veridical.suites.magic.scenes.kinds.shapes import Outline

Stand = Literal["floor", "surface", "wall", "table"]
Form = Literal["flat", "round", "ball"]

PALETTE: dict[str, Colour] = {
    "red": (206, 38, 36),
    "orange": (246, 134, 22),
    "yellow": (246, 212, 44),
    "green": (52, 150, 62),
    "blue": (38, 92, 202),
    "purple": (122, 58, 166),
    "pink": (247, 128, 188),
    "brown": (118, 72, 40),
}
"""Colors by name, far enough apart to be named under light and shade."""
MATERIALS: tuple[str, ...] = ("wooden", "metal", "glass", "woven")


class Part(NamedTuple):
    """A piece of a thing: its outline, and how much lighter (to 1) or darker (to −1) than the thing it is.

    A part with a `paint` has that color, whatever the thing's color and material are.
    """

    outline: Outline
    tone: float = 0.0
    paint: Colour | None = None


class Run(NamedTuple):
    """Neighboring parts as one path: whether they are of the thing's material."""

    path: Path
    body: bool


@dataclass(frozen=True)
class Kind:
    """A noun.

    `small` and `large` are heights as shares of the picture's height. A thing that `holds` has a flat top, as wide as
    its box, on which others may stand. `form` says how light falls on it. `parts` are painted in their order; whatever
    coordinates they have, their extent fills the thing's box.
    """

    name: str
    stands: tuple[Stand, ...]
    small: float
    large: float
    parts: tuple[Part, ...]
    form: Form = "flat"
    holds: bool = False
    materials: tuple[str, ...] = MATERIALS
    colors: tuple[str, ...] = tuple(PALETTE)

    @cached_property
    def _extent(self) -> tuple[Outline, Outline]:
        points = np.concatenate([part.outline for part in self.parts])
        return points.min(0), points.max(0)

    @property
    def aspect(self) -> float:
        """Width over height."""
        low, high = self._extent
        width, height = (high - low).tolist()
        return float(width / height)

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """The outlines of the parts in the unit square; all turn the same way."""
        low, high = self._extent
        return tuple(_closed((part.outline - low) / (high - low)) for part in self.parts)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The paths, with neighbors that are of the thing's material, or are not, made one."""
        pairs = zip((part.paint is None for part in self.parts), self.paths, strict=True)
        return tuple(
            Run(Path.make_compound_path(*(path for _, path in group)), body)
            for body, group in groupby(pairs, key=lambda pair: pair[0])
        )

    @cached_property
    def silhouette(self) -> Path:
        """All parts as one path."""
        return Path.make_compound_path(*self.paths)


def _closed(points: Outline) -> Path:
    around = np.roll(points, -1, axis=0)
    area = float(np.sum(points[:, 0] * around[:, 1] - around[:, 0] * points[:, 1]))
    points = points if area > 0 else points[::-1]
    return Path(np.concatenate([points, points[:1]]), closed=True)
