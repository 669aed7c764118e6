"""Shapes as Matplotlib paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import matplotlib
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from numpy.typing import NDArray

from veridical.media.draw.scene import Colour, Curve, Disc, Item, Line, Polygon, Rectangle, Ring, Shape, TextLine, Veil

_QUAD = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
_CIRCLE = np.array(Path.unit_circle().vertices, float)
_ROUND = [Path.MOVETO] + [Path.CURVE4] * (len(_CIRCLE) - 2) + [Path.CLOSEPOLY]
_FONT = FontProperties(fname=f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf")


def path_of(shape: Shape) -> Path:
    """The outline of a shape."""
    if isinstance(shape, Curve):
        return _stroke(np.array(shape.points, float), shape.width)
    if isinstance(shape, Polygon | Veil):
        # From one row of numbers, an array is made in half of the time.
        row = np.fromiter(chain.from_iterable((*shape.points, shape.points[0])), float)
        return _unchecked(row.reshape(-1, 2), _closed(len(shape.points)))
    if isinstance(shape, TextLine):
        outline = _outline(shape.text)
        return Path(np.array(outline.vertices, float) * shape.size + shape.centre, outline.codes)
    return joined_path([shape])


def _unchecked(corners: NDArray[np.float64], codes: NDArray[np.uint8]) -> Path:
    """A path without the checks of Matplotlib's constructor, which take as long as painting it."""
    path: Path = Path._fast_from_codes_and_verts(corners, codes)  # type: ignore[attr-defined]
    return path


@lru_cache(maxsize=512)
def _closed(count: int) -> NDArray[np.uint8]:
    """The codes of a closed polygon of so many corners."""
    return np.array([Path.MOVETO] + [Path.LINETO] * (count - 1) + [Path.CLOSEPOLY], np.uint8)


class PathStyle(NamedTuple):
    """The properties that shapes must share to be painted as one path."""

    shape: type
    colour: Colour
    mirrored: bool = False


def kind(item: Item) -> PathStyle | None:
    """The kind of an item that may be joined with its neighbors, else `None`.

    Outlines of one kind turn the same way, so that overlaps do not cancel.
    """
    if isinstance(item, Line | Disc | Ring):
        return PathStyle(type(item), item.colour)
    if isinstance(item, Rectangle):
        return PathStyle(Rectangle, item.colour, (item.x0 > item.x1) != (item.y0 > item.y1))
    return None


def joined_path(items: Sequence[Any]) -> Path:
    """One path for items of one kind."""
    return _JOIN[type(items[0])](items)


def strokes(lines: Sequence[Line]) -> Path:
    """Straight strokes as one path of closed quads that all turn the same way, so that crossings do not cancel."""
    ends = np.array([(*line.start, *line.end) for line in lines], float)
    along = ends[:, 2:] - ends[:, :2]
    half = np.array([line.width / 2 for line in lines]) / np.hypot(along[:, 0], along[:, 1])
    edge = np.stack([-along[:, 1], along[:, 0]], 1) * half[:, None]
    start, end = ends[:, :2], ends[:, 2:]
    corners = np.stack([start + edge, end + edge, end - edge, start - edge, start + edge], 1)
    return Path(corners.reshape(-1, 2), _QUAD * len(lines))


def discs(circles: Sequence[Disc]) -> Path:
    """Filled circles as one path; all turn the same way."""
    return Path(_circles(circles, [disc.radius for disc in circles]), _ROUND * len(circles))


def rings(circles: Sequence[Ring]) -> Path:
    """Strokes of circles as one path: outlines turn as those of discs, holes the other way."""
    outer = _circles(circles, [ring.radius + ring.width / 2 for ring in circles])
    inner = _circles(circles, [max(ring.radius - ring.width / 2, 0.0) for ring in circles], mirrored=True)
    return Path(np.concatenate([outer, inner]), _ROUND * 2 * len(circles))


def rectangles(boxes: Sequence[Rectangle]) -> Path:
    """Filled rectangles as one path; they turn the same way if their corners have the same order."""
    corners = [((b.x0, b.y0), (b.x1, b.y0), (b.x1, b.y1), (b.x0, b.y1), (b.x0, b.y0)) for b in boxes]
    return Path(np.array(corners, float).reshape(-1, 2), _QUAD * len(boxes))


def _circles(items: Sequence[Disc | Ring], radii: list[float], *, mirrored: bool = False) -> NDArray[np.float64]:
    centres = np.array([item.centre for item in items], float)
    around = np.array(radii)[:, None, None] * (_CIRCLE * (-1 if mirrored else 1, 1)) + centres[:, None]
    return np.asarray(around.reshape(-1, 2), float)


_JOIN: dict[type, Callable[[Any], Path]] = {Line: strokes, Disc: discs, Ring: rings, Rectangle: rectangles}


@lru_cache(maxsize=512)
def _outline(text: str) -> Path:
    """A line of text at 1 px per em, upright if y points down, with its box centered on the origin."""
    path = TextPath((0, 0), text, size=1, prop=_FONT)
    box = path.get_extents()
    centred = np.array(path.vertices, float) - ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
    return Path(centred * (1, -1), path.codes)


def _stroke(points: NDArray[np.float64], width: float) -> Path:
    """The outline of a stroke with butt caps; the normals of a curve come from central differences."""
    along = np.gradient(points, axis=0)
    normal = np.stack([-along[:, 1], along[:, 0]], 1) / np.linalg.norm(along, axis=1, keepdims=True)
    edge = normal * width / 2
    outline = np.concatenate([points + edge, (points - edge)[::-1], points[:1] + edge[:1]])
    return Path(outline, closed=True)
