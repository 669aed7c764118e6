"""What is imported: files inside a folder, items with their media, where they are from, and what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple, get_args

from veridical.base.files import os_errors
from veridical.errors import InputError
from veridical.media.decode import Decoded
from veridical.records import FactorTypes, Json, Kind, Stimulus
from veridical.stimulus_set.describe import PublishedCounts

LARGEST_FILE = 1024 * 2**20


@dataclass(frozen=True, slots=True)
class EmbeddedFile:
    """A file inside another, such as a cell of a table: what messages call it, and its bytes when they are needed."""

    name: str
    content: Callable[[], bytes]

    def __str__(self) -> str:
        return self.name


def bytes_of(file: Path | EmbeddedFile) -> bytes:
    """The bytes of a file or of an embedded one; raises `InputError` where they cannot be read."""
    return file.content() if isinstance(file, EmbeddedFile) else content_of(file)


class ExcludedItem(NamedTuple):
    """An item that cannot be used: where it stands, the kind of reason, and the reason in a line."""

    place: str
    reason: str
    detail: str


def left_out_facts(left_out: Sequence[ExcludedItem]) -> dict[str, Json]:
    """How many items are left out, how many for each kind of reason, and each of them.

    >>> left_out_facts([ExcludedItem("a.tsv, row 3", "empty question", "the question is empty")])["reasons"]
    {'empty question': 1}
    """
    reasons = Counter(each.reason for each in left_out)
    return {"items": len(left_out), "reasons": dict(reasons), "each": [each._asdict() for each in left_out]}


class MeasuredMedia(NamedTuple):
    """What media say: the true answer to the stimulus's question, and what was measured."""

    answer: str
    facts: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True)
class ImportItem:
    """Files in order, and the record that they are to have, less its media.

    `places` has for each file its path inside the set without a suffix, such as `media/a/1`. `rights` are the license
    and attribution of this item, where they differ from those of the whole; they are kept in its `truth`.
    """

    record: Stimulus
    files: tuple[Path | EmbeddedFile, ...]
    places: tuple[str, ...]
    rights: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Import:
    """What is to be imported: items in order, and what is known of them as a whole.

    `about` says where they are from: `source`, `license`, `attribution`, and `may_be_passed_on` (`None`: nobody said).
    `facts` is what was found on the disk beside them. `left_out` has the items that cannot be used; those whose media
    cannot be opened join them. Where it is `None`, such a medium ends the import. `published` has a paper's counts,
    which stand beside those of the import. `measure` says what decoded media tell of their truth, `None`
    where that cannot be measured. `factors` are those that the suite declares, `kinds` the media that it takes.
    """

    name: str
    title: str
    suite: str
    items: Sequence[ImportItem]
    about: Mapping[str, Json]
    facts: Mapping[str, Json] = field(default_factory=dict)
    left_out: Sequence[ExcludedItem] | None = None
    published: PublishedCounts | None = None
    factors: FactorTypes = field(default_factory=dict)
    kinds: tuple[Kind, ...] = get_args(Kind)
    measure: Callable[[Stimulus, Sequence[Decoded]], MeasuredMedia | None] = lambda *_: None


def file_inside(folder: Path, name: str) -> Path | None:
    """The file of that relative name in a folder, or `None` where there is none.

    Raises `InputError` for a name that is no relative path inside the folder, or a link that leads out of it.

    >>> file_inside(Path("mine"), "../etc/passwd")
    Traceback (most recent call last):
    ...
    veridical.errors.InputError: '../etc/passwd' is no path inside mine
    """
    path = PurePosixPath(name)
    outside = InputError(f"{name!r} is no path inside {folder}")
    if not name or "\0" in name or "\\" in name or path.is_absolute() or ".." in path.parts:
        raise outside
    try:
        place = (folder / path).resolve()
        if not place.is_relative_to(folder.resolve()):
            raise outside
        return place if place.is_file() else None
    except OSError as error:
        raise InputError(f"{name!r} cannot be a file in {folder}: {error.strerror}") from error


def content_of(path: Path) -> bytes:
    """The bytes of a file; raises `InputError` where it cannot be read, or is larger than any medium may be."""
    with os_errors(path, "read"):
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(f"{path} is larger than {LARGEST_FILE >> 20} MB, the most that is read of a medium")
        return path.read_bytes()
