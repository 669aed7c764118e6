"""Marks of invented firms: equal parts in a field, in units of the field's radius, y up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from veridical.media.draw import Item
from veridical.media.draw.scene import Colour
from veridical.suites.viabench.puzzles.anomalies.outline import Points, polygon, smooth_line

LogoColors = tuple[Colour, Colour, Colour]
"""Of the field, of the parts, which nothing else has, and of what else is in the mark."""
LOGO_COLORS: tuple[LogoColors, ...] = (
    ((26, 62, 92), (250, 196, 74), (238, 240, 236)),
    ((236, 240, 230), (38, 128, 106), (214, 96, 66)),
    ((122, 38, 66), (248, 214, 186), (238, 132, 92)),
    ((240, 232, 214), (98, 66, 140), (236, 160, 52)),
    ((30, 96, 84), (214, 236, 150), (250, 246, 236)),
    ((224, 108, 62), (250, 238, 212), (72, 44, 56)),
    ((58, 60, 74), (118, 208, 214), (244, 130, 110)),
)
_STARTS = ("Zu", "Ka", "Mo", "Ti", "Ve", "Or", "Lu", "Pa", "Qui", "Ne")
_ENDS = ("brano", "lenda", "dixa", "murro", "phelo", "stivo", "kanti", "rovel", "zimba", "tulo")


def firm_names() -> list[str]:
    """The invented names of firms."""
    return [start + end for start in _STARTS for end in _ENDS]


def _around(count: int) -> list[float]:
    return [math.pi / 2 + 2 * math.pi * place / count for place in range(count)]


def _turned(points: Points, angle: float) -> Points:
    cos, sin = math.cos(angle), math.sin(angle)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]), float)


def _petals(count: int) -> list[Points]:
    turn = np.linspace(0, 2 * math.pi, 33)[:-1]
    wide = min(0.2, 0.3 * math.sin(math.pi / count))
    petal = np.stack([0.54 + 0.3 * np.cos(turn), wide * np.sin(turn) * (1.15 + 0.35 * np.cos(turn))], 1)
    return [_turned(petal, angle) for angle in _around(count)]


def _rays(count: int) -> list[Points]:
    half = min(0.3, 0.55 * math.pi / count)
    ray = np.array(
        [(0.36 * math.cos(half), -0.36 * math.sin(half)), (0.88, 0), (0.36 * math.cos(half), 0.36 * math.sin(half))]
    )
    return [_turned(ray, angle) for angle in _around(count)]


def _bars(count: int) -> list[Points]:
    step = 1.2 / count
    bars = []
    for place in range(count):
        x, high = -0.6 + (place + 0.5) * step, -0.1 + 0.65 * place / (count - 1)
        bars.append(
            np.array(
                [(x - 0.31 * step, -0.5), (x + 0.31 * step, -0.5), (x + 0.31 * step, high), (x - 0.31 * step, high)]
            )
        )
    return bars


def _arcs(count: int) -> list[Points]:
    turn = np.linspace(0.22, math.pi - 0.22, 25)
    step = 0.8 / count
    arcs = []
    for place in range(count):
        inner, outer = 0.24 + place * step, 0.24 + (place + 0.6) * step
        rim = [np.stack([radius * np.cos(turn), radius * np.sin(turn) - 0.46], 1) for radius in (inner, outer)]
        arcs.append(np.concatenate([rim[0], rim[1][::-1]]))
    return arcs


def _waves(count: int) -> list[Points]:
    x = np.linspace(-0.66, 0.66, 33)
    step = 1.1 / count
    swell = 0.3 * step * np.sin(3 * math.pi * x / 0.66 / 1.5)
    waves = []
    for place in range(count):
        y = 0.46 - (place + 0.5) * step + swell
        waves.append(np.concatenate([np.stack([x, y + 0.25 * step], 1), np.stack([x, y - 0.25 * step], 1)[::-1]]))
    return waves


def _chevrons(count: int) -> list[Points]:
    step = 1.12 / count
    chevrons = []
    for place in range(count):
        y = 0.34 - (place + 0.5) * step
        line = [(-0.52, y), (0, y + 0.36), (0.52, y)]
        chevrons.append(np.array([*line, *((x, z - 0.56 * step) for x, z in reversed(line))]))
    return chevrons


LOGO_PARTS: dict[str, Callable[[int], list[Points]]] = {
    "petals": _petals,
    "rays": _rays,
    "bars": _bars,
    "arcs": _arcs,
    "waves": _waves,
    "chevrons": _chevrons,
}
"""The parts of a mark by what they are called, for each number of them."""


def _disc(x: float, y: float, radius: float) -> Points:
    turn = np.linspace(0, 2 * math.pi, 49)[:-1]
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], 1)


_ACCENTS: dict[str, Points] = {
    "petals": _disc(0, 0, 0.15),
    "rays": _disc(0, 0, 0.24),
    "bars": np.array([(-0.66, -0.68), (0.66, -0.68), (0.66, -0.6), (-0.66, -0.6)]),
    "arcs": _disc(0, -0.46, 0.12),
    "waves": _disc(0, 0.68, 0.13),
    "chevrons": _disc(0, 0.76, 0.1),
}
_FIELDS: tuple[Points, ...] = (
    _disc(0, 0, 1.08),
    smooth_line([(-0.98, -0.98), (0.98, -0.98), (0.98, 0.98), (-0.98, 0.98)], 0.03, 0.1),
    smooth_line([(1.14 * math.cos(a), 1.14 * math.sin(a)) for a in np.arange(6) * math.pi / 3], 0.03, 0.06),
    smooth_line(
        [(-0.95, 1.0), (0.95, 1.0), (0.97, -0.1), (0.6, -0.85), (0, -1.2), (-0.6, -0.85), (-0.97, -0.1)], 0.03, 0.08
    ),
)
LOGO_FIELDS = range(len(_FIELDS))


def logo_items(
    parts: str, count: int, field: int, colors: LogoColors, put: Callable[[Points], Points], odd: Sequence[int] = ()
) -> list[Item]:
    """A mark: its field, so many parts, those of some places in the accent's color, and its accent."""
    ground, color, accent = colors
    items: list[Item] = [polygon(put(_FIELDS[field]), ground), polygon(put(_ACCENTS[parts]), accent)]
    for place, part in enumerate(LOGO_PARTS[parts](count)):
        items.append(polygon(put(part), accent if place in odd else color))
    return items
