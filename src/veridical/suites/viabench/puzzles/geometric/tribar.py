"""Three beams at right angles: a closed triangle of them cannot exist, an open one or a flat frame can."""

from __future__ import annotations

import math

from veridical.media.draw import Item, Line, Polygon, Scene, rasterise
from veridical.media.draw.scene import Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.solids import GROUNDS, TONES, Beam, Corner, Projection, Tones, covers
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Puzzle, Variant, anomaly, yes_if

_ISOMETRIC = math.degrees(math.atan(1 / math.sqrt(2)))
_ENDS = ((2.0, -2.0), (1.5, -1.5), (1.0, -1.0))


class Tribar(BaseItem):
    """The nuisances: the beams' length in units of their thickness, the kind that can exist, turn, and colors."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.length = nuisances.one_of((4, 5, 6))
        self.past, short = _ENDS[grade - 1]
        self.possible = nuisances.one_of(("crossing", "short", "frame"))
        self.short = short - 1
        self.scale = (
            nuisances.px(430, 460) / (self.length + 1 + (self.past if self.possible == "crossing" else 0.6)) / 1.1
        )
        self.turn = nuisances.one_of((0.0, 60.0, 120.0, 180.0, 240.0, 300.0)) + nuisances.between(-9, 9)
        self.mirrored = nuisances.one_of((True, False))
        self.joints = nuisances.one_of((True, False)) and self.possible != "frame"
        self.x = nuisances.px(-8, 8)
        self.y = nuisances.px(-8, 8)
        self.tones = nuisances.one_of(range(len(TONES)))
        self.ground = nuisances.one_of(range(len(GROUNDS)))
        self.size = nuisances.size


def _beams(tribar: Tribar, answer: str) -> tuple[Beam, Beam, Beam]:
    """The three beams, each of which begins where the one before ends."""
    n = tribar.length
    start, end = 0.0, float(n + 1)
    if answer == YES:
        start = -tribar.past if tribar.possible == "crossing" else 0.0
        end += tribar.past if tribar.possible == "crossing" else tribar.short
    return (
        Beam((start, 0, 0), (n + 1, 1, 1)),
        Beam((n, 0, 0), (n + 1, n + 1, 1)),
        Beam((n, n, 0), (n + 1, n + 1, end)),
    )


def _view(tribar: Tribar, answer: str) -> Projection:
    view = Projection(45.0, _ISOMETRIC, tribar.scale, tribar.turn, tribar.mirrored)
    corners = [corner for box in _beams(tribar, answer) for corner in box.corners()]
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
    """The beams in the order of their depth; the first once more on top of the last, where the answer is "No"."""
    first, second, third = _beams(tribar, answer)
    view = _view(tribar, answer)
    items: list[Item] = []
    items += [item for name in "zyx" for item in _side(first, name, view, tones[0], joint)]
    items += [item for name in "zyx" for item in _side(second, name, view, tones[1], joint)]
    items += [item for name in "xyz" for item in _side(third, name, view, tones[2], joint)]
    if answer == NO:
        again = first.part(0.0, math.ceil(tribar.length / 2))
        items += [item for name in "zy" for item in _side(again, name, view, tones[0], joint)]
    return items


def _frame(tribar: Tribar, tones: Tones) -> list[Item]:
    """A flat triangular frame with some thickness, seen obliquely."""
    middle = tribar.size / 2 + tribar.x, tribar.size / 2 + tribar.y
    radius = 0.47 * tribar.scale * (tribar.length + 2)
    inner = radius - 1.6 * tribar.scale
    deep = math.radians(tribar.turn + 40)
    back = 1.15 * tribar.scale * math.cos(deep), 1.15 * tribar.scale * math.sin(deep)

    def corners(r: float, depth: float) -> list[Point]:
        angles = [math.radians(tribar.turn + 120 * k - 90) for k in range(3)]
        side = -1 if tribar.mirrored else 1
        return [
            (
                middle[0] + side * (r * math.cos(a) + (depth - 0.5) * back[0]),
                middle[1] + r * math.sin(a) + (depth - 0.5) * back[1],
            )
            for a in angles
        ]

    items: list[Item] = []
    for r, facing in ((inner, -1.0), (radius, 1.0)):
        front, rear = corners(r, 0), corners(r, 1)
        for k in range(3):
            (x0, y0), (x1, y1) = front[k], front[(k + 1) % 3]
            out = (x0 + x1) / 2 - sum(p[0] for p in front) / 3, (y0 + y1) / 2 - sum(p[1] for p in front) / 3
            shift = rear[k][0] - x0, rear[k][1] - y0
            lean = (out[0] * shift[0] + out[1] * shift[1]) * facing
            if lean > 0:
                color = tones.x if abs(out[0]) * 0.9 > abs(out[1]) else tones.y
                items.append(Polygon((front[k], front[(k + 1) % 3], rear[(k + 1) % 3], rear[k]), color))
    front, hole = corners(radius, 0), corners(inner, 0)
    ring = (*front, front[0], hole[0], hole[2], hole[1], hole[0])
    return [*items, Polygon(ring, tones.z)]


def _draw(tribar: Tribar, answer: str, variant: Variant) -> tuple[Scene]:  # noqa: ARG001 (the answer has one variant)
    tones = TONES[tribar.tones]
    if answer == YES and tribar.possible == "frame":
        items = _frame(tribar, tones)
    else:
        items = _painted(tribar, answer, (tones, tones, tones), max(1.0, tribar.size / 420) if tribar.joints else 0.0)
    return (Scene(tribar.size, tribar.size, GROUNDS[tribar.ground], tuple(items)),)


def _counted(tribar: Tribar, answer: str, variant: Variant) -> str | None:  # noqa: ARG001
    """Whether the nearer beam is on top where the first and the last meet; each has a color of its own."""
    if answer == YES and tribar.possible == "frame":
        return YES
    own = [Tones(*[(60 * (k + 1), 0, 0)] * 4) for k in range(3)]
    painted = tuple(_painted(tribar, answer, (own[0], own[1], own[2]), 0.0))
    ids = rasterise(Scene(tribar.size, tribar.size, (0, 0, 0), painted))[..., 0]
    view, last = _view(tribar, answer), _beams(tribar, answer)[2]
    on_first: Corner = (1.15, 0.55, 1.0)
    x, y = view.at(on_first)
    top = int(ids[int(y), int(x)])
    hidden = covers(last, view, (x, y)) and last.hides(_beams(tribar, answer)[0])
    if top not in (60, 180):
        return None
    return yes_if(top == 180 if hidden else top == 60)


TRIBAR = Puzzle(
    name="tribar",
    title="Impossible triangle",
    category="geometric",
    capability="space and depth",
    sees="a triangle of three straight beams",
    truth="whether the beams close to a triangle although each is at right angles to the next",
    source="Reutersvärd 1934 and Penrose and Penrose 1958",
    graded="ends of open triangles that reach less far",
    question="Could the object in the image, with straight edges and flat faces, exist in three dimensions?",
    question_reversed="Is the object in the image, with straight edges and flat faces, impossible in three dimensions?",
    sample=Tribar,
    draw=_draw,
    **anomaly(lambda tribar: YES),  # noqa: ARG005
    counted=_counted,
    unreadable="faces of one shade belong to several beams: which passes in front shows only in their corners",
)
