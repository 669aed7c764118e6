"""Putting trials to a model: a canary first, then stimulus by stimulus, bounded, resumable, and safe to stop."""

from __future__ import annotations

import asyncio
import gc
import warnings
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from veridical.ask.attempt import Asker, Ended
from veridical.ask.breaker import Breaker, stop_after
from veridical.ask.cache import ReplyCache
from veridical.ask.canary import Place, place_of, refusal, stops
from veridical.ask.capabilities import opens_reply, require_continuation, require_media
from veridical.ask.clients import Client
from veridical.ask.display import Progress
from veridical.ask.failures import Kind
from veridical.ask.limits import Elsewhere, Gate, Limits, Spent
from veridical.ask.models import is_embedded
from veridical.ask.pending import MediaBytes, Pending, Shown, by_stimulus, pending
from veridical.ask.policy import Policy
from veridical.ask.providers import no_tracebacks
from veridical.ask.redact import redactor
from veridical.ask.responses import Writer, last_attempts
from veridical.ask.sender import Sender
from veridical.ask.stop import cancelled_by_signals
from veridical.ask.store import Run
from veridical.ask.tally import Tally
from veridical.records import Trial


def ask(
    run: Run,
    trials: Sequence[Trial],
    model: Client,
    *,
    media: MediaBytes,
    policy: Policy,
    progress: Progress,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    elsewhere: Elsewhere = Elsewhere(),  # noqa: B008 - frozen
    again: Set[tuple[str, int]] = frozenset(),
    cache: Path | None = None,
    skip_unsupported: bool = False,
    tells_trial: bool = False,
) -> Tally:
    """The tally after everything without a reply was put to the model, and each response stored as it ended.

    Asked are the trials and repeats with no response, those whose last attempt ended in an error, and those in `again`.
    The first goes alone: a wrong key, an unknown model, no connection, and any other failure that is not transient
    before anything was ever answered raise `InputError`, and nothing is stored. Then the questions on one stimulus go
    in sequence, repeat by repeat, stimuli concurrently. `media` gives a medium's bytes by its path in the stimulus
    set; it is called in other threads.

    At a limit nothing new is sent; each request in flight is waited for (up to the policy's `attempt_timeout`) and
    stored, and no failed one is sent again; so it is after failures of one kind in a row (the policy's `stop_after`). A
    budget, which counts what was spent `elsewhere` too, can thus be passed
    by what is in flight. SIGINT and SIGTERM (in
    the main thread) abandon what is in flight and return with `interrupted`.

    `cache` is a folder of replies by all that reaches a model; what is found there is stored without a request, but
    not for what is in `again`. Embedded observers are always asked. Trials that begin the assistant's turn, put to a
    model that cannot continue it, raise `InputError`; with `skip_unsupported` they are counted as not asked. A clip
    or picture for a model that is shown none raises `InputError` in any case. `tells_trial` hands the trial's id to an
    embedded observer that sees trials.
    """
    name, endpoint = str(run.identity["model"]), model.endpoint
    embedded = is_embedded(model.name)
    require_media(trials, model, name)
    found = require_continuation(trials, model, name, skip=skip_unsupported)
    with run.writer() as writer, _undisturbed(), _opened(None if embedded else cache) as replies:
        attempts = list(run.attempts())
        earlier = last_attempts(attempts)
        able = [trial for trial in trials if found.problem is None or not opens_reply(trial)]
        todo = list(pending(able, run.repeats, earlier, again))
        gate = Gate(limits, Spent.over(attempts), free=embedded, elsewhere=elsewhere)
        tally = _tally(len(trials) * run.repeats, len(able) * run.repeats, todo, gate, found.problem)
        asker = Asker(model, policy, redactor(endpoint, keys=model.secrets()), gate.pause)
        sender = Sender(asker, replies, again, tells_trial=tells_trial)
        breaker = Breaker(stop_after(policy.stop_after), asker.redact)
        asking = _Asking(sender, media, writer, progress, tally, gate, breaker)
        answered = any(response.error is None for response in earlier.values())
        progress.start(tally.planned - len(todo))
        try:
            if todo:
                asyncio.run(asking.all(todo, answered, place_of(model.name, endpoint)))
        except BaseException:
            progress.abandon()
            raise
        tally.limit = gate.reached if tally.asked < len(todo) else None
        tally.cost = gate.spent.cost(limits.price) if limits.price else None
        tally.cache_problem = replies.problem if replies else None
        run.ended(tally.facts())
        progress.stop(interrupted=tally.interrupted, limit=tally.limit)
    return tally


