"""Pictures of one noun: in every material and color, or in every material."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from veridical.records import Box
from veridical.suites.magic.scenes.backdrops import EDGE
from veridical.suites.magic.scenes.kinds import MATERIALS, PALETTE, Kind
from veridical.suites.magic.scenes.paint import painted
from veridical.suites.magic.scenes.placed import Placed, Setting

_GROUND = 5


def every_look(kind: Kind, cell: int) -> NDArray[np.uint8]:
    """A noun in all of its materials (rows) and colors (columns); each stands in a square of `cell` px."""
    looks = [[(color, material) for color in kind.colors] for material in kind.materials]
    return np.concatenate([_row(kind, row, cell) for row in looks])


def every_material(kind: Kind, cell: int, start: int = 0) -> NDArray[np.uint8]:
    """A noun in all of its materials in a row; colors take turns, from the one numbered `start`."""
    colors = cycle(PALETTE)
    for _ in range(start % len(PALETTE)):
        next(colors)
    return _row(kind, [(next(colors), material) for material in kind.materials], cell, places=len(MATERIALS))


def _row(kind: Kind, looks: Sequence[tuple[str, str]], cell: int, places: int = 0) -> NDArray[np.uint8]:
    """Things side by side on a table top, of which only the plane is shown."""
    room = round(0.84 * cell)
    tall = min(room, round(room / kind.aspect))
    wide = round(tall * kind.aspect)
    height = -(-round((cell + 8) / (1 - EDGE)) // 4) * 4
    floor = height - round(0.09 * cell)
    lefts = [column * cell + (cell - wide) // 2 for column in range(len(looks))]
    things = tuple(
        Placed(kind.name, color, material, "large", Box(left, floor - tall, left + wide, floor))
        for left, (color, material) in zip(lefts, looks, strict=True)
    )
    width = cell * max(places, len(looks))
    return painted(Setting("table", width, height, things, _GROUND))[-cell:]
