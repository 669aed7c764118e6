"""A real engine in a process of its own, and what reaches it, beside what a run planned to send."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import httpx2

from tests.ask.server import Reply, Request, Server, serve
from veridical.ask import Run
from veridical.records import Media, Message, Text

ENTRY = "from transformers.cli.transformers import main; main()"
_RUNNING = re.compile(r"running on (http://[\d.]+:\d+)")
_URL = re.compile(r"data:image/\w+;base64,(.+)", re.DOTALL)
PATIENCE = 120


class Sent(NamedTuple):
    """One request as far as a plan states it; media are the hashes of their bytes."""

    messages: list[tuple[str, list[str]]]
    sampling: dict[str, Any]


@contextmanager
def transformers_serve() -> Iterator[str]:
    """The base URL of `transformers serve`, which loads a model when it is first asked for it, on the CPU."""
    words = [sys.executable, "-c", ENTRY, "serve", "--host", "127.0.0.1", "--port", "0", "--device", "cpu"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        told: list[str] = []
        reader = threading.Thread(target=told.extend, args=(process.stdout,))
        try:
            started = (found for line in process.stdout if not told.append(line) and (found := _RUNNING.search(line)))
            place = next(started, None)
            assert place is not None, "".join(told)
            reader.start()
            assert httpx2.get(f"{place[1]}/health").json() == {"status": "ok"}
            yield f"{place[1]}/v1"
        finally:
            process.terminate()
            if reader.ident is not None:
                reader.join()  # it ends with the process, before the pipe is closed


@contextmanager
def logged(engine: str) -> Iterator[Server]:
    """A proxy before an engine, which keeps each request in the order of arrival."""

    def forward(request: Request) -> Reply:
        answer = httpx2.post(f"{engine}/chat/completions", json=request.body, timeout=PATIENCE)
        return Reply(answer.status_code, answer.content, {"content-type": answer.headers["content-type"]})

    with serve(forward) as server:
        yield server


def received(request: Request) -> Sent:
    """What a request says, its pictures decoded."""
    body = dict(request.body)
    messages = [(message["role"], [*map(_part, _parts(message["content"]))]) for message in body.pop("messages")]
    body.pop("model")
    return Sent(messages, body)


def _parts(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _part(part: Mapping[str, Any]) -> str:
    if part["type"] == "text":
        return part["text"]
    url = _URL.fullmatch(part["image_url"]["url"])
    assert url is not None
    return sha256(base64.b64decode(url[1], validate=True)).hexdigest()


def planned(run: Run, home: Path, sampling: Mapping[str, Any]) -> list[Sent]:
    """What a run's table of trials, the files of its set, and what is stated of sampling plan, in the order of asking.

    Units come by place; the questions on a stimulus follow each other, the first repeat of all before the second.
    """
    by_stimulus: dict[str, list[Sent]] = {}
    trials = sorted(run.trials(), key=lambda trial: trial.place)
    for _ in range(run.repeats):
        for trial in trials:
            sent = Sent([_message(each, home) for each in trial.messages], dict(sampling))
            by_stimulus.setdefault(trial.stimulus, []).append(sent)
    return [each for group in by_stimulus.values() for each in group]


def _message(message: Message, home: Path) -> tuple[str, list[str]]:
    return message.role, [part.text if isinstance(part, Text) else _hash(part, home) for part in message.parts]


def _hash(medium: Media, home: Path) -> str:
    return sha256((home / medium.file).read_bytes()).hexdigest()


def table(rows: list[tuple[str, int, int, int]]) -> str:
    """Suites and stages by what was planned, received, and equal, as Markdown."""
    lines = [f"| {name} | {' | '.join(map(str, counts))} |" for name, *counts in rows]
    return "\n".join(["| transformers serve | planned | received | equal |", "| --- | ---: | ---: | ---: |", *lines])
