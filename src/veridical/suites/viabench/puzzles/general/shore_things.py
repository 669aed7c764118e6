"""What stands on a shore: a house, two kinds of trees, a lighthouse and a boat, each about 1.5 units high."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.draw import Disc, Item, Polygon, Rectangle
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors

_LEAVES = ((-0.26, 0.72, 0.27), (0.26, 0.72, 0.27), (0.0, 1.02, 0.33), (0.0, 0.68, 0.26))


@dataclass(frozen=True, slots=True)
class ShoreColors:
    """The colors of walls, roofs and leaves."""

    wall: Colour
    roof: Colour
    green: Colour


def _house(paint: ShoreColors, x: float, y: float, unit: float, way: int) -> list[Item]:
    wall, roof = paint.wall, paint.roof
    shade = mix_colors(wall, (90, 80, 90), 0.22)
    glass: Colour = (92, 112, 132)
    chimney = x + way * 0.26 * unit
    return [
        Rectangle(chimney - 0.07 * unit, y - 1.28 * unit, chimney + 0.07 * unit, y - 0.8 * unit, shade),
        Rectangle(chimney - 0.09 * unit, y - 1.32 * unit, chimney + 0.09 * unit, y - 1.26 * unit, roof),
        Rectangle(x - 0.48 * unit, y - 0.74 * unit, x + 0.48 * unit, y, wall),
        Rectangle(x - 0.48 * unit, y - 0.12 * unit, x + 0.48 * unit, y, shade),
        Polygon(((x - 0.58 * unit, y - 0.72 * unit), (x, y - 1.2 * unit), (x + 0.58 * unit, y - 0.72 * unit)), roof),
        Rectangle(x - 0.09 * unit, y - 0.4 * unit, x + 0.09 * unit, y, roof),
        Rectangle(x - 0.36 * unit, y - 0.54 * unit, x - 0.18 * unit, y - 0.32 * unit, glass),
        Rectangle(x + 0.18 * unit, y - 0.54 * unit, x + 0.36 * unit, y - 0.32 * unit, glass),
    ]


def _pine(paint: ShoreColors, x: float, y: float, unit: float, way: int) -> list[Item]:  # noqa: ARG001 (both sides alike)
    green = paint.green
    items: list[Item] = [Rectangle(x - 0.06 * unit, y - 0.3 * unit, x + 0.06 * unit, y, (98, 72, 54))]
    for step in range(3):
        base, half = y - (0.2 + 0.4 * step) * unit, (0.46 - 0.1 * step) * unit
        color = mix_colors(green, (255, 255, 220), 0.07 * step)
        items.append(Polygon(((x - half, base), (x, base - 0.72 * unit), (x + half, base)), color))
    return items


def _oak(paint: ShoreColors, x: float, y: float, unit: float, way: int) -> list[Item]:  # noqa: ARG001 (both sides alike)
    green = paint.green
    light = mix_colors(green, (255, 255, 220), 0.14)
    return [
        Rectangle(x - 0.07 * unit, y - 0.6 * unit, x + 0.07 * unit, y, (98, 72, 54)),
        *(Disc((x + dx * unit, y - dy * unit), r * unit, green) for dx, dy, r in _LEAVES),
        *(Disc((x + dx * unit, y - (dy + 0.06) * unit), 0.72 * r * unit, light) for dx, dy, r in _LEAVES),
    ]


def _tower(paint: ShoreColors, x: float, y: float, unit: float, way: int) -> list[Item]:
    wall, roof = mix_colors(paint.wall, (255, 255, 255), 0.3), paint.roof
    top = y - 1.5 * unit
    pole = top - 0.42 * unit
    return [
        Rectangle(x - 0.018 * unit, pole - 0.3 * unit, x + 0.018 * unit, top, (70, 66, 70)),
        Polygon(
            ((x, pole - 0.3 * unit), (x + way * 0.36 * unit, pole - 0.19 * unit), (x, pole - 0.08 * unit)),
            (214, 74, 60),
        ),
        Polygon(((x - 0.26 * unit, y), (x - 0.2 * unit, top), (x + 0.2 * unit, top), (x + 0.26 * unit, y)), wall),
        Polygon(
            (
                (x - 0.24 * unit, y - 0.5 * unit),
                (x - 0.224 * unit, y - 0.9 * unit),
                (x + 0.224 * unit, y - 0.9 * unit),
                (x + 0.24 * unit, y - 0.5 * unit),
            ),
            roof,
        ),
        Polygon(((x - 0.27 * unit, top), (x, top - 0.36 * unit), (x + 0.27 * unit, top)), roof),
        Rectangle(x - 0.06 * unit, top + 0.14 * unit, x + 0.06 * unit, top + 0.36 * unit, (92, 112, 132)),
    ]


def _boat(paint: ShoreColors, x: float, y: float, unit: float, way: int) -> list[Item]:  # noqa: ARG001 (boats are painted alike)
    def at(right: float, up: float) -> tuple[float, float]:
        return x + way * right * unit, y - up * unit

    return [
        Polygon((at(-0.03, 0.2), at(-0.03, 1.5), at(0.03, 1.5), at(0.03, 0.2)), (98, 72, 54)),
        Polygon((at(0.06, 0.3), at(0.06, 1.44), at(0.58, 0.3)), (250, 248, 240)),
        Polygon((at(-0.06, 0.3), at(-0.06, 1.2), at(-0.34, 0.3)), (232, 226, 214)),
        Polygon((at(-0.5, 0.24), at(0.62, 0.24), at(0.42, 0.0), at(-0.38, 0.0)), (150, 78, 54)),
        Polygon((at(-0.52, 0.27), at(0.64, 0.27), at(0.61, 0.2), at(-0.49, 0.2)), (244, 236, 220)),
    ]


THINGS: dict[str, Callable[[ShoreColors, float, float, float, int], list[Item]]] = {
    "house": _house,
    "pine": _pine,
    "oak": _oak,
    "tower": _tower,
    "boat": _boat,
}
"""From a name to what draws the thing: its paint, where its foot is, a unit in px, and the way it faces (1 or -1)."""
