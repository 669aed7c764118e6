"""The loop that asks a model: a canary first, then stimulus by stimulus; bounded, resumable, counted, safe to stop."""

from __future__ import annotations

import asyncio
import gc
import math
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from veridical.answers import Readers
from veridical.ask.answer_logprobs import AnswerLogprobs
from veridical.ask.attempt import Asker, AttemptEnd, Sender, shared_replies
from veridical.ask.cache import ReplyCache
from veridical.ask.capabilities import no_continuation, opens_reply, require_continuation, require_media
from veridical.ask.clients import Client, ContinuationFinder, EndpointFinder
from veridical.ask.clients.server_group import ClientGroup
from veridical.ask.connections import STEPS, ConnectionRamp
from veridical.ask.display import Progress
from veridical.ask.earlier_replies import EarlierReplies
from veridical.ask.failures import Failure, Kind
from veridical.ask.limits import Gate, Limits, OtherSpending
from veridical.ask.models import is_embedded, runs_here
from veridical.ask.pending_trials import GroupMedia, MediaBytes, PendingTrial, Tries, group_by_stimulus, pending_items
from veridical.ask.policy import Policy
from veridical.ask.providers import no_tracebacks
from veridical.ask.redact import redactor
from veridical.ask.request_limits import pictures_in
from veridical.ask.responses import Writer
from veridical.ask.stop import (
    SYSTEMATIC,
    Breaker,
    ModelEndpoint,
    cancelled_by_signals,
    refusal,
    refusal_of_servers,
    run_to_end,
    stop_after,
    stops,
)
from veridical.ask.store import Run
from veridical.ask.tally import Tally, tally_before
from veridical.errors import InputError
from veridical.records import Trial

NextTrials = Callable[[], Sequence[Trial]]
"""Gives the trials that follow from the replies to all those before; none where asking ends."""

_CLOSING = 2.0
"""How many seconds an interrupted run waits for connections to close."""


