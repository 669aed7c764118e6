"""What is asked about in the figures of lines has a color of its own, by which its place is read back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects, label

from veridical.media.draw import Polygon
from veridical.media.draw.scene import Colour
from veridical.suites.viabench.puzzles.puzzle import Pixels
from veridical.suites.viabench.puzzles.shapes import rounded_box

_LEAST = 24


@dataclass(frozen=True, slots=True)
class Ink:
    """The colors of a figure: page, panel, what is asked about, what misleads, letters."""

    page: Colour
    panel: Colour
    target: Colour
    inducer: Colour
    letter: Colour


INKS = (
    Ink((232, 228, 220), (253, 251, 246), (34, 44, 74), (96, 104, 128), (120, 92, 60)),
    Ink((226, 233, 238), (250, 252, 254), (178, 52, 42), (64, 92, 134), (70, 78, 92)),
    Ink((234, 230, 238), (253, 252, 255), (84, 44, 112), (142, 128, 158), (92, 84, 104)),
    Ink((228, 235, 226), (251, 254, 249), (26, 88, 70), (126, 142, 124), (78, 92, 80)),
    Ink((24, 30, 46), (36, 44, 64), (248, 196, 84), (132, 152, 190), (214, 220, 232)),
)
TARGETS = tuple(ink.target for ink in INKS)


def panel(width: int, ink: Ink, height: int | None = None) -> Polygon:
    """The sheet with round corners on which a figure stands; a square one without a height."""
    edge = 0.03 * width
    return Polygon(rounded_box(edge, edge, width - edge, (height or width) - edge, 0.035 * width), ink.panel)


@dataclass(frozen=True, slots=True)
class MarkTrace:
    """A connected mark: the coordinates of its pixels' middles, in px."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]

    @property
    def center(self) -> tuple[float, float]:
        return float(self.x.mean()), float(self.y.mean())

    @property
    def degrees(self) -> float:
        """The direction of the longer axis, in (−90, 90], positive if it rises to the right."""
        (xx, xy), (_, yy) = np.cov(self.x, self.y)
        return math.degrees(0.5 * math.atan2(-2 * xy, xx - yy))

    @property
    def length(self) -> float:
        """The extent along the longer axis, in px, as of a uniform bar."""
        return math.sqrt(12 * float(np.linalg.eigvalsh(np.cov(self.x, self.y))[-1]))


def traces(picture: Pixels, colors: Sequence[Colour] = TARGETS, *, least: float = 0.0) -> list[MarkTrace]:
    """The connected marks in that one of the colors which is most frequent; smaller ones than `least` are left out."""
    packed = picture[..., 0].astype(np.int32) << 16
    packed |= picture[..., 1].astype(np.int32) << 8
    packed |= picture[..., 2]
    masks = [packed == (red << 16 | green << 8 | blue) for red, green, blue in colors]
    mask = max(masks, key=np.count_nonzero)
    if np.count_nonzero(mask) in range(_LEAST) or mask.mean() > 0.5:
        return []
    parts, _ = label(mask, np.ones((3, 3)))
    marks = []
    for number, box in enumerate(find_objects(parts), 1):
        y, x = np.nonzero(parts[box] == number)
        if len(x) > max(least, _LEAST):
            marks.append(MarkTrace(x + box[1].start + 0.5, y + box[0].start + 0.5))
    return marks
