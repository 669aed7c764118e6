"""Drawings for the cells of grids, in a square of side 1 around the origin; what points points to the right."""

from __future__ import annotations

import math

import numpy as np

from veridical.media.draw.scene import Colour
from veridical.suites.viabench.puzzles.gestalt.glyphs import Dot, Fill, GlyphPart, Paint, Points, oval, sharp, smooth


def flower(paint: Paint) -> list[GlyphPart]:
    """A blossom from above."""
    angles = [2 * math.pi * k / 8 for k in range(8)]
    outer: list[GlyphPart] = [Dot(0.3 * math.cos(a), 0.3 * math.sin(a), 0.15, paint.body) for a in angles]
    inner: list[GlyphPart] = [Dot(0.27 * math.cos(a), 0.27 * math.sin(a), 0.09, paint.light) for a in angles]
    return [
        *outer,
        Dot(0, 0, 0.28, paint.body),
        *inner,
        Dot(0, 0, 0.17, (248, 214, 96)),
        Dot(0, 0, 0.1, (226, 164, 56)),
    ]


def button(paint: Paint) -> list[GlyphPart]:
    """A button with four holes."""
    holes: list[GlyphPart] = [Dot(x, y, 0.055, paint.dark) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]
    return [Dot(0, 0, 0.45, paint.dark), Dot(0, -0.012, 0.435, paint.body), Dot(0, 0, 0.33, paint.light),
            Dot(0, 0.012, 0.315, paint.body), *holes]  # fmt: skip


def star(paint: Paint) -> list[GlyphPart]:
    """A five-pointed star with a facet on each side."""
    radii = [(0.5 if k % 2 == 0 else 0.225) for k in range(10)]
    at = [(r * math.sin(math.pi * k / 5), 0.03 - r * math.cos(math.pi * k / 5)) for k, r in enumerate(radii)]
    parts: list[GlyphPart] = [Fill(sharp(*at), paint.body)]
    parts += [Fill(sharp((0.0, 0.03), at[k], at[k - 1]), paint.light) for k in range(0, 10, 2)]
    return parts


def donut(paint: Paint) -> list[GlyphPart]:
    """A doughnut with icing; its hole is a biscuit-colored pit."""
    sprinkles: list[GlyphPart] = []
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


def leaf(paint: Paint) -> list[GlyphPart]:
    """A leaf on its stalk, its tip to the right."""
    t = np.linspace(0, 1, 25)
    half = 0.2 * np.sin(np.pi * t**0.8) ** 0.9
    upper = np.stack([-0.32 + 0.8 * t, -half], 1)
    lower = np.stack([-0.32 + 0.8 * t, half], 1)[::-1]
    parts: list[GlyphPart] = [
        Fill(sharp((-0.5, -0.018), (-0.3, -0.022), (-0.3, 0.022), (-0.5, 0.03)), paint.dark),
        Fill(np.concatenate([upper, lower]), paint.body),
        Fill(np.concatenate([upper, sharp((0.48, 0.0), (-0.32, 0.0))]), paint.light),
    ]
    for x in (-0.16, 0.0, 0.16):
        for side in (-1, 1):
            vein = sharp((x, 0.0), (x + 0.035, 0.0), (x + 0.13, side * 0.115), (x + 0.115, side * 0.115))
            parts.append(Fill(vein, paint.dark))
    return [*parts, Fill(sharp((-0.34, -0.016), (0.44, -0.004), (0.44, 0.004), (-0.34, 0.016)), paint.dark)]


def fish(paint: Paint) -> list[GlyphPart]:
    """A fish that swims to the right."""
    body = smooth((0.48, 0.02), (0.3, -0.16), (0.05, -0.2), (-0.2, -0.09), (-0.2, 0.09), (0.05, 0.2), (0.3, 0.16))
    belly = smooth((0.45, 0.04), (0.3, 0.07), (0.05, 0.08), (-0.18, 0.05), (-0.16, 0.09), (0.06, 0.185), (0.3, 0.145))
    return [
        Fill(sharp((-0.14, 0.0), (-0.46, -0.22), (-0.4, 0.0), (-0.46, 0.22)), paint.dark),
        Fill(smooth((0.16, -0.16), (-0.06, -0.28), (-0.14, -0.12)), paint.dark),
        Fill(smooth((0.06, 0.16), (-0.1, 0.25), (-0.12, 0.12)), paint.dark),
        Fill(body, paint.body),
        Fill(belly, paint.light),
        Fill(smooth((0.1, -0.02), (-0.02, -0.06), (-0.06, 0.02), (0.0, 0.07)), paint.dark),
        Dot(0.3, -0.04, 0.052, (255, 255, 255)),
        Dot(0.312, -0.04, 0.028, (30, 34, 44)),
    ]


