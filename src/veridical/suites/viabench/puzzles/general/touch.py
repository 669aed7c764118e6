"""A person who seems to touch a tower: it stands beside the person, far behind, or far in front."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from veridical.media.draw import Disc, Gradient, Item, Patch, Polygon, Rectangle, Scene, rasterise
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles import shapes
from veridical.suites.viabench.puzzles.general.person import SHOE, Looks, person
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Pixels, Puzzle, Variant, illusion

_SKIES: tuple[tuple[Colour, Colour], ...] = (
    ((126, 182, 224), (226, 240, 244)),
    ((150, 196, 214), (246, 236, 214)),
    ((166, 172, 214), (244, 218, 208)),
)
_LAWNS: tuple[tuple[Colour, Colour], ...] = (
    ((150, 182, 104), (132, 166, 92)),
    ((190, 180, 150), (174, 164, 134)),
    ((162, 178, 126), (146, 164, 112)),
)
_STONES: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((240, 232, 212), (206, 194, 170), (112, 100, 92)),
    ((226, 196, 166), (194, 158, 128), (104, 76, 62)),
    ((222, 224, 226), (184, 188, 194), (88, 94, 104)),
)
_SHIRTS: tuple[Colour, ...] = ((204, 78, 66), (54, 104, 160), (240, 186, 68), (96, 142, 116), (142, 92, 150))
_TROUSERS: tuple[Colour, ...] = ((58, 70, 98), (92, 80, 70), (70, 74, 80), (42, 60, 66))
_SKINS: tuple[tuple[Colour, Colour], ...] = (
    ((238, 192, 160), (96, 62, 42)),
    ((200, 146, 108), (40, 30, 28)),
    ((142, 96, 68), (30, 24, 24)),
    ((244, 210, 184), (190, 130, 62)),
)
_PLINTH: Colour = (146, 136, 126)
_SLAB: Colour = (198, 192, 186)
_LEVELS = 0.6, 0.93
_DEPTHS = ((0.24, 0.26), (0.205, 0.225), (0.17, 0.19))


class MeetingView(BaseItem):
    """The nuisances of one picture: the person, the tower, the landscape, and how far down both stand.

    The feet and the tower's foot are on one level if the tower is beside the person, else `depth` apart, the tower's
    above or below, in the same range: so where the one or the other stands does not tell.
    """

    def __init__(self, nuisances: Nuisances, depth: tuple[float, float], *, beside: bool) -> None:
        size = nuisances.size
        self.way = nuisances.one_of((-1, 1))
        self.height = nuisances.between(0.41, 0.46) * size
        self.arm = nuisances.between(0.76, 0.84)
        deep, down = nuisances.between(*depth), nuisances.one_of((-0.5, 0.5))
        middle = nuisances.between(_LEVELS[0] + deep / 2, _LEVELS[1] - deep / 2)
        even = nuisances.between(*_LEVELS)
        self.feet, self.foot = ((even if beside else middle + sign * deep) * size for sign in (down, -down))
        self.x = size * (0.5 - self.way * nuisances.between(0.1, 0.26))
        self.half = nuisances.between(0.08, 0.105) * size
        self.top = nuisances.between(0.1, 0.165) * size
        self.storey = nuisances.between(0.07, 0.11) * size
        self.lights = nuisances.between(0.3, 1)
        self.apart = size * nuisances.between(0.07, 0.1)
        self.horizon = nuisances.between(0.46, 0.55)
        self.sky = nuisances.one_of(range(len(_SKIES)))
        self.lawn = nuisances.one_of(range(len(_LAWNS)))
        self.stone = nuisances.one_of(range(len(_STONES)))
        self.shirt = nuisances.one_of(range(len(_SHIRTS)))
        self.trousers = nuisances.one_of(range(len(_TROUSERS)))
        self.skin = nuisances.one_of(range(len(_SKINS)))
        self.trees = nuisances.between(0, 6.3)
        self.size = size


class Meeting(BaseItem):
    """The pictures of a unit: a person with a tower beside, and one with a tower that is farther or nearer."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.views = tuple(MeetingView(nuisances, _DEPTHS[grade - 1], beside=beside) for beside in (True, False))


@lru_cache(maxsize=2)
def _landscape(meeting: MeetingView) -> Pixels:
    """The sky, hills, a row of trees and a ground with lines that run to the horizon."""
    size = meeting.size
    edge = round(meeting.horizon * size)
    top, low = _SKIES[meeting.sky]
    lawn, stripe = _LAWNS[meeting.lawn]
    xs = np.linspace(0, size, 50)
    hills = edge - size * (0.05 + 0.022 * np.sin(xs / size * 6 + meeting.trees))
    green: Colour = (104, 140, 104)
    items: list[Item] = [
        Gradient(0, 0, size, edge, top, low, "y"),
        shapes.polygon([0, *xs, size], [edge, *hills, edge], mix_colors((120, 146, 156), low, 0.4)),
    ]
    for k in range(13):
        x = size * (k + 0.5 + 0.3 * np.sin(3 * k + meeting.trees)) / 13
        radius = size * (0.017 + 0.006 * np.sin(5 * k + meeting.trees))
        items.append(Disc((float(x), float(edge - 0.8 * radius)), float(radius), green))
    items.append(Rectangle(0, edge, size, size, lawn))
    for k in range(-7, 8):
        near, wide = size / 2 + k * 0.22 * size, 0.05 * size
        ends = ((size / 2 + k * 0.03 * size, edge), (near + wide, size), (near - wide, size))
        items.append(Polygon(ends, stripe))
    return rasterise(Scene(size, size, (255, 255, 255), tuple(items)))


