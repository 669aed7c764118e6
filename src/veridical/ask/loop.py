"""Putting trials to a model: a canary first, then picture by picture, bounded, resumable, and safe to stop."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veridical.ask.attempt import Asker, Ended
from veridical.ask.canary import SYSTEMATIC, place_of, refusal
from veridical.ask.chat import chat_messages, data_url
from veridical.ask.display import Progress
from veridical.ask.failures import Kind
from veridical.ask.models import secrets_of
from veridical.ask.policy import Policy
from veridical.ask.redact import redactor
from veridical.ask.responses import Writer
from veridical.ask.stop import cancelled_by_signals
from veridical.ask.store import Run
from veridical.records import Response, Trial

if TYPE_CHECKING:
    from inspect_ai.model import Model

MediaBytes = Callable[[str], bytes]


@dataclass(kw_only=True)
class Tally:
    """What asking came to: trials planned, those that had a reply before, and the attempts that ended in this start.

    `errors` of the `asked` ended without a reply; `missing` counts the planned trials that still have none.
    """

    planned: int
    kept: int
    asked: int = 0
    errors: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    interrupted: bool = False

    @property
    def missing(self) -> int:
        """Planned trials without a reply: never asked, or ended in an error."""
        return self.planned - self.kept - (self.asked - self.errors)

    def add(self, response: Response) -> None:
        """Counts one attempt that ended."""
        self.asked += 1
        self.errors += response.error is not None
        self.requests += response.requests
        self.input_tokens += response.input_tokens or 0
        self.output_tokens += response.output_tokens or 0


@dataclass(frozen=True)
class Pending:
    """A trial to be asked, and which attempt at it this is."""

    trial: Trial
    attempt: int


def ask(
    run: Run, trials: Sequence[Trial], model: Model, *, media: MediaBytes, policy: Policy, progress: Progress
) -> Tally:
    """The tally after every trial without a reply was put to the model, and each response stored as it ended.

    Asked are trials with no response and those whose last attempt ended in an error. The first goes alone: a wrong
    key, an unknown model, no connection, or a request that is refused before anything was ever answered raise
    `InputError`, and nothing is stored. Then the questions on one picture go in sequence, pictures concurrently.
    `media` gives a medium's bytes by its path in the stimulus set. SIGINT and SIGTERM (in the main thread) abandon what
    is in flight and return with `interrupted`.
    """
    endpoint = getattr(model.api, "base_url", None)
    place, asker = place_of(str(model), endpoint), Asker(model, policy, redactor(endpoint, keys=secrets_of(model)))
    with run.writer() as writer, _without_noise():
        earlier = run.responses()
        pending = list(_pending(trials, earlier))
        answered = any(response.error is None for response in earlier.values())
        tally = Tally(planned=len(trials), kept=len(trials) - len(pending))
        progress.start(tally.kept)
        try:
            if pending:
                asyncio.run(_Asking(asker, media, writer, progress, tally).all(pending, answered, place))
        except BaseException:
            progress.abandon()
            raise
        progress.stop(interrupted=tally.interrupted)
    return tally


def _pending(trials: Iterable[Trial], earlier: Mapping[tuple[str, int], Response]) -> Iterator[Pending]:
    for trial in trials:
        last = earlier.get((trial.id, 1))
        if last is None or last.error is not None:
            yield Pending(trial, 1 if last is None else last.attempt + 1)


@dataclass
class _Asking:
    asker: Asker
    media: MediaBytes
    writer: Writer
    progress: Progress
    tally: Tally

    async def all(self, pending: Sequence[Pending], answered: bool, place: str) -> None:
        """Asks everything, or as much as there is time for until a signal comes."""
        with cancelled_by_signals() as stopped:
            try:
                canary = await self._canary(pending, answered, place)
                grouped = _by_picture(item for item in pending if item is not canary)
                pictures = iter(grouped)
                async with asyncio.TaskGroup() as workers:
                    for _ in range(min(self.asker.policy.max_connections, len(grouped))):
                        workers.create_task(self._work(pictures))
            except asyncio.CancelledError:
                if not stopped.is_set():
                    raise
                self.tally.interrupted = True
            except ExceptionGroup as group:
                raise group.exceptions[0] from None

    async def _canary(self, pending: Sequence[Pending], answered: bool, place: str) -> Pending:
        """The first trial, asked and stored; one never asked before, so that a bad trial cannot bar a run's way."""
        first = next((item for item in pending if item.attempt == 1), pending[0])
        ended = await self._ask(first, {}, final=frozenset({"connection"}))
        failure = ended.failure
        if failure and (failure.kind in SYSTEMATIC or (failure.kind == "bad_request" and not answered)):
            raise refusal(failure, first.trial, place, self.asker.redact)
        self._store(ended.response)
        return first

    async def _work(self, pictures: Iterator[list[Pending]]) -> None:
        for questions in pictures:
            sent: dict[str, str] = {}
            for item in questions:
                self._store((await self._ask(item, sent)).response)

    async def _ask(self, item: Pending, sent: dict[str, str], *, final: frozenset[Kind] = frozenset()) -> Ended:
        def picture(file: str) -> str:
            if file not in sent:
                sent[file] = data_url(file, self.media(file))
            return sent[file]

        chat = chat_messages(item.trial, str(self.asker.model), lambda part: picture(part.file))
        return await self.asker.attempt(item.trial.id, chat, item.attempt, final=final)

    def _store(self, response: Response) -> None:
        self.writer.append(response)
        self.tally.add(response)
        self.progress.advance(response)


def _by_picture(pending: Iterable[Pending]) -> list[list[Pending]]:
    pictures: dict[str, list[Pending]] = {}
    for item in pending:
        pictures.setdefault(item.trial.stimulus, []).append(item)
    return list(pictures.values())


@contextmanager
def _without_noise() -> Iterator[None]:
    """Within it, malformed replies are told as errors of their trials alone, not as warnings of a serializer."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
        yield
