"""Things that point somewhere: in a square of side 1 around the origin, to the right."""

from __future__ import annotations

import numpy as np

from veridical.suites.viabench.puzzles.gestalt.glyphs import Dot, Fill, Paint, Part, sharp, smooth


def leaf(paint: Paint) -> list[Part]:
    """A leaf on its stalk, its tip to the right."""
    t = np.linspace(0, 1, 25)
    half = 0.2 * np.sin(np.pi * t**0.8) ** 0.9
    upper = np.stack([-0.32 + 0.8 * t, -half], 1)
    lower = np.stack([-0.32 + 0.8 * t, half], 1)[::-1]
    parts: list[Part] = [
        Fill(sharp((-0.5, -0.018), (-0.3, -0.022), (-0.3, 0.022), (-0.5, 0.03)), paint.dark),
        Fill(np.concatenate([upper, lower]), paint.body),
        Fill(np.concatenate([upper, sharp((0.48, 0.0), (-0.32, 0.0))]), paint.light),
    ]
    for x in (-0.16, 0.0, 0.16):
        for side in (-1, 1):
            vein = sharp((x, 0.0), (x + 0.035, 0.0), (x + 0.13, side * 0.115), (x + 0.115, side * 0.115))
            parts.append(Fill(vein, paint.dark))
    return [*parts, Fill(sharp((-0.34, -0.016), (0.44, -0.004), (0.44, 0.004), (-0.34, 0.016)), paint.dark)]


def fish(paint: Paint) -> list[Part]:
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


def pencil(paint: Paint) -> list[Part]:
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


def rocket(paint: Paint) -> list[Part]:
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
