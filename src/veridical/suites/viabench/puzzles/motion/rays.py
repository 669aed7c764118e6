"""Many rays that cross plain rings, in which something seems to stream, and rays that turned or did not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from veridical.media.draw import Disc, Item, Ring, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion import frames
from veridical.suites.viabench.puzzles.motion.wheels import sectors
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

BANDS: tuple[tuple[Colour, Colour], ...] = (
    ((120, 92, 190), (168, 150, 222)),
    ((58, 128, 150), (130, 186, 200)),
    ((196, 120, 60), (232, 178, 128)),
)
"""Colors of a ring and of its middle."""
_SPOKES = 9


class Rays(BaseItem):
    """The nuisances of rays: how many, how far they reach, and by how many degrees they turn."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.count = nuisances.one_of((30, 33, 36))
        share = nuisances.between(*((0.36, 0.42), (0.27, 0.31), (0.19, 0.22))[grade - 1])
        self.radius = nuisances.px(204, 216)
        self.start = nuisances.between(0, 360)
        self.degrees = nuisances.one_of((-1, 1)) * share * 360 / self.count
        self.band = nuisances.one_of(range(len(BANDS)))
        self.ink = nuisances.one_of(range(len(frames.INKS)))
        self.ground = nuisances.one_of(range(len(frames.GROUNDS)))
        self.lights = frames.lights(nuisances)
        self.size = nuisances.size


def burst(center: Point, radius: float, count: int, turn: float, inks: frames.Inks, band: int) -> list[Item]:
    """Rays on a bright disk, with three rings over them and a hub; `turn` is in degrees."""
    dark, bright = BANDS[band]
    width = 0.1 * radius
    shares = (0.34, 0.6, 0.86)
    return [
        Disc(center, radius, inks[2]),
        sectors(center, (0, radius), count, turn, 0, 0.5, inks[0]),
        *(Ring(center, share * radius, width, dark) for share in shares),
        *(Ring(center, share * radius, 0.5 * width, bright) for share in shares),
        Disc(center, 0.15 * radius, inks[1]),
    ]


@lru_cache(maxsize=4)
def _frame(rays: Rays, degrees: float, variant: Variant) -> Pixels:
    size, scale = rays.size, rays.size / 512
    center, inks = (size / 2, size / 2), frames.INKS[rays.ink]
    count = rays.count if variant == "unusual" else _SPOKES
    items = burst(center, rays.radius, count, rays.start + degrees, inks, rays.band)
    rim = Ring(center, rays.radius, 4 * scale, inks[1])
    marks = frames.pointers(center, rays.radius + 4 * scale, 24 * scale)
    return rasterise(Scene(size, size, frames.GROUNDS[rays.ground], (*items, rim, *marks)))


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """The shift of the rays along a circle between two rings."""
    return frames.read_motion(pictures, lambda picture: frames.round_circle(picture, 0.64), 4)


RAYS = Puzzle(
    name="rays",
    title="Change detection: rays",
    sees="something that streams round in the rings",
    truth="whether the second picture has the rays turned against the pointers; light changes",
    source="ours, after MacKay 1957 and Leviant 1982",
    graded="a smaller turn",
    question="Look at the first picture and then at the second. Has the pattern of rays rotated?",
    question_reversed="Look at the first picture and then at the second. Has the pattern of rays remained unmoved?",
    sample=Rays,
    **frames.two_frames(_frame, lambda base: base.degrees),
    read=_read,
)
