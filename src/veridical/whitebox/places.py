"""Which part of a picture each of its tokens stands for, measured: a bar moves across a picture, and tokens change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from veridical.ask.local.requests import LocalPrompt
from veridical.errors import InputError
from veridical.media.draw import encode_png
from veridical.records import ChatTurn
from veridical.whitebox.inside import Floats, Inside, Tensor
from veridical.whitebox.parts import does_not_fit

STEP = 4
"""The width of the bar, in pixels."""
_PART = 0.15
"""A token sees the pixels whose change moves it at least this much, as part of the most that any bar moves it."""
_NOTHING = 1e-4
_WHOLE = 0.5


@dataclass(frozen=True, eq=False)
class TokenMap:
    """The boxes of a picture's tokens, of shape (tokens, 4): x0, y0, x1, y1 in pixels of the picture, half-open.

    A token that sees no pixel has NaN. Boxes may overlap, as those of tiles and of a thumbnail of the whole do.
    """

    width: int
    height: int
    boxes: NDArray[np.float64]

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """Which pixels any token sees, of shape (height, width)."""
        seen = np.zeros((self.height, self.width), np.bool_)
        for x0, y0, x1, y1 in self._rounded():
            seen[y0:y1, x0:x1] = True
        return seen

    @property
    def unseen(self) -> float:
        """The part of the picture that no token sees, from 0 to 1."""
        return float(1 - self.seen.mean())

    def spread(self, values: ArrayLike) -> NDArray[np.float64]:
        """A map of shape (height, width): the value of each token, spread evenly over its box.

        Its sum is that of the values of the tokens that see anything. Raises `InputError` for another number of values.

        >>> TokenMap(4, 2, np.array([[0.0, 0, 2, 2], [2, 0, 4, 2]])).spread([4, 1])[0]
        array([1.  , 1.  , 0.25, 0.25])
        """
        numbers = np.asarray(values, np.float64)
        if numbers.shape != (len(self.boxes),):
            raise InputError(f"{len(self.boxes)} picture tokens need as many values, not {numbers.shape}")
        spread = np.zeros((self.height, self.width))
        seeing = numbers[np.isfinite(self.boxes).all(1)]
        for value, (x0, y0, x1, y1) in zip(seeing, self._rounded(), strict=True):
            spread[y0:y1, x0:x1] += value / ((x1 - x0) * (y1 - y0))
        return spread

    def _rounded(self) -> Iterator[list[int]]:
        return iter(np.rint(self.boxes[np.isfinite(self.boxes).all(1)]).astype(int).tolist())


def measured_map(inside: Inside, width: int, height: int, step: int = STEP) -> TokenMap:
    """The boxes of the tokens of a picture of this size, each edge within `step` pixels.

    The tower's attention is switched off, so that each token depends on its own patch alone, and a bar of inverted
    pixels, `step` wide, moves across a picture of noise, once from left to right and once from top to bottom: (width +
    height) / step passes of the tower. Raises `InputError` for a model whose tokens see the whole picture, each of
    them: it gathers what patches show, and has no map.
    """
    ground = _noise(width, height)
    with _without_attention(inside):
        still = _features(inside, ground)

        def moved(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
            features = _features(inside, pixels)
            if features.shape != still.shape:
                raise does_not_fit(inside.loaded, "the number of picture tokens depends on the pixels")
            return np.asarray(np.linalg.norm(features - still, axis=1), np.float64)

        across = np.array([moved(pixels) for pixels in _bars(ground, 1, step)])
        down = np.array([moved(pixels) for pixels in _bars(ground, 0, step)])
    (x0, x1), (y0, y1) = _edges(across, step, width), _edges(down, step, height)
    boxes = np.stack([x0, y0, x1, y1], 1)
    boxes[~np.isfinite(boxes).all(1)] = np.nan
    areas = (x1 - x0) * (y1 - y0) / (width * height)
    if not np.isfinite(boxes).any():
        raise does_not_fit(inside.loaded, "no picture token depends on any pixel")
    if len(boxes) > 1 and np.nanmin(areas) > _WHOLE:
        raise does_not_fit(inside.loaded, "each of its picture tokens sees the whole picture (as after a resampler)")
    return TokenMap(width, height, boxes)


def passes(sizes: Sequence[tuple[int, int]], step: int = STEP) -> int:
    """How many passes of the tower the maps of pictures of these sizes take.

    >>> passes([(200, 150)])
    89
    """
    return sum(1 + -(-width // step) + -(-height // step) for width, height in sizes)


def _features(inside: Inside, pixels: NDArray[np.uint8]) -> Floats:
    prompt = LocalPrompt.of([ChatTurn("user", (encode_png(pixels), "?"))])
    return inside.features(inside.inputs(prompt))


def _noise(width: int, height: int) -> NDArray[np.uint8]:
    """Squares of 8 × 8 pixels in random colors that are neither dark nor light, so that inverting changes them."""
    squares = np.random.default_rng(0).integers(40, 110, (-(-height // 8), -(-width // 8), 3), np.uint8)
    return np.ascontiguousarray(squares.repeat(8, 0).repeat(8, 1)[:height, :width])


def _bars(ground: NDArray[np.uint8], axis: int, step: int) -> Iterator[NDArray[np.uint8]]:
    for start in range(0, ground.shape[axis], step):
        pixels = ground.copy()
        bar = np.moveaxis(pixels, axis, 0)[start : start + step]
        bar[:] = 255 - bar
        yield pixels


def _edges(change: NDArray[np.float64], step: int, size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where each token begins and ends to see; `change` has shape (bars, tokens)."""
    most = change.max(0)
    moves = change >= _PART * np.maximum(most, np.finfo(float).tiny)
    begin = moves.argmax(0) * float(step)
    end = np.minimum(size, (len(change) - moves[::-1].argmax(0)) * float(step))
    blind = most <= _NOTHING * most.max()
    return np.where(blind, np.nan, begin), np.where(blind, np.nan, end)


@contextmanager
def _without_attention(inside: Inside) -> Iterator[None]:
    """The model with zeros for what the attention of each layer of its tower gives."""

    def zeros(_: Tensor, __: Tensor, output: Tensor) -> Tensor:
        if torch.is_tensor(output):
            return torch.zeros_like(output)
        return (torch.zeros_like(output[0]), *output[1:])

    with ExitStack() as hooks:
        for each in inside.parts.attentions:
            hooks.callback(each.register_forward_hook(zeros).remove)
        yield
