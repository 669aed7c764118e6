"""Of all log probabilities that came with a reply, those of the token that states the answer; they alone are stored."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import polars as pl

from veridical.answers import Readers, answer_lead, answer_token, forced_token, option_probabilities
from veridical.answers.answer_tokens import NO_TOKENS, NOT_CONTINUED, REASONED, THOUGHT
from veridical.answers.probabilities import FORCED
from veridical.ask.capabilities import opens_reply
from veridical.ask.clients import Client, ContinuationFinder, ModelReply, ReplyOrFailure
from veridical.records import FORCED_ANSWERS, PROBABILITIES, TOKENS, Json, Message, Response, Text, Trial, canonical

FORCED_TOKENS = 3
"""The most tokens of a forced answer: one that may be a space alone, the answer's, and one that tells what follows."""


class KeptAnswer(NamedTuple):
    """A response with the token of its answer alone, or with none, and the lead of the answer that is to be forced."""

    response: Response
    lead: str | None = None


@dataclass(frozen=True)
class AnswerLogprobs:
    """Keeps the log probabilities of answers as the default one of the `readers` of each family reads them.

    `tell` gets one line when a reply has none for the first time: as the provider gave none, or as reasons stand before
    the answer. With a client for `forcing`, these answers are asked for again, without the reasons. Where they were not
    `asked` for, those that replayed replies have are kept, and nothing is told.
    """

    readers: Readers
    tell: Callable[[str], None]
    forcing: Client | None = None
    asked: bool = True
    _told: set[str] = field(default_factory=set)
    _problems: list[str | None] = field(default_factory=list)
    _probing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def kept(self, response: Response, trial: Trial) -> KeptAnswer:
        """The response with the token of its answer, or without any and with the lead of an answer to be forced."""
        if response.logprobs is None and not self.asked:
            return KeptAnswer(response)
        reader = self.readers[trial.reader][0]
        found = answer_token(reader, response, trial.expects)
        kept = replace(response, logprobs=None if found.token is None else [found.token])
        if self.forcing is not None and found.reason == REASONED and not opens_reply(trial):
            return KeptAnswer(kept, answer_lead(reader, response, trial.expects))
        if found.reason in (NO_TOKENS, REASONED, THOUGHT):
            self._tell(found.reason)
        return KeptAnswer(kept)

    async def can_force(self) -> bool:
        """Whether the model continues an assistant turn; a server is asked once, and a line says that it does not."""
        client = self.forcing
        async with self._probing:
            if not self._problems and client is not None:
                if isinstance(client, ContinuationFinder):
                    await client.find_continuation()
                self._problems.append(client.continuation.problem)
        problem = next(iter(self._problems), None)
        if problem is not None:
            self._tell(f"{problem}, so that no answer is forced")
        return self.forcing is not None and problem is None

    def forced(
        self, response: Response, trial: Trial, lead: str, requests: int, reply: ReplyOrFailure, tokens: Json
    ) -> Response:
        """The response with the token of the forced answer, if there is one, and with what it took in its counts.

        `tokens` are those of the reply, without secrets. Everything else of the response stays as it is.
        """
        counted = replace(response, requests=response.requests + requests)
        if not isinstance(reply, ModelReply):
            self._tell(f"the request for a forced answer failed ({reply.kind})")
            return counted
        sums: dict[str, Json] = {name: _sum(name, getattr(response, name), getattr(reply, name)) for name in TOKENS}
        answer = self.readers[trial.reader][0].decide(response, trial.expects).answer or ""
        found = forced_token(tokens, lead, answer, trial.expects)
        if found.reason is not None:
            self._tell(f"of a forced answer: {found.reason}" if found.reason == NOT_CONTINUED else found.reason)
        return replace(counted, **sums, logprobs=None if found.token is None else [found.token])

    def _tell(self, reason: str) -> None:
        if self.asked and reason not in self._told:
            self._told.add(reason)
            self.tell(f"no probability of the answer: {reason}; the run goes on, without it where that is so")


def begun_answer(trial: Trial, lead: str) -> Trial:
    """The trial with the beginning of an answer for the model to continue."""
    return replace(trial, messages=(*trial.messages, Message("assistant", (Text(lead),))))


def _sum(name: str, of_reply: int | None, of_forced: int | None) -> int | None:
    """The tokens of both requests; counts of a cache may be left out, others are unknown if one is."""
    if of_reply is None or of_forced is None:
        return None if name in TOKENS[:2] else of_reply if of_forced is None else of_forced
    return of_reply + of_forced


def probability_columns(rows: pl.DataFrame) -> pl.DataFrame:
    """The columns of `PROBABILITIES` of rows of a token, an answer, what is expected and the gold answer.

    They are null where no answer was read or its token is not known. Where any answer was forced, `FORCED_ANSWERS`
    follow.
    """
    found: list[tuple[str | None, float | None, float | None, bool | None]] = []
    for stored, answer, expects, gold in rows.iter_rows():
        token = {} if stored is None else json.loads(stored)
        each = option_probabilities(token, answer, json.loads(expects)) if token else None
        found.append(
            (None,) * 4
            if each is None
            else (canonical(each.options), each.share(gold), each.elsewhere, FORCED in token)
        )
    columns = pl.DataFrame(found, PROBABILITIES | FORCED_ANSWERS, orient="row")
    return columns if columns[next(iter(FORCED_ANSWERS))].any() else columns.select(*PROBABILITIES)
