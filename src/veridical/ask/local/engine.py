"""Replies of a local model to requests that are gathered and answered in batches."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context
from dataclasses import replace
from threading import Lock

import torch

from veridical.ask.local.generation import Generator
from veridical.ask.local.loader import Arguments, LoadedModel, load_model, locate_model, quiet
from veridical.ask.local.requests import LocalReply, PromptRefused, ReplyRequest, overflow
from veridical.ask.local.reuse import NotCutBackError, Reuse
from veridical.errors import InputError
from veridical.records import Json, canonical

_QUIET = 0.02
Answer = Callable[[Sequence[ReplyRequest], int], Sequence[LocalReply | Exception]]


class Engine:
    """Generates replies; with `reuse`, shared beginnings of prompts are encoded once if the model's cache allows it.

    `encoded` counts the `tokens` and `pictures` of prompts that the model encoded, and the `reused` tokens.
    """

    def __init__(self, loaded: LoadedModel, *, reuse: bool = True) -> None:
        self.loaded, self.encoded = loaded, Counter[str]()
        self._generator, self._lock = Generator(loaded), Lock()
        possible = reuse and Reuse.possible(self._generator)
        self._reuse = Reuse(self._generator, self.encoded) if possible else None

    def replies(self, wanted: Sequence[ReplyRequest], kept: int = 8) -> list[LocalReply | Exception]:
        """The reply to each prompt, generated together; an exception takes the place of a missing reply.

        A batch that fails, for example because it does not fit into the device's memory, is retried in two halves.
        `kept` is the number of prompts to keep.
        """
        with self._lock, quiet(self.loaded.name):
            if self._reuse is not None:
                self._reuse.keeper.most = kept
            return self._halved(wanted)

    def _halved(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        try:
            return self._together(wanted)
        except Exception as error:  # noqa: BLE001 - any exception of a model fails the prompts of its batch
            if self._reuse is not None:
                self._reuse.keeper.clear()
            if len(wanted) == 1:
                return [error]
        torch.cuda.empty_cache()
        half = len(wanted) // 2
        return [*self._halved(wanted[:half]), *self._halved(wanted[half:])]

    def _together(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        if self._reuse is not None:
            try:
                return self._reuse.replies(wanted)
            except NotCutBackError:
                self._reuse = None
        return self._anew(wanted)

    def _anew(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        """Replies to prompts that are encoded in full, in groups that the template and processor accept together."""
        replies: dict[int, LocalReply | Exception] = {}
        kinds: dict[tuple[bool, bool], list[int]] = {}
        for index, each in enumerate(wanted):
            kinds.setdefault((each.prompt.continues, bool(each.prompt.pictures)), []).append(index)
        for indices in kinds.values():
            replies |= zip(indices, self._alike([wanted[index] for index in indices]), strict=True)
        return [replies[index] for index in range(len(wanted))]

    def _alike(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        try:
            inputs = self._generator.inputs([each.prompt for each in wanted])
            lengths = inputs["attention_mask"].sum(-1).tolist()
        except (PromptRefused, InputError) as error:
            return [error] if len(wanted) == 1 else self._one_by_one(wanted)
        if any(map(self._generator.too_long, lengths)):
            return [overflow(lengths[0])] if len(wanted) == 1 else self._one_by_one(wanted)
        self.encoded.update(tokens=sum(lengths), pictures=sum(len(each.prompt.pictures) for each in wanted))
        new = self._generator.generated(inputs, wanted, lengths)
        each_row = zip(new.rows.tolist(), wanted, lengths, new.tops, strict=True)
        return [self._generator.written(row, each, length, tops) for row, each, length, tops in each_row]

    def _one_by_one(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        return [self._alike([each])[0] for each in wanted]


class Batches:
    """Gathers requests until a batch is full or none has arrived for 20 ms, then answers the batch.

    `answer` is called in a thread, one call at a time, with a batch and the maximum batch size. Requests that are
    abandoned before their batch begins are left out.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._waiting: list[tuple[ReplyRequest, asyncio.Future[LocalReply]]] = []
        self._came = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    async def reply(self, wanted: ReplyRequest, most: int) -> LocalReply:
        """The reply, from a batch of at most `most` requests; raises the exception of its answer."""
        future: asyncio.Future[LocalReply] = asyncio.get_running_loop().create_future()
        self._waiting.append((replace(wanted, abandoned=future.cancelled), future))
        if self._work is not None and not self._work.done():
            self._came.set()
        else:
            self._came = asyncio.Event()  # belongs to the running loop
            # In a context of its own, because inspect-ai records all messages in the context of a call.
            self._work = asyncio.get_running_loop().create_task(self._answered(most), context=Context())
        return await future

    async def _answered(self, most: int) -> None:
        while self._waiting:
            await self._gathered(most)
            batch, self._waiting = self._waiting[:most], self._waiting[most:]
            batch = [(wanted, future) for wanted, future in batch if not future.done()]
            if batch:
                await self._put(batch, most)

    async def _gathered(self, most: int) -> None:
        while len(self._waiting) < most:
            self._came.clear()
            try:
                await asyncio.wait_for(self._came.wait(), _QUIET)
            except TimeoutError:
                return

    async def _put(self, batch: Sequence[tuple[ReplyRequest, asyncio.Future[LocalReply]]], most: int) -> None:
        try:
            replies = await asyncio.to_thread(self._answer, [wanted for wanted, _ in batch], most)
        except Exception as error:  # noqa: BLE001 - the waiting callers raise it, and store it as a failed attempt
            replies = [error] * len(batch)
        for (_, future), reply in zip(batch, replies, strict=True):
            if future.done():
                continue
            if isinstance(reply, Exception):
                future.set_exception(reply)
            else:
                future.set_result(reply)


_engine: tuple[str, Engine] | None = None


def engine_of(name: str, args: Mapping[str, Json], token: str | None) -> Engine:
    """The engine of a model, which is loaded once for all stages of a run and stays until another one is loaded."""
    global _engine
    key = canonical([name, dict(args), locate_model(name, Arguments.of(args), token).revision])
    if _engine is None or _engine[0] != key:
        _engine = None
        _engine = key, Engine(load_model(name, args, token))
    return _engine[1]
