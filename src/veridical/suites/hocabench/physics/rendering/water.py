"""What water does to bodies: Archimedes' force, drag, and a level that rises with what they displace."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from veridical.suites.hocabench.physics.rendering.stage import SolidBody, Water

DENSITY = 1000.0
_DRAG, _SLOW = 1.1, 9.0
"""The coefficient of drag, and how much water slows a body at low speed, per second and kilogram displaced."""


def displacement(body: SolidBody, scale: float, place: NDArray[np.float64], level: float) -> float:
    """How much of a body, as many times as large, is under water, in m³: of a ball exactly, of others upright.

    >>> from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material
    >>> ball = SolidBody(name="ball", parts=(BodyPart("sphere", (0.1,), Material("plain", (0, 0, 0))),))
    >>> round(displacement(ball, 1.0, np.zeros(3), 0.0) / displacement(ball, 1.0, np.zeros(3), 1.0), 3)
    0.5
    """
    total = 0.0
    for part in body.parts:
        if not part.solid:
            continue
        sides = [scale * each for each in part.size]
        half = sides[-1]
        depth = min(max(level - (float(place[2]) + part.at[2] - half), 0.0), 2 * half)
        if part.shape == "sphere":
            total += math.pi * depth * depth * (3 * half - depth) / 3
        elif part.shape == "box":
            total += 4 * sides[0] * sides[1] * depth
        else:
            total += math.pi * sides[0] ** 2 * depth
    return total


def level_of(water: Water, bodies: Iterable[tuple[SolidBody, float, NDArray[np.float64]]]) -> float:
    """How high the water stands with bodies at these places: its volume and theirs fill the tank."""
    level, inside = water.level, list(bodies)
    for _ in range(4):
        level = water.level + sum(displacement(*each, level) for each in inside) / water.area
    return level


def buoyant_force(
    water: Water, body: SolidBody, scale: float, place: NDArray[np.float64], speed: NDArray[np.float64], level: float
) -> NDArray[np.float64]:
    """The force of the water on a body, in N: the weight of what it displaces, less drag."""
    volume = displacement(body, scale, place, level)
    if volume <= 0:
        return np.zeros(3)
    area = (volume) ** (2 / 3)
    drag = 0.5 * DENSITY * _DRAG * area * float(np.linalg.norm(speed)) + _SLOW * DENSITY * volume
    return np.asarray(np.array([0.0, 0.0, DENSITY * 9.81 * volume]) - drag * speed)
