"""Marks of invented firms: a first picture teaches a mark, a second one shows it whole or with a part changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Rectangle, Scene, TextLine, rasterise
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.logo_parts import (
    LOGO_COLORS,
    LOGO_FIELDS,
    LOGO_PARTS,
    firm_names,
    logo_items,
)
from veridical.suites.viabench.puzzles.anomalies.outline import Points, marks, polygon, smooth_line, stroke, to_pixels
from veridical.suites.viabench.puzzles.anomalies.views import views
from veridical.suites.viabench.puzzles.puzzle import (
    YES,
    Pixels,
    Puzzle,
    Variant,
    anomaly,
    counting_puzzle,
    possible_answer,
    yes_if,
)

_CARD: Colour = (252, 251, 247)
_DESKS: tuple[Colour, ...] = ((196, 206, 214), (214, 204, 188), (188, 200, 190), (208, 196, 206))
_THINGS: tuple[Colour, ...] = ((206, 196, 178), (176, 188, 200), (198, 186, 196), (184, 196, 180), (222, 214, 204))
_SMALLEST = 0.00008


class LogoMark(BaseItem):
    """The nuisances of a mark; `radius` is that of its field on the thing that bears it, in px.

    The last of the `views` is that of the picture which teaches the mark; `bearers` has the thing on which it stands in
    each of the others, and `tilts` by how many degrees it is turned there.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.name = nuisances.one_of(firm_names())
        self.parts = nuisances.one_of(tuple(LOGO_PARTS))
        self.count = nuisances.one_of(((3, 4), (4, 5), (5, 6))[grade - 1])
        self.field = nuisances.one_of(LOGO_FIELDS)
        self.colors = nuisances.one_of(range(len(LOGO_COLORS)))
        self.radius = nuisances.px(*((108, 122), (100, 112), (93, 103))[grade - 1])
        self.views = views(nuisances, 4, 0.84)
        self.desks = tuple(nuisances.one_of(range(len(_DESKS))) for _ in range(4))
        self.things = tuple(nuisances.one_of(range(len(_THINGS))) for _ in range(3))
        self.bearers = tuple(nuisances.one_of(range(len(_BEARERS))) for _ in range(3))
        self.tilts = tuple(nuisances.between(-12, 12) for _ in range(3))
        self.change = nuisances.one_of(("missing", "added", "other color"))
        self.which = nuisances.one_of(range(self.count))


def _taught(mark: LogoMark) -> Pixels:
    """The mark on a card, above the name of its firm."""
    size, view, desk = mark.size, mark.views[-1], _DESKS[mark.desks[-1]]
    wide, high = 0.66 * size * view.near, 0.8 * size * view.near
    x, y = 0.5 * size + view.x * 0.45 * (size - wide), 0.5 * size + view.y * 0.45 * (size - high)
    shadow = mix_colors(desk, (40, 40, 50), 0.2)
    radius, away = 0.36 * wide, 0.012 * size
    colors = LOGO_COLORS[mark.colors]
    ink = min(colors, key=sum)
    em = min(0.13 * high, 1.45 * wide / len(mark.name))
    items: list[Item] = [
        Rectangle(x - wide / 2 + away, y - high / 2 + away, x + wide / 2 + away, y + high / 2 + away, shadow),
        Rectangle(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2, _CARD),
        *_mark(mark, mark.count, (x, y - 0.1 * high), radius, 0.0),
        TextLine((x, y + 0.35 * high), mark.name, em, mix_colors(ink, (30, 30, 36), 0.15)),
    ]
    return view.streaked(rasterise(Scene(size, size, desk, tuple(items))), desk, shadow)


def _mark(
    mark: LogoMark, count: int, center: tuple[float, float], radius: float, tilt: float, odd: Sequence[int] = ()
) -> list[Item]:
    def put(points: Points) -> Points:
        return to_pixels(points, radius, tilt, center)

    return logo_items(mark.parts, count, mark.field, LOGO_COLORS[mark.colors], put, odd)


def _shown(mark: LogoMark, k: int, count: int, odd: Sequence[int] = ()) -> Pixels:
    """The mark with so many parts on the thing of the k-th picture."""
    size, view, desk, color = mark.size, mark.views[k], _DESKS[mark.desks[k]], _THINGS[mark.things[k]]
    radius = view.near * mark.radius
    free = max(0.0, 0.49 * size - 1.9 * radius)
    center = 0.5 * size + view.x * free, 0.5 * size + view.y * free

    def put(points: Points) -> Points:
        return to_pixels(points, radius, mark.tilts[k], center)

    shadow = mix_colors(desk, (40, 40, 50), 0.2)
    line = max(1.2, 0.02 * radius)
    items = _BEARERS[mark.bearers[k]](put, color, shadow, line)
    items += _mark(mark, count, center, radius, mark.tilts[k], odd)
    return view.streaked(rasterise(Scene(size, size, desk, tuple(items))), desk, shadow)


Bearer = Callable[[Callable[[Points], Points], Colour, Colour, float], list[Item]]
_AWAY = np.array([0.07, -0.1])


