"""Distractor pictures without a figure of the suite, so that networks learn to recognize them."""

from __future__ import annotations

import numpy as np

from veridical.media.draw import Disc, Item, Line, Patch, Polygon, Rectangle, Ring, Scene
from veridical.media.draw.scene import Colour


def other_scene(rng: np.random.Generator) -> Scene:
    """A scene of random shapes, of noise with a spectrum like a photograph's, or of a plain background."""
    width = int(rng.choice((256, 512)))
    height = width // int(rng.choice((1, 2)))
    sort = rng.random()
    if sort < 0.1:
        return Scene(width, height, _color(rng), ())
    if sort < 0.5:
        return Scene(width, height, _color(rng), (Patch(0, 0, _cloud(rng, width, height)),))
    ground = _color(rng) if rng.random() < 0.6 else (255, 255, 255)
    return Scene(width, height, ground, tuple(_shape(rng, width, height) for _ in range(int(rng.integers(1, 25)))))


def _color(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.4:
        grey = int(rng.integers(256))
        return (grey, grey, grey)
    red, green, blue = (int(part) for part in rng.integers(256, size=3))
    return (red, green, blue)


def _shape(rng: np.random.Generator, width: int, height: int) -> Item:
    def point() -> tuple[float, float]:
        return (float(rng.uniform(0, width)), float(rng.uniform(0, height)))

    reach, color = float(rng.uniform(0.02, 0.3)) * height, _color(rng)
    stroke = float(rng.uniform(1, 8))
    x, y = point()
    shapes = (
        lambda: Line((x, y), point(), stroke, color),
        lambda: Disc((x, y), reach, color),
        lambda: Ring((x, y), reach, stroke, color),
        lambda: Rectangle(x, y, x + reach, y + reach * float(rng.uniform(0.3, 2)), color),
        lambda: Polygon((point(), point(), point()), color),
    )
    return shapes[int(rng.integers(len(shapes)))]()


def _cloud(rng: np.random.Generator, width: int, height: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Noise in correlated channels, with amplitude ∝ frequency to a power from 0 (white) to −2."""
    power = float(rng.uniform(0, 2))
    frequency = np.hypot(np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width))
    frequency[0, 0] = 1
    channels = []
    for _ in range(4):
        spectrum = np.fft.rfft2(rng.standard_normal((height, width))) / frequency**power
        spectrum[0, 0] = 0
        field = np.fft.irfft2(spectrum, s=(height, width))
        channels.append(field / field.std())
    colorful = float(rng.uniform(0, 1))
    mixed = np.stack([channels[0] + colorful * channel for channel in channels[1:]], axis=2)
    shifted = rng.uniform(60, 200) + rng.uniform(10, 70) * mixed
    return np.clip(shifted, 0, 255).astype(np.uint8)
