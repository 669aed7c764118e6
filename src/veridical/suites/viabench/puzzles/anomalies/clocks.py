"""Clock faces with eleven to thirteen hour marks."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Line, Polygon, Ring, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles import shapes
from veridical.suites.viabench.puzzles.anomalies.views import views
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle

_FACES: tuple[tuple[Colour, Colour, Colour, Colour], ...] = (
    ((252, 250, 244), (44, 48, 60), (146, 96, 62), (190, 62, 52)),
    ((40, 52, 76), (244, 240, 228), (198, 164, 98), (230, 150, 80)),
    ((240, 246, 246), (36, 92, 104), (74, 88, 100), (216, 120, 64)),
    ((250, 236, 214), (92, 52, 40), (108, 112, 120), (60, 110, 140)),
)
"""Face, marks and hands, rim, and the second hand."""
_WALLS: tuple[Colour, ...] = ((222, 230, 222), (234, 224, 212), (214, 224, 234), (230, 220, 228))
_MARKS = ((0.74, 0.88), (0.77, 0.88), (0.8, 0.88))
"""Where marks begin and end, in radii of the face, by grade."""
_AT = 0.845
_SEEN = 60


class ClockFace(BaseItem):
    """The nuisances of a clock: its radius in px, the time, its colors, and what its marks look like.

    `tilts` has for each picture how far the clock hangs askew, in turns.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.radius = nuisances.px(*((195, 215), (170, 200), (155, 185))[grade - 1])
        hour, self.minute = nuisances.between(0, 12), nuisances.between(0, 60)
        self.hour = math.floor(hour) + self.minute / 60
        self.second = nuisances.between(0, 60)
        self.kind = nuisances.one_of(range(len(_FACES)))
        self.wall = nuisances.one_of(range(len(_WALLS)))
        self.dots = nuisances.one_of((False, True))
        self.bold = nuisances.between(*((0.042, 0.054), (0.034, 0.044), (0.028, 0.036))[grade - 1])
        self.tilts = tuple(nuisances.between(-0.04, 0.04) for _ in range(3))
        self.grade = grade
        self.views = views(nuisances, 3, 0.86)


def _draw(clock: ClockFace, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    face, ink, rim, red = _FACES[clock.kind]
    count = int(answer)
    view = clock.views[count - 11]
    radius = view.near * clock.radius
    free = 0.7 * (0.5 * clock.size - 1.12 * radius)
    middle = x, y = 0.5 * clock.size + view.x * free, 0.5 * clock.size + view.y * free
    bold = view.thick * clock.bold * radius

    def at(turn: float, reach: float) -> Point:
        angle = 2 * math.pi * (turn + clock.tilts[count - 11])
        return x + reach * radius * math.sin(angle), y - reach * radius * math.cos(angle)

    wall = _WALLS[clock.wall]
    shadow: Colour = (round(0.86 * wall[0]), round(0.86 * wall[1]), round(0.86 * wall[2]))
    items: list[Item] = [
        Disc((x + 0.03 * radius, y + 0.05 * radius), 1.1 * radius, shadow),
        Disc(middle, 1.1 * radius, rim),
        Disc(middle, 0.985 * radius, face),
        Ring(middle, 1.0 * radius, 0.03 * radius, (round(0.7 * rim[0]), round(0.7 * rim[1]), round(0.7 * rim[2]))),
    ]
    inner, outer = _MARKS[clock.grade - 1]
    if clock.dots:
        items += [Disc(at(k / count, _AT), 0.95 * bold, ink) for k in range(count)]
    else:
        items += [Line(at(k / count, inner), at(k / count, outer), bold, ink) for k in range(count)]
    for turn, reach, wide in ((clock.hour / 12, 0.46, 0.075), (clock.minute / 60, 0.66, 0.05)):
        across = turn + 0.25
        foot, side = at(turn, -0.1), (at(across, wide)[0] - x, at(across, wide)[1] - y)
        hip, tip = at(turn, 0.12), at(turn, reach)
        corners = (foot, (hip[0] + side[0], hip[1] + side[1]), tip, (hip[0] - side[0], hip[1] - side[1]))
        items.append(Polygon(corners, ink))
    items.append(Line(at(clock.second / 60, -0.16), at(clock.second / 60, 0.68), max(1.2, 0.012 * radius), red))
    items += [Disc(middle, 0.055 * radius, red), Disc(middle, 0.02 * radius, face)]
    return (view.streaked(rasterise(Scene(clock.size, clock.size, wall, tuple(items))), wall, shadow),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """How often a circle through the marks leaves the face's color."""
    picture = pictures[0]
    for face, _, rim, _ in _FACES:
        same = shapes.color_mask(picture, rim)
        rows, columns = np.flatnonzero(same.any(1)), np.flatnonzero(same.any(0))
        if len(rows) < len(picture) // 4:
            continue
        y, x = (rows[-1] + rows[0]) / 2, (columns[-1] + columns[0]) / 2
        radius = (columns[-1] - columns[0] + 1) / 2 / 1.1
        turns = np.linspace(0, 2 * np.pi, 1440, endpoint=False)
        around = picture[
            np.rint(y - _AT * radius * np.cos(turns)).astype(int), np.rint(x + _AT * radius * np.sin(turns)).astype(int)
        ]
        marked = np.abs(around.astype(np.int16) - face).sum(1) > _SEEN
        count = str(np.count_nonzero(marked & ~np.roll(marked, 1)))
        if count in answers:
            return count
    return None


CLOCKS = Puzzle(
    name="clocks",
    title="Clock",
    sees="a clock, which has twelve hour marks",
    truth="the number of evenly spaced hour marks: 11, 12 or 13",
    graded="a smaller clock with shorter, thinner marks",
    question="How many hour marks does the face of the clock in the image have?",
    sample=ClockFace,
    subject=lambda clock: "clock",  # noqa: ARG005
    draw=_draw,
    prior="an ordinary clock",
    **counting_puzzle(lambda clock: 12),  # noqa: ARG005
    read=_read,
)
