"""Replies that no reader can read, asked for once more while tries are left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from veridical.answers import Readers
from veridical.ask.again import UNREADABLE
from veridical.records import Response, Trial


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
