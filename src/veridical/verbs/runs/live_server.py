"""The server of a run's page: of this machine alone, for reading alone, while the run goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partialmethod
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import NamedTuple

from veridical.base.path_checks import holds_run
from veridical.errors import InputError
from veridical.report.live.page import LivePage
from veridical.verbs.runs.live_state import LiveState

HOST = "127.0.0.1"
_HTML, _JSON, _TEXT = "text/html; charset=utf-8", "application/json", "text/plain; charset=utf-8"
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class LiveRun(NamedTuple):
    """A run that is served: its page's address, and what its stages report to."""

    url: str
    state: LiveState


class PageAnswer(NamedTuple):
    """What a request is answered with."""

    status: int
    content: bytes
    kind: str = _TEXT
    policy: str = "default-src 'none'"
    kept: bool = False


@contextmanager
def live_run(port: int, page: LivePage, runs: Sequence[Path]) -> Iterator[LiveRun]:
    """A run that is served on a port of 127.0.0.1 (0: a free one) while the block lasts.

    `runs` are the folders in which runs will be, one for each model under test. Raises `InputError` for a port that
    cannot be used.
    """
    try:
        server = _Server((HOST, port), _Handler)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else "0 to 65535 is allowed"
        raise InputError(f"--live-port {port}: {reason}; without it, a free port is taken") from None
    state = LiveState()
    server.answers = _Answers(state, page, PartialReport(runs))
    serving = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, name="veridical-live", daemon=True)
    serving.start()
    try:
        yield LiveRun(f"http://{HOST}:{server.server_port}/", state)
    finally:
        server.answers.report.close()
        server.shutdown()
        server.server_close()
        serving.join()
        state.close()


class PartialReport:
    """The report on the replies that are stored so far, made by a process of its own, one at a time."""

    def __init__(self, runs: Sequence[Path]) -> None:
        self._runs = runs
        self._alone, self._closed = Lock(), False
        self._making: subprocess.Popen[bytes] | None = None

    def answer(self) -> PageAnswer:
        """The report, or in one line why there is none."""
        with self._alone, TemporaryDirectory(prefix="veridical-", ignore_cleanup_errors=True) as folder:
            if self._closed:
                return PageAnswer(410, b"the run has ended")
            begun = [str(run.resolve()) for run in self._runs if holds_run(run)]
            if not begun:
                return PageAnswer(503, b"nothing is stored yet")
            out = Path(folder) / "report.html"
            self._making = subprocess.Popen(  # noqa: S603 (this interpreter, our own command)
                [sys.executable, "-m", "veridical", "report", *begun, "--out", str(out)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,  # Ctrl-C reaches the run alone, which ends the report
            )
            _, problem = self._making.communicate()
            if out.exists():
                return PageAnswer(200, out.read_bytes(), _HTML, policy="frame-ancestors 'none'")
            return PageAnswer(503, problem.strip() or b"there is no report yet")

    def close(self) -> None:
        """Ends a report that is being made."""
        self._closed = True
        if self._making is not None:
            with suppress(OSError):
                self._making.kill()


class _Answers:
    """What the server answers to each path."""

    def __init__(self, state: LiveState, page: LivePage, report: PartialReport) -> None:
        self.state, self.page, self.report = state, page, report

    def to(self, path: str) -> PageAnswer:
        fixed: dict[str, Callable[[], PageAnswer]] = {
            "/": lambda: PageAnswer(200, self.page.html, _HTML, self.page.policy),
            "/state.json": lambda: PageAnswer(200, json.dumps(self.state.facts()).encode(), _JSON),
            "/report": self.report.answer,
        }
        if path in fixed:
            return fixed[path]()
        folder, *numbers = path.removeprefix("/").split("/")
        if folder == "media" and len(numbers) == 2 and all(each.isdecimal() and len(each) < 10 for each in numbers):
            small = self.state.thumbnail(*map(int, numbers))
            if small is not None:
                return PageAnswer(200, small[0], f"image/{small[1]}", kept=True)
        return PageAnswer(404, b"there is nothing here")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = sys.platform != "win32"  # there it would share a port that is in use
    answers: _Answers

    @property
    def hosts(self) -> set[str]:
        """The names under which a browser on this machine asks; another site's name may lead here as well."""
        return {f"{host}:{self.server_port}" for host in (HOST, "localhost")}


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version, sys_version = "veridical", ""
    timeout = 30

    def _answer(self, *, allowed: bool) -> None:
        if self.headers.get("Host") not in self.server.hosts:
            answer = PageAnswer(403, b"this page is for a browser on this machine")
        elif not allowed:
            answer = PageAnswer(405, b"this page is for reading")
        else:
            answer = self.server.answers.to(self.path.partition("?")[0])
        with suppress(OSError):  # the browser may be gone
            self._send(answer)

    def _send(self, answer: PageAnswer) -> None:
        self.send_response(answer.status)
        headers = {"Content-Type": answer.kind, "Content-Length": str(len(answer.content))}
        headers |= {"Content-Security-Policy": answer.policy, **_HEADERS}
        headers["Cache-Control"] = "private, max-age=3600" if answer.kept else "no-store"
        headers |= {"Allow": "GET"} if answer.status == 405 else {}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.content)

    do_GET = partialmethod(_answer, allowed=True)  # noqa: N815
    do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = partialmethod(_answer, allowed=False)  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Says nothing: the terminal shows the run."""
