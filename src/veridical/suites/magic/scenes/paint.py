"""Painting scenes: their pixels, and which thing each pixel shows."""

from __future__ import annotations

import math
import threading
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.path import Path
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray

from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import lighter
from veridical.records import Box
from veridical.suites.magic.regions.choose import overlap
from veridical.suites.magic.scenes.backdrops import FLOOR, backdrop
from veridical.suites.magic.scenes.kinds import KINDS, PALETTE
from veridical.suites.magic.scenes.layout import PlacedThing, SceneLayout
from veridical.suites.magic.scenes.materials import GLASS, erode, light_material

_DARKEST, _CORE, _GRAIN = 0.34, 0.4, 96
_CLEAR_SHADE = 0.45
"""How dark the shadow of glass is, as a share of another thing's."""


class Rendering(NamedTuple):
    """A picture, shape (height, width, 3), uint8, and the place of the thing that each pixel shows; −1 is none."""

    pixels: NDArray[np.uint8]
    things: NDArray[np.int16]


def paint_scene(scene: SceneLayout) -> NDArray[np.uint8]:
    """The picture of a scene, shape (height, width, 3), uint8 sRGB."""
    return render(scene).pixels


def thing_map(scene: SceneLayout) -> NDArray[np.int16]:
    """Which thing each pixel shows, shape (height, width): its place among the scene's things, or −1."""
    return _marked(scene)[..., 0].astype(np.int16) - 1


def render(scene: SceneLayout) -> Rendering:
    """The picture and the things of its pixels together, at little more than the cost of the picture."""
    hidden = _hidden(scene)
    marks = _marked(scene)
    pen = _KEPT.pens(scene.width, scene.height)[0]
    pen.pixels[...] = backdrop(scene.kind, scene.backdrop, scene.width, scene.height)
    for thing in scene.things:
        _shadow(pen, scene, thing)
    behind = {
        place: np.ascontiguousarray(_part(pen.pixels, thing.box)[..., :3])
        for place, thing in enumerate(scene.things)
        if thing.material == GLASS
    } | hidden
    for thing in scene.things:
        color = PALETTE[thing.color]
        at = _at(thing.box, scene.height)
        for path, part in KINDS[thing.kind].looks:
            pen.fill(path, at, part.paint or lighter(color, _TONE * part.tone))
    pixels = np.empty((scene.height, scene.width, 3), np.uint8)
    for channel in range(3):  # many times faster than one copy of a slice
        pixels[..., channel] = pen.pixels[..., channel]
    for place, thing in enumerate(scene.things):
        region, mark = _part(pixels, thing.box), _part(marks, thing.box)
        own = mark[..., 0] == place + 1
        edge = own & ~erode(own, max(1, round(scene.height / 480)))
        offset = thing.box[0] + 7 * thing.box[1]
        body = own & (mark[..., 1] > 0)
        light_material(region, behind.get(place, region), body, edge, thing.material, KINDS[thing.kind].form, offset)
    return Rendering(pixels, marks[..., 0].astype(np.int16) - 1)


def _hidden(scene: SceneLayout) -> dict[int, NDArray[np.uint8]]:
    """What stands behind things of glass, by their places: the parts of pictures of the things before them.

    Only of those whose box another one shares; behind the others is the backdrop with its shadows.
    """
    found = {}
    for place, thing in enumerate(scene.things):
        before = scene.things[:place]
        if thing.material == GLASS and any(overlap(thing.box, other.box) for other in before):
            found[place] = _part(render(scene._replace(things=before)).pixels, thing.box).copy()
    return found


def body_of(kind: str, width: int, height: int) -> NDArray[np.bool_]:
    """Which pixels of its box show the material of a thing of this kind, shape (height, width)."""
    alone = PlacedThing(kind, "", "", "", Box(0, 0, width, height))
    pen = _Pen(width, height, smooth=False)
    pen.pixels[...] = 0
    _mark(pen, alone, 0, height)
    return pen.pixels[..., 1] > 0


class _Pen:
    """A canvas with a context that fills paths."""

    def __init__(self, width: int, height: int, *, smooth: bool) -> None:
        self.renderer = RendererAgg(width, height, 72)
        self.pixels: NDArray[np.uint8] = np.asarray(self.renderer.buffer_rgba())
        self.context: GraphicsContextBase = self.renderer.new_gc()
        self.context.set_snap(False)
        self.context.set_linewidth(0)
        self.context.set_antialiased(smooth)

    def fill(self, path: Path, at: Affine2D, color: Colour, alpha: float = 1.0) -> None:
        red, green, blue = color
        self.renderer.draw_path(self.context, path, at, (red / 255, green / 255, blue / 255, alpha))


