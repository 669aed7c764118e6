"""Keys and values of encoded prompts, kept so that the shared beginning of the next prompt is not encoded again.

This only works if every layer attends to all earlier tokens and keeps them all: a sliding window, a recurrent state, or
attention to later tokens cannot be cut back to the part that two prompts share.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

import torch
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

Layers = tuple[tuple[Any, Any], ...]
"""The keys and values of each layer, of shape (1, heads, tokens, size)."""

_ROPES = (None, "default", "linear", "llama3", "yarn", "mrope")


@dataclass(frozen=True, eq=False)
class Kept:
    """A prompt's tokens, with the keys and values of its first tokens or of all."""

    tokens: tuple[int, ...]
    layers: Layers

    def shared(self, tokens: Sequence[int]) -> int:
        """The number of leading tokens that another prompt shares with this one."""
        unlike = (place for place, (a, b) in enumerate(zip(self.tokens, tokens, strict=False)) if a != b)
        return next(unlike, min(len(self.tokens), len(tokens)))


class Keeper:
    """The last prompts by their pictures, at most `most` of them; only the newest prompt with the same pictures."""

    def __init__(self, most: int = 1) -> None:
        self.most = most
        self._kept: OrderedDict[tuple[str, ...], Kept] = OrderedDict()

    def put(self, pictures: tuple[str, ...], kept: Kept) -> None:
        """Keeps a prompt; if there are too many, drops the one that was kept longest ago."""
        self._kept[pictures] = kept
        self._kept.move_to_end(pictures)
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)

    def get(self, pictures: tuple[str, ...]) -> Kept | None:
        """The newest prompt with exactly these pictures, in this order."""
        return self._kept.get(pictures)

    def clear(self) -> None:
        """Drops every prompt."""
        self._kept.clear()


def can_keep(model: Any) -> bool:  # noqa: ANN401 - of transformers
    """Whether a model's cache can be cut back to a shared part, judged by its architecture."""
    text = model.config.get_text_config(decoder=True)
    rope = getattr(text, "rope_parameters", None) or {}
    return (
        not model.config.is_encoder_decoder
        and model._supports_default_dynamic_cache()
        and hasattr(model, "_prepare_position_ids_for_generation")
        and "position_ids" in signature(model.forward).parameters
        and all(type(layer) is DynamicLayer for layer in DynamicCache(config=text).layers)
        # In the other types, the rotation of a token depends on the length of the whole prompt.
        and rope.get("rope_type") in _ROPES
    )


def layers_of(cache: Any, tokens: int) -> Layers | None:  # noqa: ANN401 - of transformers
    """The keys and values of a single prompt's tokens; `None` if a layer keeps something else."""
    if type(cache) is not DynamicCache:
        return None
    for layer in cache.layers:
        if type(layer) is not DynamicLayer or not layer.is_initialized or layer.keys.shape[-2] < tokens:
            return None
    return tuple((layer.keys[..., :tokens, :], layer.values[..., :tokens, :]) for layer in cache.layers)


def stacked(rows: Sequence[Layers], tokens: Sequence[int], config: Any) -> DynamicCache:  # noqa: ANN401
    """A cache of several prompts with the first `tokens` of each, copied and padded on the left."""
    cache, width = DynamicCache(config=config), max(tokens)
    for index, layers in enumerate(zip(*rows, strict=True)):
        both = [
            torch.cat([_padded(layer[part][..., :n, :], width) for layer, n in zip(layers, tokens, strict=True)])
            for part in (0, 1)
        ]
        cache.update(both[0], both[1], index)
    return cache


def picked(cache: DynamicCache, row: int, columns: Any) -> Layers:  # noqa: ANN401 - of torch
    """A copy of the keys and values of one of several prompts, at the columns of its tokens."""
    return tuple(
        (layer.keys[row : row + 1].index_select(-2, columns), layer.values[row : row + 1].index_select(-2, columns))
        for layer in cache.layers
    )


def _padded(part: Any, width: int) -> Any:  # noqa: ANN401 - of torch
    return torch.nn.functional.pad(part, (0, 0, width - part.shape[-2], 0))
