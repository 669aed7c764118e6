"""The log probabilities of a reply's tokens, as servers of OpenAI's format send them where a request asks for them."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.ask.redact import Redact
from veridical.records import Json

_MOST_ALTERNATIVES = 20
_LEAST = -1e9


def token_logprobs(stated: Json) -> list[Json] | None:
    """Each token of a reply with its natural log probability and those of its likeliest alternatives.

    `None` where none are given, or where one is no token with a finite number of at most 0: a part of them would look
    like the whole.

    >>> token_logprobs({"content": [{"token": "1", "logprob": -0.1, "bytes": [49], "top_logprobs": []}]})
    [{'token': '1', 'logprob': -0.1, 'top_logprobs': []}]
    """
    content = stated.get("content") if isinstance(stated, Mapping) else None
    if not isinstance(content, list) or not content:
        return None
    found: list[Json] = []
    for each in content:
        if (held := _token(each)) is None:
            return None
        others = each.get("top_logprobs")
        tops = [_token(other) for other in others[:_MOST_ALTERNATIVES]] if isinstance(others, list) else []
        found.append({**held, "top_logprobs": [top for top in tops if top is not None]})
    return found


def without_secret_tokens(found: list[Json] | None, redact: Redact) -> list[Json] | None:
    """The same, or `None` where the tokens hold a secret, which may be spread over several of them."""
    if found is None:
        return None
    said = "".join(each["token"] for each in found)
    texts = [said, *(other["token"] for each in found for other in each["top_logprobs"])]
    return found if all(redact(text) == text for text in texts) else None


def _token(each: Json) -> dict[str, Json] | None:
    if not isinstance(each, Mapping):
        return None
    token, value = each.get("token"), each.get("logprob")
    if not isinstance(token, str) or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    whole = token.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return {"token": whole, "logprob": float(value)} if _LEAST <= value <= 0 else None
