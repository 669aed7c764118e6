"""An observer that repeats: raw replies from a file, by trial id, as if the model that gave them were asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.errors import InputError, unknown
from veridical.observers.answers_file import Answer, content_of, read_answers
from veridical.records import Json

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, ModelOutput, StopReason

    from veridical.observers import Told

NAME = "veridical/replay"
_ARGUMENT = "answers"
_STOPS: dict[str, StopReason] = {
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "eos": "stop",
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "max_output_tokens": "max_tokens",
    "model_length": "model_length",
    "content_filter": "content_filter",
    "tool_calls": "tool_calls",
}


class NoReplyInAnswersFile(Exception):  # noqa: N818 - its name is what a run stores of it
    """The file has no reply to the trial that is asked."""


class ErrorInAnswersFile(Exception):  # noqa: N818 - its name is what a run stores of it
    """The file says that the trial ended in an error, and of which kind."""


class Replay:
    """The replies of a file, found by the trial's id.

    Raises `InputError` for model arguments other than `answers=FILE`, and for a file that cannot be read.
    """

    def __init__(self, model_args: Mapping[str, Json]) -> None:
        self._answers = read_answers(_path(model_args))

    def reply(self, messages: Sequence[ChatMessage], context: Told | None) -> ModelOutput:  # noqa: ARG002 (it repeats)
        """The stored reply to a trial; raises where the file has none, or has an error."""
        answer = self._answers.to(*context) if context else None
        if answer is None:
            raise NoReplyInAnswersFile
        if answer.error is not None:
            raise ErrorInAnswersFile(answer.error)
        return _output(answer)


def identity_args(model_args: Mapping[str, Json]) -> dict[str, Json]:
    """Model arguments as a run's identity holds them: an answers file by the hash of its content, not by its place."""
    return {**model_args, _ARGUMENT: f"sha256:{sha256(content_of(_path(model_args))).hexdigest()}"}


def _path(model_args: Mapping[str, Json]) -> Path:
    for name in model_args:
        if name != _ARGUMENT:
            raise unknown("model argument", name, (_ARGUMENT,))
    if _ARGUMENT not in model_args:
        raise InputError(f"{NAME} needs the file with the replies: -M {_ARGUMENT}=FILE")
    return Path(str(model_args[_ARGUMENT]))


def _output(answer: Answer) -> ModelOutput:
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        Content,
        ContentReasoning,
        ContentText,
        ModelOutput,
        ModelUsage,
        StopDetails,
    )

    content: list[Content] = [ContentReasoning(reasoning=answer.reasoning)] if answer.reasoning else []
    refused = answer.refused or answer.stop_reason == "refusal"
    choice = ChatCompletionChoice(
        message=ChatMessageAssistant(content=[*content, ContentText(text=answer.text)], source="generate"),
        stop_reason=_STOPS.get((answer.stop_reason or "stop").lower(), "unknown"),
        stop_details=StopDetails(type="refusal") if refused else None,
    )
    read, written = answer.input_tokens, answer.output_tokens
    usage = None
    if read is not None and written is not None:
        usage = ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)
    # An output with an id is a model's own words, whatever ended it.
    return ModelOutput(model=NAME, choices=[choice], usage=usage, response_id="replay")
