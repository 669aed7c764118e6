"""Prompts as a model's inputs, tokens sampled row by row, and replies, with transformers' `generate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from transformers import LogitsProcessor, StoppingCriteria

from veridical.ask.local.loader import LoadedModel
from veridical.ask.local.requests import (
    TOKENS_WITH_TOPS,
    LocalPrompt,
    LocalReply,
    PromptRefused,
    ReplyRequest,
    TokenSampling,
)
from veridical.records import Json


class TokenTops(NamedTuple):
    """A token of a reply with its log probability, and the likeliest tokens with theirs, likeliest first."""

    token: int
    logprob: float
    others: tuple[tuple[int, float], ...]


class GeneratedTokens(NamedTuple):
    """The new tokens of each row, of shape (prompts, tokens), the resulting cache, and the tops of each row."""

    rows: Any
    cache: Any
    tops: Sequence[Sequence[TokenTops]]


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

    def generated(
        self, inputs: dict[str, Any], wanted: Sequence[ReplyRequest], lengths: Sequence[int]
    ) -> GeneratedTokens:
        """The tokens that follow prompts; `lengths` are the lengths of the prompts in tokens."""
        most = [self.most(each, length) for each, length in zip(wanted, lengths, strict=True)]
        draw = Draw([each.drawing for each in wanted], [each.tops for each in wanted])
        output = self.model.generate(
            **inputs,
            max_new_tokens=max(most),
            pad_token_id=self.padding,
            logits_processor=[draw],
            stopping_criteria=[RowEnds(most, [each.abandoned for each in wanted])],
            return_dict_in_generate=True,
        )
        start = 1 if self.encoder_decoder else inputs["input_ids"].shape[1]
        return GeneratedTokens(output.sequences[:, start:], output.get("past_key_values"), draw.tops)

    def next_token(self, inputs: dict[str, Any]) -> Any:  # noqa: ANN401 - of transformers
        """The output of transformers for one new token: scores as `logits[0]`, the cache as `past_key_values`."""
        return self.model.generate(
            **inputs, max_new_tokens=1, pad_token_id=self.padding, output_logits=True, return_dict_in_generate=True
        )

    def written(
        self, row: Sequence[int], wanted: ReplyRequest, length: int, tops: Sequence[TokenTops] = (), reused: int = 0
    ) -> LocalReply:
        """The reply in a row of new tokens, up to the first end token or the maximum length."""
        row = row[: self.most(wanted, length)]
        end = next((place for place, token in enumerate(row) if token in self.ends), None)
        tokens = tuple(row if end is None else row[: end + 1])
        return LocalReply(
            text=self.text(tokens),
            tokens=tokens,
            stop_reason="max_tokens" if end is None else "stop",
            prompt=length,
            reused=reused,
            logprobs=self._logprobs(tops[: len(tokens)]) if wanted.tops else None,
        )

    def text(self, tokens: Sequence[int]) -> str:
        """The text of tokens, without marks."""
        tokenizer = self.processor.tokenizer
        return str(tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False))

    def _logprobs(self, tops: Sequence[TokenTops]) -> list[Json]:
        """The tops of a row in words. A token is what it adds to the text, so that all of them make up the text."""
        row = [each.token for each in tops]
        texts = ["", *(self.text(row[: place + 1]) for place in range(len(row)))]
        return [
            {
                "token": texts[place + 1].removeprefix(texts[place]),
                "logprob": each.logprob,
                "top_logprobs": [{"token": self.text([token]), "logprob": value} for token, value in each.others],
            }
            for place, each in enumerate(tops)
        ]

    def most(self, wanted: ReplyRequest, length: int) -> int:
        """The maximum number of tokens of a reply to a prompt of this length."""
        return wanted.most if self._longest is None else min(wanted.most, self._longest - length)

    def too_long(self, length: int) -> bool:
        """Whether a prompt leaves no room for a reply."""
        return self._longest is not None and length >= self._longest


class Draw(LogitsProcessor):  # type: ignore[misc] # transformers may not be installed where types are checked
    """Keeps only the drawn token of each row's scores, so that the greedy choice is the draw.

    `tops` has, for each row, the first tokens with the likeliest ones in their places, as many as `wanted` of the row.
    """

    def __init__(self, drawings: Sequence[TokenSampling], wanted: Sequence[int | None]) -> None:
        self._drawings, self._wanted = drawings, wanted
        self.tops: list[list[TokenTops]] = [[] for _ in drawings]
        self._generators = [torch.Generator() for _ in drawings]
        for generator, drawing in zip(self._generators, drawings, strict=True):
            if drawing.seed is None:
                generator.seed()
            else:
                generator.manual_seed(drawing.seed)

    def __call__(self, input_ids: Any, scores: Any) -> Any:  # noqa: ANN401, ARG002 - of torch, by transformers' names
        left = self._drawn(scores)
        if any(wanted and len(tops) < TOKENS_WITH_TOPS for wanted, tops in zip(self._wanted, self.tops, strict=True)):
            chances = torch.log_softmax(scores.float(), -1)
            for row, (wanted, tops) in enumerate(zip(self._wanted, self.tops, strict=True)):
                if wanted:
                    tops.append(_tops(chances[row], int(left[row].argmax()), wanted))
        return left

    def _drawn(self, scores: Any) -> Any:  # noqa: ANN401 - of torch
        if all(drawing.temperature == 0 for drawing in self._drawings):
            return scores
        left = scores.clone()
        for row, (drawing, generator) in enumerate(zip(self._drawings, self._generators, strict=True)):
            if drawing.temperature > 0:
                number = torch.rand((), generator=generator, dtype=torch.float64).item()
                left[row] = -torch.inf
                left[row, drawn_token(scores[row], drawing, number)] = 0.0
        return left


def _tops(chances: Any, token: int, many: int) -> TokenTops:  # noqa: ANN401 - of torch
    """The likeliest tokens of log probabilities of shape (tokens,); a chance of 0 has no logarithm, and is left out."""
    values, places = torch.topk(chances, min(many, chances.shape[-1]))
    others = [(place, min(value, 0.0)) for place, value in zip(places.tolist(), values.tolist(), strict=True)]
    finite = tuple((place, value) for place, value in others if value > -torch.inf)
    return TokenTops(token, min(float(chances[token]), 0.0), finite)


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
