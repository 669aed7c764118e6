"""Replies of bounded size, as a guard against small compressed bodies that unpack to huge ones."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import httpx2

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

LARGEST = 16_000_000
"""The maximum number of bytes of an unpacked reply."""

_WINDOWS = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}


class ReplyTooLargeError(Exception):
    """A reply exceeds the maximum size."""


def bounded(largest: int = LARGEST) -> Callable[[httpx2.Response], Awaitable[None]]:
    """A hook for an HTTP client that limits the unpacked size of replies.

    Reading beyond the limit raises `ReplyTooLargeError`.
    """

    async def hook(response: httpx2.Response) -> None:
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("identity", "", *_WINDOWS):
            raise ReplyTooLargeError(f"the reply is encoded as {encoding!r}, which was not requested")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, _WINDOWS.get(encoding), largest)
        for name in ("content-encoding", "content-length"):
            response.headers.pop(name, None)

    return hook


class _Bounded(httpx2.AsyncByteStream):
    """An unpacked body of limited size."""

    def __init__(self, stream: httpx2.AsyncByteStream, window: int | None, largest: int) -> None:
        self._stream, self._window, self._left = stream, window, largest

    async def __aiter__(self) -> AsyncIterator[bytes]:
        unpacker = None if self._window is None else zlib.decompressobj(self._window)
        async for chunk in self._stream:
            content = chunk if unpacker is None else unpacker.decompress(chunk, self._left + 1)
            self._left -= len(content)
            if self._left < 0:
                raise ReplyTooLargeError("the reply is too large")
            yield content

    async def aclose(self) -> None:
        await self._stream.aclose()