class _Kept(threading.local):
    """Two pens per thread, with smooth edges and without, kept while the size stays the same."""

    last: tuple[_Pen, _Pen] | None = None

    def pens(self, width: int, height: int) -> tuple[_Pen, _Pen]:
        if self.last is None or self.last[0].pixels.shape[:2] != (height, width):
            self.last = _Pen(width, height, smooth=True), _Pen(width, height, smooth=False)
        return self.last


_KEPT = _Kept()
_TONE = 0.8


def _marked(scene: SceneLayout) -> NDArray[np.uint8]:
    """For each pixel the place of its thing + 1 in channel 0, and 255 in channel 1 where the thing's material is."""
    pen = _KEPT.pens(scene.width, scene.height)[1]
    pen.pixels.view(np.uint32)[...] = 0
    for place, thing in enumerate(scene.things):
        _mark(pen, thing, place, scene.height)
    return pen.pixels


def _mark(pen: _Pen, thing: PlacedThing, place: int, height: int) -> None:
    at = _at(thing.box, height)
    for run in KINDS[thing.kind].runs:
        pen.fill(run.path, at, (place + 1, 255 if run.body else 0, 0))


def _shadow(pen: _Pen, scene: SceneLayout, thing: PlacedThing) -> None:
    """A soft shadow, weak below glass: on the ground below what stands there, on the wall behind the rest."""
    x0, y0, x1, y1 = thing.box
    unit, share = scene.height / 480, _CLEAR_SHADE if thing.material == GLASS else 1.0
    if thing.on is None and (scene.kind == "table" or y1 > FLOOR * scene.height):
        lean = 0.1 * (y1 - y0) if scene.kind == "table" else 0.0
        rx, ry = 1.06 * (x1 - x0) / 2 + lean, min(0.11 * (x1 - x0), 11 * unit) + 2 * unit
        _darken(pen.pixels, ((x0 + x1) / 2 + lean, y1 - 2 * unit), rx, ry, _DARKEST * share)
        return
    near = thing.on is None
    for shift, alpha in ((4, 0.1), (6, 0.08)) if near else ((8, 0.05), (11, 0.05)):
        box = tuple(side + shift * unit * (1 if k % 2 == 0 or near else 0) for k, side in enumerate(thing.box))
        pen.fill(KINDS[thing.kind].silhouette, _at(box, scene.height), (30, 20, 10), alpha * share)


def _darken(pixels: NDArray[np.uint8], center: tuple[float, float], rx: float, ry: float, darkest: float) -> None:
    """Casts the shadow of an ellipse on pixels of four channels, in place; beyond the picture there is none."""
    places = []
    for middle, radius, size in ((center[1], ry, pixels.shape[0]), (center[0], rx, pixels.shape[1])):
        at = np.arange(max(0, math.ceil(middle - radius)), min(size, math.floor(middle + radius)))
        places.append((at, ((at + 0.5 - middle + radius) * (_GRAIN / 2 / radius)).astype(np.intp)))
    (rows, down), (columns, across) = places
    if rows.size and columns.size:
        region = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        dark = region * _soft(darkest)[down[:, None], across[None]][..., None]
        dark >>= 8
        region[...] = dark
        region[..., 3] = 255


@lru_cache(maxsize=2)
def _soft(darkest: float) -> NDArray[np.uint16]:
    """What the shadow of a disc, so dark at its middle, leaves of the light, in 256ths: a square around it."""
    at = (np.arange(_GRAIN) + 0.5) / _GRAIN * 2 - 1
    out = np.clip((np.hypot(at[:, None], at[None]) - _CORE) / (1 - _CORE), 0, 1)
    return np.rint(256 * (1 - darkest * (1 - out * out * (3 - 2 * out)))).astype(np.uint16)


def _at(box: tuple[float, ...] | Box, height: int) -> Affine2D:
    x0, y0, x1, y1 = box
    return Affine2D.from_values(x1 - x0, 0, 0, y0 - y1, x0, height - y0)


def _part(array: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    x0, y0, x1, y1 = box
    return array[y0:y1, x0:x1]