def pencil(paint: Paint) -> list[GlyphPart]:
    """A pencil that points to the right."""
    return [
        Fill(sharp((-0.3, -0.1), (0.26, -0.1), (0.26, 0.1), (-0.3, 0.1)), paint.body),
        Fill(sharp((-0.3, -0.1), (0.26, -0.1), (0.26, -0.035), (-0.3, -0.035)), paint.light),
        Fill(sharp((-0.3, 0.05), (0.26, 0.05), (0.26, 0.1), (-0.3, 0.1)), paint.dark),
        Fill(sharp((0.26, -0.1), (0.5, 0.0), (0.26, 0.1)), (240, 212, 170)),
        Fill(sharp((0.41, -0.0375), (0.5, 0.0), (0.41, 0.0375)), (60, 58, 64)),
        Fill(sharp((-0.38, -0.105), (-0.29, -0.105), (-0.29, 0.105), (-0.38, 0.105)), (176, 180, 188)),
        Fill(smooth((-0.38, -0.095), (-0.47, -0.085), (-0.49, 0.0), (-0.47, 0.085), (-0.38, 0.095)), (232, 142, 150)),
    ]


def rocket(paint: Paint) -> list[GlyphPart]:
    """A rocket that flies to the right."""
    body = smooth((0.5, 0.0), (0.36, -0.1), (0.1, -0.15), (-0.26, -0.1), (-0.26, 0.1), (0.1, 0.15), (0.36, 0.1))
    return [
        Fill(smooth((-0.26, -0.07), (-0.4, -0.07), (-0.5, 0.0), (-0.4, 0.07), (-0.26, 0.07)), (244, 176, 62)),
        Fill(sharp((-0.02, -0.12), (-0.3, -0.3), (-0.34, -0.12), (-0.22, -0.06)), paint.dark),
        Fill(sharp((-0.02, 0.12), (-0.3, 0.3), (-0.34, 0.12), (-0.22, 0.06)), paint.dark),
        Fill(body, (222, 226, 234)),
        Fill(smooth((0.5, 0.0), (0.38, -0.085), (0.27, -0.118), (0.27, 0.118), (0.38, 0.085)), paint.body),
        Dot(0.08, 0.0, 0.075, paint.dark),
        Dot(0.08, 0.0, 0.05, paint.light),
    ]


def beetle(paint: Paint, *, whole: bool = True) -> list[GlyphPart]:
    """A beetle from above, with six spots or five."""
    spots = [(-0.2, -0.1), (0.2, -0.1), (-0.23, 0.12), (0.23, 0.12), (-0.12, 0.3), (0.12, 0.3)]
    dark: Colour = (44, 42, 50)
    return [
        Fill(oval(0, -0.27, 0.42, 0.36), dark),
        Dot(-0.11, -0.34, 0.045, (255, 255, 255)),
        Dot(0.11, -0.34, 0.045, (255, 255, 255)),
        Fill(oval(0, 0.08, 0.8, 0.78), paint.body),
        Fill(oval(-0.13, -0.06, 0.3, 0.3), paint.light),
        Fill(oval(-0.1, -0.03, 0.3, 0.3), paint.body),
        Fill(sharp((-0.014, -0.31), (0.014, -0.31), (0.014, 0.47), (-0.014, 0.47)), dark),
        *(Dot(x, y, 0.075, dark) for x, y in (spots if whole else spots[:3] + spots[4:])),
    ]


