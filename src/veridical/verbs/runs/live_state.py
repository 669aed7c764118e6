"""What a run has come to while it goes on: counts by stage, and its latest replies, for a page that follows it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock, Thread
from typing import NamedTuple

from veridical.ask import AttemptCount, Price, Progress, TokenUse
from veridical.ask.outcomes import reader_of
from veridical.base.format import visible
from veridical.errors import InputError
from veridical.media.clips.read import Clip
from veridical.media.pictures import encode_jpeg
from veridical.records import Json, Media, Reading, Response, Text, Trial
from veridical.report.media_sources import reduced_picture
from veridical.verbs.runs.setup import Setup

LATEST = 30
"""How many replies the page shows."""
_LONGEST = 600
"""Characters of a question or reply that are shown."""
_SIDE = 200
"""Px of the longer side of a thumbnail: twice what the page shows of it."""


class LatestReply(NamedTuple):
    """A response that came in, as the page shows it, and the media that its trial was sent."""

    facts: Mapping[str, Json]
    setup: Setup
    media: tuple[Media, ...]


@dataclass(eq=False)
class LiveStage(Progress):
    """The progress of a stage: shown by `shown` as without a page, and counted for the page.

    The loop that asks only puts responses into a queue: they are read in another thread.
    """

    setup: Setup
    shown: Progress
    queue: SimpleQueue[tuple[LiveStage, Response] | None]
    count: AttemptCount
    trials: dict[str, Trial] = field(default_factory=dict)
    spent: TokenUse = field(default_factory=TokenUse)
    readings: dict[tuple[str, int], Reading] = field(default_factory=dict)

    def start(self, done: int) -> None:
        self.count.start(done)
        self.shown.start(done)

    def advance(self, response: Response) -> None:
        self.queue.put((self, response))
        self.shown.advance(response)

    def connections(self, number: int, *, settled: bool) -> None:
        self.count.connect(number, settled=settled)
        self.shown.connections(number, settled=settled)

    def remark(self, line: str) -> None:
        self.shown.remark(line)

    def stop(self, *, interrupted: bool, limit: str | None = None) -> None:
        self.shown.stop(interrupted=interrupted, limit=limit)

    def abandon(self) -> None:
        self.shown.abandon()

    def trial(self, name: str) -> Trial:
        """The trial of a response; those of a run in rounds become known while it asks."""
        if name not in self.trials:
            self.trials = {trial.id: trial for trial in self.setup.known_trials}
        return self.trials[name]

    @property
    def name(self) -> str:
        return f"{self.setup.stage.name}, {self.setup.model}"

    @property
    def price(self) -> Price | None:
        return self.setup.how.limits.price

    def facts(self) -> dict[str, Json]:
        """The counts of this start as JSON; `usd` is null where no price is known, `statuses` has the last of each."""
        marks = [each.correct for each in self.readings.values() if each.correct is not None]
        return {
            "name": self.name,
            "planned": self.count.total,
            "done": self.count.done,
            "before": self.count.before,
            "statuses": dict(sorted(Counter(each.status for each in self.readings.values()).items())),
            "marked": len(marks),
            "correct": sum(marks),
            "rate": self.count.rate(),
            "left": self.count.left(),
            "tokens_in": self.count.tokens_in,
            "tokens_out": self.count.tokens_out,
            "usd": None if self.price is None else self.spent.cost(self.price),
        }


class LiveState:
    """What all stages of a start, and of several models, have come to; read and written by several threads.

    A thread of its own reads each response, until `close`.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._stages: list[LiveStage] = []
        self._latest: deque[tuple[int, LatestReply]] = deque(maxlen=LATEST)
        self._number = 0
        self._queue: SimpleQueue[tuple[LiveStage, Response] | None] = SimpleQueue()
        self._reading = Thread(target=self._read_all, name="veridical-live-reading", daemon=True)
        self._reading.start()

    def stage(self, setup: Setup, shown: Progress) -> Progress:
        """The progress of a stage that begins, which is shown by `shown` as well."""
        stage = LiveStage(setup, shown, self._queue, AttemptCount(setup.planned))
        with self._lock:
            self._stages.append(stage)
        return stage

    def close(self) -> None:
        """Ends the thread that reads, after the responses that came in."""
        self._queue.put(None)
        self._reading.join()

    def facts(self) -> dict[str, Json]:
        """The counts of each stage and the latest replies, newest first, as JSON."""
        with self._lock:
            latest = [{"serial": number, **reply.facts} for number, reply in reversed(self._latest)]
            return {"stages": [stage.facts() for stage in self._stages], "latest": latest}

    def thumbnail(self, serial: int, place: int) -> tuple[bytes, str] | None:
        """A medium of one of the latest replies as a small picture, and its form; `None` where there is none."""
        with self._lock:
            reply = dict(self._latest).get(serial)
        if reply is None or not 0 <= place < len(reply.media):
            return None
        medium = reply.media[place]
        with suppress(InputError, OSError, StopIteration):
            content = reply.setup.read(medium.file)
            if medium.kind == "video":
                frame = next(Clip.open(content, medium.file).frames({0}, _SIDE))
                return encode_jpeg(frame.pixels, 80), "jpeg"
            return reduced_picture(content, _SIDE)
        return None

    def _read_all(self) -> None:
        while (item := self._queue.get()) is not None:
            stage, response = item
            trial = stage.trial(response.trial)
            reading = reader_of(trial.reader, stage.setup.suite.asking.readers, None).read(response, trial)
            media = tuple(part for message in trial.messages for part in message.parts if isinstance(part, Media))
            with self._lock:
                stage.count.add(response)
                stage.spent.add(response)
                stage.readings[response.trial, response.repeat] = reading
                self._number += 1
                facts = _facts(stage, trial, response, reading, self._number, len(media))
                self._latest.append((self._number, LatestReply(facts, stage.setup, media)))


def _facts(
    stage: LiveStage, trial: Trial, response: Response, reading: Reading, serial: int, media: int
) -> dict[str, Json]:
    asked = [
        part.text
        for message in trial.messages
        if message.role == "user"
        for part in message.parts
        if isinstance(part, Text)
    ]
    facts: dict[str, Json] = {
        "stage": stage.name,
        "trial": trial.id,
        "question": _short(asked[-1] if asked else ""),
        "reply": _short(response.text or response.detail or ""),
        "status": reading.status,
        "answer": None if reading.answer is None else _short(str(reading.answer)),
        "media": [f"media/{serial}/{place}" for place in range(media)],
    }
    return facts if reading.correct is None else {**facts, "correct": reading.correct}


def _short(text: str) -> str:
    return visible(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
