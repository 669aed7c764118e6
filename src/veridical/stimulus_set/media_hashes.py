"""The hashes of media files as they were written, and bytes held against them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from veridical.base.files import os_errors
from veridical.errors import InputError
from veridical.media.decode import Decoded, decode, problem_of
from veridical.records import Medium

HASHES = "media.sha256"
"""The file of a set with the sha256 of each medium's bytes, in the form that `sha256sum --check` reads."""
_DIGITS, _BETWEEN = 64, "  "


def hash_line(file: str, content: bytes) -> str:
    """The line of `HASHES` for a medium; raises `InputError` for a name that breaks the line.

    >>> hash_line("media/a.png", b"")[-15:]
    '5  media/a.png\\n'
    """
    if "\n" in file:
        raise InputError(f"{file!r} cannot name a medium: it has a line break")
    return f"{sha256(content).hexdigest()}{_BETWEEN}{file}\n"


def read_hashes(path: Path, stated: str) -> dict[str, str]:
    """The sha256 of each medium's bytes by its file; raises `InputError` for a list that is not the `stated` one."""
    with os_errors(path, "read"):
        content = path.read_bytes()
    if sha256(content).hexdigest() != stated:
        raise InputError(f"{path} is not the list that the manifest was written for: restore it, or make the set again")
    lines = content.decode().split("\n")[:-1]
    return {line[_DIGITS + len(_BETWEEN) :]: line[:_DIGITS] for line in lines}


@dataclass(frozen=True)
class WrittenMedia:
    """The `hashes` of the bytes of media by file, as far as these were stored, and the media as a `table` has them.

    A medium without a hash is from an earlier version: it is decoded once, and its pixels are compared. The table is
    read only then.
    """

    table: Callable[[], Iterable[Medium]]
    hashes: Mapping[str, str]
    _decoded: dict[str, str] = field(default_factory=dict)

    @cached_property
    def _media(self) -> Mapping[str, Medium]:
        return {medium.file: medium for medium in self.table()}

    def problem(self, file: str, content: bytes) -> str | None:
        """Why these bytes are not the medium that was written to this file, in words; `None` where they are."""
        digest = sha256(content).hexdigest()
        written = self.hashes.get(file) or self._decoded.get(file)
        if written is not None:
            return None if written == digest else "it is not the file that was written"
        medium = self._media.get(file)
        if medium is None:
            return "no row of the table tells of it"
        try:
            problem = problem_of(medium, decode(content, file))
        except InputError as error:
            problem = str(error)
        if problem is None:
            self._decoded[file] = digest
        return problem and problem.removeprefix(f"{file}: ")

    def problem_of(self, medium: Medium, content: bytes, decoded: Decoded) -> str | None:
        """The problem of a decoded medium, which begins with its file: of its pixels, else of its bytes."""
        problem = problem_of(medium, decoded)
        if problem is None and medium.file in self.hashes and (problem := self.problem(medium.file, content)):
            return f"{medium.file}: {problem}"
        return problem

    def require(self, place: Path, file: str, content: bytes, *, remedy: str) -> bytes:
        """The bytes; raises `InputError`, which ends in the `remedy`, where they are not those written."""
        if problem := self.problem(file, content):
            raise InputError(f"{place}: {problem}{remedy}")
        return content
