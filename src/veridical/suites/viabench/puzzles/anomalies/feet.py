"""Feet with four to six toes, from above or from below."""

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
    marks,
    polygon,
    relief,
    smooth_line,
    stroke,
    to_pixels,
)
from veridical.suites.viabench.puzzles.anomalies.tones import CLOTHS, GROUNDS, SKINS, Skin
from veridical.suites.viabench.puzzles.anomalies.views import views
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_INNER, _OUTER = -0.25, 0.255
_BIG = 0.185


class Foot(BaseItem):
    """The nuisances of a foot; `unit` is the length from heel to toes in px, seen from near."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.sole = nuisances.one_of((False, True))
        self.unit = nuisances.px(*((385, 420), (340, 395), (300, 370))[grade - 1]) * (1.0 if self.sole else 1.22)
        self.tilt = nuisances.between(-1, 1) * (8, 14, 20)[grade - 1]
        self.fan = nuisances.between(*((16, 22), (11, 17), (7, 12))[grade - 1])
        self.mirrored = nuisances.one_of((False, True))
        self.skin = nuisances.one_of(range(len(SKINS)))
        self.cloth = nuisances.one_of(range(len(CLOTHS)))
        self.ground = nuisances.one_of(range(len(GROUNDS)))
        self.views = views(nuisances, 3)


@dataclass(frozen=True, slots=True)
class _Toe:
    root: Points
    along: Points
    width: float
    length: float

    @property
    def side(self) -> Points:
        return np.array([-self.along[1], self.along[0]])

    def outline(self) -> Points:
        steps = np.array([0.0, 0.35, 0.7, 1.0])[:, None] * (self.length - self.width / 2)
        return limb(self.root + steps * self.along, (np.array([0.84, 0.84, 0.98, 1.04]) * self.width).tolist())

    def oval(self, back: float, wide: float, long: float, flat: float) -> Points:
        """A closed curve near the tip: an ellipse whose `flat` exponent below 1 makes it fuller."""
        turn = np.linspace(0, 2 * math.pi, 29)[:-1, None]
        across = np.abs(np.cos(turn)) ** flat * np.sign(np.cos(turn))
        middle = self.root + (self.length - back * self.width) * self.along
        return np.asarray(middle + self.width * (wide * across * self.side + long * np.sin(turn) * self.along), float)


def _toes(foot: Foot, count: int) -> list[_Toe]:
    """The toes from the big one on."""
    edge = _INNER + _BIG
    step = (_OUTER - edge) / (count - 1)
    places = [(_INNER + _BIG / 2, 0.9 * _BIG, 0.215)]
    places += [(edge + (k + 0.5) * step, 0.9 * step, 0.165 - 0.06 * k / (count - 2)) for k in range(count - 1)]
    toes = []
    for x, width, length in places:
        t = (x - _INNER) / (_OUTER - _INNER)
        angle = math.radians(foot.fan * (t - 0.3))
        root = np.array([x, 0.79 + 0.05 * t - 0.2 * t**2])
        toes.append(_Toe(root, np.array([math.sin(angle), math.cos(angle)]), width, length))
    return toes


def _outline(toes: list[_Toe]) -> Points:
    inner = [
        (0.02, -0.025),
        (-0.05, -0.015),
        (-0.115, 0.03),
        (-0.15, 0.14),
        (-0.15, 0.3),
        (-0.155, 0.43),
        (-0.2, 0.56),
        (-0.245, 0.66),
        (-0.258, 0.74),
    ]
    outer = [(0.27, 0.58), (0.24, 0.44), (0.2, 0.3), (0.185, 0.14), (0.15, 0.03), (0.09, -0.015), (0.02, -0.025)]
    parts = [smooth_line(inner, 0.02, 0.05, closed=False), *(toe.outline() for toe in toes)]
    return smooth_line(np.concatenate([*parts, smooth_line(outer, 0.02, 0.04, closed=False)]), 0.008, 0.011)


def _draw(foot: Foot, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    count = int(answer)
    view, toes = foot.views[count - 4], _toes(foot, count)
    unit, size = view.near * foot.unit, foot.size
    aside = (0.5 if foot.sole else 0.62) * math.sin(math.radians(foot.tilt)) * unit
    down = (0.5 if foot.sole else 0.64) * unit
    center = (0.5 + 0.07 * view.x) * size - aside, (0.5 + 0.04 * view.y) * size + down
    skin, (lit, shaded, edge), ground = SKINS[foot.skin], CLOTHS[foot.cloth], GROUNDS[foot.ground]

    def put(points: Points) -> Points:
        return to_pixels(points, unit, foot.tilt, center, mirrored=foot.mirrored)

    outline = put(_outline(toes))
    line, shift = max(1.5, 0.0085 * unit), (0.024 * unit, 0.016 * unit)
    items: list[Item] = [relief([(outline, skin.lit, skin.shaded)], size, ground, shift)]
    items += _below(toes, skin, line, put) if foot.sole else _above(toes, skin, line, put)
    items.append(stroke(outline, line, mix_colors(skin.line, skin.lit, view.faint), closed=True))
    if not foot.sole:
        leg = put(np.array([(-0.25, 0.3), (0.27, 0.3), (0.31, -1.2), (-0.29, -1.2)]))
        hem = put(
            smooth_line([(-0.26, 0.34), (0.0, 0.4), (0.28, 0.33), (0.29, 0.16), (0.0, 0.22), (-0.27, 0.17)], 0.02, 0.03)
        )
        items += [polygon(leg, shaded), stroke(leg, line, edge, closed=True)]
        items += [polygon(hem, lit), stroke(hem, line, edge, closed=True)]
    return (view.streaked(rasterise(Scene(size, size, ground, tuple(items))), ground),)


def _above(toes: list[_Toe], skin: Skin, line: float, put: Callable[[Points], Points]) -> list[Item]:
    """Nails, creases over the joints, and the sinews of the instep."""
    items: list[Item] = []
    for toe in toes:
        steps = np.linspace(-1, 1, 7)[:, None]
        for at in (0.3, 0.38):
            arc = (
                toe.root
                + at * toe.length * toe.along
                + toe.width * (0.26 * steps * toe.side + (at - 0.34) * 1.6 * (1 - steps**2) * toe.along)
            )
            items.append(stroke(put(arc), 0.7 * line, skin.crease))
        nail = put(toe.oval(0.42, 0.32, 0.3, 0.6))
        items += [polygon(nail, skin.nail), stroke(nail, 0.6 * line, skin.crease, closed=True)]
        sinew = toe.root + np.linspace(-0.07, -0.2, 5)[:, None] * (toe.along + np.array([toe.root[0] * 0.8, 0.0]))
        items.append(stroke(put(sinew), 0.7 * line, mix_colors(skin.lit, skin.crease, 0.5)))
    return items


def _below(toes: list[_Toe], skin: Skin, line: float, put: Callable[[Points], Points]) -> list[Item]:
    """The pads of the toes, of the ball and of the heel, and creases of the sole."""
    pad = mix_colors(skin.lit, skin.nail, 0.4)
    ball = [
        (-0.21, 0.6),
        (-0.22, 0.72),
        (-0.1, 0.75),
        (0.08, 0.71),
        (0.21, 0.62),
        (0.2, 0.5),
        (0.08, 0.53),
        (-0.08, 0.55),
    ]
    heel = [(-0.1, 0.07), (-0.11, 0.18), (0.02, 0.25), (0.14, 0.18), (0.13, 0.07), (0.02, 0.02)]
    items: list[Item] = [polygon(put(smooth_line(each, 0.02, 0.03)), pad) for each in (ball, heel)]
    creases = (
        [(-0.13, 0.5), (-0.04, 0.49), (0.1, 0.46), (0.18, 0.43)],
        [(-0.07, 0.4), (0.02, 0.39), (0.1, 0.36)],
        [(-0.08, 0.31), (0.02, 0.3), (0.12, 0.29)],
    )
    items += [stroke(put(smooth_line(each, 0.02, 0.03, closed=False)), 0.8 * line, skin.crease) for each in creases]
    items += [polygon(put(toe.oval(0.5, 0.36, 0.37, 0.9)), skin.nail) for toe in toes]
    return items


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of nails or of pads of toes, each of one color."""
    count = max(marks(pictures[0], skin.nail) for skin in SKINS)
    return possible_answer(count, answers)


FEET = Puzzle(
    name="feet",
    title="Foot",
    sees="a foot, which has five toes",
    truth="the number of toes that are drawn: 4, 5 or 6",
    graded="a smaller foot, toes closer together",
    question="How many toes does the foot in the image have?",
    sample=Foot,
    subject=lambda foot: "foot",  # noqa: ARG005
    draw=_draw,
    prior="an ordinary human foot",
    **counting_puzzle(lambda foot: 5),  # noqa: ARG005
    read=_read,
)
