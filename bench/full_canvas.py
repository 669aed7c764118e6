"""The plain way to draw a scene with NumPy, to compare with: every primitive is a distance field over the full canvas.

This is how generators of illusions are commonly written: a canvas of float RGB; for each primitive the signed distance
of every pixel's center to its outline, coverage as that distance clipped to one pixel, and a blend of the whole canvas;
at the end Pillow's PNG with its default settings. Shapes whose distance has no short formula (curves, polygons, text)
are a mask by Pillow, drawn four times as large and reduced.
"""

from __future__ import annotations

import io
import math

import matplotlib
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from veridical.media.draw import Curve, Disc, Gradient, Line, Patch, Polygon, Rectangle, Ring, Scene, TextLine, Veil
from veridical.media.draw.scene import Shape

Map = NDArray[np.float64]
_FONT = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf"
_FINER = 4


def png(scene: Scene) -> bytes:
    """The scene as a PNG file with Pillow's default settings."""
    file = io.BytesIO()
    Image.fromarray(draw(scene)).save(file, "PNG")
    return file.getvalue()


def draw(scene: Scene) -> NDArray[np.uint8]:
    """The picture of a scene: shape (height, width, 3), uint8."""
    canvas = np.empty((scene.height, scene.width, 3))
    canvas[:] = np.array(scene.ground) / 255
    rows, columns = np.mgrid[: scene.height, : scene.width] + 0.5
    for item in scene.items:
        if isinstance(item, Patch | Gradient):
            array = item.pixels()
            height, width = array.shape[:2]
            canvas[item.y : item.y + height, item.x : item.x + width] = array / 255
        else:
            cover = coverage(item, columns, rows)[..., None] * (item.alpha if isinstance(item, Veil) else 1.0)
            canvas = canvas * (1 - cover) + np.array(item.colour) / 255 * cover
    return np.asarray(canvas * 255 + 0.5).astype(np.uint8)


def coverage(shape: Shape, x: Map, y: Map) -> Map:
    """How much of each pixel a shape covers, 0 to 1, from the coordinates of the pixels' centers."""
    if isinstance(shape, Curve | Polygon | Veil | TextLine):
        return _mask(shape, x.shape)
    return np.clip(0.5 - distance(shape, x, y), 0, 1)


def distance(shape: Line | Disc | Ring | Rectangle, x: Map, y: Map) -> Map:
    """The signed distance of each pixel's center to the shape's outline, negative inside."""
    if isinstance(shape, Disc):
        return np.asarray(np.hypot(x - shape.centre[0], y - shape.centre[1]) - shape.radius)
    if isinstance(shape, Ring):
        out = np.hypot(x - shape.centre[0], y - shape.centre[1]) - shape.radius
        return np.asarray(np.abs(out) - shape.width / 2)
    if isinstance(shape, Rectangle):
        middle = (shape.x0 + shape.x1) / 2, (shape.y0 + shape.y1) / 2
        return _box(x - middle[0], y - middle[1], abs(shape.x1 - shape.x0) / 2, abs(shape.y1 - shape.y0) / 2)
    (x0, y0), (x1, y1) = shape.start, shape.end
    length = math.hypot(x1 - x0, y1 - y0)
    cos, sin = (x1 - x0) / length, (y1 - y0) / length
    right, down = x - (x0 + x1) / 2, y - (y0 + y1) / 2
    return _box(right * cos + down * sin, down * cos - right * sin, length / 2, shape.width / 2)


def _box(along: Map, across: Map, half_length: float, half_width: float) -> Map:
    return np.maximum(np.abs(along) - half_length, np.abs(across) - half_width)


def _mask(shape: Curve | Polygon | Veil | TextLine, size: tuple[int, ...]) -> Map:
    height, width = size
    mask = Image.new("L", (width * _FINER, height * _FINER))
    pen = ImageDraw.Draw(mask)
    if isinstance(shape, TextLine):
        centre = shape.centre[0] * _FINER, shape.centre[1] * _FINER
        pen.text(centre, shape.text, 255, ImageFont.truetype(_FONT, round(shape.size * _FINER)), anchor="mm")
    elif isinstance(shape, Polygon | Veil):
        pen.polygon([(x * _FINER - 0.5, y * _FINER - 0.5) for x, y in shape.points], 255)
    else:
        points = [(x * _FINER - 0.5, y * _FINER - 0.5) for x, y in shape.points]
        pen.line(points, 255, round(shape.width * _FINER), joint="curve")
    return np.asarray(mask.reduce(_FINER), float) / 255
