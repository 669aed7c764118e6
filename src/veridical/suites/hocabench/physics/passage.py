"""Things that pass through a solid: what of them comes out of its face is seen in front of it, the rest is hidden."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle
from veridical.media.figures.grain import clip_polygon, lighter

Face = tuple[float, float, float, float]
"""The front of a solid: x0, y0, x1, y1."""
_DEPTH = 0.84
"""The radius of the part of a ball that comes out of a face, in radii of the ball."""


def face_part(points: Sequence[Point], face: Face) -> list[Point]:
    """The part of a polygon that lies on a face.

    >>> sorted(face_part([(0, 0), (4, 0), (4, 4), (0, 4)], (2, 1, 9, 3)))
    [(2.0, 1.0), (2.0, 3.0), (4.0, 1.0), (4.0, 3.0)]
    """
    x0, y0, x1, y1 = face
    kept = list(points)
    for normal, least in (((1.0, 0.0), x0), ((-1.0, 0.0), -x1), ((0.0, 1.0), y0), ((0.0, -1.0), -y1)):
        kept = clip_polygon(kept, normal, least) if kept else kept
    return kept


def emerging_ball(brush: Brush, centre: Point, radius: float, color: Colour, face: Face) -> None:
    """The part of a ball that comes out of the face of a solid that is less deep, with a dark line where it does."""
    for reach, tone in ((_DEPTH * radius + 3, -0.7), (_DEPTH * radius, -0.12), (0.6 * radius, 0.0)):
        part = face_part(circle(centre, reach), face)
        if part:
            brush.plain(part, lighter(color, tone))


def emerging_crate(brush: Brush, crate: Face, color: Colour, face: Face) -> None:
    """The part of a crate, from corner to corner, that comes out of the front of a stone below a ragged edge."""
    (left, _, right, bottom), (start, edge, end, _) = crate, face
    dark, line = lighter(color, -0.3), lighter(color, -0.8)
    bars = [(x, edge, x + 10, bottom) for x in (left, right - 10)]
    for k, (x0, y0, x1, y1) in enumerate([(left, edge, right, bottom), *bars, (left, bottom - 10, right, bottom)]):
        part = face_part([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], face)
        if part:
            brush.plain(part, dark if k else color)
    inner, outer = max(left, start), min(right, end)
    if outer > inner:
        steps = [(start + (end - start) * k / 12, edge + (3.0 if k % 2 else -3.0)) for k in range(13)]
        brush.stroke([(inner, edge), *(at for at in steps if inner < at[0] < outer), (outer, edge)], 4, line)
        for x in (start, end):
            if left < x < right:
                brush.line((x, edge), (x, bottom), 4, line)
