"""Chat completions of OpenAI-compatible servers, repaired to the shape that clients rely on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.ask.failures import ReplyError
from veridical.records import Json

MOST_TOKENS = 2**53
_THOUGHTS = ("reasoning_content", "reasoning", "reasoning_details")


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
        # These are never requested, and a malformed one would lose a good reply.
        choice.logprobs = choice.message.tool_calls = None
        text, thoughts = text_and_thoughts(choice.message.content)
        choice.message.content = text
        if thoughts and not any(getattr(choice.message, name, None) for name in _THOUGHTS):
            choice.message.reasoning_content = thoughts
    completion.usage = _usage(completion.usage)
    return completion


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
    names = ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens")
    stated: Mapping[str, Json] = usage if isinstance(usage, Mapping) else {}
    prompt, completion = _whole(
        *(token_count(stated.get(f"{name}_tokens")) for name in ("prompt", "completion", "total"))
    )
    if prompt is None or completion is None:
        return dict.fromkeys(names)
    details = stated.get("prompt_tokens_details")
    cache: Mapping[str, Json] = details if isinstance(details, Mapping) else {}
    return dict(zip(names, (prompt, completion, *(token_count(cache.get(name)) for name in names[2:])), strict=True))


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
