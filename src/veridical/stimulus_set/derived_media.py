"""Derived media on disk: where those of a rule stand, and reading them by its digest."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

from veridical.base.files import os_errors, read_json, write_whole
from veridical.base.path_checks import DERIVED
from veridical.base.remote_folders import fetch_missing
from veridical.errors import InputError
from veridical.media.decode import decode
from veridical.media.derive import Rule
from veridical.records import Json, Media, Medium
from veridical.stimulus_set.media_hashes import WrittenMedia

TABLE, MANIFEST, FORMAT = "derived.jsonl", "manifest.json", 1


def place_of(digest: str) -> str:
    """Where the media of a rule with this digest stand, inside a set or a run; raises `InputError` for no digest.

    >>> place_of("0123456789abcdef" * 4)
    '.derived/0123456789abcdef'
    """
    if not re.fullmatch(r"[0-9a-f]{16,64}", digest):
        raise InputError(f"{digest!r} is no digest of a rule: 16 to 64 of the digits 0 to 9 and a to f")
    return f"{DERIVED}/{digest[:16]}"


def home_of(rule: Rule, stimulus_set: Path, run: Path) -> Path:
    """The folder, of these two, where the rule's media are, or else are to be made: the set if it can be written to.

    Whether it can is found out by writing: permission bits say nothing to an administrator, nor of a disk that is
    mounted for reading alone.
    """
    for folder in (stimulus_set, run):
        with suppress(OSError):
            if (folder / place_of(rule.digest) / MANIFEST).exists():
                return folder
    place = stimulus_set / place_of(rule.digest)
    try:
        write_whole(place / ".probe", b"").unlink()
    except OSError:
        return run
    return stimulus_set


def _set_aside_by(folder: Path) -> str:
    """What helps where derived media in a set or run are damaged, as the end of a message."""
    return f"; `veridical repair {folder}` sets them aside, and the same command makes them again"


@dataclass(frozen=True)
class DerivedMedia:
    """The media that a rule derived for all stimuli: their folder (a set or a run), and their manifest."""

    folder: Path
    manifest: Mapping[str, Json]

    @classmethod
    def open(cls, folder: Path, digest: str) -> DerivedMedia:
        """The media of the rule with this digest (or its first 16 digits); raises `InputError` where none are whole."""
        path = folder / place_of(digest) / MANIFEST
        if not path.exists():
            begun = " (begun and not finished: derive them again)" if (path.parent / ".parts").exists() else ""
            raise InputError(f"{path.parent} holds no derived media{begun}")
        remedy = _set_aside_by(folder)
        if path.is_dir():
            raise InputError(f"{path} is a folder{remedy}")
        try:
            manifest = read_json(path)
        except ValueError as error:
            raise InputError(f"{path} cannot be read: {error}{remedy}") from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise InputError(f"{path} is not of format {FORMAT}, the one that is read here{remedy}")
        if not str(manifest.get("digest")).startswith(digest) or not isinstance(manifest.get("rows_sha256"), str):
            raise InputError(f"{path} is not the manifest of {digest[:16]}{remedy}")
        return cls(folder, manifest)

    @property
    def digest(self) -> str:
        """The digest of the rule."""
        return str(self.manifest["digest"])

    @property
    def place(self) -> Path:
        """The folder of these media alone."""
        return self.folder / place_of(self.digest)

    @cached_property
    def rows(self) -> tuple[Mapping[str, Json], ...]:
        """One mapping per medium: `stimulus`, `place`, `file`, the fields of `Medium`, `file_sha256`, `facts`.

        `file` is a path inside `folder`; the hashes are those of its pixels and of its bytes. Raises `InputError` where
        the table is not the one that was written.
        """
        table = self.place / TABLE
        with os_errors(table, "read", _set_aside_by(self.folder)):
            content = table.read_bytes()
        if sha256(content).hexdigest() != self.manifest["rows_sha256"]:
            problem = "the rows are not those that the manifest was written for"
            raise InputError(f"{table}: {problem}{_set_aside_by(self.folder)}")
        return tuple(json.loads(line) for line in content.splitlines())

    @cached_property
    def references(self) -> Mapping[str, tuple[Media, ...]]:
        """The media of each stimulus in order, by its id: files by their paths inside `folder`, hashes of pixels."""
        references: dict[str, list[Media]] = {}
        for row in self.rows:
            references.setdefault(row["stimulus"], []).append(Media(row["file"], row["sha256"]))
        return {stimulus: tuple(media) for stimulus, media in references.items()}

    @cached_property
    def media(self) -> Mapping[str, Medium]:
        """The derived media by their paths."""
        return {str(row["file"]): _medium_in(row) for row in self.rows}

    def read(self, file: str) -> bytes:
        """The bytes of a medium by its path inside `folder`.

        Raises `InputError` for any other path, and for a file that is not the one that was derived.
        """
        remedy = _set_aside_by(self.folder)
        return self._written.require(self.folder / file, file, self._content(file), remedy=remedy)

    @cached_property
    def _written(self) -> WrittenMedia:
        hashes = {row["file"]: row["file_sha256"] for row in self.rows if "file_sha256" in row}
        return WrittenMedia(self.media.values, hashes)

    def _content(self, file: str) -> bytes:
        path, media = PurePosixPath(file), PurePosixPath(place_of(self.digest), "media")
        outside = InputError(f"{file!r} is no path inside {self.folder / media}")
        if "\0" in file or ".." in path.parts or not path.is_relative_to(media):
            raise outside
        fetch_missing(self.folder / path)
        with os_errors(self.folder / path, "read", _set_aside_by(self.folder)):
            place = (self.folder / path).resolve(strict=True)
            if not place.is_relative_to((self.folder / media).resolve()):
                raise outside
            return place.read_bytes()

    def problems(self) -> list[str]:
        """What is wrong with each medium whose file is not what the table says, one line each, in order."""
        problems = []
        for row in self.rows:
            medium = _medium_in(row)
            try:
                content = self._content(medium.file)
                problem = self._written.problem_of(medium, content, decode(content, medium.file))
            except InputError as error:
                problem = str(error)
            problems += [problem] if problem else []
        return problems


def _medium_in(row: Mapping[str, Json]) -> Medium:
    return Medium(**{name: row[name] for name in Medium.__slots__ if name in row})
