"""Which part of a picture each of its tokens stands for, measured: a bar moves across a picture, and tokens change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import numpy as np
import torch
from numpy.typing import NDArray

from veridical.ask.local.parts import does_not_fit
from veridical.ask.local.requests import LocalPrompt, PromptRefused
from veridical.ask.redact import one_line
from veridical.errors import InputError
from veridical.internals.token_map import MapTable, Size, TokenMap
from veridical.media.draw import encode_png
from veridical.records import ChatTurn
from veridical.whitebox.inside import Floats, Inside, Tensor

STEP = 4
"""The width of the bar, in pixels."""
_PART = 0.15
"""A token sees the pixels whose change moves it at least this much, as part of the most that any bar moves it."""
_NOTHING = 1e-4
_WHOLE = 0.5


def measured_map(inside: Inside, width: int, height: int, step: int = STEP, *, layer: int | None = None) -> TokenMap:
    """The boxes of the tokens of a picture of this size, each edge within `step` pixels.

    They are the picture tokens of the text model, or, with `layer`, those of a layer of the tower.

    The tower's attention is switched off, so that each token depends on its own patch alone, and a bar of inverted
    pixels, `step` wide, moves across a picture of noise, once from left to right and once from top to bottom: (width +
    height) / step passes of the tower. Raises `InputError` for a model whose tokens see the whole picture, each of
    them: it gathers what patches show, and has no map.
    """
    ground = _noise(width, height)
    with _without_attention(inside):
        still = _features(inside, ground, layer)

        def moved(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
            features = _features(inside, pixels, layer)
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


def kept_map(inside: Inside, table: MapTable, width: int, height: int) -> TokenMap:
    """The map of a size of picture in a table, which is measured and written if there is none yet.

    Raises `InputError` or `PromptRefused`, each time anew, for a size that was measured in vain.
    """
    if (width, height) in table.failures:
        raise table.failures[width, height]
    known = table.map_of(width, height)
    if known is None:
        try:
            table.keep(known := measured_map(inside, width, height, layer=table.layer))
        except (InputError, PromptRefused) as error:
            table.failures[width, height] = error
            raise
    return known


def kept_maps(
    inside: Inside, table: MapTable, sizes: Sequence[Size], progress: Callable[[int, int], None] | None = None
) -> tuple[list[TokenMap], dict[Size, str]]:
    """The maps of these sizes, and by size why there is none; raises `InputError` without any map."""
    maps, unmapped = [], dict[Size, str]()
    for done, size in enumerate(sizes, 1):
        try:
            maps.append(kept_map(inside, table, *size))
        except (InputError, PromptRefused) as error:
            unmapped[size] = one_line(str(error), longest=160)
        if progress:
            progress(done, len(sizes))
    if not maps:
        raise InputError(next(iter(unmapped.values())))
    return maps, unmapped


def still_features(inside: Inside, width: int, height: int) -> Floats:
    """What the picture tokens of a picture of noise have: one pass of the tower."""
    return _features(inside, _noise(width, height), None)


def _features(inside: Inside, pixels: NDArray[np.uint8], layer: int | None) -> Floats:
    inputs = inside.inputs(LocalPrompt.of([ChatTurn("user", (encode_png(pixels), "?"))]))
    return inside.features(inputs) if layer is None else inside.tower_states(inputs, layer)


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
