"""Where an entity is seen, by drawing it alone in white."""

from dataclasses import replace

from veridical.media.draw import Gradient, Patch, Veil, rasterise
from veridical.media.draw import Scene as Canvas
from veridical.media.figures.brush import Brush


def mask(scene, base, states, clock, view, frame, entity):
    """The pixels of a frame that show an entity, shape (height, width): what hides it is taken off."""
    brush = Brush(view.style, view.scale, view.shift(clock, frame))
    scene.ground(base, brush)
    scene.paint(base, brush, states[frame])
    flat = [
        replace(item, colour=(255, 255, 255) if name == entity else (0, 0, 0))
        for name, item in brush.items
        if not isinstance(item, Veil | Patch | Gradient)
    ]
    return rasterise(Canvas(view.width, view.height, (0, 0, 0), tuple(flat)))[..., 0] > 127