def mushroom(paint: Paint, *, whole: bool = True) -> list[GlyphPart]:
    """A toadstool with four dots or three."""
    cap = smooth((-0.46, 0.06), (-0.4, -0.2), (-0.2, -0.4), (0.0, -0.45), (0.2, -0.4), (0.4, -0.2), (0.46, 0.06),
                 (0.25, 0.12), (0.0, 0.13), (-0.25, 0.12))  # fmt: skip
    stalk = smooth((-0.11, 0.05), (-0.1, 0.25), (-0.16, 0.44), (0.0, 0.48), (0.16, 0.44), (0.1, 0.25), (0.11, 0.05))
    dots = [(-0.24, -0.13, 0.07), (0.02, -0.28, 0.075), (0.26, -0.1, 0.07), (0.02, -0.03, 0.06)]
    return [
        Fill(stalk, (240, 228, 206)),
        Fill(oval(0, 0.12, 0.36, 0.1), (206, 188, 160)),
        Fill(cap, paint.body),
        *(Dot(x, y, r, (255, 250, 240)) for x, y, r in (dots if whole else dots[:2] + dots[3:])),
    ]


def cat(paint: Paint, *, whole: bool = True) -> list[GlyphPart]:
    """A cat's head with three whiskers on either side, or one fewer."""
    head = smooth(
        (-0.36, -0.05), (-0.3, -0.25), (0.0, -0.3), (0.3, -0.25), (0.36, -0.05), (0.3, 0.22), (0.0, 0.36), (-0.3, 0.22)
    )
    parts: list[GlyphPart] = []
    for side in (-1, 1):
        parts += [
            Fill(sharp((side * 0.34, -0.1), (side * 0.35, -0.48), (side * 0.08, -0.26)), paint.body),
            Fill(sharp((side * 0.29, -0.18), (side * 0.305, -0.38), (side * 0.16, -0.27)), (244, 190, 190)),
        ]
    parts.append(Fill(head, paint.body))
    parts.append(Fill(oval(0, 0.17, 0.36, 0.26), paint.light))
    for side in (-1, 1):
        parts += [
            Fill(oval(side * 0.15, -0.05, 0.14, 0.17), (255, 255, 255)),
            Fill(oval(side * 0.15, -0.04, 0.065, 0.14), (34, 36, 44)),
        ]
        for k in (-1, 0, 1):
            if whole or side < 0 or k != 0:
                near, far = 0.15 + 0.06 * k, 0.15 + 0.15 * k
                corners = ((0.2, near - 0.014), (0.47, far - 0.018), (0.47, far + 0.018), (0.2, near + 0.014))
                parts.append(Fill(sharp(*((side * x, y) for x, y in corners)), (52, 48, 56)))
    return [*parts, Fill(smooth((-0.055, 0.085), (0.055, 0.085), (0.0, 0.15)), (222, 120, 124))]


def house(paint: Paint, *, whole: bool = True) -> list[GlyphPart]:
    """A house with three windows, or two."""
    windows = [(-0.18, -0.03), (0.18, -0.03), (0.18, 0.24)]
    parts: list[GlyphPart] = [
        Fill(sharp((0.16, -0.42), (0.28, -0.42), (0.28, -0.1), (0.16, -0.1)), (150, 112, 98)),
        Fill(sharp((-0.36, -0.12), (0.36, -0.12), (0.36, 0.45), (-0.36, 0.45)), (248, 236, 210)),
        Fill(sharp((-0.47, -0.12), (0.0, -0.48), (0.47, -0.12)), paint.body),
        Fill(sharp((-0.47, -0.12), (0.0, -0.48), (0.0, -0.42), (-0.36, -0.12)), paint.light),
        Fill(sharp((-0.26, 0.1), (-0.08, 0.1), (-0.08, 0.45), (-0.26, 0.45)), paint.dark),
        Dot(-0.115, 0.29, 0.02, (248, 214, 96)),
    ]
    for x, y in windows if whole else windows[:1] + windows[2:]:
        parts.append(Fill(_box(x, y, 0.1, 0.085), (92, 120, 148)))
        parts += [Fill(_box(x + k * 0.045, y, 0.035, 0.065), (178, 212, 234)) for k in (-1, 1)]
    return parts


def _box(x: float, y: float, half_width: float, half_height: float) -> Points:
    left, right, top, bottom = x - half_width, x + half_width, y - half_height, y + half_height
    return sharp((left, top), (right, top), (right, bottom), (left, bottom))
