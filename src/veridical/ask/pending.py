"""The trials and repeats that are still to be asked, grouped by stimulus so that media are read once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from hashlib import sha256

from veridical.ask.chat import data_url
from veridical.records import Media, Response, Trial

MediaBytes = Callable[[str], bytes]


@dataclass(frozen=True)
class Pending:
    """A repeat of a trial to be asked, the number of this attempt, and whether it already has a reply."""

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
    """The items without a reply, with an error, or in `again`: all of the first repeat, then of the next."""
    for repeat in range(1, repeats + 1):
        for trial in trials:
            last = earlier.get((trial.id, repeat))
            replied = last is not None and last.error is None
            if not replied or (trial.id, repeat) in again:
                yield Pending(trial, repeat, 1 if last is None else last.attempt + 1, replied)


def by_stimulus(items: Iterable[Pending]) -> list[list[Pending]]:
    """The items grouped by stimulus, in the order in which stimuli first occur."""
    stimuli: dict[str, list[Pending]] = {}
    for item in items:
        stimuli.setdefault(item.trial.stimulus, []).append(item)
    return list(stimuli.values())


@dataclass
class Shown:
    """The media of one group; each is read and encoded once."""

    media: MediaBytes
    _content: dict[str, bytes] = field(default_factory=dict)
    _urls: dict[Media, str] = field(default_factory=dict)

    async def read(self, trial: Trial) -> None:
        """Reads the unread media of a trial, in a thread, so that large media delay no other request."""
        shown = (part for message in trial.messages for part in message.parts if isinstance(part, Media))
        missing = [part for part in dict.fromkeys(shown) if part not in self._urls]
        if missing:
            await asyncio.to_thread(lambda: [self.url(part) for part in missing])

    def hash(self, medium: Media) -> str:
        """The sha256 of a medium's bytes."""
        return sha256(self._read(medium.file)).hexdigest()

    def url(self, medium: Media) -> str:
        """A medium as a data URL."""
        if medium not in self._urls:
            self._urls[medium] = data_url(medium, self._read(medium.file))
        return self._urls[medium]

    def _read(self, file: str) -> bytes:
        if file not in self._content:
            self._content[file] = self.media(file)
        return self._content[file]
