"""Responses as lines of a file: writing, reading, and the problems of damaged lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import SchemaValidator, core_schema

from veridical.ask.folder import run_of
from veridical.errors import InputError
from veridical.records import COUNTED, MOST_COUNTED, Response

_FEW = 3
_RESPONSE = TypeAdapter(Response)
_TEXT, _NUMBER = core_schema.str_schema(strict=True), core_schema.int_schema(strict=True, ge=1, le=MOST_COUNTED)
_NEEDED = {"trial": _TEXT, "repeat": _NUMBER, "attempt": _NUMBER, "text": _TEXT}


def _reader() -> SchemaValidator:
    """The validator of a line: trial, repeat, attempt and reply are required; counts may be anything."""
    hints = get_type_hints(Response)
    held = []
    for field in fields(Response):
        schema: core_schema.CoreSchema = core_schema.nullable_schema(_TEXT)
        if field.name in COUNTED or field.name == "logprobs":
            schema = core_schema.any_schema()
        elif hints[field.name] is bool:
            schema = core_schema.bool_schema(strict=True)
        schema = _NEEDED.get(field.name) or core_schema.with_default_schema(schema, default=field.default)
        held.append(core_schema.dataclass_field(field.name, schema))
    arguments = core_schema.dataclass_args_schema("Response", held)
    names = [field.name for field in fields(Response)]
    return SchemaValidator(core_schema.dataclass_schema(Response, arguments, names, post_init=True, slots=True))


_READER = _reader()


class Line(NamedTuple):
    """A complete line of a file, numbered from 1: its response, or why it has none."""

    number: int
    content: bytes
    response: Response | None
    problem: str = ""


def response_line(response: Response) -> bytes:
    """A response as a line."""
    return _RESPONSE.dump_json(response) + b"\n"


def lines_of(path: Path) -> Iterator[Line]:
    """The lines of a file, without empty ones.

    A last line without a line feed is torn and not read; a missing file has no lines. Raises `InputError` if the file
    cannot be read.
    """
    try:
        with path.open("rb") as file:
            for number, content in enumerate(file, start=1):
                if not content.endswith(b"\n"):
                    return
                if not content.isspace():
                    yield _line(number, content)
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _line(number: int, content: bytes) -> Line:
    try:
        return Line(number, content, _READER.validate_json(content))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = f"{'.'.join(map(str, first['loc']))}: " if first["loc"] else ""
        return Line(number, content, None, f"{where}{first['msg']}")


def damaged_lines_error(path: Path, line: Line, later: Iterable[Line]) -> InputError:
    """The error for a line without a valid response; it names all later ones too.

    It takes the later lines to their end, which closes the file: Windows repairs no file that is open.
    """
    others = [each.number for each in later if each.response is None]
    more = f" (nor {'is' if len(others) == 1 else 'are'} {lines(others)})" if others else ""
    remedy = f"`veridical repair {run_of(path.parent)}` sets aside what is damaged"
    return InputError(f"{path}, line {line.number}, is not a response: {line.problem}{more}; {remedy}")


def contradictions(stored: Iterable[Line]) -> Iterator[tuple[int, Line]]:
    """Each line that contradicts an earlier line on the same attempt, preceded by the number of that earlier line.

    The earlier line counts. The only process that may write numbers an attempt by the stored lines, so everything that
    was planned, read and counted since is based on the earlier line; the later one was added in another way.
    """
    first: dict[tuple[str, int, int], tuple[int, Response]] = {}
    for line in stored:
        if line.response is None:
            continue
        number, before = first.setdefault(attempt_of(line.response), (line.number, line.response))
        if number != line.number and before.digest != line.response.digest:
            yield number, line


def attempt_of(response: Response) -> tuple[str, int, int]:
    """The trial, repeat and attempt of a response."""
    return response.trial, response.repeat, response.attempt


def remark_lines(name: str, foreign: Sequence[int], contradictory: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The remarks on a file of responses that has these lines of other trials, and these pairs of lines.

    >>> list(remark_lines("responses.jsonl", [3], []))
    ['responses.jsonl holds 1 response to trials that are not planned, which are not counted: line 3']
    """
    if foreign:
        many = f"{len(foreign):,} {'response' if len(foreign) == 1 else 'responses'}"
        yield f"{name} holds {many} to trials that are not planned, which are not counted: {lines(foreign)}"
    if contradictory:
        yield f"{name} holds {contradiction_text(contradictory)}; `veridical repair` sets the later line aside"


def contradiction_text(pairs: Sequence[tuple[int, int]]) -> str:
    """The text for lines that contradict an earlier line, each with the number of that line."""
    parts = [f"{later} (line {first} counts)" for later, first in pairs]
    return f"another reply to an attempt that has one: {lines(parts)}"


def lines(numbers: Sequence[object]) -> str:
    """Line numbers as text; only the first three are listed.

    >>> lines([3]), lines([3, 17]), lines([1, 2, 3, 4])
    ('line 3', 'lines 3 and 17', 'lines 1, 2, 3 and 1 more')
    """
    return f"{'line' if len(numbers) == 1 else 'lines'} {first_items(numbers)}"


def first_items(items: Sequence[object], most: int = _FEW) -> str:
    """The first items, and the number of further ones.

    >>> first_items(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    shown = [str(item) for item in items[:most]] + ([f"{len(items) - most:,} more"] if len(items) > most else [])
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
