"""Smooth closed outlines of living things, painted with light from the upper left, and counted by their lobes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from veridical.media.draw import Curve, Patch, Polygon, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suites.viabench.puzzles.puzzle import Pixels
from veridical.suites.viabench.puzzles.shapes import color_mask

Points = NDArray[np.float64]
_SEEN = 12
_SIDE = 200


def smooth_line(corners: ArrayLike, step: float, softness: float, *, closed: bool = True) -> Points:
    """A line through the corners with points `step` apart, smoothed by a Gaussian whose SD is `softness`.

    >>> smooth_line([(0, 0), (8, 0), (8, 8), (0, 8)], 1, 1).shape
    (32, 2)
    """
    points = np.asarray(corners, float)
    if closed:
        points = np.concatenate([points, points[:1]])
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    count = max(8, round(along[-1] / step))
    at = np.linspace(0, along[-1], count, endpoint=not closed)
    even = np.stack([np.interp(at, along, points[:, 0]), np.interp(at, along, points[:, 1])], 1)
    sigma = softness * count / along[-1]
    mode = "wrap" if closed else "nearest"
    return np.asarray(ndimage.gaussian_filter1d(even, sigma, axis=0, mode=mode), float)


def closed_curve(knots: ArrayLike, step: float) -> Points:
    """A smooth closed curve through the knots, with points about `step` apart."""
    points = np.asarray(knots, float)
    points = np.concatenate([points, points[:1]])
    gaps = np.hypot(*np.diff(points, axis=0).T)
    at = np.concatenate([[0], np.cumsum(np.sqrt(gaps))])
    from scipy.interpolate import CubicSpline  # it takes long to import, and plans draw nothing

    spline = CubicSpline(at, points, bc_type="periodic")
    return np.asarray(spline(np.linspace(0, at[-1], max(8, round(gaps.sum() / step)), endpoint=False)), float)


def limb(spine: ArrayLike, widths: Sequence[float], cap: int = 7) -> Points:
    """The outline of a limb from its root along its left side, round its tip, and back to its root on the right.

    `spine` has points from root to tip, and `widths` the limb's width at each; the tip is a half circle around the last
    point. Left is to the left of the way to the tip if y points up.
    """
    points = np.asarray(spine, float)
    along = np.gradient(points, axis=0)
    along /= np.hypot(*along.T)[:, None]
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    half = np.asarray(widths, float)[:, None] / 2
    turn = np.linspace(0, math.pi, cap + 2)[1:-1, None]
    tip = points[-1] + half[-1] * (np.cos(turn) * normal[-1] + np.sin(turn) * along[-1])
    return np.concatenate([points + half * normal, tip, (points - half * normal)[::-1]])


def to_pixels(points: ArrayLike, scale: float, degrees: float, origin: Point, *, mirrored: bool = False) -> Points:
    """Points whose y axis points up, in pixels: scaled, turned clockwise, and moved so that 0 lies on the origin.

    >>> to_pixels([(1, 2)], 10, 0, (50, 50)).tolist()
    [[60.0, 30.0]]
    """
    flat = np.asarray(points, float) * (-scale if mirrored else scale, -scale)
    angle = math.radians(degrees)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return np.asarray(flat @ turn + origin, float)


def as_points(points: ArrayLike) -> tuple[Point, ...]:
    """An array of points as a scene has them."""
    return tuple(map(tuple, np.asarray(points, float).tolist()))


def polygon(points: ArrayLike, colour: Colour) -> Polygon:
    """A filled shape."""
    return Polygon(as_points(points), colour)


def stroke(points: ArrayLike, width: float, colour: Colour, *, closed: bool = False) -> Curve:
    """A line through points; a closed one has no seam."""
    line = np.asarray(points, float)
    return Curve(as_points(np.concatenate([line, line[:3]]) if closed else line), width, colour)


def relief(
    shapes: Sequence[tuple[Points, Colour, Colour]], size: int, ground: Colour, shift: tuple[float, float]
) -> Patch:
    """Shapes with their lit and their shaded color, each shaded along the edge that lies away from the light.

    `shift` is the width of the shade in px along x and y. The rim is hard: an outline belongs over it.
    """
    picture = np.empty((size, size, 3), np.uint8)
    picture[...] = ground
    dx, dy = (max(1, round(value)) for value in shift)
    for points, lit, shaded in shapes:
        low = np.clip(np.floor(points.min(0)).astype(int) - 1, 0, size - 1)
        high = np.clip(np.ceil(points.max(0)).astype(int) + 1, 1, size)
        width, height = int(high[0] - low[0]), int(high[1] - low[1])
        if min(width, height) <= max(dx, dy):
            continue
        mask = rasterise(Scene(width, height, (0, 0, 0), (polygon(points - low, (255, 255, 255)),)))[..., 0]
        shade = mask.copy()
        shade[:-dy, :-dx] -= np.minimum(mask[:-dy, :-dx], mask[dy:, dx:])
        steps = np.arange(256)[:, None] / 255
        tones = np.rint(np.array(lit) + steps * (np.array(shaded) - np.array(lit))).astype(np.uint8)
        part = picture[low[1] : high[1], low[0] : high[0]]
        inside = mask > 127
        for channel in range(3):  # three strided copies are many times as fast as one of pixels
            np.copyto(part[..., channel], tones[:, channel].take(shade), where=inside)
    return Patch(0, 0, picture)


def silhouette(picture: Pixels) -> NDArray[np.bool_]:
    """Where a picture, reduced to 200 px or a little more, differs from the left end of the same row."""
    step = max(1, picture.shape[0] // _SIDE)
    small = picture[step // 2 :: step, step // 2 :: step].astype(np.int16)
    return np.asarray(np.abs(small - small[:, :1]).sum(2) > _SEEN)


def lobes(mask: NDArray[np.bool_], ratio: float, smallest: float, root: float = 0.0) -> int:
    """How many parts of a silhouette are too narrow for a disc of `ratio` of the largest that fits into it.

    Their roots, over a length of `root` of that largest disc's radius, are cut off, since they may touch. Parts below
    `smallest` of the radius, squared, are not counted.
    """
    if not mask.any() or mask.all():
        return 0
    inner = np.pad(mask, len(mask) // 8, mode="edge")
    depth = ndimage.distance_transform_edt(inner)
    radius = float(depth.max())
    core = depth > ratio * radius
    opened = ndimage.distance_transform_edt(~core) <= (ratio + root) * radius
    return _large(inner & ~opened, smallest * radius**2)


def marks(picture: Pixels, colour: Colour, smallest: float = 0.00005) -> int:
    """How many connected patches have exactly this color, those below a share of the picture's area left out."""
    same = color_mask(picture, colour)
    return _large(same, smallest * same.size)


