"""An observer that repeats raw replies from a file, by trial id, as if the model that gave them were asked again.

The id is that of the trial or of its export. The file is our own JSON lines, what an OpenAI batch gives back, or CSV.
JSON lines have `id` (or `trial`), `text` (or `reply`, or `response`), and, where known, `reasoning`, `stop_reason`,
`refused`, `error`, `repeat` and `attempt`, so that a run's own `responses.jsonl` is such a file. Batch output is read
as OpenAI and vLLM write it. CSV has the columns `id` and `text`, and any of `reasoning`, `stop_reason` and `error`.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from veridical.base.files import os_errors
from veridical.errors import InputError, unknown
from veridical.records import ChatTurn, Json

if TYPE_CHECKING:
    from veridical.ask.clients import ReplyOrFailure
    from veridical.observers import TrialContext

NAME = "veridical/replay"
_ARGUMENT = "answers"
_STOPS = {
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
    """The replies of a file, found by the trial's id, or by the one under which it was exported.

    Raises `InputError` for model arguments other than `answers=FILE`, and for a file that cannot be read.
    """

    def __init__(self, model_args: Mapping[str, Json]) -> None:
        self._answers = read_answers(_path(model_args))

    def reply(self, messages: Sequence[ChatTurn], context: TrialContext | None) -> ReplyOrFailure:  # noqa: ARG002 (it repeats)
        """The stored reply to a trial; raises where the file has none, or has an error."""
        names = [context.trial, context.opaque] if context else []
        found = [self._answers.to(name, context.repeat) for name in names if context and name]
        answers = [answer for answer in found if answer is not None]
        if not answers:
            raise NoReplyInAnswersFile
        if len(answers) > 1:
            raise ErrorInAnswersFile("a reply under each of two ids")
        answer = answers[0]
        if answer.error is not None:
            raise ErrorInAnswersFile(answer.error)
        return _result(answer)


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


def _result(answer: Answer) -> ReplyOrFailure:
    from veridical.ask.clients import ModelReply
    from veridical.ask.failures import CONTEXT_OVERFLOW

    stop = _STOPS.get((answer.stop_reason or "stop").lower(), "unknown")
    if stop == "model_length":
        return CONTEXT_OVERFLOW
    read, written = answer.input_tokens, answer.output_tokens
    known = read is not None and written is not None and read + written > 0
    return ModelReply(
        text=answer.text,
        reasoning=answer.reasoning or None,
        stop_reason=stop,
        refused=answer.refused or answer.stop_reason == "refusal" or stop == "content_filter",
        input_tokens=read if known else None,
        output_tokens=written if known else None,
    )


_IDS, _TEXTS = ("trial", "id"), ("text", "reply", "response")
_FACTS = ("reasoning", "stop_reason", "error")
_LONGEST_FIELD = 2**24


class Answer(NamedTuple):
    """A raw reply: its text, what is known beside it, and `error` where there is none (the text is then empty)."""

    text: str
    reasoning: str | None = None
    stop_reason: str | None = None
    refused: bool = False
    error: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


class Answers(dict[str, Answer]):
    """The replies of a file by trial id; `by_repeat` has those that are to one repeat of a trial alone."""

    def __init__(self) -> None:
        super().__init__()
        self.by_repeat: dict[tuple[str, int], Answer] = {}

    def to(self, trial: str, repeat: int) -> Answer | None:
        """The reply to a repeat of a trial: its own, else the one that is for any repeat; `None` where none is."""
        return self.by_repeat.get((trial, repeat)) if trial in self._apart else self.get(trial)

    @cached_property
    def _apart(self) -> set[str]:
        return {trial for trial, _ in self.by_repeat}


def read_answers(path: Path) -> Answers:
    """The replies in a file, in its order; the kind of file is told from its name (`.csv`) and its lines.

    Of several attempts at a trial the highest counts. Raises `InputError` with the file and the line for what is no
    reply, and for a second reply to the same trial and repeat.
    """
    answers = Answers()
    lines: dict[tuple[str, int | None], tuple[int, int]] = {}
    for number, record in _records(path):
        try:
            trial, answer = _answer(record)
            repeat, attempt = _number_of(record, "repeat"), _number_of(record, "attempt") or 1
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        first, highest = lines.get((trial, repeat), (number, 0))
        if attempt == highest:
            raise InputError(f"{path}, line {number}: a second reply to '{trial}'; the first is in line {first}")
        if attempt > highest:
            lines[trial, repeat] = first, attempt
            answers[trial] = answer
            if repeat is not None:
                answers.by_repeat[trial, repeat] = answer
    if not answers:
        raise InputError(f"{path} holds no reply")
    return answers


def content_of(path: Path) -> bytes:
    """The bytes of a file; raises `InputError` where it cannot be read."""
    with os_errors(path, "read"):
        return path.read_bytes()


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, Json]]]:
    """The lines of a file as records, each with the number of its line."""
    try:
        content = content_of(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 from byte {error.start} on") from None
    # Not by splitlines: JSON may hold a line separator of Unicode as it is.
    lines = content.split("\n")
    yield from _rows(path, lines) if path.suffix.lower() == ".csv" else _objects(path, lines)


def _objects(path: Path, lines: Sequence[str]) -> Iterator[tuple[int, Mapping[str, Json]]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{path}, line {number}: no JSON") from None
        if not isinstance(record, dict):
            raise InputError(f"{path}, line {number}: no JSON object")
        yield number, record


def _rows(path: Path, lines: Sequence[str]) -> Iterator[tuple[int, Mapping[str, Json]]]:
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        rows = csv.DictReader((f"{line}\n" for line in lines), strict=True)
        for name in ("id", "text"):
            if name not in (rows.fieldnames or ()):
                raise InputError(f"{path}, line 1: the column '{name}' is missing")
        for row in rows:
            if None in row or None in row.values():
                raise InputError(f"{path}, line {rows.line_num}: more or fewer fields than columns")
            yield rows.line_num, {**row, **{name: row.get(name) or None for name in _FACTS}}
    except csv.Error as error:
        raise InputError(f"{path}, line {rows.reader.line_num}: {error}") from None
    finally:
        csv.field_size_limit(before)


def _answer(record: Mapping[str, Json]) -> tuple[str, Answer]:
    """The trial's id and the reply in a record; raises ValueError, which says what is wrong with it."""
    if "custom_id" in record:
        return _text(record, "custom_id"), _of_batch(record)
    name = next((name for name in _IDS if name in record), None)
    if name is None:
        raise ValueError("'id' is missing")
    return _text(record, name), _of_line(record)


