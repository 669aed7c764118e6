"""Simultaneous contrast: two gray patches on grounds of different lightness, pointed at by arrows A and B."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Gradient, Item, Polygon, Rectangle, Scene
from veridical.media.draw.colour import grey, lightness
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles import shapes
from veridical.suites.viabench.puzzles.color.flats import commonest, labels, lch, letter
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_SAME = "they are the same"
_ANSWERS = ("A is lighter", "B is lighter", _SAME)
_ARROW: Colour = (52, 56, 70)
_GAPS = ((15.0, 18.0), (11.0, 13.5), (8.5, 10.0))


class PatchView(BaseItem):
    """The nuisances of one picture of a unit: its grays, the patches' size and places, and the height of the band."""

    def __init__(self, nuisances: Nuisances) -> None:
        self.level = nuisances.between(50, 63)
        self.half = round(nuisances.px(30, 48))
        self.middle = nuisances.between(0.46, 0.54)
        self.apart = nuisances.between(0.25, 0.3)
        self.y = nuisances.between(0.3, 0.56)
        self.tall = nuisances.between(0.46, 0.56)


class Contrast(BaseItem):
    """The nuisances of two patches; `gap` is their difference in L*, if they differ, and `views` those of a picture."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.gap = nuisances.between(*_GAPS[grade - 1])
        self.spread = nuisances.between(32, 36)
        self.first_dark = nuisances.one_of((False, True))
        self.smooth = nuisances.one_of((False, True))
        self.shape = nuisances.one_of(("disc", "square", "diamond"))
        self.tint = nuisances.between(0, 360)
        self.chroma = nuisances.one_of((0.0, 14.0))
        self.views = tuple(PatchView(nuisances) for _ in _ANSWERS)


def _ground(base: Contrast, view: PatchView, top: int, bottom: int) -> list[Item]:
    low, high = (lch(view.level + sign * base.spread, base.chroma, base.tint) for sign in (-1, 1))
    left, right = (low, high) if base.first_dark else (high, low)
    if base.smooth:
        return [Gradient(0, top, base.size, bottom - top, left, right)]
    middle = round(view.middle * base.size)
    return [Rectangle(0, top, middle, bottom, left), Rectangle(middle, top, base.size, bottom, right)]


def _draw(base: Contrast, answer: str, variant: Variant) -> tuple[Scene]:
    view, size = base.views[_ANSWERS.index(answer)], base.size
    half, y = view.half, round(view.y * size)
    top, bottom = round((view.y - view.tall / 2) * size), round((view.y + view.tall / 2) * size)
    plain = Rectangle(0, top, size, bottom, lch(view.level + 0.8 * base.spread, base.chroma, base.tint))
    items: list[Item] = _ground(base, view, top, bottom) if variant == "unusual" else [plain]
    steps = {"A is lighter": (0.5, -0.5), "B is lighter": (-0.5, 0.5), _SAME: (0.0, 0.0)}[answer]
    for name, side, step in zip("AB", (-1, 1), steps, strict=True):
        x, tone = round((view.middle + side * view.apart) * size), grey(view.level + step * base.gap)
        if base.shape == "disc":
            items.append(Disc((x, y), half, tone))
        elif base.shape == "square":
            items.append(Rectangle(x - half, y - half, x + half, y + half, tone))
        else:
            reach = 1.25 * half
            items.append(Polygon(((x - reach, y), (x, y - reach), (x + reach, y), (x, y + reach)), tone))
        items += _arrow(x, y + 1.25 * half + 0.02 * size, bottom + 0.075 * size, size)
        items += letter((x, bottom + 0.125 * size), name, 0.085 * size)
    return (Scene(size, size, (250, 249, 246), tuple(items)),)


def _arrow(x: float, tip: float, tail: float, size: int) -> list[Item]:
    """An arrow that points up at a patch, dark with a light rim, so that it is seen on any ground."""
    parts: list[Item] = []
    for grown, color in ((0.006 * size, (250, 249, 246)), (0.0, _ARROW)):
        wide, head, shaft = 0.022 * size + grown, 0.042 * size + grown, 0.008 * size + grown
        parts.append(Rectangle(x - shaft, tip + head - grown, x + shaft, tail + grown, color))
        parts.append(Polygon(((x, tip - 1.6 * grown), (x + wide, tip + head), (x - wide, tip + head)), color))
    return parts


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """Which of the patches above the letters is lighter; a patch is the flat color above the tip of its arrow."""
    picture = pictures[0]
    boxes = labels(picture)
    if not boxes:
        return None
    size, tones = len(picture), []
    for top, _, left, right in boxes:
        x = (left + right) // 2
        arrow = np.flatnonzero(shapes.color_mask(picture[:top, x - 1 : x + 2], _ARROW).any(1))
        if not len(arrow):
            return None
        y, reach = int(arrow[0]) - round(0.075 * size), size // 80
        tone = commonest(picture[y - reach : y + reach, x - reach : x + reach])
        tones.append(0.0 if tone is None else float(lightness(np.array(tone))))
    step = tones[0] - tones[1]
    shown = _SAME if abs(step) < 1 else _ANSWERS[0] if step > 0 else _ANSWERS[1]
    return shown if shown in answers else None


CONTRAST = Puzzle(
    name="contrast",
    title="Simultaneous contrast",
    category="color",
    capability="color",
    sees="a patch on a dark ground, which looks lighter than the same patch on a light one",
    truth="which of the two patches is lighter, if not the same; they differ by 8.5 to 18 in L*",
    source="Chevreul 1839",
    graded="a smaller difference: from 18 down to 8.5 in L*",
    question="Compare the gray patches that the arrows A and B point at. Which of them is lighter in the image?",
    sample=Contrast,
    answers=lambda base: _ANSWERS,  # noqa: ARG005
    draw=_draw,
    prior=None,
    usual=lambda base, answer, variant: (  # noqa: ARG005
        None if variant == "ordinary" else _ANSWERS[0] if base.first_dark else _ANSWERS[1]
    ),
    read=_read,
)