def _shadow(ground: Colour) -> Colour:
    return mix_colors(ground, (40, 50, 40), 0.4)


def _tower(meeting: MeetingView, x: float, ground: Colour) -> list[Item]:
    """A tower of equal storeys from its top down to its plinth, and its shadow on a ground of some color."""
    half, top, base, size = meeting.half, meeting.top, meeting.foot, meeting.size
    stone, shade, dark = _STONES[meeting.stone]
    storey, window = meeting.storey, mix_colors(stone, dark, meeting.lights)
    cornices, arches, windows = [], [], []
    level = top
    while level < base - 0.012 * size:
        cornices.append(Rectangle(x - 1.07 * half, level, x + 1.07 * half, level + 0.014 * size, shade))
        if base - level > 0.91 * storey:
            for at in (-0.68, -0.16, 0.36):
                left, right, arch = x + (at - 0.13) * half, x + (at + 0.13) * half, level + 0.39 * storey
                arches.append(Disc(((left + right) / 2, arch), (right - left) / 2, window))
                windows.append(Rectangle(left, arch, right, level + 0.75 * storey, window))
        level += storey
    return [
        shapes.ellipse((x, base), 1.5 * half, 0.02 * size, _shadow(ground)),
        Polygon(((x - 1.08 * half, top), (x, top - 0.075 * size), (x + 1.08 * half, top)), (176, 84, 62)),
        Polygon(((x, top - 0.075 * size), (x + 1.08 * half, top), (x + 0.3 * half, top)), (150, 68, 52)),
        Rectangle(x - half, top, x + half, base, stone),
        Rectangle(x + 0.64 * half, top, x + half, base, shade),
        *cornices,
        *arches,
        *windows,
        Rectangle(x - 1.2 * half, base - 0.016 * size, x + 1.2 * half, base, _PLINTH),
    ]


def _draw(unit: Meeting, answer: str, variant: Variant) -> tuple[Scene]:
    beside = answer == YES
    meeting = unit.views[not beside]
    size, way, lawn = meeting.size, meeting.way, _LAWNS[meeting.lawn][0]
    ground = _SLAB if variant == "ordinary" else lawn
    skin, hair = _SKINS[meeting.skin]
    looks = Looks(skin, hair, _SHIRTS[meeting.shirt], _TROUSERS[meeting.trousers], _shadow(ground))
    someone, tip = person((meeting.x, meeting.feet), meeting.height, way, meeting.arm, looks)
    x = tip[0] + way * (meeting.half - 0.003 * size)
    if variant == "ordinary" and not beside:
        x += way * meeting.apart
    tower = _tower(meeting, x, ground if beside else lawn)
    slab = _slab(meeting, tip[0]) if variant == "ordinary" else []
    if beside:
        items = [*slab, *tower, *someone]
    else:
        items = [*tower, *slab, *someone] if meeting.foot < meeting.feet else [*slab, *someone, *tower]
    return (Scene(size, size, lawn, (Patch(0, 0, _landscape(meeting)), *items)),)


def _slab(meeting: MeetingView, tip: float) -> list[Item]:
    """Paving under the person, and under the tower that stands beside."""
    size, way = meeting.size, meeting.way
    left, right = sorted((meeting.x - way * 0.2 * size, tip + way * (2.7 * meeting.half + 0.02 * size)))
    low, back, inset = meeting.feet + 0.03 * size, meeting.feet - 0.03 * size, 0.03 * size
    return [
        Polygon(((left, low), (left + inset, back), (right - inset, back), (right, low)), _SLAB),
        Rectangle(left, low, right, low + 0.022 * size, mix_colors(_SLAB, (60, 60, 70), 0.35)),
    ]


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """Whether the tower's plinth stands at the height of the shoes and the hand reaches the tower's edge."""
    picture = pictures[0]
    size = len(picture)
    plinth, shoes = (np.flatnonzero(shapes.color_mask(picture, color).any(1)) for color in (_PLINTH, SHOE))
    if not len(plinth) or not len(shoes):
        return None
    return YES if abs(int(plinth[-1]) - int(shoes[-1])) < 0.05 * size and _meets(picture, size) else NO


def _meets(picture: Pixels, size: int) -> bool:
    """Whether skin and stone lie within two pixels of each other."""
    reach = max(2, size // 200)
    for skin, _ in _SKINS:
        hand = shapes.color_mask(picture, skin)
        if np.count_nonzero(hand) < size // 8:
            continue
        rows, columns = np.flatnonzero(hand.any(1)), np.flatnonzero(hand.any(0))
        box = (
            slice(max(0, rows[0] - reach), rows[-1] + reach + 1),
            slice(max(0, columns[0] - reach), columns[-1] + reach + 1),
        )
        near, part = shapes.dilation(hand[box], reach), picture[box]
        return any(
            bool((shapes.color_mask(part, color) & near).any())
            for stone, shade, _ in _STONES
            for color in (stone, shade)
        )
    return False


TOUCH = Puzzle(
    name="touch",
    title="A hand on a tower",
    category="general",
    capability="space and depth",
    sees="a person who leans a hand against the tower",
    truth="whether the tower stands on the ground beside the person, within reach of the hand",
    source="ours, after forced perspective in photographs",
    graded="a tower that is less far behind the person, or before",
    question="Is the person's hand really resting against the tower?",
    question_reversed="Is there empty space between the person's hand and the tower?",
    sample=Meeting,
    draw=_draw,
    usual=illusion(YES),
    read=_read,
)
