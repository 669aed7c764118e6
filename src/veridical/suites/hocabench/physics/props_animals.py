"""Animals: a hen, a dog and a butterfly."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, capsule, circle
from veridical.media.figures.grain import lighter

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


NECK, SNOUT = (0.42, 0.85), 0.8
"""Where a dog's neck begins, and how far its nose is from there, in units of its height."""


def nose(foot: Point, height: float, pitch: float) -> Point:
    """Where the nose of a dog is that holds its head at an angle above the level, in radians.

    >>> nose((0.0, 0.0), 100.0, 0.0)
    (122.0, -85.0)
    """
    return (
        foot[0] + height * (NECK[0] + SNOUT * math.cos(pitch)),
        foot[1] - height * (NECK[1] + SNOUT * math.sin(pitch)),
    )


def dog(brush: Brush, foot: Point, height: float, color: Colour, pitch: float, phase: float, wag: float) -> None:
    """A dog that faces +x, with its head at an angle above the level; `phase` and `wag` move its legs and tail."""
    x, y, h = *foot, height

    def at(ahead: float, up: float) -> Point:
        return x + ahead * h, y - up * h

    dark = lighter(color, -0.28)
    brush.plain(capsule(at(-0.6, 0.82), at(-0.86, 1.1 + 0.12 * wag), 0.07 * h, 0.035 * h), color)
    for hip, offset, tone in ((-0.46, 2.2, dark), (0.42, 5.3, dark), (-0.52, 0.0, color), (0.36, 3.1, color)):
        swing = 0.42 * math.sin(phase + offset)
        bend = -0.16 if hip < 0 else 0.08
        knee = (hip + 0.32 * math.sin(swing) - bend, 0.66 - 0.32 * math.cos(swing))
        foot_at = (hip + 0.62 * math.sin(swing), max(0.03, 0.05 + 0.12 * math.cos(phase + offset)) if phase else 0.03)
        brush.plain(capsule(at(hip, 0.66), at(*knee), 0.13 * h, 0.075 * h), tone)
        brush.plain(capsule(at(*knee), at(*foot_at), 0.07 * h, 0.05 * h), tone)
        brush.plain(capsule(at(*foot_at), at(foot_at[0] + 0.08, foot_at[1]), 0.045 * h, 0.04 * h), tone)
    brush.polygon(capsule(at(-0.48, 0.76), at(0.36, 0.76), 0.22 * h, 0.25 * h), color, "fabric")
    along = (math.cos(pitch), math.sin(pitch))
    skull = (NECK[0] + 0.46 * along[0], NECK[1] + 0.46 * along[1])
    tip = (NECK[0] + (SNOUT - 0.06) * along[0], NECK[1] + (SNOUT - 0.06) * along[1])
    brush.plain(capsule(at(0.36, 0.8), at(*skull), 0.2 * h, 0.14 * h), color)
    brush.line(at(0.5, 0.92 + 0.1 * along[1]), at(0.56 + 0.02 * along[0], 0.68), 0.07 * h, (196, 44, 48))
    brush.plain(capsule(at(*skull), at(*tip), 0.17 * h, 0.085 * h), color)
    brush.disc(at(tip[0] + 0.06 * along[0], tip[1] + 0.06 * along[1]), 0.06 * h, (34, 30, 30))
    up = (-along[1], along[0])
    brush.plain(
        circle(at(skull[0] + 0.08 * along[0] + 0.06 * up[0], skull[1] + 0.08 * along[1] + 0.06 * up[1]), 0.032 * h),
        (34, 28, 26),
    )
    ear = (skull[0] - 0.06 * along[0] + 0.06 * up[0], skull[1] - 0.06 * along[1] + 0.06 * up[1])
    brush.plain(capsule(at(*ear), at(ear[0] - 0.08, ear[1] - 0.24), 0.06 * h, 0.09 * h), dark)


def butterfly(brush: Brush, centre: Point, span: float, color: Colour, flap: float) -> None:
    """A butterfly seen from above; `flap` (0 to 1) folds its wings."""
    x, y = centre
    fold = 1 - 0.5 * flap
    for side in (-1, 1):
        reach_ = side * 0.5 * span * fold
        lower = [
            (x, y),
            (x + 0.75 * reach_, y + 0.1 * span),
            (x + 0.62 * reach_, y + 0.36 * span),
            (x + 0.2 * reach_, y + 0.3 * span),
        ]
        upper = [
            (x, y - 0.04 * span),
            (x + 0.55 * reach_, y - 0.36 * span),
            (x + reach_, y - 0.36 * span),
            (x + 0.96 * reach_, y - 0.08 * span),
            (x + 0.6 * reach_, y + 0.08 * span),
            (x, y + 0.06 * span),
        ]
        brush.plain(lower, lighter(color, -0.25))
        brush.plain(upper, color)
        brush.plain(circle((x + 0.68 * reach_, y - 0.2 * span), 0.09 * span * fold, 0.09 * span), lighter(color, 0.65))
        brush.plain(circle((x + 0.5 * reach_, y + 0.2 * span), 0.06 * span * fold, 0.06 * span), lighter(color, 0.65))
        brush.stroke([(x, y - 0.16 * span), (x + side * 0.1 * span, y - 0.34 * span)], 0.016 * span, (44, 36, 34))
    brush.plain(capsule((x, y - 0.15 * span), (x, y + 0.2 * span), 0.04 * span, 0.025 * span), (44, 36, 34))
