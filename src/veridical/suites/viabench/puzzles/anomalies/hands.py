"""Hands with three to seven fingers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from veridical.media.draw import Item, Scene, rasterise
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.outline import (
    Points,
    limb,
    lobes,
    polygon,
    relief,
    silhouette,
    smooth_line,
    stroke,
    to_pixels,
)
from veridical.suites.viabench.puzzles.anomalies.tones import CLOTHS, GROUNDS, SKINS, Skin
from veridical.suites.viabench.puzzles.anomalies.views import views
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_PALM = 0.88
_ALONG = (0.125, 0.375, 0.625, 0.875)


class HandFigure(BaseItem):
    """The nuisances of a hand; `unit` is the length of its palm in px, and `spread` the angle between outer fingers.

    Of each picture, `lengths` and `palms` multiply the fingers' length and the palm's width.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.unit = nuisances.px(*((150, 196), (140, 190), (144, 190))[grade - 1])
        self.tilt = nuisances.between(-1, 1) * (12, 20, 28)[grade - 1]
        self.spread = nuisances.between(*((46, 58), (34, 48), (26, 34))[grade - 1])
        self.thumb = nuisances.between(42, 56)
        self.mirrored = nuisances.one_of((False, True))
        self.back = nuisances.one_of((False, True))
        self.stripes = nuisances.one_of((0, 0, 3, 5, 7))
        self.skin = nuisances.one_of(range(len(SKINS)))
        self.cloth = nuisances.one_of(range(len(CLOTHS)))
        self.ground = nuisances.one_of(range(len(GROUNDS)))
        self.views = views(nuisances, 5, 0.88, 0.18)
        self.lengths = tuple(nuisances.between(0.78, 1.12) for _ in range(5))
        self.palms = tuple(nuisances.between(0.95, 1.08) for _ in range(5))
        self.grade = grade


@dataclass(frozen=True, slots=True)
class _Digit:
    """A finger or thumb by its spine from root to tip, and its width."""

    spine: Points
    width: float
    thumb: bool = False

    def across(self, at: float, reach: float, bow: float) -> Points:
        """A short arc across the digit, at a part of its length."""
        root, tip = self.spine[0 if not self.thumb else 1], self.spine[-1]
        along = tip - root
        unit = along / np.hypot(*along)
        side = np.array([-unit[1], unit[0]])
        steps = np.linspace(-1, 1, 7)[:, None]
        return np.asarray(
            root + at * along + steps * side * reach * self.width / 2 + (1 - steps**2) * bow * self.width * unit, float
        )

    def nail(self) -> Points:
        tip = self.spine[-1]
        along = tip - self.spine[-2]
        unit = along / np.hypot(*along)
        side = np.array([-unit[1], unit[0]])
        turn = np.linspace(0, 2 * math.pi, 25)[:-1, None]
        wide, long = 0.31 * self.width, 0.42 * self.width
        flat = np.abs(np.cos(turn)) ** 0.7 * np.sign(np.cos(turn))
        return np.asarray(tip - 0.08 * self.width * unit + flat * wide * side + np.sin(turn) * long * unit, float)


def _digits(hand: HandFigure, fingers: int) -> tuple[list[_Digit], float]:
    """The thumb and the fingers from the thumb's side on, and the palm's width."""
    palm = _PALM * (fingers / 4) ** 0.2 * hand.palms[fingers - 2]
    slender = 0.85 + 0.4 * (hand.views[fingers - 2].thick - 0.8)
    width = palm / fingers * (0.94 - 0.016 * fingers) * slender
    digits = []
    for k in range(fingers):
        t = (k + 0.5) / fingers
        angle = math.radians(hand.spread * (t - 0.42))
        root = np.array([palm * (t - 0.5), 1.05 - 0.62 * (t - 0.36) ** 2])
        length = float(np.interp(t, _ALONG, (0.74, 0.85, 0.78, 0.6))) * hand.lengths[fingers - 2] - width / 2
        at = np.array([-0.06, 0.2, 0.42, 0.62, 0.85, 1.0])[:, None] * length
        curl = 0.05 * length * (t - 0.4) * np.array([0, 0, 0.1, 0.3, 0.7, 1.0])[:, None]
        along, side = np.array([math.sin(angle), math.cos(angle)]), np.array([-math.cos(angle), math.sin(angle)])
        digits.append(_Digit(root + at * along + curl * side, width))
    bend = math.radians(hand.thumb)
    way = np.array([-math.sin(bend), math.cos(bend)])
    last = np.array([-math.sin(bend - 0.35), math.cos(bend - 0.35)])
    root = np.array([-palm / 2 + 0.16, 0.28])
    knuckle = root + 0.46 * way
    thumb = np.stack([root, root + 0.25 * way, knuckle, knuckle + 0.16 * last, knuckle + 0.33 * last])
    return [_Digit(thumb, 0.235 * slender, thumb=True), *digits], palm


