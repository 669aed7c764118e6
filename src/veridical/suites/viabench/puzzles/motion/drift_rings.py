"""Three rings of four tones: one seems to turn clockwise, one counterclockwise, and one stands still."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Scene
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion import tone_order
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

RINGS = ("the outer one", "the middle one", "the inner one")
_REACH = ((0.8, 1.0), (0.52, 0.72), (0.24, 0.44))
"""Inner and outer radius of each ring as shares of the outermost."""


class DriftRings(BaseItem):
    """The nuisances: the outermost radius and place in px, and whether the still ring is the first of the other two."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.radius = nuisances.px(196, 224)
        self.x, self.y = nuisances.px(-20, 20), nuisances.px(-20, 20)
        self.first_still = nuisances.one_of((True, False))
        self.tones = tone_order.DriftTones(nuisances, grade)
        self.size = nuisances.size
        self.scatter = nuisances.scatter()


def _draw(base: DriftRings, answer: str, variant: Variant) -> tuple[Scene]:
    ground, rng = base.tones.ground, np.random.default_rng(base.scatter)
    center = base.size / 2 + base.x, base.size / 2 + base.y
    ways = iter((0, -1) if base.first_still else (-1, 0))
    items: list[Item] = []
    for name, (inner, outer) in zip(RINGS, _REACH, strict=True):
        way = 1 if answer == name else next(ways)
        periods = round(np.pi * (inner + outer) * base.radius / base.tones.length(variant))
        turn = float(rng.uniform(0, 360))
        borders = [base.radius * share for share in (inner, (inner + outer) / 2, outer)]
        items += tone_order.track(center, (borders[1], borders[2]), periods, turn, base.tones, way)
        items += tone_order.track(center, (borders[0], borders[1]), periods, turn + 180 / periods, base.tones, way)
        items.append(Disc(center, borders[0], ground))
    return (Scene(base.size, base.size, ground, tuple(items)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same three)
    """Which of three rings has its steps in the first order clockwise."""
    picture = pictures[0]
    boxes = sorted(tone_order.things(picture), key=lambda box: box[1].start)
    if len(boxes) != len(RINGS):
        return None
    center = (boxes[0][1].start + boxes[0][1].stop) / 2, (boxes[0][0].start + boxes[0][0].stop) / 2
    whole = (boxes[0][1].stop - boxes[0][1].start) / 2
    ways = []
    for box in boxes:
        radius = (box[1].stop - box[1].start) / 2
        lines = tone_order.circles(picture, center, radius - 0.08 * whole, radius - 0.03 * whole)
        ways.append(tone_order.way_of(tone_order.net_order(lines, picture[0, 0])))
    return RINGS[ways.index(1)] if set(ways) == {-1, 0, 1} else None


DRIFT_RINGS = Puzzle(
    name="drift_rings",
    title="Ring that turns",
    sees="rings that turn, one against another",
    truth="which ring has its tones in the order that seems to turn clockwise",
    question="The tones make some of these still rings seem to turn. Which one seems to turn clockwise?",
    sample=DriftRings,
    answers=lambda base: RINGS,  # noqa: ARG005 (always the same three)
    draw=_draw,
    read=_read,
    **tone_order.IN_COMMON,
)
