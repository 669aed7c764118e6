"""Chat completions and log probabilities of OpenAI-compatible servers, read or repaired with all deviations."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from veridical.ask.clients import ModelReply
from veridical.ask.exceptions import words
from veridical.ask.failures import CONTEXT_OVERFLOW, NO_CHOICES, NO_COMPLETION, Failure, ReplyError, failure_in_reply
from veridical.ask.redact import Redact
from veridical.records import TOKENS, Json

_STOPS = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "content_filter": "content_filter",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}
_THOUGHTS = ("reasoning_content", "reasoning")
_BLOCK = re.compile(r"\s{0,9}<think>(.*?)</think>\s*", re.DOTALL)

_MOST_ALTERNATIVES = 20
_LEAST = -1e9


def read_completion(content: bytes) -> ModelReply | Failure:
    """The reply in a body, or the failure: not JSON, not a completion, an error, or no choices.

    >>> read_completion(b'{"choices": [{"message": {"content": [{"type": "text", "text": "Yes"}]}}]}').text
    'Yes'
    >>> read_completion(b'{"error": {"code": 429, "message": "slow down"}}').kind
    'rate_limit'
    """
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return Failure(
            kind="not_json", detail="the reply is not JSON", reason=words(content[:20_000].decode("utf-8", "replace"))
        )
    if not isinstance(body, dict):
        return NO_COMPLETION
    choices = body.get("choices")
    if not choices:
        return failure_in_reply(body) if body.get("error") else NO_CHOICES
    choice = choices[0] if isinstance(choices, list) else None
    if not isinstance(choice, dict):
        return NO_COMPLETION
    if choice.get("error"):
        return failure_in_reply(choice)
    message = choice.get("message")
    return _reply(body, choice, message) if isinstance(message, dict) else NO_CHOICES


def _reply(body: Mapping[str, Json], choice: Mapping[str, Json], message: Mapping[str, Json]) -> ModelReply | Failure:
    finish = choice.get("finish_reason")
    if finish == "model_length":
        return CONTEXT_OVERFLOW
    try:
        text, thoughts = text_and_thoughts(message.get("content"))
    except (TypeError, RecursionError):
        return Failure(kind="not_json", detail="the reply's content is not text")
    refusal, served = message.get("refusal"), body.get("model")
    declined = refusal if isinstance(refusal, str) else ""
    reasoning, text = _reasoning(message) or thoughts, text or ""
    if not reasoning and (block := _BLOCK.match(text)):
        reasoning, text = block[1].strip(), text[block.end() :]
    stop = _STOPS.get(finish, "unknown") if isinstance(finish, str) else "unknown"
    return ModelReply(
        text=text or declined,
        reasoning=reasoning or None,
        stop_reason=stop,
        refused=bool(declined) or stop == "content_filter",
        served_model=served if isinstance(served, str) and served else None,
        logprobs=token_logprobs(choice.get("logprobs")),
        **counts_in(body.get("usage")),
    )


def _reasoning(message: Mapping[str, Json]) -> str:
    """The reasoning of a message: a text, or blocks that have a text or a summary."""
    for name in _THOUGHTS:
        if isinstance(text := message.get(name), str) and text:
            return text
    details = message.get("reasoning_details")
    blocks = [each for each in details if isinstance(each, dict)] if isinstance(details, list) else []
    texts = [text for each in blocks if isinstance(text := each.get("text") or each.get("summary"), str)]
    return "\n\n".join(filter(None, texts))


def token_logprobs(stated: Json) -> list[Json] | None:
    """Each token of a reply with its natural log probability and those of its likeliest alternatives.

    `None` if there are none, or if any of them is not a token with a finite number of at most 0, because a part of the
    tokens would look like the whole reply.

    >>> token_logprobs({"content": [{"token": "1", "logprob": -0.1, "bytes": [49], "top_logprobs": []}]})
    [{'token': '1', 'logprob': -0.1, 'top_logprobs': []}]
    """
    content = stated.get("content") if isinstance(stated, Mapping) else None
    if not isinstance(content, list) or not content:
        return None
    tokens: list[Json] = []
    for each in content:
        if (held := _token(each)) is None:
            return None
        others = each.get("top_logprobs")
        tops = [_token(other) for other in others[:_MOST_ALTERNATIVES]] if isinstance(others, list) else []
        tokens.append({**held, "top_logprobs": [top for top in tops if top is not None]})
    return tokens


def without_secret_tokens(tokens: list[Json] | None, redact: Redact) -> list[Json] | None:
    """The tokens, or `None` if they contain a secret, which may be spread over several tokens."""
    if tokens is None:
        return None
    text = "".join(each["token"] for each in tokens)
    texts = [text, *(other["token"] for each in tokens for other in each["top_logprobs"])]
    return tokens if all(redact(text) == text for text in texts) else None


def _token(each: Json) -> dict[str, Json] | None:
    if not isinstance(each, Mapping):
        return None
    token, value = each.get("token"), each.get("logprob")
    if not isinstance(token, str) or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    whole = token.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return {"token": whole, "logprob": float(value)} if _LEAST <= value <= 0 else None


MOST_TOKENS = 2**53


def repair_completion(completion: Any, model: str) -> Any:  # noqa: ANN401 - whatever the client made of the body
    """A chat completion, changed in place, so that its content is a text and its counts are whole numbers.

    A list of parts becomes the joined text of its text parts; its thinking parts become the reasoning. Missing counts
    are computed from the others, or all counts are removed. A missing name becomes that of the requested `model`.
    Raises `ReplyError` for an error, and TypeError for content that is neither text nor parts with text.
    """
    first = (completion.choices or [completion])[0]
    if getattr(first, "error", None):
        raise ReplyError({"error": first.error})
    held = completion.choices or []
    completion.choices = [each for each in held if hasattr(getattr(each, "message", None), "content")]
    completion.model = completion.model if isinstance(completion.model, str) else model
    completion.id = completion.id if isinstance(completion.id, str) else ""
    for number, choice in enumerate(completion.choices):
        choice.index = choice.index if isinstance(choice.index, int) else number
        # Calls are never requested; a malformed one would lose a good reply, as would malformed log probabilities.
        choice.message.tool_calls = None
        choice.logprobs = _sound_logprobs(choice.logprobs)
        text, thoughts = text_and_thoughts(choice.message.content)
        choice.message.content = text
        if thoughts and not any(getattr(choice.message, name, None) for name in (*_THOUGHTS, "reasoning_details")):
            choice.message.reasoning_content = thoughts
    completion.usage = _usage(completion.usage)
    return completion


def _sound_logprobs(held: Any) -> Any:  # noqa: ANN401 - whatever the client made of the body
    """The log probabilities of a choice if they are those of its tokens, else `None`."""
    dump = getattr(held, "model_dump", None)
    return held if dump is not None and token_logprobs(dump(warnings=False)) is not None else None


def text_and_thoughts(content: Json) -> tuple[str | None, str]:
    """The text of a message's content, and the text of its thinking parts; the text is `None` if the content is null.

    >>> text_and_thoughts([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
    ...                    {"type": "text", "text": "Ye"}, {"text": "s"}])
    ('Yes', 'hm')
    """
    if content is None or isinstance(content, str):
        return content, ""
    parts = [content] if isinstance(content, Mapping) else content
    if not isinstance(parts, list):
        raise TypeError(f"the content is neither text nor parts, but {type(content).__name__}")
    texts, thoughts = [], []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, Mapping):
            raise TypeError(f"a part of the content is neither text nor an object, but {type(part).__name__}")
        elif part.get("type") in ("thinking", "reasoning"):
            thoughts.append(text_and_thoughts(part.get("thinking") or part.get("reasoning") or part.get("text"))[0])
        elif isinstance(text := part.get("text", part.get("refusal")), str):
            texts.append(text)
    return "".join(texts), "\n\n".join(filter(None, thoughts))


def token_count(value: Json) -> int | None:
    """A count of tokens as a whole number from 0 to 2⁵³; `None` if the value is not one.

    >>> token_count(12.0), token_count("12"), token_count(None), token_count(-1), token_count(2.5)
    (12, 12, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = int(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number <= MOST_TOKENS and (isinstance(value, str) or number == value) else None


def counts_in(usage: Json) -> dict[str, int | None]:
    """The token counts of a completion's usage by their names in a response; all are `None` if they are unknown.

    >>> counts_in({"prompt_tokens": 9, "total_tokens": 11, "prompt_tokens_details": {"cached_tokens": 4}})
    {'input_tokens': 9, 'output_tokens': 2, 'cached_tokens': 4, 'cache_write_tokens': None}
    """
    stated: Mapping[str, Json] = usage if isinstance(usage, Mapping) else {}
    prompt, completion = _whole(
        *(token_count(stated.get(f"{name}_tokens")) for name in ("prompt", "completion", "total"))
    )
    if prompt is None or completion is None:
        return dict.fromkeys(TOKENS)
    details = stated.get("prompt_tokens_details")
    cache: Mapping[str, Json] = details if isinstance(details, Mapping) else {}
    return dict(zip(TOKENS, (prompt, completion, *(token_count(cache.get(name)) for name in TOKENS[2:])), strict=True))


def _whole(prompt: int | None, completion: int | None, total: int | None) -> tuple[int | None, int | None]:
    """Tokens of prompt and completion, a missing one computed from the total; `None` twice if that is impossible."""
    if prompt is None and total is not None and completion is not None:
        prompt = total - completion
    if completion is None and total is not None and prompt is not None:
        completion = total - prompt
    if prompt is None or completion is None or prompt < 0 or completion < 0:
        return None, None
    return prompt, completion


def _usage(usage: Any) -> Any:  # noqa: ANN401
    from openai.types.completion_usage import CompletionTokensDetails, PromptTokensDetails

    prompt, completion = _whole(
        *(token_count(getattr(usage, f"{name}_tokens", None)) for name in ("prompt", "completion", "total"))
    )
    if prompt is None or completion is None:
        return None
    usage.prompt_tokens, usage.completion_tokens, usage.total_tokens = prompt, completion, prompt + completion
    cache = getattr(usage, "prompt_tokens_details", None)
    if cache is not None:
        read, written = (token_count(getattr(cache, name, None)) for name in ("cached_tokens", "cache_write_tokens"))
        usage.prompt_tokens_details = PromptTokensDetails(cached_tokens=read, cache_write_tokens=written)
    thought = token_count(getattr(getattr(usage, "completion_tokens_details", None), "reasoning_tokens", None))
    usage.completion_tokens_details = None if thought is None else CompletionTokensDetails(reasoning_tokens=thought)
    return usage
