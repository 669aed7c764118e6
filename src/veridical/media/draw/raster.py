"""Rendering a scene to pixels with Matplotlib's Agg, used directly, or to SVG."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw.scene import Colour, Gradient, Item, Patch, Rectangle, Scene, Veil

if TYPE_CHECKING:
    from matplotlib.backend_bases import RendererBase
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.path import Path

_WHOLE = "a patch must lie on whole pixels inside the canvas"

_SIZE = re.compile(r'<svg ([^>]*?)width="[^"]*"([^>]*?)height="[^"]*"')


class _Kept(threading.local):
    """One renderer per thread, kept while the size stays the same."""

    last: RendererAgg | None = None

    def renderer(self, width: int, height: int) -> RendererAgg:
        from matplotlib.backends.backend_agg import RendererAgg

        if self.last is None:
            # Getting memory from the system costs more than drawing. After this, glibc keeps freed blocks of up to this
            # size: its threshold is the largest block freed so far, if that is below 32 MB.
            np.empty(31 << 20, np.uint8)
        if self.last is None or (self.last.width, self.last.height) != (width, height):
            self.last = RendererAgg(width, height, 72)
        return self.last


KEPT = _Kept()


def rasterise(scene: Scene) -> NDArray[np.uint8]:
    """The picture of a scene: shape (height, width, 3), uint8 sRGB.

    Raises ValueError for a patch that exceeds the canvas.

    >>> from veridical.media.draw import Rectangle
    >>> half = rasterise(Scene(4, 1, (255, 255, 255), (Rectangle(1, 0, 2.5, 1, (0, 0, 0)),)))
    >>> half[0, :, 0].tolist()
    [255, 0, 127, 255]
    """
    return _picture(_canvas(scene))


@dataclass(frozen=True, slots=True, eq=False)
class PaintedBase:
    """A scene that is painted, for pictures that go on from it: what they share is painted once."""

    scene: Scene
    canvas: NDArray[np.uint8]

    @classmethod
    def of(cls, scene: Scene) -> PaintedBase:
        """The scene, painted on a canvas of its own."""
        return cls(scene, _canvas(scene).copy())

    def with_items(self, items: tuple[Item, ...]) -> NDArray[np.uint8]:
        """The picture of the scene with these items over it, as `rasterise` has it."""
        from veridical.media.draw.paths import kind

        below = self.scene
        if items and below.items and kind(items[0]) == kind(below.items[-1]) is not None:
            return rasterise(replace(below, items=below.items + items))  # the two are painted as one path
        renderer = KEPT.renderer(below.width, below.height)
        canvas = np.asarray(renderer.buffer_rgba())
        canvas[...] = self.canvas
        paint(replace(below, items=items), renderer, canvas)
        return _picture(canvas)


def _canvas(scene: Scene) -> NDArray[np.uint8]:
    """The renderer's own pixels, shape (height, width, 4), after the scene has been painted on them."""
    renderer = KEPT.renderer(scene.width, scene.height)
    canvas = np.asarray(renderer.buffer_rgba())
    canvas.view(np.uint32)[...] = np.array([*scene.ground, 255], np.uint8).view(np.uint32)
    paint(scene, renderer, canvas)
    return canvas


def _picture(canvas: NDArray[np.uint8]) -> NDArray[np.uint8]:
    picture = np.empty((*canvas.shape[:2], 3), np.uint8)
    copy_colors(canvas, picture)
    return picture


def paint(scene: Scene, renderer: RendererBase, canvas: NDArray[np.uint8] | None = None) -> None:
    """Draws the items on a Matplotlib renderer, whose y axis points up; arrays go directly to its `canvas`, if given.

    Consecutive shapes of one kind and color are drawn as one path, which is many times faster.
    """
    paint_layers(map(PaintedLayer.of, joined_items(scene.items)), scene, renderer, canvas)


def joined_items(items: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    """The items in painting order; consecutive shapes of one kind and color stand together."""
    from veridical.media.draw.paths import kind

    for key, group in groupby(items, kind):
        if key is None:
            yield from ((item,) for item in group)
        else:
            yield tuple(group)


class PaintedLayer(NamedTuple):
    """What is painted at once: the first of joined items, and the outline of all of them; an array has none."""

    item: Item
    outline: Path | None

    @classmethod
    def of(cls, items: tuple[Item, ...]) -> PaintedLayer:
        """The layer of items that `joined_items` has put together."""
        from veridical.media.draw.paths import joined_path, kind, path_of

        first = items[0]
        if isinstance(first, Patch | Gradient):
            return cls(first, None)
        return cls(first, path_of(first) if kind(first) is None else joined_path(items))


def paint_layers(
    layers: Iterable[PaintedLayer], scene: Scene, renderer: RendererBase, canvas: NDArray[np.uint8] | None = None
) -> None:
    """Draws layers on a renderer of the scene's size, as `paint` does."""
    from matplotlib.transforms import Affine2D

    flip = Affine2D().scale(1, -1).translate(0, scene.height)
    context = renderer.new_gc()
    context.set_snap(False)
    context.set_linewidth(0)
    context.set_antialiased(True)
    for item, outline in layers:
        if isinstance(item, Patch | Gradient):
            array = _inside(item, scene)
            if canvas is None:
                opaque = np.dstack([array, np.full(array.shape[:2], 255, np.uint8)])
                renderer.draw_image(context, item.x, scene.height - item.y - len(array), opaque[::-1])
            else:
                copy_colors(array, canvas[item.y : item.y + array.shape[0], item.x : item.x + array.shape[1]])
        elif outline is not None:
            alpha = item.alpha if isinstance(item, Veil) else 1.0
            renderer.draw_path(context, outline, flip, _rgba(item.colour, alpha))
    context.restore()


def _inside(item: Patch | Gradient, scene: Scene) -> NDArray[np.uint8]:
    array = item.pixels()
    height, width = array.shape[:2]
    if item.x < 0 or item.y < 0 or item.x + width > scene.width or item.y + height > scene.height:
        raise ValueError(f"{_WHOLE}: {width}x{height} at ({item.x}, {item.y}) on {scene.width}x{scene.height}")
    return array


def copy_colors(source: NDArray[np.uint8], target: NDArray[np.uint8]) -> None:
    """Copies the first three channels; three strided copies are five times as fast as one copy of a slice."""
    for channel in range(3):
        target[..., channel] = source[..., channel]


def _rgba(colour: Colour, alpha: float = 1.0) -> tuple[float, float, float, float]:
    red, green, blue = colour
    return red / 255, green / 255, blue / 255, alpha


def to_svg(scene: Scene) -> str:
    """An SVG document of the scene, in px; two calls give the same text.

    >>> to_svg(Scene(8, 4, (0, 0, 0), ())).count("<path")
    1
    """
    import matplotlib
    from matplotlib.backends.backend_svg import RendererSVG

    ground = Rectangle(0, 0, scene.width, scene.height, scene.ground)
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "veridical"}):
        renderer = RendererSVG(scene.width, scene.height, text, image_dpi=72, metadata={"Date": None})
        paint(Scene(scene.width, scene.height, scene.ground, (ground, *scene.items)), renderer)
        renderer.finalize()
    return _SIZE.sub(rf'<svg \1width="{scene.width}px"\2height="{scene.height}px"', text.getvalue(), count=1)
