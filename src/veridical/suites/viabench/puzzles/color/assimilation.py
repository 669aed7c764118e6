"""Assimilation: two discs behind stripes of different colors take on some of the color in front of them."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.media.draw import Disc, Item, Rectangle, Scene
from veridical.media.draw.colour import mean_light
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.color.flats import commonest, labels, lch, letter
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Pixels, Puzzle, Variant, illusion

_TURNS = ((48.0, 56.0), (40.0, 46.0), (32.0, 38.0))
_PAPER: Colour = (250, 249, 246)


class Assimilation(BaseItem):
    """The nuisances of two discs behind stripes; `turn` is their difference in hue in degrees, if they differ.

    `stripe` is a stripe's height and `discs` the discs' radius in px; `hue` is that of disc A, and `lean` how far
    the stripes' two hues lie from its opposite.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.turn = nuisances.between(*_TURNS[grade - 1]) * nuisances.one_of((-1, 1))
        self.stripe = max(3, round(nuisances.px(*((8, 10), (7, 9), (6, 8))[grade - 1])))
        self.discs = nuisances.px(72, 92)
        self.hue = nuisances.between(0, 360)
        self.lean = nuisances.between(102, 122)
        self.level = nuisances.between(60, 66)
        self.first = nuisances.one_of((False, True))
        self.upright = nuisances.between(-0.04, 0.04)


def _draw(base: Assimilation, answer: str, variant: Variant) -> tuple[Scene]:
    size, step = base.size, base.stripe
    count = int(0.62 * size / (2 * step))
    top = round((0.13 + base.upright) * size)
    bottom, middle = top + (2 * count + 1) * step, top + count * step
    fronts = [lch(72, 62, base.hue + base.lean), lch(48, 58, base.hue - base.lean)]
    if base.first:
        fronts.reverse()
    plain = mean_light(*fronts)
    shown = fronts if variant == "unusual" else [plain, plain]
    tones = [lch(base.level, 52, base.hue), lch(base.level, 52, base.hue + (base.turn if answer == NO else 0))]
    rows = [[top + k * step for k in range(2 * count + 1) if k % 2 == parity] for parity in (0, 1)]
    items: list[Item] = [Rectangle(0, top, size, bottom, shown[0])]
    items += [Rectangle(0, y, size, y + step, shown[1]) for y in rows[1]]
    for k, share in enumerate((0.27, 0.73)):
        x, half = round(share * size), round(base.discs) + 2
        items.append(Disc((x, middle), base.discs, tones[k]))
        items += [Rectangle(x - half, y, x + half, y + step, shown[k]) for y in rows[k]]
        items += letter((x, bottom + 0.09 * size), "AB"[k], 0.09 * size)
    return (Scene(size, size, _PAPER, tuple(items)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (Yes or No)
    """Whether the left and the right half have the same color apart from those that both have in every stripe."""
    picture = pictures[0]
    boxes = labels(picture)
    if not boxes:
        return None
    height = boxes[0][0] - len(picture) // 50
    size = len(picture)
    stripes = picture[:height, : size // 20]
    first = commonest(stripes, _PAPER)
    if first is None:
        return None
    second = commonest(stripes, _PAPER, first) or first
    tones = []
    for _, _, left, right in boxes:
        x, reach = (left + right) // 2, size // 10
        tones.append(commonest(picture[:height, x - reach : x + reach], _PAPER, first, second))
    return None if None in tones else YES if tones[0] == tones[1] else NO


ASSIMILATION = Puzzle(
    name="assimilation",
    title="Assimilation",
    category="color",
    capability="color",
    sees="two discs behind stripes, each tinged by the stripes in front of it",
    truth="whether the discs have one color; if not, their hue differs by 32 to 56 degrees at one lightness",
    source="Munker 1970; after Bezold 1874",
    graded="finer stripes, a smaller difference in hue",
    question="Are the discs A and B the same color in the image?",
    question_reversed="Do the discs A and B differ in color in the image?",
    sample=Assimilation,
    draw=_draw,
    usual=illusion(NO),
    read=_read,
)
