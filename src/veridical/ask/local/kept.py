"""Keys and values of prompts that were encoded, kept so that what the next prompt shares with them is not encoded anew.

Only of models whose every layer attends to all tokens before it, and keeps them all: a window that slides, a recurrent
state, or attention that reaches ahead cannot be cut back to the part that two prompts share.
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
"""For each layer its keys and values, of shape (1, heads, tokens, size)."""

_ROPES = (None, "default", "linear", "llama3", "yarn", "mrope")


@dataclass(frozen=True, eq=False)
class Kept:
    """A prompt's tokens, with the keys and values of the first of them, or of all."""

    tokens: tuple[int, ...]
    layers: Layers

    def shared(self, tokens: Sequence[int]) -> int:
        """How many tokens another prompt shares with this one, from the first on."""
        unlike = (place for place, (a, b) in enumerate(zip(self.tokens, tokens, strict=False)) if a != b)
        return next(unlike, min(len(self.tokens), len(tokens)))


class Keeper:
    """The last prompts by their pictures, at most `most` of them; of the same pictures the newest alone."""

    def __init__(self, most: int = 1) -> None:
        self.most = most
        self._kept: OrderedDict[tuple[str, ...], Kept] = OrderedDict()

    def put(self, pictures: tuple[str, ...], kept: Kept) -> None:
        """Keeps a prompt, and lets the one go that was used longest ago where there are too many."""
        self._kept[pictures] = kept
        self._kept.move_to_end(pictures)
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)

    def get(self, pictures: tuple[str, ...]) -> Kept | None:
        """The newest prompt with exactly these pictures, in this order."""
        return self._kept.get(pictures)

    def clear(self) -> None:
        """Lets every prompt go."""
        self._kept.clear()


def can_keep(model: Any) -> bool:  # noqa: ANN401 - of transformers
    """Whether a model's cache can be cut back to a part that prompts share, by what it is built from."""
    text = model.config.get_text_config(decoder=True)
    rope = getattr(text, "rope_parameters", None) or {}
    return (
        not model.config.is_encoder_decoder
        and model._supports_default_dynamic_cache()
        and hasattr(model, "_prepare_position_ids_for_generation")
        and "position_ids" in signature(model.forward).parameters
        and all(type(layer) is DynamicLayer for layer in DynamicCache(config=text).layers)
        # The others turn a token's place by the length of the whole prompt.
        and rope.get("rope_type") in _ROPES
    )


def layers_of(cache: Any, tokens: int) -> Layers | None:  # noqa: ANN401 - of transformers
    """The keys and values of a single prompt's tokens; `None` where a layer keeps something else."""
    if type(cache) is not DynamicCache:
        return None
    for layer in cache.layers:
        if type(layer) is not DynamicLayer or not layer.is_initialized or layer.keys.shape[-2] < tokens:
            return None
    return tuple((layer.keys[..., :tokens, :], layer.values[..., :tokens, :]) for layer in cache.layers)


def stacked(rows: Sequence[Layers], tokens: Sequence[int], config: Any) -> DynamicCache:  # noqa: ANN401
    """A cache of several prompts, of each so many first tokens, copied and padded to the left."""
    cache, width = DynamicCache(config=config), max(tokens)
    for index, layers in enumerate(zip(*rows, strict=True)):
        both = [
            torch.cat([_padded(layer[part][..., :n, :], width) for layer, n in zip(layers, tokens, strict=True)])
            for part in (0, 1)
        ]
        cache.update(both[0], both[1], index)
    return cache


def picked(cache: DynamicCache, row: int, columns: Any) -> Layers:  # noqa: ANN401 - of torch
    """The keys and values of one prompt of several, at the columns that its tokens stand in, copied."""
    return tuple(
        (layer.keys[row : row + 1].index_select(-2, columns), layer.values[row : row + 1].index_select(-2, columns))
        for layer in cache.layers
    )


def _padded(part: Any, width: int) -> Any:  # noqa: ANN401 - of torch
    return torch.nn.functional.pad(part, (0, 0, width - part.shape[-2], 0))
