"""Three beams at right angles: a closed triangle of them cannot exist, nor can ends that pass the wrong way round."""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import label

from veridical.media.draw import Item, Line, Polygon, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.solids import (
    GROUNDS,
    TONES,
    Beam,
    Corner,
    Projection,
    Tones,
    covers,
)
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Puzzle, Variant, anomaly, yes_if

_ISOMETRIC = math.degrees(math.atan(1 / math.sqrt(2)))
_PAST = (2.0, 1.5, 1.0)


class Tribar(BaseItem):
    """The nuisances: closed or with ends that cross, the beams' length in units of their thickness, turn, colors."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.length = nuisances.one_of((4, 5, 6))
        self.closed = nuisances.one_of((True, False))
        self.past = 0.0 if self.closed else _PAST[grade - 1]
        self.scale = nuisances.px(385, 450) / (self.length + 1.6 + self.past) / 1.1
        self.turn = nuisances.between(0, 360)
        self.mirrored = nuisances.one_of((True, False))
        self.joints = nuisances.one_of((True, False)) and not self.closed
        self.x = nuisances.px(-14, 14)
        self.y = nuisances.px(-14, 14)
        self.tones = nuisances.one_of(range(len(TONES)))
        self.lit_from = nuisances.one_of(range(6))
        self.ground = nuisances.one_of(range(len(GROUNDS)))
        self.size = nuisances.size


def _beams(tribar: Tribar) -> tuple[Beam, Beam, Beam]:
    """The three beams, each of which begins where the one before ends."""
    n, past = tribar.length, tribar.past
    return (
        Beam((-past, 0, 0), (n + 1, 1, 1)),
        Beam((n, 0, 0), (n + 1, n + 1, 1)),
        Beam((n, n, 0), (n + 1, n + 1, n + 1 + past)),
    )


def _view(tribar: Tribar) -> Projection:
    view = Projection(45.0, _ISOMETRIC, tribar.scale, tribar.turn, tribar.mirrored)
    corners = [corner for box in _beams(tribar) for corner in box.corners()]
    return view.moved(corners, (tribar.size / 2 + tribar.x, tribar.size / 2 + tribar.y))


def _side(box: Beam, name: str, view: Projection, tones: Tones, joint: float) -> list[Item]:
    """A face, with a line between the cubes it may be made of."""
    items: list[Item] = [Polygon(tuple(map(view.at, box.face(name))), getattr(tones, name))]
    axis = box.axis()
    if joint and "xyz"[axis] != name:
        corners = box.face(name)
        other = next(k for k in range(3) if k != axis and "xyz"[k] != name)
        lows = min(corner[other] for corner in corners), max(corner[other] for corner in corners)
        for place in range(math.ceil(box.low[axis]), math.floor(box.high[axis]) + 1):
            ends = []
            for value in lows:
                corner = list(corners[0])
                corner[axis], corner[other] = float(place), value
                ends.append(view.at((corner[0], corner[1], corner[2])))
            items.append(Line(ends[0], ends[1], joint, tones.edge))
    return items


def _painted(tribar: Tribar, answer: str, tones: tuple[Tones, Tones, Tones], joint: float) -> list[Item]:
    """The beams in the order of their depth; a piece of the first once more over the last, where the answer is "No"."""
    first, second, third = _beams(tribar)
    view = _view(tribar)
    items: list[Item] = []
    items += [item for name in "zyx" for item in _side(first, name, view, tones[0], joint)]
    items += [item for name in "zyx" for item in _side(second, name, view, tones[1], joint)]
    items += [item for name in "xyz" for item in _side(third, name, view, tones[2], joint)]
    if answer == NO:
        again = first.part(-tribar.past, 3.0)
        items += [item for name in "zy" for item in _side(again, name, view, tones[0], joint)]
    return items


def _frame(tribar: Tribar, tones: Tones) -> list[Item]:
    """A flat frame with a ridge along its middle: the outline, the hole and the stripes of the closed triangle.

    Each of its sides has the two shades that the side of the triangle has; where the triangle turns a face round the
    corner, the frame has a miter.
    """
    view, m = _view(tribar), tribar.length + 1.0
    outlines: tuple[tuple[Colour, tuple[Point, ...]], ...] = (
        (tones.z, ((-1, 0), (-1, -1), (m - 1, -1), (m - 1, 0), (0, 0))),
        (tones.x, ((m - 1, -1), (m, 0), (m, m), (m - 1, m - 1), (m - 1, 0))),
        (tones.y, ((m, m), (m - 1, m), (-1, 0), (0, 0), (m - 1, m - 1))),
        (tones.y, ((0, 0), (m - 1, 0), (m - 2, 1), (2, 1))),
        (tones.z, ((m - 1, 0), (m - 1, m - 1), (m - 2, m - 3), (m - 2, 1))),
        (tones.x, ((m - 1, m - 1), (0, 0), (2, 1), (m - 2, m - 3))),
    )
    return [Polygon(tuple(view.at((x, y, 0.0)) for x, y in outline), tone) for tone, outline in outlines]


def _draw(tribar: Tribar, answer: str, variant: Variant) -> tuple[Scene]:  # noqa: ARG001 (the answer has one variant)
    tones = TONES[tribar.tones].lit_from(tribar.lit_from)
    if answer == YES and tribar.closed:
        items = _frame(tribar, tones)
    else:
        items = _painted(tribar, answer, (tones, tones, tones), max(1.0, tribar.size / 420) if tribar.joints else 0.0)
    return (Scene(tribar.size, tribar.size, GROUNDS[tribar.ground], tuple(items)),)


def _counted(tribar: Tribar, answer: str, variant: Variant) -> str | None:  # noqa: ARG001
    """How many faces a closed one has: three that turn a corner, or six that end there; else which beam is on top."""
    shades = Tones((80, 0, 0), (160, 0, 0), (240, 0, 0), (0, 0, 0))
    if tribar.closed:
        items = _frame(tribar, shades) if answer == YES else _painted(tribar, answer, (shades, shades, shades), 0.0)
        drawn = rasterise(Scene(tribar.size, tribar.size, (0, 0, 0), tuple(items)))[..., 0]
        regions = [label(drawn == shade[0])[0] for shade in (shades.x, shades.y, shades.z)]
        large = {int((np.bincount(each.ravel())[1:] > 0.001 * drawn.size).sum()) for each in regions}
        return NO if large == {1} else YES if large == {2} else None
    own = [Tones(*[(60 * (k + 1), 0, 0)] * 4) for k in range(3)]
    painted = tuple(_painted(tribar, answer, (own[0], own[1], own[2]), 0.0))
    ids = rasterise(Scene(tribar.size, tribar.size, (0, 0, 0), painted))[..., 0]
    view, (first, _, last) = _view(tribar), _beams(tribar)
    on_first: Corner = (1.15, 0.55, 1.0)
    x, y = view.at(on_first)
    top = int(ids[int(y), int(x)])
    if top not in (60, 180) or not (covers(last, view, (x, y)) and last.hides(first)):
        return None
    return yes_if(top == 180)


TRIBAR = Puzzle(
    name="tribar",
    title="Impossible triangle",
    category="geometric",
    capability="space and depth",
    sees="a triangle of three straight beams",
    truth="whether beams at right angles close to a triangle, or one that is behind passes in front",
    source="Reutersvärd 1934 and Penrose and Penrose 1958",
    graded="ends of open triangles that reach less far past each other",
    question="Could the object in the image, with straight edges and flat faces, exist in three dimensions?",
    question_reversed="Is the object in the image, with straight edges and flat faces, impossible in three dimensions?",
    sample=Tribar,
    draw=_draw,
    prior="an ordinary drawing of a frame of three bars",
    **anomaly(lambda tribar: YES),  # noqa: ARG005
    counted=_counted,
    unreadable="faces of one shade belong to several beams: which passes in front shows only in their corners",
)
