"""Two patches of the same tones, of which one has them in the order that seems to drift."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Patch, Polygon, Scene, rasterise
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion import tone_order
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant
from veridical.suites.viabench.puzzles.shapes import rounded_box

LEFT, RIGHT = "the left one", "the right one"
_OUTLINES = ("disk", "square", "diamond", "octagon")


class DriftPatches(BaseItem):
    """The nuisances of two patches: side, outline and height of the bands in px, and which way one runs."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.side = round(nuisances.px(196, 226))
        self.outline = nuisances.one_of(_OUTLINES)
        self.band = nuisances.px(11, 17)
        self.way = nuisances.one_of((1, -1))
        self.upright = nuisances.one_of((True, False))
        self.tones = tone_order.DriftTones(nuisances, grade)
        self.size = nuisances.size
        self.y = nuisances.px(-50, 50)
        self.scatter = nuisances.scatter()


def _outline(name: str, side: int) -> Item:
    half = side / 2
    if name == "disk":
        return Disc((half, half), half, (255, 255, 255))
    corners = {
        "square": rounded_box(0, 0, side, side, 0.1 * side),
        "diamond": ((half, 0), (side, half), (half, side), (0, half)),
        "octagon": tuple(
            (half + half * x, half + half * y)
            for x, y in ((0.41, -1), (1, -0.41), (1, 0.41), (0.41, 1), (-0.41, 1), (-1, 0.41), (-1, -0.41), (-0.41, -1))
        ),
    }
    return Polygon(corners[name], (255, 255, 255))


def _draw(base: DriftPatches, answer: str, variant: Variant) -> tuple[Scene]:
    side, ground = base.side, base.tones.ground
    rng = np.random.default_rng(base.scatter)
    shape = rasterise(Scene(side, side, (0, 0, 0), (_outline(base.outline, side),)))[..., :1] / 255
    patches = []
    for k, name in enumerate((LEFT, RIGHT)):
        way = base.way if answer == name else 0
        woven = tone_order.fabric(side, side, base.band, base.tones, way, variant, rng)
        if base.upright:
            woven = woven.swapaxes(0, 1)
        array = np.rint(np.array(ground) + shape * (woven - np.array(ground, float))).astype(np.uint8)
        x = round((2 * k + 1) * base.size / 4 - side / 2)
        patches.append(Patch(x, round((base.size - side) / 2 + base.y), array))
    return (Scene(base.size, base.size, ground, tuple(patches)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """Which of two things has its steps in one order, along rows or along columns."""
    picture = pictures[0]
    boxes = tone_order.things(picture)
    if len(boxes) != 2:
        return None
    left, right = (_drifts(picture[box], picture[0, 0]) for box in sorted(boxes, key=lambda box: box[1].start))
    return None if None in (left, right) or left == right else LEFT if left else RIGHT


def _drifts(patch: Pixels, ground: Pixels) -> bool | None:
    """Whether steps have an order along the bands, whose lines are alike but at the bands' borders."""
    quarter = len(patch) // 4
    turned = patch.swapaxes(0, 1)
    lines = max(patch, turned, key=lambda lines: _alike(lines[quarter:-quarter, quarter:-quarter]))
    way = tone_order.way_of(tone_order.net_order(lines[quarter:-quarter], ground))
    return None if way is None else way != 0


def _alike(lines: Pixels) -> int:
    return int(np.all(lines[1:] == lines[:-1], axis=(1, 2)).sum())


DRIFT_PATCHES = Puzzle(
    name="drift_patches",
    title="Patch that drifts",
    sees="one patch that drifts in the corner of the eye, beside one that does not",
    truth="which patch has its tones in an order that differs forward and backward",
    question="Of the two patches only one has its tones in the order that makes a still picture seem to drift. Which?",
    sample=DriftPatches,
    answers=lambda base: (LEFT, RIGHT),  # noqa: ARG005 (always the same two)
    draw=_draw,
    read=_read,
    **tone_order.IN_COMMON,
)
