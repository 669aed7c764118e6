"""A person who stands sideways and stretches out an arm."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.draw import Disc, Item
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import mix_colors
from veridical.suites.viabench.puzzles import shapes

SHOE: Colour = (46, 40, 44)
"""The color of all shoes, which also the eye has."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The colors of a person and of the shadow on the ground."""

    skin: Colour
    hair: Colour
    shirt: Colour
    trousers: Colour
    shadow: Colour


def person(feet: Point, height: float, way: int, arm: float, looks: Looks) -> tuple[list[Item], Point]:
    """A standing person with an arm stretched out, and where the tip of the hand is.

    `way` is 1 for one who faces right, else -1; `arm` is the height of the hand as a share of the person's.
    """
    skin, hair = looks.skin, looks.hair
    dim = mix_colors(looks.shirt, (30, 30, 50), 0.2)

    def at(forward: float, up: float) -> Point:
        return feet[0] + way * forward * height, feet[1] - up * height

    hand = at(0.4, arm)
    torso = shapes.closed_curve(
        [
            at(-0.1, 0.83),
            at(0.0, 0.85),
            at(0.1, 0.83),
            at(0.115, 0.72),
            at(0.095, 0.46),
            at(0.0, 0.44),
            at(-0.095, 0.46),
            at(-0.115, 0.72),
        ]
    )
    items: list[Item] = [
        shapes.ellipse(at(-0.02 * way, 0.0), 0.2 * height, 0.03 * height, looks.shadow),
        *shapes.limb([at(-0.12, 0.78), at(-0.17, 0.62), at(-0.13, 0.48)], 0.062 * height, dim),
        Disc(at(-0.125, 0.46), 0.034 * height, skin),
        *shapes.limb(
            [at(-0.055, 0.46), at(-0.075, 0.24), at(-0.085, 0.04)],
            0.088 * height,
            mix_colors(looks.trousers, (20, 20, 30), 0.2),
        ),
        *shapes.limb([at(0.05, 0.46), at(0.07, 0.24), at(0.065, 0.04)], 0.09 * height, looks.trousers),
        shapes.ellipse(at(-0.06, 0.018), 0.062 * height, 0.026 * height, SHOE),
        shapes.ellipse(at(0.095, 0.012), 0.066 * height, 0.026 * height, SHOE),
        *shapes.limb([at(0.0, 0.83), at(0.005, 0.89)], 0.06 * height, mix_colors(skin, (110, 50, 30), 0.2)),
        shapes.polygon(torso[:, 0], torso[:, 1], looks.shirt),
        shapes.ellipse(at(0.0, 0.955), 0.068 * height, 0.082 * height, hair),
        shapes.ellipse(at(0.018, 0.94), 0.06 * height, 0.072 * height, skin),
        shapes.ellipse(at(-0.02, 1.0), 0.062 * height, 0.034 * height, hair, -12 * way),
        Disc(at(0.052, 0.945), 0.008 * height, SHOE),
        *shapes.limb([at(0.08, 0.78), at(0.22, 0.5 * (0.76 + arm) - 0.02)], 0.07 * height, dim),
        *shapes.limb([at(0.22, 0.5 * (0.76 + arm) - 0.02), at(0.36, arm - 0.005)], 0.052 * height, skin),
        shapes.ellipse((hand[0] - way * 0.008 * height, hand[1]), 0.024 * height, 0.046 * height, skin),
    ]
    tip = hand[0] + way * 0.016 * height, hand[1]
    return items, tip
