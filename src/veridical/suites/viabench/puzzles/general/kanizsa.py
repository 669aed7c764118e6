"""Notched disks that make an edge appear where none is, and a faint line that is drawn or not."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import ndimage

from veridical.media.draw import Item, Line, Polygon, Scene
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles import shapes
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Pixels, Puzzle, Variant, illusion

_COLORS: tuple[tuple[Colour, Colour], ...] = (
    ((250, 250, 247), (22, 22, 26)),
    ((247, 240, 222), (40, 56, 110)),
    ((232, 240, 236), (24, 84, 74)),
    ((250, 234, 226), (138, 44, 48)),
    ((240, 236, 246), (80, 50, 120)),
)


class Inducers(BaseItem):
    """The nuisances of notched disks: how many, where they lie, and which edge has a line of which contrast."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.count = nuisances.one_of((3, 4, 5))
        self.reach = nuisances.px(148, 172)
        self.radius = (
            self.reach * math.sin(math.pi / self.count) * nuisances.between(0.5, 0.6) * (0.86 if self.count == 3 else 1)
        )
        self.turn = nuisances.between(-14, 14)
        self.x = nuisances.between(0.48, 0.52) * nuisances.size
        self.y = nuisances.between(0.48, 0.52) * nuisances.size
        self.edge = nuisances.one_of(range(self.count))
        self.contrast = (0.55, 0.38, 0.26)[grade - 1]
        self.stroke = nuisances.stroke(*((3, 3.4), (2.6, 3), (2.2, 2.6))[grade - 1])
        self.colors = nuisances.one_of(range(len(_COLORS)))
        self.size = nuisances.size


def _notched(center: Point, radius: float, mouth: float, degrees: float, color: Colour) -> Polygon:
    """A disk without a sector that opens in a direction; angles in degrees."""
    angles = np.radians(np.linspace(mouth + degrees / 2, mouth + 360 - degrees / 2, 72))
    xs, ys = center[0] + radius * np.cos(angles), center[1] + radius * np.sin(angles)
    return shapes.polygon([center[0], *xs], [center[1], *ys], color)


def _draw(inducers: Inducers, answer: str, variant: Variant) -> tuple[Scene]:
    ground, ink = _COLORS[inducers.colors]
    count = inducers.count
    lift = 0.12 * inducers.reach if count == 3 else 0.0
    angles = [math.radians(inducers.turn - 90 + 360 * k / count) for k in range(count)]
    corners = [
        (inducers.x + inducers.reach * math.cos(a), inducers.y + lift + inducers.reach * math.sin(a)) for a in angles
    ]
    inward = 180 if variant == "unusual" else 0
    items: list[Item] = []
    if answer == YES:
        start, end = corners[inducers.edge], corners[(inducers.edge + 1) % count]
        share = inducers.radius / math.dist(start, end)
        (x, y), step = start, (end[0] - start[0], end[1] - start[1])
        first, last = ((x + at * step[0], y + at * step[1]) for at in (share, 1 - share))
        items.append(Line(first, last, inducers.stroke, mix_colors(ground, ink, inducers.contrast)))
    items += [
        _notched(corner, inducers.radius, math.degrees(angle) + inward, 180 - 360 / count, ink)
        for corner, angle in zip(corners, angles, strict=True)
    ]
    return (Scene(inducers.size, inducers.size, ground, tuple(items)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """Whether anything but disks is drawn on the ground."""
    picture = pictures[0]
    for ground, ink in _COLORS:
        if (picture[0, 0] != ground).any():
            continue
        disks = shapes.color_mask(picture, ink)
        areas = np.bincount(ndimage.label(disks[::2, ::2])[0].ravel())[1:]
        if not len(areas) or np.count_nonzero(areas > areas.max() / 2) not in {3, 4, 5}:
            return None
        rest = ~(shapes.color_mask(picture, ground) | shapes.dilation(disks, 2))
        return YES if np.count_nonzero(rest) > len(picture) / 16 else NO
    return None


KANIZSA = Puzzle(
    name="kanizsa",
    title="Kanizsa's figure",
    category="general",
    capability="fine detail",
    sees="edges of a bright figure that lies on the disks",
    truth="whether a faint line is drawn from one disk to the next",
    source="Kanizsa 1955",
    graded="a fainter, finer line",
    question="Is there a line drawn on the background from one of the notched disks to another?",
    question_reversed="Is the background between the notched disks free of any drawn line?",
    sample=Inducers,
    draw=_draw,
    usual=illusion(YES),
    read=_read,
)
