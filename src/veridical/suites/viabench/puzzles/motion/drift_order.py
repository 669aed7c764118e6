"""Wheels of four tones in the order that makes them seem to turn, or in another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Scene
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion import tone_order
from veridical.suites.viabench.puzzles.puzzle import YES, Pixels, Puzzle, Variant, illusion, yes_if

_HUBS: tuple[Colour, ...] = ((40, 42, 46), (92, 92, 98), (176, 176, 172), (226, 224, 218))
_READ_AT = (0.85, 0.93)


class OrderedWheels(BaseItem):
    """The nuisances: wheels in a row, their radius, place, rings and hub, and the way of the last."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.across = nuisances.one_of((1, 2))
        self.radius = nuisances.px(200, 226) if self.across == 1 else nuisances.px(100, 112)
        self.x, self.y = nuisances.px(-12, 12), nuisances.px(-12, 12)
        self.rings = nuisances.one_of((5, 6, 7)) if self.across == 1 else nuisances.one_of((3, 4))
        self.ratio = nuisances.between(0.76, 0.82)
        self.way = nuisances.one_of((1, -1))
        self.tones = tone_order.DriftTones(nuisances, grade)
        self.hub = nuisances.one_of(_HUBS)
        self.size = nuisances.size
        self.scatter = nuisances.scatter()


def _draw(base: OrderedWheels, answer: str, variant: Variant) -> tuple[Scene]:
    ground, rng = base.tones.ground, np.random.default_rng(base.scatter)
    periods = round(1.6 * np.pi * base.radius / base.tones.length(variant))
    way = base.way if answer == YES else 0
    items: list[Item] = []
    for k in range(base.across**2):
        row, column = divmod(k, base.across)
        pitch = base.size / base.across
        center = (column + 0.5) * pitch + base.x, (row + 0.5) * pitch + base.y
        turn, here = float(rng.uniform(0, 360)), way if (row + column) % 2 else -way
        for ring in range(base.rings):
            half = ring % 2 * 180 / periods
            outer = base.radius * base.ratio**ring
            items += tone_order.track(center, (base.ratio * outer, outer), periods, turn + half, base.tones, here)
        items.append(Disc(center, base.radius * base.ratio**base.rings, base.hub))
    return (Scene(base.size, base.size, ground, tuple(items)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """Whether the steps round each wheel have an order."""
    boxes = tone_order.things(pictures[0])
    ways = [_way(pictures[0], box) for box in boxes]
    return None if None in ways or len(boxes) not in {1, 4} else yes_if(0 not in ways)


def _way(picture: Pixels, box: tone_order.Box) -> tone_order.Way | None:
    center = (box[1].start + box[1].stop) / 2, (box[0].start + box[0].stop) / 2
    radius = (box[1].stop - box[1].start) / 2
    lines = tone_order.circles(picture, center, *(share * radius for share in _READ_AT))
    return tone_order.way_of(tone_order.net_order(lines, picture[0, 0]))


DRIFT_ORDER = Puzzle(
    name="drift_order",
    title="Order that drifts",
    sees="wheels that turn by themselves",
    truth="whether the tones are in an order that differs clockwise and counterclockwise",
    question="Are the tones in this picture in the order that makes something still seem to turn?",
    question_reversed="Do the tones in this picture lack the order that makes something still seem to turn?",
    sample=OrderedWheels,
    draw=_draw,
    usual=illusion(YES),
    read=_read,
    **tone_order.IN_COMMON,
)
