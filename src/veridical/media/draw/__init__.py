"""Exactly parametrized pictures: a scene of primitives in float pixels, drawn to an array, a PNG or an SVG."""

from veridical.media.draw.animation import Animation
from veridical.media.draw.colour import chroma
from veridical.media.draw.png import decode_png, encode_png, pixel_hash, same_length
from veridical.media.draw.raster import PaintedBase, rasterise, to_svg
from veridical.media.draw.resample import Part, area_fit, area_part, area_planes, area_resize, reduced_size
from veridical.media.draw.scene import (
    Curve,
    Disc,
    Gradient,
    Item,
    Line,
    Patch,
    Polygon,
    Rectangle,
    Ring,
    Scene,
    TextLine,
    Veil,
)

__all__ = [
    "Animation",
    "Curve",
    "Disc",
    "Gradient",
    "Item",
    "Line",
    "PaintedBase",
    "Part",
    "Patch",
    "Polygon",
    "Rectangle",
    "Ring",
    "Scene",
    "TextLine",
    "Veil",
    "area_fit",
    "area_part",
    "area_planes",
    "area_resize",
    "chroma",
    "decode_png",
    "encode_png",
    "pixel_hash",
    "rasterise",
    "reduced_size",
    "same_length",
    "to_svg",
]
