"""Chat completions as servers of OpenAI's format send them, put into the shape that clients of it rely on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.ask.failures import ReplyError
from veridical.records import Json

MOST_TOKENS = 2**53
_THOUGHTS = ("reasoning_content", "reasoning", "reasoning_details")


def repaired(completion: Any, model: str) -> Any:  # noqa: ANN401 - whatever the client made of the body
    """A chat completion, changed in place, whose text is a text and whose counts are whole numbers.

    A list of parts becomes the text of its text parts, joined as they are, and its thinking parts the reasoning;
    counts that are missing are worked out from the others, or there are none at all; a missing name is that of the
    `model` that was asked for. Raises `ReplyError` for an error, and TypeError for content that is neither text nor
    parts with text.
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
        # Nobody asks for these, and a malformed one loses a good reply.
        choice.logprobs = choice.message.tool_calls = None
        text, thoughts = text_and_thoughts(choice.message.content)
        choice.message.content = text
        if thoughts and not any(getattr(choice.message, name, None) for name in _THOUGHTS):
            choice.message.reasoning_content = thoughts
    completion.usage = _usage(completion.usage)
    return completion


def text_and_thoughts(content: Json) -> tuple[str | None, str]:
    """The text of a message's content and what stands in thinking parts beside it; the text is `None` where it is null.

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
        elif isinstance(said := part.get("text", part.get("refusal")), str):
            texts.append(said)
    return "".join(texts), "\n\n".join(filter(None, thoughts))


def counted(value: Json) -> int | None:
    """A count of tokens as a whole number from 0 to 2⁵³; `None` for what is none.

    >>> counted(12.0), counted("12"), counted(None), counted(-1), counted(2.5)
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
    """The tokens of a completion's usage by their names in a response; all are `None` where they cannot be told.

    >>> counts_in({"prompt_tokens": 9, "total_tokens": 11, "prompt_tokens_details": {"cached_tokens": 4}})
    {'input_tokens': 9, 'output_tokens': 2, 'cached_tokens': 4, 'cache_write_tokens': None}
    """
    names = ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens")
    stated: Mapping[str, Json] = usage if isinstance(usage, Mapping) else {}
    given, taken = _whole(*(counted(stated.get(f"{name}_tokens")) for name in ("prompt", "completion", "total")))
    if given is None or taken is None:
        return dict.fromkeys(names)
    details = stated.get("prompt_tokens_details")
    cache: Mapping[str, Json] = details if isinstance(details, Mapping) else {}
    return dict(zip(names, (given, taken, *(counted(cache.get(name)) for name in names[2:])), strict=True))


def _whole(given: int | None, taken: int | None, both: int | None) -> tuple[int | None, int | None]:
    """Tokens in and out, one of them worked out where it is missing; `None` twice where that cannot be."""
    if given is None and both is not None and taken is not None:
        given = both - taken
    if taken is None and both is not None and given is not None:
        taken = both - given
    if given is None or taken is None or given < 0 or taken < 0:
        return None, None
    return given, taken


def _usage(usage: Any) -> Any:  # noqa: ANN401
    from openai.types.completion_usage import CompletionTokensDetails, PromptTokensDetails

    given, taken = _whole(
        *(counted(getattr(usage, f"{name}_tokens", None)) for name in ("prompt", "completion", "total"))
    )
    if given is None or taken is None:
        return None
    usage.prompt_tokens, usage.completion_tokens, usage.total_tokens = given, taken, given + taken
    cache = getattr(usage, "prompt_tokens_details", None)
    if cache is not None:
        read, written = (counted(getattr(cache, name, None)) for name in ("cached_tokens", "cache_write_tokens"))
        usage.prompt_tokens_details = PromptTokensDetails(cached_tokens=read, cache_write_tokens=written)
    thought = counted(getattr(getattr(usage, "completion_tokens_details", None), "reasoning_tokens", None))
    usage.completion_tokens_details = None if thought is None else CompletionTokensDetails(reasoning_tokens=thought)
    return usage
