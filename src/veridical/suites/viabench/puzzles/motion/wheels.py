"""Wheels of four steps of luminance, which seem to turn, and which do turn or not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from veridical.media.draw import Disc, Item, Patch, Polygon, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion import frames
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant
from veridical.suites.viabench.puzzles.shapes import polygon

_RIM = 0.82
_QUARTERS = ((0, 0), (1, 0), (0, 1), (1, 1))


class Wheels(BaseItem):
    """The nuisances of four wheels: their periods and rings, their colors, and the angle of a turn in degrees."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.periods = nuisances.one_of((10, 11, 12))
        share = nuisances.between(*((0.36, 0.42), (0.26, 0.3), (0.18, 0.21))[grade - 1])
        self.rings = nuisances.one_of((5, 6, 7))
        self.ratio = nuisances.between(0.76, 0.8)
        self.start = nuisances.between(0, 360)
        self.degrees = nuisances.one_of((-1, 1)) * share * 360 / self.periods
        self.inks = nuisances.one_of(range(len(frames.INKS)))
        self.ground = nuisances.one_of(range(len(frames.GROUNDS)))
        self.mirrored = nuisances.one_of((0, 1))
        self.lights = frames.lights(nuisances)
        self.size = nuisances.size


def sectors(
    center: Point,
    radii: tuple[float, float],
    periods: int,
    first: float,
    start: float,
    end: float,
    color: Colour,
) -> Polygon:
    """One sector in each period beyond the inner of two radii, where sectors are joined, up to the outer one.

    `start` and `end` are shares of a period, `first` is in degrees.
    """
    angles = np.radians(
        first + 360 * (np.arange(periods)[:, None] + start + np.arange(5) * (end - start) / 4) / periods
    )
    outline = np.concatenate([angles[:, :1], angles, angles[:, -1:]], 1)
    reach = np.full(outline.shape, radii[1])
    reach[:, [0, -1]] = radii[0]
    return polygon((center[0] + reach * np.cos(outline)).ravel(), (center[1] + reach * np.sin(outline)).ravel(), color)


def sectored_disk(
    center: Point, radii: tuple[float, float], periods: int, turn: float, parts: Sequence[tuple[Colour, float]]
) -> list[Item]:
    """A disk of steps in so many periods, clockwise in the order of the parts; `turn` is in degrees.

    Within the inner of two radii it has no steps yet, and something else is to cover it.
    """
    steps = frames.layers(parts)
    return [
        Disc(center, radii[1], parts[0][0]),
        *(sectors(center, radii, periods, turn, start, end, color) for color, start, end in steps),
    ]


def wheel(
    center: Point, radius: float, shape: tuple[int, int, float], first: float, parts: Sequence[tuple[Colour, float]]
) -> list[Item]:
    """Rings of steps, from the outer to the inner one; `shape` has the periods, the rings and the ratio of radii."""
    periods, rings, ratio = shape
    items: list[Item] = []
    for ring in range(rings):
        items += sectored_disk(center, (0, radius), periods, first + (ring % 2) * 180 / periods, parts)
        radius *= ratio
    items.append(Disc(center, radius, parts[0][0]))
    return items


@lru_cache(maxsize=4)
def _frame(wheels: Wheels, degrees: float, variant: Variant) -> Pixels:
    side = int(0.47 * wheels.size)
    center, radius = (side / 2, side / 2), _RIM * side / 2
    ground = frames.GROUNDS[wheels.ground]
    parts = frames.steps(frames.INKS[wheels.inks], variant)
    shape = wheels.periods, wheels.rings, wheels.ratio
    items = wheel(center, radius, shape, wheels.start + degrees, parts)
    marks = frames.pointers(center, radius + 0.02 * side, 0.06 * side)
    one = rasterise(Scene(side, side, ground, (*items, *marks)))
    left = (wheels.size - 2 * side) // 2
    patches = tuple(
        Patch(left + column * side, left + row * side, one if (row + column + wheels.mirrored) % 2 else one[:, ::-1])
        for column, row in _QUARTERS
    )
    return rasterise(Scene(wheels.size, wheels.size, ground, patches))


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """The shift of the colors round each wheel, which is the same for all."""
    if len(pictures) != 2 or pictures[0].shape != pictures[1].shape or len(frames.mark_boxes(pictures[0])) != 16:
        return None
    half = np.array(pictures[0].shape) // 2
    shown = {
        frames.read_motion(
            [picture[half[0] * row :, half[1] * column :][: half[0], : half[1]] for picture in pictures],
            lambda wheel: frames.round_circle(wheel, 0.75),
            6,
        )
        for row, column in _QUARTERS
    }
    return shown.pop() if len(shown) == 1 else None


WHEELS = Puzzle(
    name="wheels",
    title="Change detection: wheels",
    sees="wheels that turn by themselves",
    truth="whether the second picture has the wheels turned, by an angle that the marks show; light changes",
    source="ours, after Fraser & Wilcox 1979 and Kitaoka & Ashida 2003",
    graded="a smaller turn",
    question="Two pictures follow each other. Did the wheels turn between the first and the second?",
    question_reversed=(
        "Two pictures follow each other. Do the wheels stand at exactly the same angle in the first and the second?"
    ),
    sample=Wheels,
    **frames.two_frames(_frame, lambda base: base.degrees),
    read=_read,
)
