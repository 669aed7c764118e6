"""The log probabilities of a reply's tokens in OpenAI's format."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.ask.redact import Redact
from veridical.records import Json

_MOST_ALTERNATIVES = 20
_LEAST = -1e9


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
