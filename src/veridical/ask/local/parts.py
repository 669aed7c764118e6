"""The parts of a vision-language model, found by structure: which modules hold which, and which of them attend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from torch import nn

from veridical.ask.local.loader import LoadedModel
from veridical.errors import InputError

Module = Any
"""A module of PyTorch, which may not be installed where types are checked."""


@dataclass(frozen=True, eq=False)
class ModelParts:
    """The modules of a model through which a picture goes, in order.

    `blocks` are the layers of the tower, each with one attention in `attentions`; `language` is the text model, which
    takes embeddings of tokens, `layers` are its layers. The token `picture_token` marks the places of a picture.
    """

    blocks: tuple[Module, ...]
    attentions: tuple[Module, ...]
    language: Module
    layers: tuple[Module, ...]
    picture_token: int


def parts_of(loaded: LoadedModel) -> ModelParts:
    """The parts of a loaded model; raises `InputError`, which says what is missing, for a model of another structure.

    A model has one stack of layers with attention beside its text model, the tower: with two, the second gathers what
    the first saw, so that no picture token stands for a place. Modules attend if the name of their class says so.
    """
    model = loaded.model
    if getattr(model.config, "is_encoder_decoder", False):
        raise does_not_fit(loaded, "its answers are written by a decoder that attends to an encoder")
    if getattr(model.config, "quantization_config", None) is not None or getattr(model, "is_quantized", False):
        raise does_not_fit(loaded, "its weights are quantized; weights of float32, bfloat16 or float16 are needed")
    embeddings = model.get_input_embeddings()
    language = next((each for each in model.modules() if embeddings in each.children()), None)
    stack = None if language is None else next((each for each in language.children() if _is_stack(each)), None)
    if language is None or stack is None:
        raise does_not_fit(loaded, "its text model has no list of layers beside the embeddings of tokens")
    names = {module: name for name, module in model.named_modules()}
    text = set(language.modules())
    stacks = [each for each in model.modules() if each not in text and _is_stack(each)]
    towers = [each for each in stacks if not any(each in set(other.modules()) for other in stacks if other is not each)]
    if not towers:
        raise does_not_fit(loaded, "it has no tower, which is a list of layers with attention that sees pictures alone")
    gathering = [each for each in attentions_in(model) if each not in text and each not in _around(model, towers[0])]
    if len(towers) > 1 or gathering:
        name = names[towers[1] if len(towers) > 1 else gathering[0]]
        raise does_not_fit(loaded, f"beside its tower, {name} attends (a second tower, or a resampler without places)")
    return ModelParts(
        tuple(towers[0]),
        attention_of_each(loaded, "tower", towers[0]),
        language,
        tuple(stack),
        _picture_token(loaded),
    )


def does_not_fit(loaded: LoadedModel, why: str) -> InputError:
    """The error for a model whose inside cannot be read."""
    return InputError(f"local model '{loaded.name}' cannot be read from inside: {why}")


def attentions_in(module: Module) -> Iterator[Module]:
    """The modules with attention inside a module that are in no other one with attention, in order."""
    for each in module.children():
        if "attention" in type(each).__name__.lower():
            yield each
        else:
            yield from attentions_in(each)


def _is_stack(module: Module) -> bool:
    return isinstance(module, nn.ModuleList) and next(attentions_in(module), None) is not None


def _around(model: Module, tower: Module) -> set[Module]:
    """All modules of the largest module that holds the tower and no embeddings of tokens."""
    embeddings = model.get_input_embeddings()
    holding = [set(each.modules()) for each in model.modules()]
    return max((each for each in holding if tower in each and embeddings not in each), key=len)


def attention_of_each(loaded: LoadedModel, kind: str, stack: Iterable[Module]) -> tuple[Module, ...]:
    """The module with attention of each layer; raises `InputError` where a layer has none or several."""
    found = [list(attentions_in(layer)) for layer in stack]
    if any(len(each) != 1 for each in found):
        counts = " or ".join(map(str, sorted({len(each) for each in found})))
        raise does_not_fit(loaded, f"each layer of its {kind} needs one attention; they have {counts}")
    return tuple(each for (each,) in found)


def _picture_token(loaded: LoadedModel) -> int:
    holders = (loaded.model.config, loaded.processor)
    names = ("image_token_id", "image_token_index")
    tokens = [getattr(holder, name, None) for holder in holders for name in names]
    token = next((each for each in tokens if isinstance(each, int)), None)
    if token is None:
        raise does_not_fit(loaded, "its configuration names no token for pictures")
    return token