def ask(
    run: Run,
    trials: Sequence[Trial],
    model: Client,
    *,
    media: MediaBytes,
    policy: Policy,
    progress: Progress,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    elsewhere: OtherSpending = OtherSpending(),  # noqa: B008 - frozen
    again: Set[tuple[str, int]] = frozenset(),
    cache: Path | None = None,
    skip_unsupported: bool = False,
    instead: str | None = None,
    tells_trial: bool = False,
    shares_replies: bool = False,
    readers: Readers | None = None,
    most_tries: int = 1,
    earlier: EarlierReplies | None = None,
    next_trials: NextTrials | None = None,
) -> Tally:
    """Asks the model every trial without a reply, stores each response when it ends, and returns the tally.

    Trials and repeats are asked if they have no response, if their last attempt ended in an error, or if they are in
    `again`. The first request goes alone. It raises `InputError`, and nothing is stored, for a wrong key, an unknown
    model, no connection, and any other failure that is not transient while nothing was ever answered. After that, the
    questions on one stimulus go in sequence, repeat by repeat; stimuli go concurrently, as many as the policy says or a
    `ConnectionRamp` chooses, which goes on from the number of the start before. `media` gives a medium's bytes
    by its path in the stimulus set; it is called in other threads.

    Of several servers (see `ServerPool`) a failing one is passed over; asking ends when none is left.

    At a limit nothing new is sent and no failed request is retried. Requests in flight are awaited (up to the policy's
    `attempt_timeout`) and stored, so they can exceed a budget, which also counts the spending `elsewhere`. The same
    happens after consecutive failures of one kind (the policy's `stop_after`). SIGINT and SIGTERM (in the main thread)
    abandon requests in flight and return with `interrupted`.

    `cache` is a folder of replies, keyed by everything that reaches a model. A reply from the cache is stored without a
    request, except for trials in `again`. Embedded observers are always asked. Trials that begin the assistant turn
    raise `InputError`, which proposes the level `instead`, if the model cannot continue it; with `skip_unsupported` the
    others are asked. Either way these are counted as not asked. A server that has to say whether it can is asked
    before the first request. Clips or pictures that the model does not accept always raise `InputError`. `tells_trial`
    passes the trial's id to an embedded observer that sees trials. With `shares_replies`, one request serves all trials
    with the same messages. A reply that the default one of `readers` cannot read is requested again, up to `most_tries`
    times in all. `earlier` has what the run stored before (default: it is read); if that says that there are others,
    `trials` are those that lack a reply, and neither `shares_replies` nor `most_tries` may be used. When all trials
    have ended, `next_trials` gives more, until it gives none; it is called in another thread, and the run's table of
    trials is extended by it.
    """
    name, endpoint = str(run.identity["model"]), model.endpoint
    embedded = is_embedded(model.name)
    require_media(trials, model, name)
    if policy.forced_answer and model.continuation.problem is not None:
        raise InputError(f"forced_answer: model '{name}' cannot be asked for it: {model.continuation.problem}")
    support = require_continuation(trials, model, name, skip=True)
    with (
        run.writer() as writer,
        _undisturbed(),
        nullcontext() if embedded or cache is None else ReplyCache(cache) as replies,
    ):
        stored = EarlierReplies.of(run) if earlier is None else earlier
        able = [trial for trial in trials if support.problem is None or not opens_reply(trial)]
        todo = list(pending_items(able, run.repeats, stored.last, again))
        gate = Gate(limits, stored.spent, free=embedded, elsewhere=elsewhere)
        planned, possible = ((len(some) + stored.others) * run.repeats for some in (trials, able))
        tally = tally_before(planned, possible, todo, gate, support.problem)
        stated = policy.batch if runs_here(model.name) else policy.max_connections
        servers = len(model.clients) if isinstance(model, ClientGroup) else 1
        ramp = ConnectionRamp(run.connections or STEPS[0], stated=stated, servers=servers)
        redact = redactor(endpoint, keys=model.secrets())
        tell = progress.remark
        forcing = model if policy.forced_answer and not embedded else None
        # A batch that was asked for them has them, and its replay is not asked for anything.
        graded = readers if policy.tops or embedded else None
        answers = AnswerLogprobs(graded, tell, forcing, asked=bool(policy.tops)) if graded else None
        asker = Asker(model, policy, redact, gate.pause, ramp.failed, stop=gate.close, tell=tell, answers=answers)
        shared = shared_replies(able, stored.last, again) if shares_replies and not tells_trial else None
        sender = Sender(asker, replies, again, tells_trial=tells_trial, shared=shared)
        breaker = Breaker(stop_after(policy.stop_after), asker.redact)
        tries = Tries(readers, most_tries, stored.attempts) if readers and most_tries > 1 else None
        refused = None if skip_unsupported else lambda problem: no_continuation(trials, name, problem, instead)
        asking = _Asking(sender, media, writer, progress, tally, gate, breaker, tries, refused, ramp)
        asking.next_trials, asking.repeats = next_trials, run.repeats
        try:
            if tally.reason is not None and refused is not None:
                raise refused(tally.reason)
            if todo:
                run_to_end(asking.all(todo, stored.answered, ModelEndpoint(model.name, endpoint)), asking.stopped)
            else:
                progress.start(tally.planned)
        except BaseException:
            progress.abandon()
            if tally.reason is not None:
                run.ended(tally.facts())
            raise
        tally.connections = ramp.connections
        short = next_trials is not None or tally.asked < tally.planned - tally.kept - tally.unsupported
        tally.limit = gate.reached if short else None
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
    tries: Tries | None
    refused: Callable[[str], InputError] | None
    ramp: ConnectionRamp
    next_trials: NextTrials | None = None
    repeats: int = 1
    stopped: threading.Event = field(default_factory=threading.Event)
    waiting: deque[list[PendingTrial]] = field(default_factory=deque)
    working: int = 0

    async def all(self, todo: Sequence[PendingTrial], answered: bool, place: ModelEndpoint) -> None:
        """Asks everything until a signal arrives or a limit is reached."""
        with cancelled_by_signals(self.stopped):
            try:
                self.gate.start_clock()
                todo = await self._able(todo)
                self.progress.start(self.tally.planned - len(todo))
                self.waiting.extend(group_by_stimulus(await self._canary(todo, answered, place)))
                while True:
                    async with asyncio.TaskGroup() as workers:
                        self._show_connections()
                        self._fill(workers)
                    if self.gate.reached or not await self._more():
                        break
            except asyncio.CancelledError:
                if not self.stopped.is_set():
                    raise
                self.tally.interrupted = True
            except ExceptionGroup as group:
                raise group.exceptions[0] from None
            finally:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_CLOSING if self.stopped.is_set() else None):
                        await self.sender.asker.client.close()

    async def _able(self, todo: Sequence[PendingTrial]) -> Sequence[PendingTrial]:
        """The items less those that a server cannot be asked which has to say itself whether it continues a turn."""
        client, opening = self.sender.asker.client, [item for item in todo if opens_reply(item.trial)]
        if not opening or not isinstance(client, ContinuationFinder):
            return todo
        problem = (await client.find_continuation()).problem
        if problem is None:
            return todo
        self.tally.unsupported += len(opening)
        self.tally.missing -= sum(not item.had_reply for item in opening)
        self.tally.reason = problem
        if self.refused is not None:
            raise self.refused(problem)
        return [item for item in todo if not opens_reply(item.trial)]

    async def _canary(self, todo: Sequence[PendingTrial], answered: bool, place: ModelEndpoint) -> list[PendingTrial]:
        """The items that are left after the first request, which goes alone; replies from the cache are not requests.

        The first request is for an item that was never asked before, so that one bad trial cannot block a run. Where
        the server refuses its number of pictures, the next is for one with as few as it takes, if there is one.
        """
        done: set[int] = set()
        most: float = math.inf
        for item in sorted(todo, key=lambda item: item.attempt > 1):
            if self.gate.reached:
                break
            if len(pictures_in(item.trial)) > most:
                continue
            shown = GroupMedia(self.media)
            ended = await self.sender.put(item, shown, final=frozenset[Kind]({"connection"}))
            failure = ended.failure
            allowed = _allowed_pictures(failure, item, todo)
            if failure and allowed is None and stops(failure, answered=answered or bool(self.tally.cached)):
                raise await self._refusal(failure, item.trial, place)
            self._store(item, ended)
            await self._try_again(item, ended, shown)
            done.add(id(item))
            if allowed is not None:
                most = allowed
            elif ended.response.requests:
                break
        return [item for item in todo if id(item) not in done]

    async def _refusal(self, failure: Failure, trial: Trial, place: ModelEndpoint) -> InputError:
        asker, better = self.sender.asker, None
        if asker.servers.several and failure.kind in SYSTEMATIC:
            return refusal_of_servers(place, asker.servers.failures())
        if failure.kind == "not_found" and isinstance(asker.client, EndpointFinder):
            better = await asker.client.better_endpoint()
        return refusal(failure, trial, place, asker.redact, better)

    def _fill(self, workers: asyncio.TaskGroup) -> None:
        """Starts as many workers as there may be and have work."""
        for _ in range(min(self.ramp.connections - self.working, len(self.waiting))):
            self.working += 1
            workers.create_task(self._work(workers))

    async def _work(self, workers: asyncio.TaskGroup) -> None:
        """Asks about one stimulus after the other, until none waits; one worker too many leaves its rest to others."""
        while self.waiting:
            items, shown = deque(self.waiting.popleft()), GroupMedia(self.media)
            while items:
                if self.gate.reached:
                    return
                if self.working > self.ramp.connections:
                    self.waiting.appendleft([*items])
                    self.working -= 1
                    return
                await self._ask(items.popleft(), shown)
                self._fill(workers)
        self.working -= 1

    async def _ask(self, item: PendingTrial, shown: GroupMedia) -> None:
        taken, begun_at, began = self.sender.shares(item), self.ramp.connections, monotonic()
        ended = await self.sender.put(item, shown)
        self._store(item, ended)
        if self.waiting and ended.response.requests and ended.failure is None:
            self.ramp.ended(begun_at, seconds=monotonic() - began)
        self._show_connections()
        if taken is None:
            await self._try_again(item, ended, shown)

    async def _more(self) -> bool:
        """Puts the trials that follow, if there are any, among those that wait."""
        trials = [] if self.next_trials is None else await asyncio.to_thread(self.next_trials)
        items = list(pending_items(trials, self.repeats, {}, frozenset()))
        self.tally.planned += len(items)
        self.tally.missing += len(items)
        self.waiting.extend(group_by_stimulus(items))
        return bool(items)

    def _show_connections(self) -> None:
        self.progress.connections(self.ramp.connections, settled=self.ramp.settled)

    async def _try_again(self, item: PendingTrial, ended: AttemptEnd, shown: GroupMedia) -> None:
        """Asks for another reply while none can be read and tries are left."""
        while self.tries is not None and self.tries.another(ended.response, item.trial) and not self.gate.reached:
            item = replace(item, attempt=item.attempt + 1, had_reply=True)
            ended = await self.sender.put(item, shown, fresh=True)
            self._store(item, ended)

    def _store(self, item: PendingTrial, ended: AttemptEnd) -> None:
        if ended.unsent:
            return
        self.writer.append(ended.response)
        self.tally.add(ended.response, had_reply=item.had_reply)
        self.gate.add(ended.response)
        if ended.response.requests and (why := self.breaker.add(ended.failure, item.trial)):
            self.gate.close(why)
        self.progress.advance(ended.response)


def _allowed_pictures(failure: Failure | None, item: PendingTrial, todo: Sequence[PendingTrial]) -> int | None:
    """How many pictures a server takes that refused an item for more of them; `None` if no other item has as few."""
    most = failure.size.pictures if failure and failure.size else None
    if most is None or len(pictures_in(item.trial)) <= most:
        return None
    return most if any(len(pictures_in(other.trial)) <= most for other in todo) else None


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Suppresses client warnings about malformed replies, which are stored as errors of their trials.

    It also keeps the garbage collector from scanning everything imported so far, which would delay every request.
    """
    gc.freeze()
    try:
        with warnings.catch_warnings(), no_tracebacks():
            warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
            warnings.filterwarnings("ignore", message=r"\S+ is not a valid \w+$")
            yield
    finally:
        gc.unfreeze()