@dataclass
class _Asking:
    sender: Sender
    media: MediaBytes
    writer: Writer
    progress: Progress
    tally: Tally
    gate: Gate
    breaker: Breaker

    async def all(self, todo: Sequence[Pending], answered: bool, place: Place) -> None:
        """Asks everything, or as much as there is time for until a signal comes or a limit is reached."""
        with cancelled_by_signals() as stopped:
            try:
                self.gate.start_clock()
                grouped = by_stimulus(await self._canary(todo, answered, place))
                stimuli = iter(grouped)
                async with asyncio.TaskGroup() as workers:
                    for _ in range(min(self.sender.asker.policy.max_connections, len(grouped))):
                        workers.create_task(self._work(stimuli))
            except asyncio.CancelledError:
                if not stopped.is_set():
                    raise
                self.tally.interrupted = True
            except ExceptionGroup as group:
                raise group.exceptions[0] from None
            finally:
                await self.sender.asker.client.close()

    async def _canary(self, todo: Sequence[Pending], answered: bool, place: Place) -> list[Pending]:
        """What is left after the first request, which goes alone; what the cache holds is no request.

        The first is one never asked before, so that a bad trial cannot bar a run's way.
        """
        done: set[int] = set()
        for item in sorted(todo, key=lambda item: item.attempt > 1):
            if self.gate.reached:
                break
            ended = await self.sender.put(item, Shown(self.media), final=frozenset[Kind]({"connection"}))
            failure = ended.failure
            if failure and stops(failure, known=answered or bool(self.tally.cached)):
                raise refusal(failure, item.trial, place, self.sender.asker.redact)
            self._store(item, ended)
            done.add(id(item))
            if ended.response.requests:
                break
        return [item for item in todo if id(item) not in done]

    async def _work(self, stimuli: Iterator[list[Pending]]) -> None:
        for items in stimuli:
            shown = Shown(self.media)
            for item in items:
                if self.gate.reached:
                    return
                self._store(item, await self.sender.put(item, shown))

    def _store(self, item: Pending, ended: Ended) -> None:
        self.writer.append(ended.response)
        self.tally.add(ended.response, had_reply=item.had_reply)
        self.gate.add(ended.response)
        if ended.response.requests and (why := self.breaker.add(ended.failure, item.trial)):
            self.gate.close(why)
        self.progress.advance(ended.response)


def _tally(planned: int, able: int, todo: Sequence[Pending], gate: Gate, problem: str | None) -> Tally:
    """The tally before anything is asked; `able` of the `planned` can be."""
    return Tally(
        planned=planned,
        kept=able - len(todo),
        missing=sum(not item.had_reply for item in todo),
        unsupported=planned - able,
        reason=problem if able < planned else None,
        spent=gate.spent,
    )


@contextmanager
def _opened(folder: Path | None) -> Iterator[ReplyCache | None]:
    if folder is None:
        yield None
        return
    with ReplyCache(folder) as replies:
        yield replies


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Within it, malformed replies are told as errors of their trials alone, not as warnings of a client.

    Nor does the garbage collector go through all that was imported before; each time would hold up every request.
    """
    gc.freeze()
    try:
        with warnings.catch_warnings(), no_tracebacks():
            warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
            warnings.filterwarnings("ignore", message=r"\S+ is not a valid \w+$")
            yield
    finally:
        gc.unfreeze()
