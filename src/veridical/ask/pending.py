"""What is still to be asked: trials and repeats, grouped by picture, the pictures read once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from hashlib import sha256

from veridical.ask.chat import data_url
from veridical.records import Response, Trial

MediaBytes = Callable[[str], bytes]


@dataclass(frozen=True)
class Pending:
    """A repeat of a trial that is to be asked, which attempt at it this is, and whether it has a reply already."""

    trial: Trial
    repeat: int
    attempt: int
    had_reply: bool


def pending(
    trials: Sequence[Trial],
    repeats: int,
    earlier: Mapping[tuple[str, int], Response],
    again: Set[tuple[str, int]],
) -> Iterator[Pending]:
    """What has no reply yet, ended in an error, or is in `again`: all of the first repeat, then of the next."""
    for repeat in range(1, repeats + 1):
        for trial in trials:
            last = earlier.get((trial.id, repeat))
            replied = last is not None and last.error is None
            if not replied or (trial.id, repeat) in again:
                yield Pending(trial, repeat, 1 if last is None else last.attempt + 1, replied)


def by_picture(items: Iterable[Pending]) -> list[list[Pending]]:
    """The items in groups of one stimulus each, in the order in which stimuli first come up."""
    pictures: dict[str, list[Pending]] = {}
    for item in items:
        pictures.setdefault(item.trial.stimulus, []).append(item)
    return list(pictures.values())


@dataclass
class Pictures:
    """The media of one group, each read and encoded once."""

    media: MediaBytes
    _content: dict[str, bytes] = field(default_factory=dict)
    _urls: dict[str, str] = field(default_factory=dict)

    def hash(self, file: str) -> str:
        """The sha256 of a file's bytes."""
        return sha256(self._read(file)).hexdigest()

    def url(self, file: str) -> str:
        """A file as a data URL."""
        if file not in self._urls:
            self._urls[file] = data_url(file, self._read(file))
        return self._urls[file]

    def _read(self, file: str) -> bytes:
        if file not in self._content:
            self._content[file] = self.media(file)
        return self._content[file]
