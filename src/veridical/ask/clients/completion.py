"""The body of a chat completion, read as servers really write it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from veridical.ask.clients.base import Reply
from veridical.ask.failures import Failure, Kind, kind_of_status
from veridical.records import Json

MOST_TOKENS = 2**53
_STOPS = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "content_filter": "content_filter",
    "model_length": "model_length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_THOUGHT = re.compile(r"\s{0,9}<think>(.*?)</think>\s*", re.DOTALL)
_OVERFLOW = Failure(kind="context_overflow", detail="the context length is exceeded")


def read_completion(content: bytes) -> Reply | Failure:
    """The reply in a body, or why there is none: no JSON, no completion, an error in place of one, no choice.

    >>> read_completion(b'{"choices": [{"message": {"content": [{"type": "text", "text": "Yes"}]}}]}').text
    'Yes'
    >>> read_completion(b'{"error": {"code": 429, "message": "slow down"}}').kind
    'rate_limit'
    """
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return Failure(kind="not_json", detail="the reply is no JSON")
    if not isinstance(body, dict):
        return Failure(kind="not_json", detail="the reply is no chat completion")
    choices = body.get("choices")
    if not choices:
        stated = body.get("error")
        if stated:
            return _failure(stated)
        return _lacking("choice") if "choices" in body else _foreign()
    choice = choices[0] if isinstance(choices, list) else None
    if not isinstance(choice, dict):
        return _foreign()
    if choice.get("error"):
        return _failure(choice["error"])
    message = choice.get("message")
    if not isinstance(message, dict):
        return _foreign()
    held = message.get("content")
    parts = held if isinstance(held, list) else [] if held is None else [held]
    if not all(isinstance(part, str | dict) for part in parts):
        return Failure(kind="not_json", detail="the reply's content is no text")
    stop = _STOPS.get(str(choice.get("finish_reason")), "unknown")
    return _OVERFLOW if stop == "model_length" else _reply(body, message, parts, stop)


def tokens(value: Json) -> int | None:
    """A count of tokens as it may be stored: a whole number from 0 to 2⁵³, however written; else `None`.

    >>> tokens(12.0), tokens(-1), tokens(True), tokens(2**63)
    (12, None, None, None)
    """
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return int(value) if whole and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS else None


def _reply(body: Mapping[str, Json], message: Mapping[str, Json], parts: Sequence[Json], stop: str) -> Reply:
    refusal = message.get("refusal")
    said, declined = "".join(_texts(parts, "text")), "".join(_texts(parts, "refusal"))
    declined = declined or (refusal if isinstance(refusal, str) else "")
    reasoning = _reasoning(message, parts)
    if reasoning is None and (thought := _THOUGHT.match(said)):
        reasoning, said = thought[1].strip(), said[thought.end() :]
    usage = body.get("usage")
    counts: Mapping[str, Json] = usage if isinstance(usage, dict) else {}
    details = counts.get("prompt_tokens_details")
    served = body.get("model")
    return Reply(
        text=said or declined,
        reasoning=reasoning,
        stop_reason=stop,
        refused=bool(declined) or stop == "content_filter",
        served=served if isinstance(served, str) and served else None,
        input_tokens=tokens(counts.get("prompt_tokens")),
        output_tokens=tokens(counts.get("completion_tokens")),
        cached_tokens=tokens(details.get("cached_tokens")) if isinstance(details, dict) else None,
    )


def _texts(parts: Sequence[Json], kind: str) -> Iterator[str]:
    """The texts among the parts of a message: plain ones, and those under the name of their kind."""
    for part in parts:
        if isinstance(part, str) and kind == "text":
            yield part
        elif isinstance(part, dict) and isinstance(part.get(kind), str) and part.get("type") not in _THOUGHTS:
            yield part[kind]


def _reasoning(message: Mapping[str, Json], parts: Sequence[Json]) -> str | None:
    for name in _THOUGHTS:
        if isinstance(text := message.get(name), str) and text:
            return text
    details = message.get("reasoning_details")
    told = details if isinstance(details, list) else []
    thoughts = [part for part in parts if isinstance(part, dict) and part.get("type") in _THOUGHTS]
    found = [text for part in (*told, *thoughts) for text in _thought(part)]
    return "\n\n".join(found) or None


def _thought(part: Json) -> Iterator[str]:
    """The text of one block of reasoning, in the words of several servers."""
    if not isinstance(part, dict):
        return
    for name in ("text", "summary", *_THOUGHTS):
        inner = part.get(name)
        if isinstance(inner, str) and inner:
            yield inner
            return
        if isinstance(inner, list):
            yield from _texts(inner, "text")
            return


def _failure(stated: Json) -> Failure:
    """What an error object within an HTTP 200 means."""
    facts: Mapping[str, Json] = stated if isinstance(stated, dict) else {"message": str(stated)}
    code = facts.get("code")
    status = tokens(int(code) if isinstance(code, str) and code.isdecimal() and len(code) < 6 else code)
    kind: Kind = "server" if status is None else kind_of_status(status, str(facts.get("message") or ""))
    named = "" if status is None else f" {status}"
    return Failure(kind=kind, detail=f"HTTP 200 with an error{named}", reason=str(facts.get("message") or ""))


def _lacking(what: str) -> Failure:
    return Failure(kind="no_choices", detail=f"the reply holds no {what}")


def _foreign() -> Failure:
    return Failure(kind="not_json", detail="the reply is no chat completion")
