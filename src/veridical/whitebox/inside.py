"""One interface to the inside of a loaded vision-language model: states, attention, gradients, by hooks.

Each call runs the model on one prompt, `states` on several. What is read goes to the CPU as float32. The hooks are put
on the modules that `veridical.ask.local.parts` finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from veridical.ask.local.generation import Generator
from veridical.ask.local.loader import LoadedModel
from veridical.ask.local.parts import attention_of_each, does_not_fit, parts_of
from veridical.ask.local.requests import LocalPrompt, LocalReply, ReplyRequest
from veridical.errors import InputError

Floats = NDArray[np.float32]
Inputs = dict[str, Any]
Tensor = Any
Change = Callable[[Tensor], Tensor]
EMBEDS = "inputs_embeds"


class PooledStates(NamedTuple):
    """The pooled states of a prompt by name, each of shape (size,), and the scores of the next token, (vocabulary,)."""

    states: Mapping[str, Floats]
    logits: Floats


@dataclass(frozen=True)
class Gradients:
    """How a number `value`, made of the next token's scores, depends on what the model does with the picture tokens.

    `attention` and `attention_gradient` have shape (layers, heads, picture tokens), from the answer position;
    `features` and `feature_gradient` have shape (picture tokens, size), and are what the projector gives.
    """

    value: float
    attention: Floats
    attention_gradient: Floats
    features: Floats
    feature_gradient: Floats


class _FeaturesReached(Exception):  # noqa: N818 - ends a run early, and is no error
    """What was to be read is there, and nothing after it is needed."""


class Inside:
    """A loaded model whose parts are known; raises `InputError`, which says what is missing, if it does not fit.

    Its weights need no gradients from then on.
    """

    def __init__(self, loaded: LoadedModel) -> None:
        self.loaded, self.parts, self._generator = loaded, parts_of(loaded), Generator(loaded)
        self.model = loaded.model.requires_grad_(False)
        kept = "logits_to_keep" in signature(self.model.forward).parameters
        self._options = {"use_cache": False} | ({"logits_to_keep": 1} if kept else {})

    @property
    def state_names(self) -> list[str]:
        """The names of pooled states, in the order in which a picture goes through the model (see `states`)."""
        tower = [f"tower.{place}" for place in range(len(self.parts.blocks))]
        layers = [f"language.{place}.{at}" for place in range(len(self.parts.layers)) for at in ("picture", "answer")]
        return [*tower, "projector", *layers]

    def inputs(self, prompt: LocalPrompt) -> Inputs:
        """The model's inputs for a prompt, as a run sends it; raises `PromptRefused` where the model's template does.

        Raises `InputError` if the prompt shows no picture, or exceeds the model's context.
        """
        inputs = self._generator.inputs([prompt])
        length = inputs["input_ids"].shape[1]
        if self._generator.too_long(length):
            raise InputError(f"the prompt has {length:,} tokens, which exceed the model's context")
        if not self.picture_tokens(inputs).any():
            raise InputError("the prompt shows no picture")
        return inputs

    def picture_tokens(self, inputs: Inputs) -> NDArray[np.bool_]:
        """Which tokens of a prompt stand for pictures, of shape (tokens,)."""
        found: NDArray[np.bool_] = (inputs["input_ids"][0] == self.parts.picture_token).cpu().numpy()
        return found

    def logits(self, inputs: Inputs) -> Floats:
        """The scores of the token after a prompt, of shape (vocabulary,), as `generate` computes them."""
        with torch.no_grad():
            return to_floats(self.run(inputs))

    def run(self, inputs: Inputs) -> Tensor:
        """The scores of the token after a prompt, of shape (vocabulary,), as a tensor."""
        return self.model(**inputs, **self._options).logits[0, -1]

    def reply(self, prompt: LocalPrompt, most: int) -> LocalReply:
        """The greedy reply to a prompt, of at most so many tokens."""
        inputs, wanted = self.inputs(prompt), ReplyRequest(prompt, most=most)
        length = inputs["input_ids"].shape[1]
        with torch.no_grad():
            tokens = self._generator.generated(inputs, [wanted], [length]).rows[0].tolist()
        return self._generator.written(tokens, wanted, length)

    def features(self, inputs: Inputs) -> Floats:
        """What the projector gives for each picture token, shape (picture tokens, size); the text model is not run."""
        kept: dict[str, Tensor] = {}

        def keep(embeds: Tensor) -> Tensor:
            kept[EMBEDS] = embeds
            raise _FeaturesReached

        with torch.no_grad(), self.with_features(keep):
            self._run_until_reached(inputs, "its text model is not used")
        return to_floats(kept[EMBEDS][0, self._places(inputs)])

    def tower_states(self, inputs: Inputs, layer: int) -> Floats:
        """The states after a layer of the tower, of shape (tokens of all pictures, size); nothing after it is run."""
        kept: list[Tensor] = []

        def keep(state: Tensor) -> None:
            kept.append(state)
            raise _FeaturesReached

        with torch.no_grad(), with_output(self.parts.blocks[layer], keep):
            self._run_until_reached(inputs, "its tower is not used")
        return to_floats(kept[0].reshape(-1, kept[0].shape[-1]))

    def _run_until_reached(self, inputs: Inputs, why: str) -> None:
        try:
            self.run(inputs)
        except _FeaturesReached:
            return
        raise does_not_fit(self.loaded, why)

    def states(self, inputs: Inputs) -> list[PooledStates]:
        """The states of each of several prompts, pooled, and the scores of the next token.

        The inputs of prompts are joined along their first dimension, if they have the same shapes (`joint_inputs`).

        `tower.N` is the mean over all tokens of a layer of the tower, those that stand for no place included;
        `projector` the mean over picture tokens of what enters the text model. `language.N.picture` is the mean over
        picture tokens of the states after a layer of the text model, `language.N.answer` the state at the prompt's last
        token, where the answer begins. After the last layer, it is the state after the final norm, as in
        `hidden_states` of transformers.
        """
        states: dict[str, Floats] = {}
        masks = (inputs["input_ids"] == self.parts.picture_token).cpu()

        def tower(name: str) -> Change:
            return lambda state: keep(name, state.reshape(len(masks), -1, state.shape[-1]))

        def keep(name: str, rows: Iterable[Tensor]) -> None:
            states[name] = np.stack([to_floats(row.float().mean(0)) for row in rows])

        def pooled(name: str) -> Change:
            def put(state: Tensor) -> None:
                keep(f"{name}.picture", pictures(state))
                states[f"{name}.answer"] = to_floats(state[:, -1])

            return put

        def pictures(state: Tensor) -> list[Tensor]:
            return [row[mask] for row, mask in zip(state, masks, strict=True)]

        with torch.no_grad(), ExitStack() as hooks:
            for place, block in enumerate(self.parts.blocks):
                hooks.enter_context(with_output(block, tower(f"tower.{place}")))
            hooks.enter_context(self.with_features(lambda embeds: keep("projector", pictures(embeds))))
            for place, layer in enumerate((*self.parts.layers[:-1], self.parts.language)):
                hooks.enter_context(with_output(layer, pooled(f"language.{place}")))
            logits = to_floats(self.model(**inputs, **self._options).logits[:, -1])
        if missing := [name for name in self.state_names if name not in states]:
            raise does_not_fit(self.loaded, f"a run gives no state '{missing[0]}'")
        return [
            PooledStates({name: each[row] for name, each in states.items()}, logits[row]) for row in range(len(masks))
        ]

    def attention(self, inputs: Inputs) -> Floats:
        """How much the answer position attends to each picture token, of shape (layers, heads, picture tokens).

        The weights of a head over all tokens of the prompt sum to 1.
        """
        mask, rows = self._places(inputs), list[Floats]()
        with torch.no_grad(), self.eager(lambda weights: rows.append(to_floats(weights[0, :, -1][:, mask]))):
            self.run(inputs)
        return np.stack(rows)

    def gradients(self, inputs: Inputs, number: Callable[[Tensor], Tensor]) -> Gradients:
        """How a number depends on picture tokens; `number` makes it of the scores of the next token.

        The run takes as much memory as all attention weights of the text model.
        """
        kept, rows, mask = dict[str, Tensor](), list[Tensor](), self._places(inputs)

        def begin(embeds: Tensor) -> Tensor:
            kept[EMBEDS] = embeds.detach().requires_grad_()
            return kept[EMBEDS]

        with torch.enable_grad(), self.with_features(begin), self.eager(rows.append):
            value = number(self.run(inputs).float())
            features, *weights = torch.autograd.grad(value, [kept[EMBEDS], *rows])
        attention, gradient = (
            np.stack([to_floats(each[0, :, -1][:, mask]) for each in side]) for side in (rows, weights)
        )
        return Gradients(
            float(value.detach()),
            attention,
            gradient,
            to_floats(kept[EMBEDS][0, mask]),
            to_floats(features[0, mask]),
        )

    @contextmanager
    def eager(self, read: Change) -> Iterator[None]:
        """Computes attention such that its weights exist, and gives those of each layer of the text model to `read`.

        Their shape is (1, heads, tokens, tokens). In the tower, attention stays as it is.
        """
        language = self.parts.language
        attentions = attention_of_each(self.loaded, "text model", self.parts.layers)
        before = language.config._attn_implementation

        def weights(_: Tensor, __: Tensor, output: Tensor) -> None:
            found = output[1] if isinstance(output, tuple) and len(output) > 1 else None
            if found is None or found.dim() != 4:
                raise does_not_fit(self.loaded, "its attention gives no weights, even if it is computed eagerly")
            read(found)

        with ExitStack() as hooks:
            hooks.callback(language.set_attn_implementation, before)
            language.set_attn_implementation("eager")
            for each in attentions:
                hooks.callback(each.register_forward_hook(weights).remove)
            yield

    @contextmanager
    def with_features(self, change: Change, kwargs: Callable[[Inputs], Inputs] = dict) -> Iterator[None]:
        """Runs the model with embeddings that `change` gives for those that enter the text model; `None`: the same.

        Their shape is (1, tokens, size). `kwargs` may change what else enters the text model.
        """

        def enter(_: Tensor, arguments: tuple[Tensor, ...], named: Inputs) -> tuple[Any, Inputs]:
            if named.get(EMBEDS) is None:
                raise does_not_fit(self.loaded, "its text model takes no embeddings of tokens")
            embeds = change(named[EMBEDS])
            return arguments, kwargs({**named, EMBEDS: named[EMBEDS] if embeds is None else embeds})

        hook = self.parts.language.register_forward_pre_hook(enter, with_kwargs=True)
        try:
            yield
        finally:
            hook.remove()

    def _places(self, inputs: Inputs) -> Tensor:
        """Which tokens stand for pictures, on the CPU: layers may be on several devices."""
        return torch.from_numpy(self.picture_tokens(inputs))


@contextmanager
def with_output(module: Tensor, change: Change) -> Iterator[None]:
    """Runs a module with the output that `change` gives for its own, or for the first of several; `None`: the same."""

    def hook(_: Tensor, __: Tensor, output: Tensor) -> Tensor:
        if torch.is_tensor(output):
            return change(output)
        changed = change(output[0])
        return None if changed is None else (changed, *output[1:])

    handle = module.register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()


def to_floats(tensor: Tensor) -> Floats:
    """The numbers of a tensor, on the CPU."""
    floats: Floats = tensor.detach().float().cpu().numpy()
    return floats


def joint_inputs(inputs: Sequence[Inputs]) -> Inputs:
    """The inputs of several prompts as those of one run, a row for each."""
    return {name: torch.cat([each[name] for each in inputs]) for name in inputs[0]}


def shapes_of(inputs: Inputs) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of a prompt's inputs: prompts with the same ones can be joined."""
    return {name: tuple(getattr(each, "shape", ())) for name, each in inputs.items()}
