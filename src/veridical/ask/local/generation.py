"""Requests to a local model as prompts, tokens sampled row by row, and replies, with transformers' `generate`."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

import torch
from transformers import LogitsProcessor, StoppingCriteria

from veridical.ask.local.loader import LoadedModel
from veridical.media.pictures import decode_picture

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Content


StopReason = Literal["stop", "max_tokens", "model_length"]


@dataclass(frozen=True, kw_only=True)
class TokenSampling:
    """How a reply is sampled: greedily at `temperature` 0, else from the `top_k` and `top_p` likeliest tokens.

    One random number per token decides, from a generator seeded with `seed`.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int | None = None
    seed: int | None = None


GREEDY = TokenSampling()


@dataclass(frozen=True)
class ReplyRequest:
    """A request for a reply: the prompt, the sampling, and the maximum number of tokens.

    `abandoned` says whether the caller no longer waits for it.
    """

    prompt: LocalPrompt
    drawing: TokenSampling = GREEDY
    most: int = 2048
    abandoned: Callable[[], bool] = lambda: False


@dataclass(frozen=True, kw_only=True)
class LocalReply:
    """A reply: its text, its tokens including the end token, and its stop reason: `stop`, `max_tokens`, `model_length`.

    `prompt` counts the prompt's tokens, including those of pictures; `reused` counts those that were not encoded for
    this reply. A prompt that leaves no room in the model's context has an empty reply with the reason `model_length`.
    """

    text: str
    tokens: tuple[int, ...]
    stop_reason: StopReason
    prompt: int
    reused: int = 0


def overflow(length: int) -> LocalReply:
    """The empty reply to a prompt of this many tokens, which exceeds the model's context."""
    return LocalReply(text="", tokens=(), stop_reason="model_length", prompt=length)


_ROLES = ("system", "user", "assistant")


class PromptRefused(Exception):  # noqa: N818 - failures are classified by this name
    """A prompt that the model's template, processor or provider does not accept."""


@dataclass(frozen=True)
class LocalPrompt:
    """Turns of parts, each a text or the bytes of a picture; `continues` means that the model continues the last turn.

    `pictures` are the hashes of its pictures, in order.
    """

    turns: tuple[tuple[str, tuple[str | bytes, ...]], ...]
    continues: bool
    pictures: tuple[str, ...]

    @classmethod
    def of(cls, messages: Sequence[ChatMessage]) -> LocalPrompt:
        """The prompt of messages; raises `PromptRefused` for a part that is neither text nor picture."""
        turns = tuple((_role(message.role), _parts(message.content)) for message in messages)
        shown = [part for _, parts in turns for part in parts if isinstance(part, bytes)]
        continues = bool(turns) and turns[-1][0] == "assistant"
        return cls(turns, continues, tuple(sha256(picture).hexdigest() for picture in shown))

    def conversation(self) -> list[dict[str, Any]]:
        """The turns in the form of transformers, with decoded pictures.

        Raises `InputError` for a picture that is incomplete or too large.
        """
        return [{"role": role, "content": [_entry(part) for part in parts]} for role, parts in self.turns]


def _role(role: str) -> str:
    if role not in _ROLES:
        raise PromptRefused(f"a turn of the role {role}: {', '.join(_ROLES)} are accepted")
    return role


def _parts(content: str | list[Content]) -> tuple[str | bytes, ...]:
    if isinstance(content, str):
        return (content,)
    return tuple(_part(part) for part in content if part.type != "reasoning")


def _part(part: Content) -> str | bytes:
    if part.type == "text":
        return part.text
    if part.type == "image" and part.image.startswith("data:"):
        return b64decode(part.image.partition(",")[2])
    raise PromptRefused(f"a part of the kind {part.type}: texts and pictures as data URLs are accepted")


def _entry(part: str | bytes) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    from PIL import Image

    return {"type": "image", "image": Image.fromarray(decode_picture(part, "a picture"))}


