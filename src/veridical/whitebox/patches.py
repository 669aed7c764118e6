"""Runs of a model on one prompt with the picture tokens of another one, put in at one depth after the other."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass

import torch

from veridical.errors import InputError
from veridical.whitebox.inside import EMBEDS, Floats, Inputs, Inside, Tensor, to_floats, with_output


@dataclass(frozen=True)
class PatchedRuns:
    """The scores of the next token, of shape (vocabulary,): of the prompt `clean`, of the `donor`, and patched.

    `depths` has those of `clean` with the donor's states at the picture tokens from a depth on: `projector`, then
    `language.N` for each layer of the text model.
    """

    clean: Floats
    donor: Floats
    depths: Mapping[str, Floats]


def patched_runs(inside: Inside, clean: Inputs, donor: Inputs) -> PatchedRuns:
    """The scores of a prompt with the picture tokens of a donor, at each depth.

    At the projector, the scores are those of the donor, since nothing but its picture reaches the text model; after the
    last layer they are those of `clean`, since the answer position attends to nothing after it. What a tower adds to
    picture tokens in later layers (deepstack, an entry for each layer from the first on) is the donor's from that depth
    on. Raises `InputError` for prompts that differ in anything but the pixels of pictures.
    """
    if not torch.equal(clean["input_ids"], donor["input_ids"]):
        raise InputError("prompts that differ in their text or in the number of picture tokens cannot be patched")
    mask = torch.from_numpy(inside.picture_tokens(clean))
    held: list[Tensor] = []
    entering: Inputs = {}

    def keep(named: Inputs) -> Inputs:
        entering.update(named)
        return named

    def hold(state: Tensor) -> None:
        held.append(state[0, mask])

    with torch.no_grad(), ExitStack() as hooks:
        hooks.enter_context(inside.with_features(hold, keep))
        for layer in inside.parts.layers:
            hooks.enter_context(with_output(layer, hold))
        scores = to_floats(inside.run(donor))
    added = {name: value for name, value in entering.items() if name != EMBEDS and _is_added(value, held[0])}
    patched = [_patched(inside, clean, mask, depth, state, added) for depth, state in enumerate(held)]
    return PatchedRuns(inside.logits(clean), scores, dict(zip(depth_names(inside), patched, strict=True)))


def depth_names(inside: Inside) -> list[str]:
    """The names of the depths of patched runs, in order."""
    return ["projector", *(f"language.{layer}" for layer in range(len(inside.parts.layers)))]


def _is_added(value: object, tokens: Tensor) -> bool:
    """Whether a value is a list of states of the picture tokens."""
    several = isinstance(value, list | tuple) and bool(value)
    return several and all(torch.is_tensor(each) and each.shape == tokens.shape for each in value)  # type: ignore[attr-defined]


def _patched(inside: Inside, clean: Inputs, mask: Tensor, depth: int, state: Tensor, added: Inputs) -> Floats:
    """The scores of `clean` with other states of its picture tokens: at the projector, or after layer depth − 1."""

    def change(whole: Tensor) -> Tensor:
        whole = whole.clone()
        whole[0, mask] = state
        return whole

    def later(named: Inputs) -> Inputs:
        first = max(depth - 1, 0)
        return {**named, **{name: [*named[name][:first], *value[first:]] for name, value in added.items()}}

    with torch.no_grad(), ExitStack() as hooks:
        hooks.enter_context(inside.with_features(change if depth == 0 else lambda _: None, later))
        if depth > 0:
            hooks.enter_context(with_output(inside.parts.layers[depth - 1], change))
        return to_floats(inside.run(clean))
