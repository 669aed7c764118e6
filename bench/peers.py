"""The same pictures drawn by others."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from bench import full_canvas
from bench.stages import best, figure
from veridical.media.draw import encode_png, rasterise
from veridical.suites.viprobe.illusions.case import Case

_REPEATS = 5
"""Of every way to draw a picture, the best of which counts."""
PYLLUSION: dict[str, tuple[str, dict[str, float]]] = {
    "muller_lyer": ("MullerLyer", {"illusion_strength": 30, "difference": 0.3}),
    "ponzo": ("Ponzo", {"illusion_strength": 20, "difference": 0.3}),
    "ebbinghaus": ("Ebbinghaus", {"illusion_strength": 1, "difference": 0.3}),
    "delboeuf": ("Delboeuf", {"illusion_strength": 1, "difference": 0.3}),
    "simultaneous_contrast": ("Contrast", {"illusion_strength": 50, "difference": 20}),
    "munker_white": ("White", {"illusion_strength": 50, "difference": 20}),
    "zollner": ("Zollner", {"illusion_strength": 45, "difference": 2}),
    "poggendorff": ("Poggendorff", {"illusion_strength": 45, "difference": 0.2}),
}
"""The figures that both draw: Pyllusion's class, and arguments for a figure with a visible change."""


class Race(NamedTuple):
    """Seconds of the processor for one picture, ours and another's."""

    ours: float
    other: float

    @property
    def ratio(self) -> float:
        return self.other / self.ours


def against_full_canvas(case: Case, size: int) -> tuple[Race, float]:
    """The same scene drawn and encoded both ways, and the mean difference between the two pictures in 8-bit levels."""
    scene = figure(case, size)
    race = Race(best(lambda: encode_png(rasterise(scene)), _REPEATS), best(lambda: full_canvas.png(scene), _REPEATS))
    return race, float(np.abs(full_canvas.draw(scene).astype(int) - rasterise(scene)).mean())


def against_pyllusion(case: Case, size: int) -> tuple[Race, Race] | None:
    """From parameters to PNG both ways, and to pixels alone, on a canvas of the same size.

    `None` where Pyllusion has no such figure.
    """
    if case.name not in PYLLUSION or find_spec("pyllusion") is None:
        return None
    scene = figure(case, size)
    draw = _pyllusion(case.name, scene.width, scene.height)
    pixels = best(lambda: rasterise(figure(case, size)), _REPEATS)
    whole = best(lambda: encode_png(rasterise(figure(case, size))), _REPEATS)
    return Race(whole, best(lambda: _png(draw()), _REPEATS)), Race(pixels, best(draw, _REPEATS))


def _pyllusion(name: str, width: int, height: int) -> Callable[[], Image.Image]:
    kind, arguments = PYLLUSION[name]
    made: Any = getattr(import_module("pyllusion"), kind)

    return lambda: made(**arguments).to_image(width=width, height=height)


def _png(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
