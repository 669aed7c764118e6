"""Files of replies by trial id: our own JSON lines, what an OpenAI batch gives back, or CSV.

JSON lines have `id` (or `trial`), `text` (or `reply`, or `response`), and, where known, `reasoning`, `stop_reason`,
`refused`, `error`, `repeat` and `attempt`, so that a run's own `responses.jsonl` is such a file. Batch output is read
as OpenAI and vLLM write it. CSV has the columns `id` and `text`, and any of `reasoning`, `stop_reason` and `error`.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from veridical.base.files import os_errors
from veridical.errors import InputError
from veridical.records import Json

_IDS, _TEXTS = ("trial", "id"), ("text", "reply", "response")
_FACTS = ("reasoning", "stop_reason", "error")
_LONGEST_FIELD = 2**24


class Answer(NamedTuple):
    """A raw reply: its text, what is known beside it, and `error` where there is none (the text is then empty).

    `logprobs` are as a chat completion has them.
    """

    text: str
    reasoning: str | None = None
    stop_reason: str | None = None
    refused: bool = False
    error: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    logprobs: Json = None


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


class AnswerRecord(NamedTuple):
    """A reply in a file: its place, as a message names it, the trial's id or export name, and which repeat it is to.

    Without `repeat` it is to any. Of several attempts at a trial the highest counts.
    """

    place: str
    trial: str
    answer: Answer
    repeat: int | None = None
    attempt: int = 1


def answers_from(path: Path, records: Iterable[AnswerRecord]) -> Answers:
    """The replies in a file by trial, in its order; raises `InputError` for none, and a second one to the same."""
    answers = Answers()
    places: dict[tuple[str, int | None], tuple[str, int]] = {}
    for place, trial, answer, repeat, attempt in records:
        first, highest = places.get((trial, repeat), (place, 0))
        if attempt == highest:
            raise InputError(f"{path}, {place}: a second reply to '{trial}'; the first is in {first}")
        if attempt > highest:
            places[trial, repeat] = first, attempt
            answers[trial] = answer
            if repeat is not None:
                answers.by_repeat[trial, repeat] = answer
    if not answers:
        raise InputError(f"{path} holds no reply")
    return answers


def read_answers(path: Path) -> Answers:
    """The replies in a file, in its order; the kind of file is told from its name (`.csv`) and its lines.

    Raises `InputError` with the file and the line for what is no reply, and for a second reply to the same trial and
    repeat.
    """
    return answers_from(path, _own_records(path))


def _own_records(path: Path) -> Iterator[AnswerRecord]:
    for number, record in _records(path):
        try:
            trial, answer = _answer(record)
            repeat, attempt = _number_of(record, "repeat"), _number_of(record, "attempt") or 1
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        yield AnswerRecord(f"line {number}", trial, answer, repeat, attempt)


def content_of(path: Path) -> bytes:
    """The bytes of a file; raises `InputError` where it cannot be read."""
    with os_errors(path, "read"):
        return path.read_bytes()


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, Json]]]:
    """The lines of a file as records, each with the number of its line."""
    lines = lines_of(path)
    yield from _rows(path, lines) if path.suffix.lower() == ".csv" else json_lines(path, lines)


def lines_of(path: Path) -> list[str]:
    """The lines of a text file; raises `InputError` where it cannot be read, and for one that is not UTF-8."""
    try:
        # Not by splitlines: JSON may hold a line separator of Unicode as it is.
        return content_of(path).decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 from byte {error.start} on") from None


def json_lines(path: Path, lines: Sequence[str]) -> Iterator[tuple[int, Mapping[str, Json]]]:
    """The objects in lines of JSON, each with the number of its line; raises `InputError` for a line without one."""
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
        logprobs=choice.get("logprobs"),
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
