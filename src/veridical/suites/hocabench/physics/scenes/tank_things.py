"""The thing that goes into the tank, the plants behind it, and the shaft above it."""

from __future__ import annotations

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush
from veridical.media.figures.grain import clipped, lighter
from veridical.media.figures.palette import WATER
from veridical.suites.hocabench.physics.scene import State
from veridical.suites.hocabench.physics.scenes.tank_courses import FLOOR, Tank

COLORS: dict[str, Colour] = {
    "iron weight": (74, 78, 86),
    "brick": (172, 82, 58),
    "stone block": (136, 132, 126),
    "lead block": (104, 108, 122),
}
_GRAIN = {"brick": "stone", "stone block": "stone"}
_PLANTS = ((-58.0, 70.0), (-26.0, 92.0), (4.0, 78.0), (34.0, 96.0), (64.0, 66.0))


def plants(base: Tank, brush: Brush) -> None:
    """The plants behind the place where the thing goes down."""
    for k, (x, high) in enumerate(_PLANTS):
        color = (44, 132, 70) if k % 2 else (92, 168, 60)
        sway = 7 if k % 2 else -7
        points = [(base.place + x + sway * (j % 2), FLOOR - high * j / 4) for j in range(5)]
        brush.curve(points, 9, color)


def _body(base: Tank, x: float, y: float, flat: float) -> list[Point]:
    squat = 1 - 0.6 * flat
    half, taper, top = base.wide / 2 / squat, 6.0 + 30 * flat, y - base.high * squat
    return [(x - half + taper, top), (x + half - taper, top), (x + half, y), (x - half, y)]


def thing(base: Tank, brush: Brush, state: State) -> None:
    """The thing with what it weighs; see-through below the water where it is clear."""
    x, y, clear, flat = (state["thing"][name] for name in ("x", "y", "clear", "flat"))
    color, outline = COLORS[base.thing], _body(base, x, y, flat)
    top = outline[0][1]
    level = state["water"]["level"] if clear else 1000.0
    with brush.of("thing"):
        if clear:
            brush.veil(outline, (232, 246, 255), 0.4)
        for one, two in zip(outline, [*outline[1:], outline[0]], strict=True) if clear else ():
            brush.line(one, two, 3.5, (250, 253, 255))
        dry = clipped(outline, (0.0, -1.0), -level)
        if len(dry) > 2:
            brush.polygon(dry, color, _GRAIN.get(base.thing, "metal"))
        if base.thing in _GRAIN or level < top:
            brush.ring((x, top - 9), 9, 5, lighter(color, -0.25 if level > top else 0.6))
        else:
            brush.box(x - 7, top - 10, x + 7, top, lighter(color, -0.2))
            brush.disc((x, top - 12), 11, color)
        brush.text((x, 0.5 * (top + y)), f"{base.kilos} kg", 24 - 6 * flat, (244, 244, 240))


def shaft(base: Tank, brush: Brush, state: State) -> None:
    """The open hole in the water, down to the thing."""
    x, low, high = base.place, state["thing"]["y"] - base.high + 2, state["water"]["level"] - 3
    left, right = x - base.wide / 2 + 4, x + base.wide / 2 - 4
    brush.plain([(left, high), (right, high), (right, low), (left, low)], (244, 244, 240))
    for side in (left, right):
        brush.line((side, high), (side, low), 4, lighter(WATER, -0.15))
