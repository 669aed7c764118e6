"""The name of what is shown, written into a strip below a picture, and read back from it."""

from __future__ import annotations

import numpy as np

from veridical.media.draw import Scene, TextLine, rasterise
from veridical.media.draw.scene import Colour
from veridical.suites.viabench.puzzles.puzzle import Pixels

_PAPER: Colour = (250, 249, 245)
_INK: Colour = (30, 30, 34)
_HIGH, _EM, _WIDEST = 0.11, 0.068, 0.62


def caption_strip(width: int, name: str | None) -> Pixels:
    """A strip of paper that is so many px wide, with a name on it, or blank for `None`.

    >>> caption_strip(256, "Horse").shape, bool(caption_strip(256, None).min() < 200)
    ((28, 256, 3), False)
    """
    high = round(_HIGH * width)
    text = name[:1].upper() + name[1:] if name else ""
    em = min(_EM * width, width / (_WIDEST * len(text))) if text else 0.0
    items = (TextLine((width / 2, high / 2), text, em, _INK),) if text else ()
    return rasterise(Scene(width, high, _PAPER, items))


def with_caption(picture: Pixels, name: str | None) -> Pixels:
    """The picture with a strip of paper below it, on which a name may stand: what was there is not changed."""
    return np.concatenate([picture, caption_strip(picture.shape[1], name)])


def above_caption(picture: Pixels) -> Pixels:
    """A square picture without the strip below it, whatever stands there; a picture without one as it is."""
    width = picture.shape[1]
    strip = picture[width:]
    high = len(caption_strip(width, None))
    return picture[:width] if len(strip) == high and (strip[:, 0] == np.array(_PAPER, np.uint8)).all() else picture


def without_caption(picture: Pixels, name: str | None) -> Pixels | None:
    """The picture above its strip; `None` if the strip is not one with exactly this name."""
    strip = caption_strip(picture.shape[1], name)
    above, below = picture[: -len(strip)], picture[-len(strip) :]
    return above if len(above) and np.array_equal(below, strip) else None
