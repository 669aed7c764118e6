"""Batching of concurrent requests, which are answered together in one thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import replace

from veridical.ask.local.replies import Wanted, Written

_QUIET = 0.02
Answer = Callable[[Sequence[Wanted], int], Sequence[Written | Exception]]


class Batches:
    """Gathers requests until a batch is full or none has arrived for 20 ms, then answers the batch.

    `answer` is called in a thread, one call at a time, with a batch and the maximum batch size. Requests that are
    abandoned before their batch begins are left out.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._waiting: list[tuple[Wanted, asyncio.Future[Written]]] = []
        self._came = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    async def reply(self, wanted: Wanted, most: int) -> Written:
        """The reply, from a batch of at most `most` requests; raises the exception of its answer."""
        future: asyncio.Future[Written] = asyncio.get_running_loop().create_future()
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

    async def _put(self, batch: Sequence[tuple[Wanted, asyncio.Future[Written]]], most: int) -> None:
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
