"""Animals: a hen, a dog and a butterfly."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.suites.hocabench.physics.brush import Brush, circle
from veridical.suites.hocabench.physics.grain import lighter
from veridical.suites.hocabench.physics.props_person import capsule

_RED, _BEAK = (206, 44, 40), (236, 168, 48)


def hen(brush: Brush, foot: Point, height: float, color: Colour, peck: float = 0.0) -> None:
    """A hen that faces +x; `peck` (0 to 1) is how far the head is down."""
    x, y, h = *foot, height

    def at(ahead: float, up: float) -> Point:
        return x + ahead * h, y - up * h

    for leg in (-0.06, 0.07):
        brush.stroke([at(leg, 0.28), at(leg, 0.015), at(leg + 0.1, 0.0)], 0.032 * h, _BEAK)
    brush.plain(
        [at(-0.2, 0.52), at(-0.52, 0.82), at(-0.44, 0.56), at(-0.5, 0.5), at(-0.24, 0.34)], lighter(color, -0.2)
    )
    brush.ellipse(at(0.0, 0.43), 0.34 * h, 0.23 * h, color, "fabric")
    lean = 1.2 * peck
    neck = (0.17, 0.48)
    top = (neck[0] + 0.36 * math.sin(0.3 + lean), neck[1] + 0.36 * math.cos(0.3 + lean))
    for k in range(3):
        brush.disc(at(top[0] - 0.06 + 0.06 * k, top[1] + 0.11), 0.045 * h, _RED)
    brush.plain(capsule(at(*neck), at(*top), 0.16 * h, 0.085 * h), color)
    brush.disc(at(top[0] + 0.07, top[1] - 0.1), 0.04 * h, _RED)
    brush.disc(at(*top), 0.1 * h, color)
    brush.plain(
        [at(top[0] + 0.08, top[1] + 0.05), at(top[0] + 0.22, top[1] - 0.02), at(top[0] + 0.08, top[1] - 0.05)], _BEAK
    )
    brush.plain(circle(at(top[0] + 0.04, top[1] + 0.03), 0.022 * h), (30, 26, 26))
    brush.plain(capsule(at(0.1, 0.44), at(-0.22, 0.46), 0.12 * h, 0.04 * h), lighter(color, -0.14))
