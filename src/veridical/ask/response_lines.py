"""Responses as lines of a file and back: what a line holds, and what is wrong with one that holds no response."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from veridical.ask.folder import run_of
from veridical.errors import InputError
from veridical.records import COUNTED, MOST_COUNTED, Response

_FEW = 3
_RESPONSE = TypeAdapter(Response)
_NUMBER = Annotated[int, Field(ge=1, le=MOST_COUNTED)]
# A line says at least whose reply it is, and what was replied; what it counts may be anything (see `Response`).
_NEEDED: dict[str, Any] = {"trial": (str, ...), "repeat": (_NUMBER, ...), "attempt": (_NUMBER, ...), "text": (str, ...)}


def _held() -> type[BaseModel]:
    hints = get_type_hints(Response)
    defaults = {field.name: field.default for field in fields(Response) if field.default is not MISSING}
    others = {name: (Any if name in COUNTED else hints[name], value) for name, value in defaults.items()}
    held: type[BaseModel] = create_model("Line", __config__=ConfigDict(strict=True), **{**others, **_NEEDED})
    return held


_LINE = _held()


class Line(NamedTuple):
    """A whole line of a file, by its number from 1: the response that it holds, or why it holds none."""

    number: int
    content: bytes
    response: Response | None
    problem: str = ""


def written(response: Response) -> bytes:
    """The line that holds a response."""
    return _RESPONSE.dump_json(response) + b"\n"


def lines_of(path: Path) -> Iterator[Line]:
    """The lines of a file, empty ones left out.

    A last line without its line feed is torn and not read; a missing file holds none. Raises `InputError` where the
    file cannot be read.
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
        return Line(number, content, Response(**_LINE.model_validate_json(content).__dict__))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = f"{'.'.join(map(str, first['loc']))}: " if first["loc"] else ""
        return Line(number, content, None, f"{where}{first['msg']}")


def damaged(path: Path, line: Line) -> InputError:
    """What is said of a file with a line that holds no response, and of all further ones."""
    others = [each.number for each in lines_of(path) if each.response is None and each.number > line.number]
    more = f"; nor {'is line' if len(others) == 1 else 'are lines'} {listed(others)}" if others else ""
    remedy = f"`veridical repair {run_of(path.parent)}` sets aside what is damaged"
    return InputError(f"{path}, line {line.number}, is no response: {line.problem}{more}; {remedy}")


def contradictions(lines: Iterator[Line]) -> Iterator[tuple[Line, Line]]:
    """Two lines each that tell one attempt at one repeat of a trial otherwise: the first of that attempt, and another.

    The first is right. An attempt gets its number from what is stored before, by the only process that may write, so
    what was planned, read and counted since rests on that line; the other came into the file in another way.
    """
    first: dict[tuple[str, int, int], Line] = {}
    for line in lines:
        if line.response is None:
            continue
        before = first.setdefault(attempt_of(line.response), line)
        assert before.response is not None
        if before is not line and before.response.digest != line.response.digest:
            yield before, line


def attempt_of(response: Response) -> tuple[str, int, int]:
    """Which attempt at which repeat of which trial a response is."""
    return response.trial, response.repeat, response.attempt


def remarks(path: Path, known: Collection[str], repeats: int) -> Iterator[str]:
    """What is to be said of the responses in a file to these trials: those that count nowhere, and contradictions."""
    lines = [line for line in lines_of(path) if line.response is not None]
    foreign = [line.number for line in lines if not _is_known(line.response, known, repeats)]
    if foreign:
        many = f"{len(foreign):,} {'response' if len(foreign) == 1 else 'responses'}"
        yield f"{path}: {many} to nothing that is planned, in no figure and no total: line {listed(foreign)}"
    pairs = list(contradictions(iter(lines)))
    if pairs:
        told = listed([f"{second.number} (line {first.number} counts)" for first, second in pairs])
        remedy = f"`veridical repair {run_of(path.parent)}` sets the later line aside"
        yield f"{path}: another reply to an attempt that has one already: line {told}; {remedy}"


def _is_known(response: Response | None, known: Collection[str], repeats: int) -> bool:
    return response is not None and response.trial in known and response.repeat <= repeats


def listed(items: Sequence[object]) -> str:
    """The first three of some numbers, and how many more there are.

    >>> listed([3, 17]), listed([1, 2, 3, 4])
    ('3 and 17', '1, 2, 3 and 1 more')
    """
    shown = [str(item) for item in items[:_FEW]] + ([f"{len(items) - _FEW:,} more"] if len(items) > _FEW else [])
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