def _of_line(record: Mapping[str, Json]) -> Answer:
    reasoning, stop = _optional(record, "reasoning"), _optional(record, "stop_reason")
    if record.get("error"):
        return Answer("", reasoning, stop, error=str(record["error"]))
    texts = [name for name in _TEXTS if record.get(name) is not None]
    if len(texts) != 1:
        raise ValueError(f"one of {', '.join(map(repr, _TEXTS))} is needed, {len(texts)} are there")
    return Answer(_text(record, texts[0]), reasoning, stop, refused=record.get("refused") is True)


def _of_batch(record: Mapping[str, Json]) -> Answer:
    response = _object(record.get("response"))
    body = _object(response.get("body"))
    problem = record.get("error") or body.get("error")
    if problem or response.get("status_code", 200) != 200:
        return Answer("", error=str(problem or response["status_code"]))
    choices = body.get("choices")
    if not isinstance(choices, list):
        raise ValueError("'response.body.choices' is missing")
    if not choices:
        return Answer("", error="no choices")
    choice, usage = _object(choices[0]), _object(body.get("usage"))
    message = _object(choice.get("message"))
    refusal = _optional(message, "refusal")
    return Answer(
        _optional(message, "content") or refusal or "",
        _optional(message, "reasoning_content") or _optional(message, "reasoning"),
        _optional(choice, "finish_reason"),
        refused=bool(refusal),
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
    )


def _number_of(record: Mapping[str, Json], key: str) -> int | None:
    value = record.get(key)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
        raise ValueError(f"'{key}' is no number from 1 up")
    return value


def _object(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _text(record: Mapping[str, Json], name: str) -> str:
    value = record[name]
    if not isinstance(value, str):
        raise ValueError(f"'{name}' is no text")
    return value


def _optional(record: Mapping[str, Json], name: str) -> str | None:
    return None if record.get(name) is None else _text(record, name)


def _count(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
