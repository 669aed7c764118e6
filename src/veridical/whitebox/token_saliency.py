"""How much each token of a prompt's pictures matters for the answer, of four kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import numpy as np
import torch

from veridical.ask.local.parts import does_not_fit
from veridical.whitebox.inside import Floats, Gradients, Inputs, Inside, Tensor, to_floats, with_output


class TowerSaliency(NamedTuple):
    """The saliency of the tokens of a layer of the tower, of shape (tokens of all pictures,)."""

    layer: int
    values: Floats


def rolled_attention(inside: Inside, inputs: Inputs) -> Floats:
    """Attention rollout from the answer position, of shape (picture tokens,); over all tokens it sums to 1.

    Each layer of the text model passes on half of a token's own and half of what its heads attend to on average; the
    shares are multiplied over all layers (Abnar and Zuidema 2020).
    """
    means: list[Tensor] = []
    with torch.no_grad(), inside.eager(lambda weights: means.append(weights[0].mean(0, dtype=torch.float32))):
        inside.run(inputs)
        row = torch.zeros(means[-1].shape[0])
        row[-1] = 1
        for mean in reversed(means):
            row = row.to(mean.device)
            row = (row @ mean + row) / 2
    return to_floats(row)[inside.picture_tokens(inputs)]


def weighted_attention(gradients: Gradients) -> Floats:
    """The mean over layers and heads of attention × gradient where it is positive, of shape (picture tokens,)."""
    weighted: Floats = np.maximum(gradients.attention * gradients.attention_gradient, 0).mean((0, 1))
    return weighted


def tower_saliency(inside: Inside, inputs: Inputs, number: Callable[[Tensor], Tensor]) -> TowerSaliency:
    """Grad-CAM at the last layer of the tower that the model reads, for a number made of the next token's scores.

    That layer is the last one on which the number depends. Each size of its states is weighted with the mean of its
    gradient over all tokens of the layer; what is negative is 0 (Selvaraju and others 2017).
    """
    states: list[Tensor] = []
    with torch.enable_grad(), _tower_with_gradients(inside), ExitStack() as hooks:
        for block in inside.parts.blocks:
            hooks.enter_context(with_output(block, states.append))
        value = number(inside.run(inputs).float())
        gradients = torch.autograd.grad(value, states, allow_unused=True) if value.requires_grad else ()
    layer = max((place for place, each in enumerate(gradients) if each is not None), default=None)
    if layer is None:
        raise does_not_fit(inside.loaded, "no gradient reaches its tower")
    state, gradient = (to_floats(each[layer].reshape(-1, each[layer].shape[-1])) for each in (states, gradients))
    return TowerSaliency(layer, np.maximum(state @ gradient.mean(0), 0))


@contextmanager
def _tower_with_gradients(inside: Inside) -> Iterator[None]:
    """The model with a graph of gradients that begins in the first layer of its tower."""
    first = inside.parts.blocks[0].requires_grad_(True)
    try:
        yield
    finally:
        first.requires_grad_(False)
