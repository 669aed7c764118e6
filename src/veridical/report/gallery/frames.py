"""Pictures of a gallery: alone, or as a row of frames with a title."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import encode_png


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture of a plate: its file inside the gallery, what it shows, its size in px, and the file's bytes."""

    file: str
    alt: str
    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Strip:
    """A row of frames: its title, what happens in it, and the picture."""

    title: str
    shows: str
    picture: Frame


def frame(file: str, alt: str, pixels: NDArray[np.uint8]) -> Frame:
    """Pixels (height, width, 3) as a picture in PNG.

    >>> import numpy as np
    >>> picture = frame("a.png", "grey", np.full((2, 3, 3), 128, np.uint8))
    >>> picture.width, picture.height
    (3, 2)
    """
    height, width, _ = pixels.shape
    return Frame(file, alt, width, height, encode_png(pixels))
