"""Poses of a hand, and what lies between two of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pose:
    """How fingers bend, in degrees: index, middle, ring and little finger at the knuckle (`bend`) and beyond (`curl`).

    `thumb` has the direction of each of its three bones: how far it is turned from the fingers' direction to the side
    of the thumb, and how far it is raised out of the palm's plane. `spread` 1 fans the fingers as an open hand does.
    """

    bend: tuple[float, float, float, float]
    curl: tuple[float, float, float, float]
    thumb: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
    spread: float = 1.0


OPEN = Pose((2, 0, 2, 4), (6, 5, 6, 8), ((52, 18), (44, 14), (36, 10)))
RELAXED = Pose((14, 18, 22, 26), (24, 28, 32, 36), ((44, 30), (28, 28), (16, 26)), 0.6)
FIST = Pose((78, 80, 82, 84), (100, 100, 98, 96), ((34, 50), (-22, 44), (-70, 8)), 0.1)
HALF = Pose((44, 48, 52, 56), (52, 54, 56, 58), ((42, 42), (14, 44), (-10, 36)), 0.35)
PINCH = Pose((42, 36, 28, 22), (52, 40, 34, 30), ((30, 52), (8, 48), (-2, 34)), 0.45)
GRASP = Pose((30, 34, 36, 40), (34, 34, 36, 40), ((56, 56), (26, 58), (8, 50)), 0.7)
"""Round something as wide as a cup."""
POINT = Pose((4, 74, 78, 80), (4, 96, 96, 94), ((36, 44), (-10, 46), (-56, 14)), 0.2)


def blend(first: Pose, second: Pose, share: float) -> Pose:
    """The pose between two; `share` 0 is the first, 1 the second.

    >>> blend(OPEN, FIST, 0.5).bend[1]
    40.0
    """
    if share <= 0 or share >= 1:
        return first if share <= 0 else second

    def mix(a: float, b: float) -> float:
        return a + share * (b - a)

    bend = tuple(mix(a, b) for a, b in zip(first.bend, second.bend, strict=True))
    curl = tuple(mix(a, b) for a, b in zip(first.curl, second.curl, strict=True))
    thumb = tuple((mix(a, c), mix(b, d)) for (a, b), (c, d) in zip(first.thumb, second.thumb, strict=True))
    return Pose(bend, curl, thumb, mix(first.spread, second.spread))  # type: ignore[arg-type]
