"""Things that look alike from all sides: in a square of side 1 around the origin."""

from __future__ import annotations

import math

from veridical.suites.viabench.puzzles.gestalt.glyphs import Dot, Fill, Paint, Part, sharp


def flower(paint: Paint) -> list[Part]:
    """A blossom from above."""
    angles = [2 * math.pi * k / 8 for k in range(8)]
    outer: list[Part] = [Dot(0.3 * math.cos(a), 0.3 * math.sin(a), 0.15, paint.body) for a in angles]
    inner: list[Part] = [Dot(0.27 * math.cos(a), 0.27 * math.sin(a), 0.09, paint.light) for a in angles]
    return [
        *outer,
        Dot(0, 0, 0.28, paint.body),
        *inner,
        Dot(0, 0, 0.17, (248, 214, 96)),
        Dot(0, 0, 0.1, (226, 164, 56)),
    ]


def button(paint: Paint) -> list[Part]:
    """A button with four holes."""
    holes: list[Part] = [Dot(x, y, 0.055, paint.dark) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]
    return [Dot(0, 0, 0.45, paint.dark), Dot(0, -0.012, 0.435, paint.body), Dot(0, 0, 0.33, paint.light),
            Dot(0, 0.012, 0.315, paint.body), *holes]  # fmt: skip


def star(paint: Paint) -> list[Part]:
    """A five-pointed star with a facet on each side."""
    radii = [(0.5 if k % 2 == 0 else 0.225) for k in range(10)]
    at = [(r * math.sin(math.pi * k / 5), 0.03 - r * math.cos(math.pi * k / 5)) for k, r in enumerate(radii)]
    parts: list[Part] = [Fill(sharp(*at), paint.body)]
    parts += [Fill(sharp((0.0, 0.03), at[k], at[k - 1]), paint.light) for k in range(0, 10, 2)]
    return parts


def donut(paint: Paint) -> list[Part]:
    """A doughnut with icing; its hole is a biscuit-colored pit."""
    sprinkles: list[Part] = []
    for k in range(9):
        angle, radius = 2.4 * k, 0.27 + 0.045 * (k % 3 - 1)
        x, y, turn = radius * math.cos(angle), radius * math.sin(angle), 1.7 * k
        dx, dy = 0.045 * math.cos(turn), 0.045 * math.sin(turn)
        nx, ny = -0.4 * dy, 0.4 * dx
        stroke = sharp((x - dx + nx, y - dy + ny), (x + dx + nx, y + dy + ny), (x + dx - nx, y + dy - ny),
                       (x - dx - nx, y - dy - ny))  # fmt: skip
        sprinkles.append(Fill(stroke, (255, 250, 236)))
    return [
        Dot(0, 0, 0.46, (206, 152, 92)),
        Dot(0, -0.01, 0.41, paint.body),
        *sprinkles,
        Dot(0, 0, 0.17, (206, 152, 92)),
        Dot(0, 0, 0.13, (120, 80, 48)),
    ]
