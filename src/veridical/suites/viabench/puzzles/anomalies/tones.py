"""Colors of skin, cloth and paper."""

from __future__ import annotations

from typing import NamedTuple

from veridical.media.draw.scene import Colour


class Skin(NamedTuple):
    """The colors of one skin: in light, in shade, its outline, its creases, and nails."""

    lit: Colour
    shaded: Colour
    line: Colour
    crease: Colour
    nail: Colour


SKINS: tuple[Skin, ...] = (
    Skin((250, 216, 190), (232, 182, 152), (128, 78, 58), (206, 146, 118), (255, 236, 224)),
    Skin((238, 190, 154), (214, 154, 116), (112, 64, 44), (184, 120, 86), (252, 218, 196)),
    Skin((214, 160, 118), (184, 126, 86), (92, 54, 34), (152, 98, 64), (238, 198, 168)),
    Skin((168, 114, 78), (138, 88, 58), (70, 40, 26), (112, 68, 44), (212, 164, 134)),
    Skin((122, 80, 58), (96, 60, 42), (50, 28, 20), (76, 46, 32), (182, 136, 114)),
)
CLOTHS: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((98, 140, 178), (72, 112, 150), (34, 58, 84)),
    ((252, 252, 250), (180, 176, 190), (104, 110, 116)),
    ((186, 92, 84), (154, 70, 66), (86, 34, 34)),
    ((112, 154, 124), (84, 126, 98), (42, 68, 52)),
    ((92, 88, 118), (70, 66, 94), (34, 32, 52)),
)
"""Cloth in light, in shade, and its outline."""
GROUNDS: tuple[Colour, ...] = ((226, 236, 240), (240, 234, 220), (224, 236, 222), (236, 228, 238), (196, 214, 222))
