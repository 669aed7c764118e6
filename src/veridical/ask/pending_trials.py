"""The trials and repeats to be asked, or to be asked again, grouped by stimulus so that media are read once."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from hashlib import sha256

import polars as pl

from veridical.answers import Readers
from veridical.errors import InputError
from veridical.media.pictures import mime_of
from veridical.records import Media, Response, Status, Trial

MediaBytes = Callable[[str], bytes]

RETRIED: tuple[Status, ...] = ("unparsed", "truncated", "refused")
"""Statuses that are asked again on request; errors are always asked again, answers never."""

UNREADABLE: tuple[Status, ...] = ("unparsed", "truncated")
"""The statuses of replies that a stage may ask for once more by itself."""


@dataclass(frozen=True)
class PendingTrial:
    """A repeat of a trial to be asked, the number of this attempt, and whether it already has a reply."""

    trial: Trial
    repeat: int
    attempt: int
    had_reply: bool


def pending_items(
    trials: Sequence[Trial], repeats: int, earlier: Mapping[tuple[str, int], Response], again: Set[tuple[str, int]]
) -> Iterator[PendingTrial]:
    """The items without a reply, with an error, or in `again`, by place: all of the first repeat, then of the next."""
    ordered = sorted(trials, key=lambda trial: trial.place)
    for repeat in range(1, repeats + 1):
        for trial in ordered:
            last = earlier.get((trial.id, repeat))
            replied = last is not None and last.error is None
            if not replied or (trial.id, repeat) in again:
                yield PendingTrial(trial, repeat, 1 if last is None else last.attempt + 1, replied)


def group_by_stimulus(items: Iterable[PendingTrial]) -> list[list[PendingTrial]]:
    """The items grouped by stimulus, in the order in which stimuli first occur."""
    stimuli: dict[str, list[PendingTrial]] = {}
    for item in items:
        stimuli.setdefault(item.trial.stimulus, []).append(item)
    return list(stimuli.values())


@dataclass
class GroupMedia:
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


def data_url(medium: Media, content: bytes) -> str:
    """A medium's own bytes as a data URL; raises `InputError` if they are not a supported picture or clip.

    >>> data_url(Media("a.png", "0"), b"\\x89PNG\\r\\n\\x1a\\n")
    'data:image/png;base64,iVBORw0KGgo='
    """
    mime = mime_of(content, medium.file)
    if not mime.startswith(f"{medium.kind}/"):
        raise InputError(f"{medium.file} is declared as {medium.kind}, but it is {mime}")
    return f"data:{mime};base64,{b64encode(content).decode()}"


def retried_statuses(text: str) -> frozenset[str]:
    """The statuses in a comma-separated list; raises `InputError` for a status that cannot be asked again.

    >>> sorted(retried_statuses("unparsed, truncated"))
    ['truncated', 'unparsed']
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in (*RETRIED, "error"):
            raise InputError(f"retry '{name}': {', '.join(RETRIED)} are allowed (errors are always asked again)")
    return frozenset(names)


def repeats_by_status(outcomes: pl.DataFrame, statuses: Iterable[str]) -> set[tuple[str, int]]:
    """The trials and repeats whose reply was read as one of the statuses, for the argument `again` of `ask`."""
    chosen = outcomes.filter(pl.col("status").is_in(sorted(statuses)))
    return set(chosen.select("trial", "repeat").rows())


def unreadable_repeats(outcomes: pl.DataFrame, attempts: Iterable[Response], most: int) -> set[tuple[str, int]]:
    """The trials and repeats whose reply cannot be read, and which had fewer than `most` replies so far."""
    unreadable = repeats_by_status(outcomes, UNREADABLE)
    replies = Counter((each.trial, each.repeat) for each in attempts if each.error is None)
    return {key for key in unreadable if replies[key] < most}


class Tries:
    """How often each trial and repeat had a reply, of at most `most` if none can be read.

    `readers` has the readers of each family; the first one, its default, decides.
    """

    def __init__(self, readers: Readers, most: int, attempts: Iterable[Response]) -> None:
        self._readers, self._most = readers, most
        self._replies = Counter((each.trial, each.repeat) for each in attempts if each.error is None)

    def another(self, response: Response, trial: Trial) -> bool:
        """Counts a reply, and tells whether to ask for another: this one cannot be read, and tries are left."""
        if response.error is not None:
            return False
        self._replies[trial.id, response.repeat] += 1
        if self._replies[trial.id, response.repeat] >= self._most:
            return False
        return self._readers[trial.reader][0].read(response, trial).status in UNREADABLE
