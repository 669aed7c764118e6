"""What a noun is: how it looks, where it may stand, and how large it is."""

from __future__ import annotations

from collections.abc import Sequence
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
_FINE = 256


class Piece(NamedTuple):
    """A piece of a thing: its outline, and how much lighter (to 1) or darker (to −1) than the thing it is.

    A part with a `paint` has that color, whatever the thing's color and material are.
    """

    outline: Outline
    tone: float = 0.0
    paint: Colour | None = None


class PartRun(NamedTuple):
    """Neighboring parts as one path: whether they are of the thing's material."""

    path: Path
    body: bool


@dataclass(frozen=True)
class ThingKind:
    """A noun.

    `small` and `large` are heights as shares of the picture's height. A thing that `holds` has a flat top, as wide as
    its box, on which others may stand. `form` says how light falls on it. `parts` are painted in their order; whatever
    coordinates they have, their extent fills the thing's box.
    """

    name: str
    stands: tuple[Stand, ...]
    small: float
    large: float
    parts: tuple[Piece, ...]
    form: Form = "flat"
    holds: bool = False
    materials: tuple[str, ...] = MATERIALS
    colors: tuple[str, ...] = tuple(PALETTE)

    @cached_property
    def _extent(self) -> tuple[Outline, Outline]:
        points = np.concatenate([part.outline for part in self.parts])
        return points.min(0), points.max(0)

    @cached_property
    def aspect(self) -> float:
        """Width over height."""
        low, high = self._extent
        width, height = (high - low).tolist()
        return float(width / height)

    @cached_property
    def _paths(self) -> tuple[Path, ...]:
        """The outlines of the parts in the unit square; all turn the same way, so that none cancels another."""
        low, high = self._extent
        return tuple(_closed((part.outline - low) / (high - low)) for part in self.parts)

    @cached_property
    def looks(self) -> tuple[tuple[Path, Piece], ...]:
        """What is painted in its order, in the unit square: neighbors of one look are one path."""
        groups = groupby(zip(self.parts, self._paths, strict=True), key=lambda pair: (pair[0].tone, pair[0].paint))
        listed = [list(group) for _, group in groups]
        return tuple((Path.make_compound_path(*(path for _, path in group)), group[0][0]) for group in listed)

    @cached_property
    def runs(self) -> tuple[PartRun, ...]:
        """The paths, with neighbors that are of the thing's material, or are not, made one."""
        pairs = zip((part.paint is None for part in self.parts), self._paths, strict=True)
        return tuple(
            PartRun(_union([path for _, path in group]), body)
            for body, group in groupby(pairs, key=lambda pair: pair[0])
        )

    @cached_property
    def silhouette(self) -> Path:
        """All parts as one path."""
        return _union(self._paths)


def _closed(points: Outline) -> Path:
    around = np.roll(points, -1, axis=0)
    area = float(np.sum(points[:, 0] * around[:, 1] - around[:, 0] * points[:, 1]))
    points = points if area > 0 else points[::-1]
    return Path(np.concatenate([points, points[:1]]), closed=True)


def _union(paths: Sequence[Path]) -> Path:
    """The paths as one, without those that lie within the others: what is painted is the same, and cheaper."""
    at = (np.arange(_FINE) + 0.5) / _FINE
    grid = np.stack(np.meshgrid(at, at), -1).reshape(-1, 2)
    inside = [path.contains_points(grid) for path in paths]
    kept = list(range(len(paths)))
    for place in sorted(kept, key=lambda each: int(inside[each].sum())):
        others = [each for each in kept if each != place]
        if others and not (inside[place] & ~np.any([inside[each] for each in others], axis=0)).any():
            within = np.asarray(paths[place].vertices, float)
            bounds = np.concatenate([np.asarray(paths[each].vertices, float) for each in others])
            if (within.min(0) >= bounds.min(0)).all() and (within.max(0) <= bounds.max(0)).all():
                kept = others
    return Path.make_compound_path(*(paths[each] for each in kept))
