"""The room of a unit: a table before a wall, with lamps; what varies in it is drawn with the unit's nuisances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from veridical.media.draw.scene import Colour
from veridical.suite.nuisance_fields import draw, one_of, uniform
from veridical.suites.hocabench.physics.rendering.stage import (
    BodyPart,
    Grain,
    Lamp,
    Lens,
    Material,
    SceneStage,
    SolidBody,
    Water,
)

_GROUNDS: dict[str, Material] = {
    "oak": Material("wood", (176, 128, 82), 0.25, repeat=(3, 4), flat=True),
    "walnut": Material("wood", (112, 74, 50), 0.35, repeat=(3, 4), flat=True),
    "felt": Material("cloth", (58, 96, 82), 0.0, repeat=(14, 10), flat=True),
    "linen": Material("cloth", (186, 178, 160), 0.0, repeat=(14, 10), flat=True),
    "stone": Material("stone", (150, 148, 146), 0.3, repeat=(4, 3), flat=True),
    "tiles": Material("tiles", (168, 158, 146), 0.4, repeat=(5, 2.4), flat=True),
}
_WALLS: dict[str, tuple[Grain, Colour, tuple[float, float]]] = {
    "cream": ("plaster", (206, 196, 176), (3, 2)),
    "gray": ("plaster", (158, 164, 170), (3, 2)),
    "sage": ("plaster", (150, 168, 150), (3, 2)),
    "brick": ("bricks", (156, 96, 78), (4, 3)),
    "white brick": ("bricks", (186, 182, 176), (4, 3)),
    "panel": ("wood", (150, 112, 80), (3, 5)),
}
WIDE = 1.6
"""Half the width of the table, in m."""


@dataclass(frozen=True, slots=True)
class Room:
    """Table, wall, lamps (their number, and where the first one is, in radians from the middle), and the eye's height.

    `side` is 1 where things come from the left, −1 where everything is mirrored.
    """

    ground: str = one_of(sorted(_GROUNDS))
    wall: str = one_of(sorted(_WALLS))
    lamps: float = one_of((1.0, 2.0, 3.0))
    lamp: float = uniform(-0.9, 0.9)
    eye: float = uniform(0.42, 0.58)
    side: float = one_of((1.0, -1.0))
    grains: float = draw(lambda nuisances, _: float(nuisances.scatter()))


def stage_in(
    room: Room, bodies: Sequence[SolidBody], aim: float = 0.1, away: float = 1.35, water: Water | None = None
) -> SceneStage:
    """The stage with these bodies on the table of a room; the camera looks at the height `aim` from so far `away`."""
    lens = Lens((0.0, -away, room.eye), (0.0, 0.0, aim), 28.0)
    first = (math.sin(room.lamp) * 0.8, -0.8, 1.2)
    others = ((-1.2 * math.copysign(1.0, room.lamp), -0.6, 0.8), (0.1, -1.2, 0.5))
    levels = (0.6, 0.28, 0.16)[: int(room.lamps)]
    share = (0.72, 0.82, 0.88)[len(levels) - 1] / sum(levels)
    lights = [Lamp(at, share * level) for at, level in zip((first, *others), levels, strict=False)]
    return SceneStage(
        bodies=(_table(room), _wall(room), *bodies), lens=lens, lights=tuple(lights), seed=int(room.grains), water=water
    )


def _table(room: Room) -> SolidBody:
    top = BodyPart("box", (WIDE, 0.75, 0.2), _GROUNDS[room.ground], (0.0, -0.13, -0.2))
    return SolidBody(name="table", parts=(top,), fixed=True, friction=0.4)


def _wall(room: Room) -> SolidBody:
    grain, color, repeat = _WALLS[room.wall]
    board = BodyPart("box", (3.2, 1.8, 0.02), Material(grain, color, 0.05, repeat=repeat, flat=True), solid=False)
    half = math.sqrt(0.5)
    return SolidBody(name="wall", parts=(board,), at=(0.0, 1.3, 0.4), turn=(half, half, 0.0, 0.0), fixed=True)