def _outline(digits: list[_Digit], palm: float) -> Points:
    thumb, *fingers = digits
    edge = palm / 2
    limbs = [
        limb(finger.spine, (np.array([1.0, 0.98, 1.0, 0.94, 0.92, 0.84]) * finger.width).tolist()) for finger in fingers
    ]
    thumbs = limb(thumb.spine, (np.array([1.4, 1.22, 1.08, 1.04, 0.88]) * thumb.width).tolist())
    first, last = limbs[0][0], limbs[-1][-1]
    heel = [(-0.29, -0.7), (-0.28, -0.12), (-0.29, 0.02), (-0.36, 0.16), *thumbs[1:3].tolist()]
    inner = thumbs[-3]
    valley = (max(-edge + 0.01, inner[0] + 0.05), min(0.62, inner[1] - 0.05))
    web = [inner, valley, (-edge - 0.01, 0.82), (first[0] - 0.012, first[1] - 0.02)]
    side = [(last[0] + 0.012, last[1] - 0.03), (edge + 0.015, 0.66), (edge + 0.005, 0.44), (edge - 0.06, 0.2)]
    wrist = [(0.3, 0.02), (0.28, -0.14), (0.29, -0.7)]
    around = [smooth_line(heel, 0.02, 0.06, closed=False), thumbs[3:-3], smooth_line(web, 0.02, 0.03, closed=False)]
    return smooth_line(
        np.concatenate([*around, *limbs, smooth_line(side + wrist, 0.02, 0.07, closed=False)]), 0.012, 0.018
    )


def _draw(hand: HandFigure, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    digits, palm = _digits(hand, int(answer) - 1)
    view, size = hand.views[int(answer) - 3], hand.size
    skin, cloth, ground = SKINS[hand.skin], CLOTHS[hand.cloth], GROUNDS[hand.ground]
    unit = view.near * hand.unit
    reach = 0.75 * unit * math.sin(math.radians(hand.tilt))
    highest, lowest = 1.95 * unit + 0.03 * size, 0.9 * size
    aside = view.x * min(0.08 * size, 0.48 * size - unit)
    wrist = 0.5 * size + aside - reach, 0.5 * (lowest + highest + 0.8 * view.y * (lowest - highest))

    def put(points: Points) -> Points:
        return to_pixels(points, unit, hand.tilt, wrist, mirrored=hand.mirrored)

    outline = put(_outline(digits, palm))
    cuff = put(smooth_line([(-0.36, -0.2), (0.36, -0.2), (0.38, -0.46), (-0.38, -0.46)], 0.02, 0.02))
    sleeve = put(np.array([(-0.38, -0.4), (0.38, -0.4), (0.5, -2.6), (-0.5, -2.6)]))
    line, shift = max(1.5, 0.016 * unit), (0.045 * unit, 0.03 * unit)
    body = relief([(outline, skin.lit, skin.shaded)], size, ground, shift)
    items: list[Item] = [body, stroke(outline, line, mix_colors(skin.line, skin.lit, view.faint), closed=True)]
    items += _details(hand, digits, palm, skin, line, put)
    lit, shaded, edge = cloth
    dim = mix_colors(shaded, edge, 0.3)
    items.append(polygon(sleeve, shaded))
    for k in range(hand.stripes):
        x = 0.76 * ((k + 0.5) / hand.stripes - 0.5)
        items.append(stroke(put(np.linspace((x, -0.4), (1.3 * x, -2.6), 3)), 0.35 / hand.stripes * unit, dim))
    items += [stroke(sleeve, line, edge, closed=True), polygon(cuff, lit), stroke(cuff, line, edge, closed=True)]
    return (view.streaked(rasterise(Scene(size, size, ground, tuple(items))), ground),)


def _details(
    hand: HandFigure, digits: list[_Digit], palm: float, skin: Skin, line: float, put: Callable[[Points], Points]
) -> list[Item]:
    items: list[Item] = []
    for digit in digits:
        if hand.back:
            nail = put(digit.nail())
            items += [polygon(nail, skin.nail), stroke(nail, 0.6 * line, skin.crease, closed=True)]
        for at in (0.5,) if digit.thumb else (0.36, 0.66) if hand.back else (0.02, 0.34, 0.64):
            for offset in (-0.02, 0.02) if hand.back else (0.0,):
                arc = digit.across(at + offset, 0.42 if hand.back else 0.72, 0.05 * (1 if offset >= 0 else -1))
                items.append(stroke(put(arc), 0.7 * line, skin.crease))
    edge = palm / 2
    if hand.back:
        for digit in digits[1:]:
            arc = digit.across(-0.13, 0.3, 0.12)
            items.append(stroke(put(arc), 0.7 * line, skin.crease))
        return items
    lines: tuple[tuple[tuple[float, float], ...], ...] = (
        ((-edge + 0.02, 0.72), (-0.5 * edge, 0.68), (-0.28 * edge, 0.5), (-0.22 * edge, 0.25), (-0.3 * edge, 0.08)),
        ((-edge + 0.02, 0.76), (-0.4 * edge, 0.7), (0.2 * edge, 0.6), (0.66 * edge, 0.42)),
        ((edge, 0.66), (0.5 * edge, 0.72), (0.0, 0.8), (-0.3 * edge, 0.94)),
    )
    items += [stroke(put(smooth_line(each, 0.02, 0.06, closed=False)), 0.8 * line, skin.crease) for each in lines]
    return items


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of narrow parts of the silhouette, into which a disc of half the palm's width does not fit."""
    count = lobes(silhouette(pictures[0]), 0.5, 0.03, 0.55)
    return possible_answer(count, answers)


HANDS = Puzzle(
    name="hands",
    title="Hand",
    sees="a hand, which has five fingers",
    truth="the number of fingers that are drawn, the thumb included: 4, 5 or 6, or from 3 to 7",
    graded="a smaller hand, fingers closer together, more possible numbers",
    question="How many fingers, thumb included, does the hand in the image have?",
    sample=HandFigure,
    subject=lambda hand: "hand",  # noqa: ARG005
    draw=_draw,
    prior="an ordinary human hand",
    **counting_puzzle(lambda hand: 5, lambda hand: ("4", "5", "6") if hand.grade < 3 else ("3", "4", "5", "6", "7")),  # noqa: ARG005
    read=_read,
)
