"""A crate of twelve beams, whose rear beams may pass in front of the front ones."""

from __future__ import annotations

from functools import lru_cache

from veridical.media.draw import Item, Line, Polygon, Scene, rasterise
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.solids import (
    GROUNDS,
    TONES,
    Beam,
    Crossing,
    Projection,
    Tones,
    back_to_front,
    crossings,
    faces,
    hidden_stretch,
)
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Puzzle, Variant, anomaly, yes_if

_BEAMS = ((0.12, 0.14), (0.11, 0.125), (0.095, 0.11))


class Crate(BaseItem):
    """The nuisances: the beams' thickness, the crate's proportions, the viewer's place, and which crossings swap."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.beam = nuisances.between(*_BEAMS[grade - 1])
        self.width = nuisances.between(0.9, 1.05)
        self.depth = nuisances.between(0.9, 1.05)
        self.tall = nuisances.between(0.95, 1.15)
        self.azimuth = nuisances.between(27, 33)
        self.height = nuisances.between(20, 25)
        self.scale = nuisances.px(235, 275)
        self.turn = nuisances.one_of((0.0, 180.0)) + nuisances.between(-6, 6)
        self.mirrored = nuisances.one_of((True, False))
        self.y = nuisances.px(-20, 12)
        self.swaps = 3 if grade == 1 else nuisances.one_of((1, 2))
        self.tones = nuisances.one_of(range(len(TONES)))
        self.lit_from = nuisances.one_of(range(6))
        self.ground = nuisances.one_of(range(len(GROUNDS)))
        self.size = nuisances.size


@lru_cache(maxsize=2)
def _built(crate: Crate) -> tuple[list[Beam], Projection, list[Crossing], list[int]]:
    """The twelve beams, the view, the two crossings of rear and front beams, and the order from back to front."""
    w, d, h, t = crate.width, crate.depth, crate.tall, crate.beam
    boxes = [Beam((x, y, 0), (x + t, y + t, h)) for x in (0, w - t) for y in (0, d - t)]
    boxes += [Beam((t, y, z), (w - t, y + t, z + t)) for y in (0, d - t) for z in (0, h - t)]
    boxes += [Beam((x, t, z), (x + t, d - t, z + t)) for x in (0, w - t) for z in (0, h - t)]
    view = Projection(crate.azimuth, crate.height, crate.scale, crate.turn, crate.mirrored)
    corners = [corner for box in boxes for corner in box.corners()]
    view = view.moved(corners, (crate.size / 2, crate.size / 2 + crate.y))
    return boxes, view, crossings(boxes, view, 0.5 * min(w, d)), back_to_front(boxes)


def _painted(crate: Crate, answer: str, tones: list[Tones], stroke: float) -> list[Item]:
    """All beams from back to front, those swapped where the answer is "No" once more on top."""
    boxes, view, met, order = _built(crate)
    items: list[Item] = []
    for k in order:
        items += faces(boxes[k], view, tones[k], stroke)
        items += _grain(boxes[k], view, tones[k], 0.6 * stroke) if stroke else []
    if answer == NO:
        for crossing in (met[k] for k in range(len(met)) if crate.swaps >> k & 1):
            box = boxes[crossing.far]
            piece = box.part(*hidden_stretch(box, boxes[crossing.near], view, crossing.place))
            items += faces(piece, view, tones[crossing.far], stroke, open_ended=True)
            items += _grain(piece, view, tones[crossing.far], 0.6 * stroke) if stroke else []
    return items


def _grain(box: Beam, view: Projection, tones: Tones, stroke: float) -> list[Item]:
    """Two fine lines along each long face."""
    lines: list[Item] = []
    axis = box.axis()
    for name, color in (("x", tones.x), ("y", tones.y), ("z", tones.z)):
        if "xyz"[axis] == name:
            continue
        corners = box.face(name)
        long = corners if corners[0][axis] != corners[1][axis] else (corners[1], corners[2], corners[3], corners[0])
        (a, b, c, d), shade = map(view.at, long), (color[0] - 16, color[1] - 16, color[2] - 14)
        for t in (0.34, 0.67):
            start = a[0] + t * (d[0] - a[0]), a[1] + t * (d[1] - a[1])
            end = b[0] + t * (c[0] - b[0]), b[1] + t * (c[1] - b[1])
            lines.append(Line(start, end, stroke, shade))
    return lines


def _draw(crate: Crate, answer: str, variant: Variant) -> tuple[Scene]:  # noqa: ARG001 (the answer has one variant)
    _, view, _, _ = _built(crate)
    red, green, blue = ground = GROUNDS[crate.ground]
    floor: list[Item] = []
    if abs(crate.turn) < 90:
        low, right, back = -0.09, crate.width + 0.09, crate.depth + 0.09
        base = ((0.0, low), (right, low), (right, back), (low, back))
        floor = [Polygon(tuple(view.at((x, y, 0.0)) for x, y in base), (red - 18, green - 17, blue - 15))]
    items = _painted(crate, answer, [TONES[crate.tones].lit_from(crate.lit_from)] * 12, max(1.0, crate.size / 380))
    return (Scene(crate.size, crate.size, ground, (*floor, *items)),)


def _counted(crate: Crate, answer: str, variant: Variant) -> str | None:  # noqa: ARG001
    """Whether the nearer beam is on top at each crossing, where each beam has a color of its own."""
    _, _, met, _ = _built(crate)
    own = [Tones(*[(20 * (k + 1), 0, 0)] * 4) for k in range(12)]
    ids = rasterise(Scene(crate.size, crate.size, (0, 0, 0), tuple(_painted(crate, answer, own, 0.0))))[..., 0]
    tops = [int(ids[int(crossing.at[1]), int(crossing.at[0])]) // 20 - 1 for crossing in met]
    if len(met) != 2 or any(top not in (each.near, each.far) for top, each in zip(tops, met, strict=True)):
        return None
    return yes_if(all(top == crossing.near for top, crossing in zip(tops, met, strict=True)))


CRATE = Puzzle(
    name="crate",
    title="Impossible crate",
    category="geometric",
    capability="space and depth",
    sees="a crate of straight beams",
    truth="whether front beams pass in front of rear ones at both crossings",
    source="Cochran 1966 (the crazy crate) and Escher 1958 (Belvedere)",
    graded="one crossing instead of two, and thinner beams",
    question="The beams are straight. Could the crate in the image exist in three dimensions as it is drawn?",
    question_reversed="The beams are straight. Is the crate impossible in three dimensions as it is drawn?",
    sample=Crate,
    draw=_draw,
    prior="an ordinary drawing of a crate",
    **anomaly(lambda crate: YES),  # noqa: ARG005
    counted=_counted,
    unreadable="beams of one color: which of two passes in front shows only in edges",
)
