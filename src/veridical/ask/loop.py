"""Putting trials to a model: a canary first, then picture by picture, bounded, resumable, and safe to stop."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.ask.attempt import Asker, Ended
from veridical.ask.cache import ReplyCache
from veridical.ask.canary import SYSTEMATIC, place_of, refusal
from veridical.ask.capabilities import opens_reply, require_continuation
from veridical.ask.display import Progress
from veridical.ask.failures import Kind
from veridical.ask.limits import Gate, Limits, Spent
from veridical.ask.models import is_embedded, secrets_of
from veridical.ask.pending import MediaBytes, Pending, Pictures, by_picture, pending
from veridical.ask.policy import Policy
from veridical.ask.redact import redactor
from veridical.ask.responses import Writer, last_attempts
from veridical.ask.store import Run
from veridical.ask.tally import Tally
from veridical.ask.stop import cancelled_by_signals
from veridical.ask.turn import Turns
from veridical.records import Response, Trial

if TYPE_CHECKING:
    from inspect_ai.model import Model


def ask(
    run: Run,
    trials: Sequence[Trial],
    model: Model,
    *,
    media: MediaBytes,
    policy: Policy,
    progress: Progress,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    again: Set[tuple[str, int]] = frozenset(),
    cache: Path | None = None,
    skip_unsupported: bool = False,
) -> Tally:
    """The tally after everything without a reply was put to the model, and each response stored as it ended.

    Asked are the trials and repeats with no response, those whose last attempt ended in an error, and those in `again`.
    The first goes alone: a wrong key, an unknown model, no connection, or a request that is refused before anything
    was ever answered raise `InputError`, and nothing is stored. Then the questions on one picture go in sequence,
    repeat by repeat, pictures concurrently. `media` gives a medium's bytes by its path in the stimulus set.

    At a limit nothing new is sent; each request in flight is waited for (up to the policy's `attempt_timeout`) and
    stored, and no failed one is sent again. A budget can thus be passed by what is in flight. SIGINT and SIGTERM (in
    the main thread) abandon what is in flight and return with `interrupted`.

    `cache` is a folder of replies by all that reaches a model; what is found there is stored without a request, but
    not for what is in `again`. Embedded observers are always asked. Trials that begin the assistant's turn, put to a
    model that cannot continue it, raise `InputError`; with `skip_unsupported` they are counted as not asked.
    """
    name, endpoint = str(run.identity["model"]), getattr(model.api, "base_url", None)
    embedded = is_embedded(str(model))
    found = require_continuation(trials, model, name, skip=skip_unsupported)
    with run.writer() as writer, _without_noise(), _opened(None if embedded else cache) as replies:
        attempts = list(run.attempts())
        earlier = last_attempts(attempts)
        able = [trial for trial in trials if found.problem is None or not opens_reply(trial)]
        todo = list(pending(able, run.repeats, earlier, again))
        gate = Gate(limits, Spent.over(attempts), free=embedded)
        tally = _tally(trials, able, todo, run.repeats, gate, found.problem)
        asker = Asker(model, policy, redactor(endpoint, keys=secrets_of(model)), gate.pause)
        turns = Turns(asker, replies, found.body)
        asking = _Asking(turns, media, writer, progress, tally, gate)
        answered = any(response.error is None for response in earlier.values())
        progress.start(tally.planned - len(todo))
        try:
            if todo:
                asyncio.run(asking.all(todo, answered, place_of(str(model), endpoint)))
        except BaseException:
            progress.abandon()
            raise
        tally.limit = gate.reached if tally.missing or gate.reached else None
        tally.cost = gate.spent.cost(limits.price) if limits.price else None
        tally.cache_problem = replies.problem if replies else None
        run.ended(tally.facts())
        progress.stop(interrupted=tally.interrupted, limit=tally.limit)
    return tally