class Generator:
    """The processor and model of a loaded model: prompts to inputs, inputs to tokens, tokens to replies."""

    def __init__(self, loaded: LoadedModel) -> None:
        self.model, self.processor = loaded.model, loaded.processor
        self.encoder_decoder = bool(self.model.config.is_encoder_decoder)
        self._longest = getattr(self.model.config.get_text_config(decoder=True), "max_position_embeddings", None)
        ends, padding = self.model.generation_config.eos_token_id, self.processor.tokenizer.pad_token_id
        self.ends: tuple[int, ...] = tuple(ends) if isinstance(ends, list) else () if ends is None else (ends,)
        self.padding: int = padding if padding is not None else (*self.ends, 0)[0]

    def inputs(self, prompts: Sequence[LocalPrompt]) -> dict[str, Any]:
        """The model's inputs for prompts, padded on the left; either all prompts continue the last turn, or none.

        Text that looks like a special token of the model stays text. Raises `PromptRefused` for prompts that the chat
        template or the processor rejects, and `InputError` for a picture that cannot be read.
        """
        conversations = [prompt.conversation() for prompt in prompts]
        continues = prompts[0].continues
        try:
            inputs = self.processor.apply_chat_template(
                conversations,
                add_generation_prompt=not continues,
                continue_final_message=continues,
                tokenize=True,
                return_dict=True,
                return_tensors="pt",
                sanitize_control_tokens=True,
                processor_kwargs={"padding": True} if len(prompts) > 1 else None,
            )
        except Exception as error:  # templates and processors may raise anything
            raise PromptRefused(f"its chat template or processor rejects it: {error}") from error
        return dict(inputs.to(self.model.device, dtype=self.model.dtype))

    def generated(self, inputs: dict[str, Any], wanted: Sequence[ReplyRequest], lengths: Sequence[int]) -> Any:  # noqa: ANN401 - of transformers
        """The new tokens of each row, of shape (prompts, tokens), and the resulting cache.

        `lengths` are the lengths of the prompts in tokens.
        """
        most = [self.most(each, length) for each, length in zip(wanted, lengths, strict=True)]
        output = self.model.generate(
            **inputs,
            max_new_tokens=max(most),
            pad_token_id=self.padding,
            logits_processor=[Draw([each.drawing for each in wanted])],
            stopping_criteria=[RowEnds(most, [each.abandoned for each in wanted])],
            return_dict_in_generate=True,
        )
        start = 1 if self.encoder_decoder else inputs["input_ids"].shape[1]
        return output.sequences[:, start:], output.get("past_key_values")

    def next_token(self, inputs: dict[str, Any]) -> Any:  # noqa: ANN401 - of transformers
        """The output of transformers for one new token: scores as `logits[0]`, the cache as `past_key_values`."""
        return self.model.generate(
            **inputs,
            max_new_tokens=1,
            pad_token_id=self.padding,
            output_logits=True,
            return_dict_in_generate=True,
        )

    def written(self, row: Sequence[int], wanted: ReplyRequest, length: int, reused: int = 0) -> LocalReply:
        """The reply in a row of new tokens, up to the first end token or the maximum length."""
        row = row[: self.most(wanted, length)]
        end = next((place for place, token in enumerate(row) if token in self.ends), None)
        tokens = tuple(row if end is None else row[: end + 1])
        return LocalReply(
            text=self.processor.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False),
            tokens=tokens,
            stop_reason="max_tokens" if end is None else "stop",
            prompt=length,
            reused=reused,
        )

    def most(self, wanted: ReplyRequest, length: int) -> int:
        """The maximum number of tokens of a reply to a prompt of this length."""
        return wanted.most if self._longest is None else min(wanted.most, self._longest - length)

    def too_long(self, length: int) -> bool:
        """Whether a prompt leaves no room for a reply."""
        return self._longest is not None and length >= self._longest


class Draw(LogitsProcessor):  # type: ignore[misc] # transformers may not be installed where types are checked
    """Keeps only the drawn token of each row's scores, so that the greedy choice is the draw."""

    def __init__(self, drawings: Sequence[TokenSampling]) -> None:
        self._drawings = drawings
        self._generators = [torch.Generator() for _ in drawings]
        for generator, drawing in zip(self._generators, drawings, strict=True):
            if drawing.seed is None:
                generator.seed()
            else:
                generator.manual_seed(drawing.seed)

    def __call__(self, input_ids: Any, scores: Any) -> Any:  # noqa: ANN401, ARG002 - of torch, by transformers' names
        if all(drawing.temperature == 0 for drawing in self._drawings):
            return scores
        left = scores.clone()
        for row, (drawing, generator) in enumerate(zip(self._drawings, self._generators, strict=True)):
            if drawing.temperature > 0:
                number = torch.rand((), generator=generator, dtype=torch.float64).item()
                left[row] = -torch.inf
                left[row, drawn_token(scores[row], drawing, number)] = 0.0
        return left


def drawn_token(scores: Any, drawing: TokenSampling, number: float) -> int:  # noqa: ANN401 - of torch
    """The token that a number in [0, 1) draws from scores of shape (tokens,), at a temperature above 0.

    The candidates are the `top_k` likeliest tokens, and of these the fewest whose probabilities sum to `top_p`. The
    number picks one by their cumulative probabilities, likeliest first.
    """
    ordered, tokens = torch.sort(scores.double() / drawing.temperature, descending=True, stable=True)
    if drawing.top_k is not None:
        ordered, tokens = ordered[: drawing.top_k], tokens[: drawing.top_k]
    sums = torch.softmax(ordered, -1).cumsum(-1)
    kept = min(int((sums < drawing.top_p).sum()) + 1, len(sums))
    place = int(torch.searchsorted(sums[:kept], number * float(sums[kept - 1]), right=True))
    return int(tokens[min(place, kept - 1)])


class RowEnds(StoppingCriteria):  # type: ignore[misc] # transformers may not be installed where types are checked
    """Ends each row at its own maximum length, or at once if its caller no longer waits."""

    def __init__(self, most: Sequence[int], abandoned: Sequence[Callable[[], bool]]) -> None:
        self._most, self._abandoned = most, abandoned
        self._start: int | None = None

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:  # noqa: ANN401, ARG002 - of torch
        if self._start is None:
            self._start = input_ids.shape[1] - 1
        written = input_ids.shape[1] - self._start
        ended = [written >= most or gone() for most, gone in zip(self._most, self._abandoned, strict=True)]
        return torch.tensor(ended, device=input_ids.device)
