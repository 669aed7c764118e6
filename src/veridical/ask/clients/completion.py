"""Reading the body of a chat completion and its log probabilities, including the deviations of real servers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from veridical.ask.clients.base import Reply
from veridical.ask.compatible import counts_in, text_and_thoughts
from veridical.ask.failures import Failure, failure_in_reply
from veridical.ask.reasons import words
from veridical.ask.redact import Redact
from veridical.records import Json

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


def read_completion(content: bytes) -> Reply | Failure:
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
        return _foreign()
    choices = body.get("choices")
    if not choices:
        return failure_in_reply(body) if body.get("error") else _no_choice()
    choice = choices[0] if isinstance(choices, list) else None
    if not isinstance(choice, dict):
        return _foreign()
    if choice.get("error"):
        return failure_in_reply(choice)
    message = choice.get("message")
    return _reply(body, choice, message) if isinstance(message, dict) else _no_choice()


def _reply(body: Mapping[str, Json], choice: Mapping[str, Json], message: Mapping[str, Json]) -> Reply | Failure:
    finish = choice.get("finish_reason")
    if finish == "model_length":
        return Failure(kind="context_overflow", detail="the context length is exceeded")
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
    return Reply(
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


def _foreign() -> Failure:
    return Failure(kind="not_json", detail="the reply is not a chat completion")


def _no_choice() -> Failure:
    return Failure(kind="no_choices", detail="the reply has no choices")


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
