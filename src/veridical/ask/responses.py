"""The append-only file of responses: lines, damage, writing; a process killed at any moment tears at most one line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from time import monotonic
from typing import NamedTuple, Self, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import SchemaValidator, core_schema

from veridical.ask.log_archives import opened_log, unpack_log
from veridical.base.files import LOCKS, os_errors, require_lock
from veridical.base.garbage import no_collection
from veridical.base.path_checks import run_of
from veridical.errors import InputError
from veridical.records import COUNTED, MOST_COUNTED, Response

_FEW = 3
_RESPONSE = TypeAdapter(Response)
_TEXT, _NUMBER = core_schema.str_schema(strict=True), core_schema.int_schema(strict=True, ge=1, le=MOST_COUNTED)
_NEEDED = {"trial": _TEXT, "repeat": _NUMBER, "attempt": _NUMBER, "text": _TEXT}
_PLACE = core_schema.nullable_schema(core_schema.int_schema(strict=True, ge=0, le=MOST_COUNTED))


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
        elif field.name == "server":
            schema = _PLACE
        schema = _NEEDED.get(field.name) or core_schema.with_default_schema(schema, default=field.default)
        held.append(core_schema.dataclass_field(field.name, schema))
    arguments = core_schema.dataclass_args_schema("Response", held)
    names = [field.name for field in fields(Response)]
    return SchemaValidator(core_schema.dataclass_schema(Response, arguments, names, post_init=True, slots=True))


_READER = _reader()


class ResponseLine(NamedTuple):
    """A complete line of a file, numbered from 1: its response, or why it has none, and the byte where it starts."""

    number: int
    content: bytes
    response: Response | None
    problem: str = ""
    start: int = 0


def response_line(response: Response) -> bytes:
    """A response as a line, with its server where there were several."""
    return _RESPONSE.dump_json(response, exclude={"server"} if response.server is None else None) + b"\n"


def lines_of(path: Path) -> Iterator[ResponseLine]:
    """The lines of a file, without empty ones.

    A last line without a line feed is torn and not read; a missing file has no lines. A packed file has the lines that
    were packed. Raises `InputError` if the file cannot be read.
    """
    try:
        with opened_log(path) as file:
            start = 0
            for number, content in enumerate(file, start=1):
                if not content.endswith(b"\n"):
                    return
                if not content.isspace():
                    yield _line(number, content, start)
                start += len(content)
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _line(number: int, content: bytes, start: int) -> ResponseLine:
    try:
        return ResponseLine(number, content, _READER.validate_json(content), start=start)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = f"{'.'.join(map(str, first['loc']))}: " if first["loc"] else ""
        return ResponseLine(number, content, None, f"{where}{first['msg']}", start)


def damaged_lines_error(path: Path, line: ResponseLine, later: Iterable[ResponseLine]) -> InputError:
    """The error for a line without a valid response; it names all later ones too.

    It takes the later lines to their end, which closes the file: Windows repairs no file that is open.
    """
    others = [each.number for each in later if each.response is None]
    more = f" (nor {'is' if len(others) == 1 else 'are'} {lines(others)})" if others else ""
    remedy = f"`veridical repair {run_of(path.parent)}` sets aside what is damaged"
    return InputError(f"{path}, line {line.number}, is not a response: {line.problem}{more}; {remedy}")


def contradictions(stored: Iterable[ResponseLine]) -> Iterator[tuple[int, ResponseLine]]:
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


_SYNC_SECONDS = 1.0
_BLOCK = 1 << 16
_FULL = "; earlier responses are stored; free some space and restart to continue"


def every_response(path: Path) -> Iterator[Response]:
    """All responses of a file in the order of writing, each attempt once (see `contradictions`).

    A last line without a line feed is torn and not read; a missing file has no responses. Raises `InputError` with the
    line number if a complete line is not a response.
    """
    seen: set[tuple[str, int, int]] = set()
    stored = lines_of(path)
    for line in stored:
        if line.response is None:
            raise damaged_lines_error(path, line, stored)
        attempt = attempt_of(line.response)
        if attempt not in seen:
            seen.add(attempt)
            yield line.response


def last_attempts(responses: Iterable[Response]) -> dict[tuple[str, int], Response]:
    """The response that counts for each trial and repeat, which is that of the highest attempt."""
    last: dict[tuple[str, int], Response] = {}
    with no_collection():
        for response in responses:
            key = response.trial, response.repeat
            if key not in last or response.attempt > last[key].attempt:
                last[key] = response
    return last


def move_damaged_lines(path: Path, lines: Iterable[bytes]) -> Path:
    """Appends damaged lines to the file `responses.torn` beside a file of responses, and returns its path."""
    torn = path.with_suffix(".torn")
    with torn.open("ab") as aside:
        for line in lines:
            aside.write(line.rstrip(b"\n") + b"\n")
        aside.flush()
        os.fsync(aside.fileno())
    return torn


class Writer:
    """Appends responses, one complete line each, to a file that only one process at a time may hold.

    Each line is passed to the operating system before `append` returns, and synced to disk within about a second and at
    the close. A packed file is unpacked first. A torn last line of a killed process is moved to `responses.torn` before
    anything is appended; `torn` has its content. Raises `InputError` if another process writes to the file, or if the
    disk is full; lines appended before stay complete.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with os_errors(path, "unpacked"):
            unpack_log(path)
        # Windows would write two bytes for the end of a line into a file that is not opened as binary.
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        with os_errors(path, "written"):
            self._file = os.open(path, flags, 0o666)
        try:
            require_lock(self._file, path.parent)
            self._require_in_place()
            self.torn, self._size = self._set_torn_line_aside()
        except BaseException:
            os.close(self._file)
            raise
        self._synced = monotonic()

    def append(self, response: Response) -> None:
        """Writes one response as one line."""
        line = response_line(response)
        with os_errors(self._path, "written", _FULL):
            try:
                done = 0
                while done < len(line):
                    done += os.write(self._file, line[done:])
                self._size += len(line)
                if monotonic() - self._synced >= _SYNC_SECONDS:
                    self._sync()
            except OSError:
                os.ftruncate(self._file, self._size)
                raise

    def close(self) -> None:
        """Syncs everything to disk and releases the file."""
        try:
            with os_errors(self._path, "written", _FULL):
                self._sync()
        finally:
            os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _sync(self) -> None:
        os.fsync(self._file)
        self._synced = monotonic()

    def _require_in_place(self) -> None:
        """Raises `InputError` if the opened file was replaced by another before it was locked.

        Windows replaces no file that is open, and on some of its network drives a file has another number each time.
        """
        in_place = False
        with suppress(FileNotFoundError):
            in_place = not LOCKS or os.path.samestat(os.fstat(self._file), self._path.stat())
        if not in_place:
            raise InputError(f"another process is writing to {self._path.parent}: wait for it, or stop it")

    def _set_torn_line_aside(self) -> tuple[bytes, int]:
        torn, whole = _torn_line(self._path)
        if torn:
            move_damaged_lines(self._path, [torn])
            os.ftruncate(self._file, whole)
        return torn, whole


def _torn_line(path: Path) -> tuple[bytes, int]:
    """What follows the last line feed of a file, and where it begins; the file is read from its end."""
    torn = b""
    with path.open("rb") as file:
        begin = file.seek(0, os.SEEK_END)
        while begin and b"\n" not in torn:
            size = min(begin, _BLOCK)
            begin = file.seek(begin - size)
            torn = file.read(size) + torn
    last = torn.rfind(b"\n") + 1
    return torn[last:], begin + last
