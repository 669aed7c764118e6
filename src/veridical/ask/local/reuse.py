"""Replies to prompts that share their beginning with an encoded one, such as two questions on a picture.

The shared part is cut out of the kept cache, and only the rest is encoded. Each prompt that shares nothing is encoded
by itself, as transformers does it; then all replies are generated together.

Keys and values can only be kept if every layer attends to all earlier tokens and keeps them all: a sliding window, a
recurrent state, or attention to later tokens cannot be cut back to the part that two prompts share.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

import torch
from torch.nn.functional import pad
from transformers import DynamicCache, GenerationMixin
from transformers.cache_utils import DynamicLayer

from veridical.ask.local.generation import Generator
from veridical.ask.local.requests import LocalReply, PromptRefused, ReplyRequest, overflow
from veridical.errors import InputError

_PER_TOKEN = ("input_ids", "attention_mask", "mm_token_type_ids")
_CACHE = (
    "cache" if "cache" in signature(GenerationMixin.prepare_inputs_for_generation).parameters else "past_key_values"
)
"""How `generate` names an encoded beginning, by version of transformers: newer ones warn of the old name."""
_CLOSE = {"float32": 1e-3, "float64": 1e-6}
_CLOSE_OF_HALVES = 0.02

Layers = tuple[tuple[Any, Any], ...]
"""The keys and values of each layer, of shape (1, heads, tokens, size)."""

_ROPES = (None, "default", "linear", "llama3", "yarn", "mrope")


class NotCutBackError(Exception):
    """The cache of a prompt cannot be reused for the beginning of another one."""


@dataclass(frozen=True, eq=False)
class _Row:
    """A prompt and its encoded part, which is its first `start` tokens with `layers` as keys and values."""

    wanted: ReplyRequest
    inputs: dict[str, Any]
    tokens: tuple[int, ...]
    layers: Layers
    start: int
    reused: int


class Reuse:
    """Generates replies from the keys and values of earlier prompts with the same pictures.

    For the first prompt, and for the first reused one, the scores of the next token are computed with and without the
    kept cache; if the two differ by more than rounding, nothing is ever reused (`NotCutBackError`).
    """

    def __init__(self, generator: Generator, encoded: Counter[str]) -> None:
        self.keeper = Keeper()
        self._generator, self._model, self._encoded = generator, generator.model, encoded
        self._marks = _marks(generator)
        self._proven: set[bool] = set()

    @staticmethod
    def possible(generator: Generator) -> bool:
        """Whether the model's cache can be cut, and tokens of pictures are distinguishable from those of texts."""
        return can_keep(generator.model) and bool(_marks(generator))

    def replies(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        """The reply to each prompt, or why there is none; raises `NotCutBackError` if nothing can be reused."""
        replies: dict[int, LocalReply | Exception] = {}
        rows: dict[int, _Row] = {}
        for index, each in enumerate(wanted):
            try:
                inputs = self._generator.inputs([each.prompt])
            except (PromptRefused, InputError) as error:
                replies[index] = error
                continue
            tokens = tuple(inputs["input_ids"][0].tolist())
            if self._generator.too_long(len(tokens)):
                replies[index] = overflow(len(tokens))
            else:
                rows[index] = self._row(each, inputs, tokens)
        if rows:
            replies |= zip(rows, self._continued(list(rows.values())), strict=True)
        return [replies[index] for index in range(len(wanted))]

    def _row(self, wanted: ReplyRequest, inputs: dict[str, Any], tokens: tuple[int, ...]) -> _Row:
        pictures = wanted.prompt.pictures
        kept = self.keeper.get(pictures)
        start = min(kept.shared(tokens), len(tokens) - 1) if kept else 0
        if kept is not None and start > 0 and not self._marks & set(tokens[start:]):
            row = _Row(wanted, inputs, tokens, kept.layers, start, start)
            if True not in self._proven:
                self._prove(row, self._encode(row)[1])
            self._encoded.update(tokens=len(tokens) - start, reused=start)
            return row
        row = _Row(wanted, inputs, tokens, (), len(tokens) - 1, 0)
        layers, scores = self._encode(row)
        row = replace(row, layers=layers)
        if False not in self._proven:
            self._prove(row, scores)
        self.keeper.put(pictures, KeptPrompt(tokens, layers))
        return row

    def _encode(self, row: _Row) -> tuple[Layers, Any]:
        """The keys and values of all tokens of a prompt, and the scores of the token after it."""
        if "token_type_ids" in row.inputs:  # a sign of attention to later tokens within a part of the prompt
            raise NotCutBackError
        output = self._generator.next_token(row.inputs)
        self._encoded.update(tokens=len(row.tokens), pictures=len(row.wanted.prompt.pictures))
        layers = layers_of(output.get("past_key_values"), len(row.tokens))
        if layers is None:
            raise NotCutBackError
        return layers, output.logits[0]

    def _prove(self, row: _Row, expected: Any) -> None:  # noqa: ANN401 - of torch
        """Raises `NotCutBackError` unless the next token's scores are the same as if the whole row was encoded."""
        scores = self._generator.next_token(self._inputs([row])).logits[0]
        dtype = str(self._model.dtype).removeprefix("torch.")
        most = _CLOSE.get(dtype, _CLOSE_OF_HALVES) * float(expected.max() - expected.min())
        if not float((scores - expected).abs().max()) <= most:
            raise NotCutBackError
        self._proven.add(row.reused > 0)

    def _continued(self, rows: Sequence[_Row]) -> list[LocalReply]:
        inputs = self._inputs(rows)
        lengths = [len(row.tokens) for row in rows]
        new = self._generator.generated(inputs, [row.wanted for row in rows], lengths)
        for index, row in enumerate(rows):
            if row.reused:
                columns = inputs["attention_mask"][index].nonzero().squeeze(-1)
                self.keeper.put(
                    row.wanted.prompt.pictures, KeptPrompt(row.tokens, picked_cache(new.cache, index, columns))
                )
        return [
            self._generator.written(tokens, row.wanted, len(row.tokens), tops, row.reused)
            for tokens, row, tops in zip(new.rows.tolist(), rows, new.tops, strict=True)
        ]

    def _inputs(self, rows: Sequence[_Row]) -> dict[str, Any]:
        """The inputs of `generate` for rows that are partly encoded.

        The encoded tokens of each row are right-aligned in the first columns, the rest in the last columns. The padding
        is to the left of each part and is masked.
        """
        width, rest = max(row.start for row in rows), max(len(row.tokens) - row.start for row in rows)

        def laid(parts: Sequence[Any], *, tokens: bool = False) -> Any:  # noqa: ANN401 - of torch
            padded = []
            for part, row in zip(parts, rows, strict=True):
                before, after = part[..., : row.start], part[..., row.start :]
                # A token of the prompt itself, because some settings count the prompt's tokens, masked or not.
                fill = row.tokens[0] if tokens else 0
                sides = [
                    pad(side, (columns - side.shape[-1], 0), value=fill)
                    for side, columns in ((before, width), (after, rest))
                ]
                padded.append(torch.cat(sides, -1))
            return torch.cat(padded, -2)

        present = [name for name in _PER_TOKEN if all(name in row.inputs for row in rows)]
        inputs = {name: laid([row.inputs[name] for row in rows], tokens=name == "input_ids") for name in present}
        inputs["position_ids"] = laid([self._positions(row.inputs) for row in rows])
        config = self._model.config.get_text_config(decoder=True)
        inputs[_CACHE] = stacked_cache([row.layers for row in rows], [row.start for row in rows], config)
        return inputs

    def _positions(self, inputs: dict[str, Any]) -> Any:  # noqa: ANN401 - of torch
        """The position ids of a prompt's tokens, of shape (..., 1, tokens)."""
        others = {name: value for name, value in inputs.items() if name != "input_ids"}
        return self._model._prepare_position_ids_for_generation(inputs["input_ids"], others)


def _marks(generator: Generator) -> frozenset[int]:
    """The placeholder tokens of pictures."""
    config, processor = generator.model.config, generator.processor
    names = ("image_token_id", "image_token_index")
    tokens = [getattr(holder, name, None) for holder in (config, processor) for name in names]
    return frozenset(token for token in (*tokens, *getattr(processor, "image_token_ids", ())) if token is not None)


@dataclass(frozen=True, eq=False)
class KeptPrompt:
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
        self._kept: OrderedDict[tuple[str, ...], KeptPrompt] = OrderedDict()

    def put(self, pictures: tuple[str, ...], kept: KeptPrompt) -> None:
        """Keeps a prompt; if there are too many, drops the one that was kept longest ago."""
        self._kept[pictures] = kept
        self._kept.move_to_end(pictures)
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)

    def get(self, pictures: tuple[str, ...]) -> KeptPrompt | None:
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


def stacked_cache(rows: Sequence[Layers], tokens: Sequence[int], config: Any) -> DynamicCache:  # noqa: ANN401
    """A cache of several prompts with the first `tokens` of each, copied and padded on the left."""
    cache, width = DynamicCache(config=config), max(tokens)
    for index, layers in enumerate(zip(*rows, strict=True)):
        both = [
            torch.cat(
                [pad(layer[part][..., :n, :], (0, 0, width - n, 0)) for layer, n in zip(layers, tokens, strict=True)]
            )
            for part in (0, 1)
        ]
        cache.update(both[0], both[1], index)
    return cache


def picked_cache(cache: DynamicCache, row: int, columns: Any) -> Layers:  # noqa: ANN401 - of torch
    """A copy of the keys and values of one of several prompts, at the columns of its tokens."""
    return tuple(
        (layer.keys[row : row + 1].index_select(-2, columns), layer.values[row : row + 1].index_select(-2, columns))
        for layer in cache.layers
    )
