"""An OpenAI-compatible server on the loopback interface whose behaviour is a function from request to reply."""

from __future__ import annotations

import base64
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any


@dataclass(frozen=True)
class Request:
    """One request as it arrived: which it was, counted from 1, and when; names of headers in lower case."""

    number: int
    at: float
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All text of the user's messages."""
        return "\n".join(part["text"] for part in self.parts if part["type"] == "text")

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The parts of the user's messages, in order."""
        contents = [message["content"] for message in self.body["messages"] if message["role"] == "user"]
        return [
            part
            for content in contents
            for part in ([{"type": "text", "text": content}] if isinstance(content, str) else content)
        ]

    @property
    def counts(self) -> bool:
        """Whether it is no trial, and only sees how many tokens the server counts in a prompt."""
        return all(message["content"] == "A" for message in self.body["messages"])

    @property
    def pictures(self) -> list[bytes]:
        """The bytes behind the data URLs."""
        urls = [part["image_url"]["url"] for part in self.parts if part["type"] == "image_url"]
        return [base64.b64decode(url.removeprefix("data:image/png;base64,"), validate=True) for url in urls]


@dataclass(frozen=True)
class Reply:
    """What to do with a request: after `delay` seconds send a status and a body, or cut the connection, or hang.

    A `stalled` body begins and does not go on; a `torn` one ends with the connection in the middle.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: bool = False
    hang: bool = False
    stalled: bool = False
    torn: bool = False


def said(text: Any, *, finish: str = "stop", delay: float = 0.0, usage: Any = "ten", **message: Any) -> Reply:
    """A chat completion with one choice."""
    counted = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12} if usage == "ten" else usage
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
    return Reply(body=completion([choice], counted), delay=delay)


def completion(choices: Any, usage: Any = None) -> dict[str, Any]:
    """The body of a chat completion."""
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices, "usage": usage}


def refused(status: int, message: str = "no", code: Any = None, **headers: str) -> Reply:
    """An error in the usual shape; underscores in header names become hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, {"error": {"message": message, "type": "error", "code": code}}, named)


@dataclass
class Server:
    """The server: its URL, what it received, the most requests that were open at once, and what it does."""

    behaviour: Callable[[Request], Reply]
    url: str = ""
    requests: list[Request] = field(default_factory=list)
    open: int = 0
    most_open: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def texts(self) -> list[str]:
        """The text of each request in the order of arrival."""
        return [request.text for request in self.requests]


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


@contextmanager
def serve(behaviour: Callable[[Request], Reply] = lambda _: said("Yes")) -> Iterator[Server]:
    """A running server on a free port of 127.0.0.1."""
    server = Server(behaviour)
    http = _Http(("127.0.0.1", 0), _handler(server))
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *_: object) -> None:
            return

        def handle(self) -> None:
            # A client that is killed breaks off wherever it is.
            with suppress(ConnectionError):
                super().handle()

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            content = self.rfile.read(length)
            if len(content) < length:
                self.close_connection = True
                return
            body = json.loads(content)
            with server.lock:
                number = len(server.requests) + 1
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(number, monotonic(), self.path, headers, body)
                server.requests.append(request)
                server.open += 1
                server.most_open = max(server.most_open, server.open)
            try:
                reply = server.behaviour(request)
                server.closing.wait(3600 if reply.hang else reply.delay)
            finally:
                with server.lock:
                    server.open -= 1
            self._send(reply)

        def _send(self, reply: Reply) -> None:
            if reply.cut or reply.hang:
                self.close_connection = True
                with suppress(OSError):
                    self.connection.shutdown(socket.SHUT_RDWR)
                return
            content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            headers = {"content-type": "application/json", "content-length": str(len(content)), **reply.headers}
            try:
                self.send_response(reply.status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                half = reply.stalled or reply.torn
                self.wfile.write(content[: len(content) // 2] if half else content)
                if half:
                    server.closing.wait(3600 if reply.stalled else 0)
                    self.close_connection = True
            except ConnectionError:
                self.close_connection = True

    return Handler