def _bag(put: Callable[[Points], Points], color: Colour, shadow: Colour, line: float) -> list[Item]:
    """A cloth bag with two handles."""
    dark = mix_colors(color, (30, 26, 30), 0.45)
    body = smooth_line([(-1.25, 1.25), (1.25, 1.25), (1.42, -1.5), (-1.42, -1.5)], 0.03, 0.05)
    handle = smooth_line([(-0.7, 1.1), (-0.62, 1.7), (0.0, 1.86), (0.62, 1.7), (0.7, 1.1)], 0.03, 0.12, closed=False)
    return [
        polygon(put(body + _AWAY), shadow),
        stroke(put(handle + 0.08), 7 * line, mix_colors(color, dark, 0.5)),
        polygon(put(body), color),
        stroke(put(body), line, dark, closed=True),
        stroke(put(handle - (0, 0.12)), 7 * line, dark),
        stroke(put(handle - (0, 0.12)), 5 * line, mix_colors(color, (255, 255, 255), 0.2)),
        stroke(put(np.linspace((-1.26, 1.12), (1.26, 1.12), 5)), line, mix_colors(color, dark, 0.5)),
    ]


def _mug(put: Callable[[Points], Points], color: Colour, shadow: Colour, line: float) -> list[Item]:
    """A mug with its handle on the right."""
    dark = mix_colors(color, (30, 26, 30), 0.45)
    body = smooth_line([(-1.3, 1.4), (1.3, 1.4), (1.24, -1.5), (-1.24, -1.5)], 0.03, 0.09)
    handle = smooth_line(
        [(1.15, 0.85), (1.75, 0.75), (1.85, 0.0), (1.7, -0.75), (1.1, -0.85)], 0.03, 0.14, closed=False
    )
    turn = np.linspace(0, 2 * np.pi, 49)[:-1]
    rim = np.stack([1.26 * np.cos(turn), 1.36 + 0.12 * np.sin(turn)], 1)
    return [
        polygon(put(body + _AWAY), shadow),
        stroke(put(handle), 12 * line, dark),
        stroke(put(handle), 9.5 * line, color),
        polygon(put(body), color),
        stroke(put(body), line, dark, closed=True),
        polygon(put(rim), mix_colors(color, dark, 0.3)),
        stroke(put(rim), line, dark, closed=True),
    ]


def _sign(put: Callable[[Points], Points], color: Colour, shadow: Colour, line: float) -> list[Item]:
    """A board that hangs from a bar by two rods."""
    dark = mix_colors(color, (30, 26, 30), 0.45)
    board = smooth_line([(-1.5, 1.35), (1.5, 1.35), (1.5, -1.4), (-1.5, -1.4)], 0.03, 0.06)
    inner = 0.94 * board
    rods = [np.linspace((x, 1.3), (x, 1.8), 3) for x in (-1.0, 1.0)]
    return [
        polygon(put(board + _AWAY), shadow),
        *(stroke(put(rod), 2.4 * line, dark) for rod in rods),
        stroke(put(np.linspace((-1.6, 1.82), (1.6, 1.82), 3)), 5 * line, dark),
        *(Disc(tuple(put(np.array([(x, 1.82)]))[0].tolist()), 4 * line, dark) for x in (-1.6, 1.6)),
        polygon(put(board), color),
        stroke(put(board), 1.4 * line, dark, closed=True),
        stroke(put(inner), line, mix_colors(color, dark, 0.5), closed=True),
    ]


_BEARERS: tuple[Bearer, ...] = (_bag, _mug, _sign)


def _draw_count(mark: LogoMark, answer: str, variant: Variant) -> tuple[Pixels, ...]:  # noqa: ARG001 (the answer has one variant)
    return _taught(mark), _shown(mark, int(answer) - mark.count + 1, int(answer))


def _draw_match(mark: LogoMark, answer: str, variant: Variant) -> tuple[Pixels, ...]:  # noqa: ARG001 (the answer has one variant)
    if answer == YES:
        return _taught(mark), _shown(mark, 0, mark.count)
    more = {"missing": -1, "added": 1, "other color": 0}[mark.change]
    return _taught(mark), _shown(mark, 1, mark.count + more, () if more else (mark.which,))


def _parts_of(picture: Pixels) -> int:
    """The number of patches in a color of parts."""
    return max(marks(picture, color, _SMALLEST) for _, color, _ in LOGO_COLORS)


def _read_count(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of parts in the second picture, if the first one shows the middle answer."""
    taught, shown = map(_parts_of, pictures)
    return possible_answer(shown, answers) if str(taught) == sorted(answers)[1] else None


def _read_match(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (Yes or No)
    """Whether both pictures have as many parts in one color of parts."""
    taught, shown = map(_parts_of, pictures)
    return yes_if(taught == shown) if taught and shown else None


LOGOS = Puzzle(
    name="logos",
    title="Mark of a firm",
    sees="the mark of an invented firm on a card, and again on a bag, a mug or a sign",
    truth="the number of parts of the mark in the second image: as many as in the first, one less, or one more",
    graded="a smaller mark with more parts",
    question="The first image shows the mark of the firm {name}. How many {parts} does it have in the second image?",
    sample=LogoMark,
    draw=_draw_count,
    pictures=2,
    prior=None,
    **counting_puzzle(lambda mark: mark.count),
    read=_read_count,
)
LOGO_MATCHES = Puzzle(
    name="logo_matches",
    title="Same mark",
    category="anomalies",
    capability="fine detail",
    sees="the mark of an invented firm on a card, and again on a bag, a mug or a sign",
    truth="whether the second mark has a part less, a part more, or a part of another color than the first",
    source="ours, after the paper's Appendix A: what violates a common-sense prior",
    graded="a smaller mark with more parts",
    question="The first image shows the mark of the firm {name}. Does the second image show the same mark, unchanged?",
    question_reversed=(
        "The first image shows the mark of the firm {name}. Does the second image show it with a part changed?"
    ),
    sample=LogoMark,
    draw=_draw_match,
    pictures=2,
    **anomaly(lambda mark: YES),  # noqa: ARG005
    read=_read_match,
)
