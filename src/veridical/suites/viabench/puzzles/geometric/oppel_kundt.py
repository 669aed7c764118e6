"""The Oppel-Kundt figure: a divided distance looks longer than an empty one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from veridical.media.draw import Item, Line, Scene, TextLine
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.marks import INKS, panel, traces
from veridical.suites.viabench.puzzles.geometric.muller_lyer import lengths
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, misleading_figure, yes_if

_DIFFERENCES = (0.22, 0.17, 0.13)
_READ = 0.05


class Posts(BaseItem):
    """The nuisances: distances in px, which of them is divided, by how many marks, and which is longer if one is."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.equal = nuisances.px(168, 188)
        self.difference = _DIFFERENCES[grade - 1]
        self.longer = nuisances.one_of("AB")
        self.divided = nuisances.one_of("AB")
        self.marks = nuisances.one_of((8, 9, 10, 11, 12))
        self.post = nuisances.px(70, 110)
        self.mark = nuisances.between(0.5, 0.75)
        self.stroke = nuisances.stroke(5.4, 6.6)
        self.x = nuisances.px(-14, 14)
        self.y = nuisances.px(-16, 28)
        self.base_line = nuisances.one_of((True, False))
        self.ink = nuisances.one_of(range(len(INKS)))
        self.size = nuisances.size


def _draw(posts: Posts, answer: str, variant: Variant) -> tuple[Scene]:
    ink, size, height = INKS[posts.ink], posts.size, round(0.6 * posts.size)
    drawn = lengths(posts.equal, posts.difference, posts.longer, answer)
    left = size / 2 + posts.x - (drawn["A"] + drawn["B"]) / 2
    at, y = (left, left + drawn["A"], left + drawn["A"] + drawn["B"]), height / 2 + posts.y
    items: list[Item] = []
    if posts.base_line:
        items.append(Line((at[0], y), (at[2], y), 0.4 * posts.stroke, ink.inducer))
    if variant == "unusual":
        x0, x1 = at[:2] if posts.divided == "A" else at[1:]
        half = posts.mark * posts.post / 2
        for k in range(1, posts.marks + 1):
            x = x0 + (x1 - x0) * k / (posts.marks + 1)
            items.append(Line((x, y - half), (x, y + half), 0.55 * posts.stroke, ink.inducer))
    ends = [Line((x, y - posts.post / 2), (x, y + posts.post / 2), posts.stroke, ink.target) for x in at]
    letters = [
        TextLine((x, y - posts.post / 2 - 0.045 * size), name, 0.055 * size, ink.letter)
        for x, name in zip(at, "ABC", strict=True)
    ]
    return (Scene(size, height, ink.page, (panel(size, ink, height), *items, *ends, *letters)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001
    """Whether the posts, by their color, stand at equal distances."""
    posts = sorted((mark for mark in traces(pictures[0])), key=lambda mark: mark.center[0])
    if len(posts) != 3:
        return None
    a, b, c = (mark.center[0] for mark in posts)
    return yes_if(abs(math.log((b - a) / (c - b))) < _READ)


OPPEL_KUNDT = Puzzle(
    name="oppel_kundt",
    title="Oppel-Kundt",
    category="geometric",
    capability="size and length",
    sees="two distances that differ, because one is divided",
    truth="whether the posts are drawn at equal distances",
    source="Oppel 1855 and Kundt 1863",
    graded="a smaller difference: 22, 17, 13 %",
    question="Is the distance from A to B equal to the distance from B to C?",
    question_reversed="Does the distance from A to B differ from the distance from B to C?",
    sample=Posts,
    draw=_draw,
    usual=misleading_figure(lambda posts: posts.divided == posts.longer),
    read=_read,
)
