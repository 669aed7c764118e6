"""Little pictures of which each can lack one detail: in a square of side 1 around the origin."""

from __future__ import annotations

from veridical.media.draw.scene import Colour
from veridical.suites.viabench.puzzles.gestalt.glyphs import Dot, Fill, Paint, Part, Points, oval, sharp, smooth


def beetle(paint: Paint, *, whole: bool = True) -> list[Part]:
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


def mushroom(paint: Paint, *, whole: bool = True) -> list[Part]:
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


def cat(paint: Paint, *, whole: bool = True) -> list[Part]:
    """A cat's head with three whiskers on either side, or one fewer."""
    head = smooth(
        (-0.36, -0.05), (-0.3, -0.25), (0.0, -0.3), (0.3, -0.25), (0.36, -0.05), (0.3, 0.22), (0.0, 0.36), (-0.3, 0.22)
    )
    parts: list[Part] = []
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


def house(paint: Paint, *, whole: bool = True) -> list[Part]:
    """A house with three windows, or two."""
    windows = [(-0.18, -0.03), (0.18, -0.03), (0.18, 0.24)]
    parts: list[Part] = [
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
