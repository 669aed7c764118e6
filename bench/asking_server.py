"""A model server for measurements: OpenAI's protocol, a fixed delay, always the same reply; in a process of its own.

It reads each request to its end and looks at nothing but its length, so that it takes the clients as little as can be:
a general web server of Python's takes about a millisecond a request, and then bounds what it is to measure.
`POST /begin?delay=SECONDS&slots=N` counts anew, `GET /counts` tells what came. It works on so many requests at a time;
others wait.
"""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from time import monotonic, sleep, time
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

_CHOICE = {"index": 0, "message": {"role": "assistant", "content": "<answer>Yes</answer>"}, "finish_reason": "stop"}
_USAGE = {"prompt_tokens": 300, "completion_tokens": 5, "total_tokens": 305}
_REPLY = {"id": "r", "object": "chat.completion", "created": 1, "model": "m", "choices": [_CHOICE], "usage": _USAGE}
_STARTS_WITHIN = 20.0
_SLOTS = 1_000


@dataclass
class Counts:
    """What came since the counting began: requests, open at once, bytes; first and last in seconds since the epoch."""

    requests: int = 0
    open: int = 0
    most_open: int = 0
    received: int = 0
    first: float = 0.0
    last: float = 0.0


def together(every: Sequence[Counts]) -> Counts:
    """The counts of several servers as those of one; of what was open at once, the sum of what was most at each."""
    return Counts(
        requests=sum(each.requests for each in every),
        most_open=sum(each.most_open for each in every),
        received=sum(each.received for each in every),
        first=min(each.first for each in every if each.requests),
        last=max(each.last for each in every),
    )


@dataclass
class _State:
    delay: float
    counts: Counts
    slots: int = _SLOTS
    busy: int = 0
    waiting: deque[_Connection] = field(default_factory=deque)


class _Connection(asyncio.Protocol):
    """One connection that is kept alive; a client sends its next request when it has the reply to the last."""

    def __init__(self, state: _State) -> None:
        self._state = state
        self._head = b""
        self._missing = 0
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            self._transport = transport

    def data_received(self, data: bytes) -> None:
        if self._missing:
            self._missing -= len(data)
        else:
            self._head += data
            head, end, body = self._head.partition(b"\r\n\r\n")
            if not end:
                return
            self._head = head
            self._missing = _length(head) - len(body)
        if self._missing <= 0:
            head, self._head, self._missing = self._head, b"", 0
            self._whole(head)

    def _whole(self, head: bytes) -> None:
        path = head.split(b" ", 2)[1].decode()
        counts = self._state.counts
        if path == "/counts":
            self._reply(asdict(counts))
        elif path.startswith("/begin"):
            stated = parse_qs(urlsplit(path).query)
            self._state.delay, self._state.counts = float(stated["delay"][0]), Counts()
            self._state.slots = int(stated["slots"][0])
            self._reply({})
        else:
            counts.first = counts.first or time()
            counts.requests += 1
            counts.open += 1
            counts.most_open = max(counts.most_open, counts.open)
            counts.received += _length(head)
            self._state.waiting.append(self)
            self._begin_waiting()

    def _begin_waiting(self) -> None:
        state = self._state
        while state.waiting and state.busy < state.slots:
            state.busy += 1
            asyncio.get_running_loop().call_later(state.delay, state.waiting.popleft()._answer)

    def _answer(self) -> None:
        self._reply(_REPLY)
        self._state.busy -= 1
        self._begin_waiting()
        self._state.counts.open -= 1
        self._state.counts.last = time()

    def _reply(self, value: object) -> None:
        body = json.dumps(value).encode()
        if self._transport and not self._transport.is_closing():
            head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
            self._transport.write(head.encode() + body)


def _length(head: bytes) -> int:
    _, there, rest = head.lower().partition(b"\r\ncontent-length:")
    return int(rest.partition(b"\r\n")[0]) if there else 0


@dataclass(frozen=True)
class Server:
    """A running server, by its port on 127.0.0.1."""

    port: int

    @property
    def url(self) -> str:
        """What clients take as the base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def begin(self, delay: float, slots: int = _SLOTS) -> None:
        """Counts anew, and answers after so many seconds from now on, so many requests at a time."""
        self._call(f"/begin?delay={delay}&slots={slots}", b"")

    def counts(self) -> Counts:
        """What came since then."""
        return Counts(**json.loads(self._call("/counts")))

    def _call(self, path: str, body: bytes | None = None) -> bytes:
        request = Request(f"http://127.0.0.1:{self.port}{path}", data=body)
        with urlopen(request, timeout=10) as reply:  # noqa: S310 - our own, on the loopback
            content: bytes = reply.read()
        return content


@contextmanager
def serving() -> Iterator[Server]:
    """A server on a free port of 127.0.0.1, in a process of its own until the end of the block."""
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listening:
        server = Server(listening.getsockname()[1])
        command = [sys.executable, "-m", "bench.asking_server", str(listening.fileno())]
        process = subprocess.Popen(command, pass_fds=[listening.fileno()])  # noqa: S603
    try:
        _wait_for(server, process)
        yield server
    finally:
        process.terminate()
        process.wait()


def _wait_for(server: Server, process: subprocess.Popen[bytes]) -> None:
    until = monotonic() + _STARTS_WITHIN
    while True:
        try:
            server.counts()
        except OSError:
            if monotonic() > until or process.poll() is not None:
                raise SystemExit("the server of the measurement does not start") from None
            sleep(0.05)
        else:
            return


async def _serve(number: int) -> None:
    state = _State(0.0, Counts())
    listening = socket.socket(fileno=number)
    server = await asyncio.get_running_loop().create_server(lambda: _Connection(state), sock=listening)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
