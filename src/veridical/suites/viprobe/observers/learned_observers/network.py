"""The input of a learned observer (`retina`), and its forward pass in NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import area_fit
from veridical.suites.viprobe.observers.learned_observers.weights import Weights, restore_layer

WIDTH, HEIGHT = 192, 128
SIZES = (256, 1024)
"""Range of longer sides, in px, of the training pictures; other pictures are declined."""
SHAPES = (1, 2)
"""Aspect ratios (width / height) of the training pictures."""

_LUMA = np.array([0.299, 0.587, 0.114], np.float32)


def retina(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lightness (Rec. 601 luma) and colorfulness (largest − smallest primary): shape (2, HEIGHT, WIDTH), uint8.

    Pictures of any shape are resampled to the grid by area means. Raises ValueError for a picture smaller than the
    grid.
    """
    small = area_fit(pixels, WIDTH, HEIGHT)
    red, green, blue = np.moveaxis(small, 2, 0)
    luma = np.rint(small @ _LUMA).astype(np.uint8)
    colorfulness = np.maximum(np.maximum(red, green), blue) - np.minimum(np.minimum(red, green), blue)
    return np.stack([luma, colorfulness])


def strangeness(pixels: NDArray[np.uint8]) -> str | None:
    """Why a picture's size or shape is outside the training range, or `None`."""
    height, width, _ = pixels.shape
    if not SIZES[0] <= max(width, height) <= SIZES[1]:
        return f"{width}x{height} px: I was trained on pictures of {SIZES[0]} to {SIZES[1]} px"
    if not any(abs(width - shape * height) <= shape for shape in SHAPES):
        return f"{width}x{height} px: I was trained on pictures that are square, or twice as wide as high"
    return None


def range_of(seen: NDArray[np.uint8]) -> dict[str, float]:
    """Contrast and sharpness of a retina's lightness, both in [0, 1], which haze and blur reduce.

    Contrast is the range of lightness; sharpness is the largest step between neighbors, as a share of the contrast (0
    without contrast).
    """
    light = seen[0].astype(np.float32)
    contrast = float(np.ptp(light))
    steepest = max(float(np.abs(np.diff(light, axis=axis)).max()) for axis in (0, 1))
    return {"contrast": contrast / 255, "sharpness": steepest / contrast if contrast else 0.0}


STEM = 4
"""Side of the non-overlapping patches that the first layer sees, in pixels of the retina."""

GLANCES = ((0, 0), (2, 2))
"""Displacement of the picture (down, right) for each glance, in pixels of the retina."""

_AT_ONCE = 32
"""Pictures per batch of the forward pass, which bounds its memory."""

Floats = NDArray[np.float32]


class Network:
    """A trunk that sees only the picture, and a head that answers questions about the trunk's features."""

    def __init__(self, weights: Weights) -> None:
        layers = {name: restore_layer(weights.arrays, name) for name in weights.arrays if "." not in name}
        self.questions: Mapping[str, Mapping[str, float]] = weights.about["questions"]
        self._strides: list[int] = list(weights.about["strides"])
        self._stem = layers["stem"]
        self._blocks = [layers[f"block{k}"] for k in range(len(self._strides))]
        self._tail, self._dense, self._kind = layers["tail"], layers["dense"], layers["kind"]
        self._hidden, self._answer = layers["hidden"], layers["answer"]
        self._scale = weights.arrays["scale"].astype(np.float32) * weights.arrays["scale.scale"][:, None]
        self._shift = weights.arrays["shift"].astype(np.float32) * weights.arrays["shift.scale"][:, None]

    def features(self, retinas: NDArray[np.uint8]) -> Floats:
        """The trunk's features, ≥ 0, shape (n, features), of n ≥ 1 pictures, shape (n, 2, HEIGHT, WIDTH)."""
        parts = range(0, len(retinas), _AT_ONCE)
        return np.concatenate([self._features(retinas[at : at + _AT_ONCE]) for at in parts])

    def looked(self, retinas: NDArray[np.uint8]) -> Floats:
        """The mean of the features over glances, since patch borders cut through other parts in each glance."""
        return np.asarray(np.mean([self.features(_moved(retinas, *way)) for way in GLANCES], axis=0))

    def _features(self, retinas: NDArray[np.uint8]) -> Floats:
        seen = _relu(_patches(retinas) @ self._stem[0] + self._stem[1])
        for (weight, bias), stride in zip(self._blocks, self._strides, strict=True):
            seen = _relu(_convolved(seen, weight, stride) + bias)
        seen = _relu(seen @ self._tail[0] + self._tail[1])
        return _relu(seen.reshape(len(seen), -1) @ self._dense[0] + self._dense[1])

    def outputs(self, features: Floats, questions: NDArray[np.int64]) -> Floats:
        """The output for each row of features and its question number: above 0 for the first allowed answer."""
        turned = _relu(features * self._scale[questions] + self._shift[questions])
        hidden = _relu(turned @ self._hidden[0] + self._hidden[1])
        return np.asarray((hidden @ self._answer[0] + self._answer[1])[:, 0])

    def kinds(self, features: Floats) -> Floats:
        """Probability of each kind of targets, the last being none: shape (n, kinds + 1), rows sum to 1."""
        raw = features @ self._kind[0] + self._kind[1]
        powers = np.exp(raw - raw.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _relu(values: Any) -> Floats:  # noqa: ANN401 (an expression of arrays)
    return np.asarray(np.maximum(values, 0, out=values))


def _moved(retinas: NDArray[np.uint8], down: int, right: int) -> NDArray[np.uint8]:
    """The pictures moved, with their edges replicated."""
    height, width = retinas.shape[2:]
    rows, columns = np.maximum(np.arange(height) - down, 0), np.maximum(np.arange(width) - right, 0)
    return retinas.take(rows, axis=2).take(columns, axis=3)


def _patches(retinas: NDArray[np.uint8]) -> Floats:
    """Each patch as a row of values in [0, 1], in the order channel, row, column."""
    count, channels, height, width = retinas.shape
    split = retinas.reshape(count, channels, height // STEM, STEM, width // STEM, STEM).transpose(0, 2, 4, 1, 3, 5)
    rows = split.reshape(count, height // STEM, width // STEM, -1).astype(np.float32)
    return np.divide(rows, np.float32(255), out=rows)


def _convolved(seen: Floats, weight: Floats, stride: int) -> Floats:
    """A 3 x 3 convolution with a border of zeros; the weight's inputs are in the order row, column, channel."""
    count, height, width, channels = seen.shape
    padded = np.zeros((count, height + 2, width + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = seen
    rows, columns = (height - 1) // stride + 1, (width - 1) // stride + 1
    taps = np.empty((count, rows, columns, 9, channels), np.float32)
    for k in range(9):
        down, right = divmod(k, 3)
        taps[:, :, :, k] = padded[:, down : down + height : stride, right : right + width : stride]
    return np.asarray(taps.reshape(count, rows, columns, -1) @ weight)