def parts_on_ground(picture: Pixels, high: float, low: float) -> int:
    """Into how many parts what is drawn falls between two shares of its height, if it does in several rows.

    It stands on a ground that has one color from side to side in each row; 0 where hardly anything is drawn.
    """
    levels = picture.astype(np.int16)
    seen = np.abs(levels - levels[:, :1]).sum(2) > _SEEN
    # A soft edge can happen to have the ground's color.
    seen = ndimage.binary_closing(seen, np.ones((1, 1 + max(1, len(picture) // 256)), bool))
    rows = np.flatnonzero(seen.any(1))
    if len(rows) < len(picture) // 4:
        return 0
    top, bottom = rows[0], rows[-1]
    first, last = (round(bottom - share * (bottom - top)) for share in (high, low))
    starts = np.count_nonzero(np.diff(seen[first:last].astype(np.int8), axis=1) == 1, axis=1)
    often = np.bincount(starts) >= max(2, 0.025 * (bottom - top))
    return int(np.flatnonzero(often)[-1]) if often.any() else 0


def _large(mask: NDArray[np.bool_], smallest: float) -> int:
    """How many connected parts of a mask have more pixels than that."""
    parts, _ = ndimage.label(mask)
    return int(np.count_nonzero(np.bincount(parts.ravel())[1:] > smallest))


def layer(
    picture: Pixels,
    outlines: Sequence[Points],
    tones: tuple[Colour, Colour, Colour],
    line: float,
    shift: tuple[float, float],
) -> None:
    """Paints the union of some shapes with one outline around it: in light, in shade, and the outline's color.

    As in `relief`, the shade lies along the edge away from the light; the outline is `line` px wide, outside the union.
    """
    lit, shaded, edge = tones
    size = picture.shape[0]
    reach = math.ceil(line) + 1
    low = np.clip(np.floor(np.min([points.min(0) for points in outlines], 0)).astype(int) - reach, 0, size - 1)
    high = np.clip(np.ceil(np.max([points.max(0) for points in outlines], 0)).astype(int) + reach, 1, size)
    width, height = int(high[0] - low[0]), int(high[1] - low[1])
    white: Colour = (255, 255, 255)
    fills = tuple(polygon(points - low, white) for points in outlines)
    rims = tuple(stroke(points - low, 2 * line, white, closed=True) for points in outlines)
    mask = rasterise(Scene(width, height, (0, 0, 0), fills))[..., 0]
    around = rasterise(Scene(width, height, (0, 0, 0), fills + rims))[..., 0]
    shade = mask.copy()
    dx, dy = (max(1, round(value)) for value in shift)
    shade[:-dy, :-dx] -= np.minimum(mask[:-dy, :-dx], mask[dy:, dx:])
    part = picture[low[1] : high[1], low[0] : high[0]]
    steps = np.arange(256) / 255
    rim = around > 0
    soft = rim & (around < 255)
    inner = mask > 0
    blend = inner & (mask < 255)
    for channel in range(3):
        below = part[..., channel]
        edged = below[soft] + (edge[channel] - below[soft].astype(float)) * steps[around[soft]]
        below[rim] = edge[channel]
        below[soft] = np.rint(edged).astype(np.uint8)
        tone = np.rint(lit[channel] + steps * (shaded[channel] - lit[channel])).astype(np.uint8)
        np.copyto(below, tone.take(shade), where=inner)
        mixed = edge[channel] + (lit[channel] - edge[channel]) * steps[mask[blend]]
        below[blend] = np.rint(mixed).astype(np.uint8)
