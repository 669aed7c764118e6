"""Copies of media beside a file that is to be answered, under names that tell nothing of what they show."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from veridical.base.files import os_errors, write_whole
from veridical.media.pictures import suffix_of


class MediaCopies:
    """The media that a file names, each copied once into the folder `NAME-media` beside it.

    `read` gives the bytes of a medium by its path inside its set, `opaque` the name that it gets. An error in its block
    takes back the copies that were made in it.
    """

    def __init__(self, out: Path, read: Callable[[str], bytes], opaque: Callable[[str], str]) -> None:
        self._folder, self._read, self._opaque = out.with_name(f"{out.stem}-media"), read, opaque
        self._places: dict[str, str] = {}
        self._made: list[Path] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            with suppress(OSError):
                for copy in self._made:
                    copy.unlink(missing_ok=True)
                self._folder.rmdir()

    def place(self, file: str) -> str:
        """The path of a medium's copy, relative to the folder of the file; raises `InputError` if it cannot be made.

        It is a copy: a link would lead to the name in the set.
        """
        if file not in self._places:
            content = self._read(file)
            copy = self._folder / f"{self._opaque(file)}{suffix_of(content, file)}"
            with os_errors(copy, "written"):
                self._made += [] if copy.exists() else [copy]
                write_whole(copy, content)
            self._places[file] = f"{self._folder.name}/{copy.name}"
        return self._places[file]
