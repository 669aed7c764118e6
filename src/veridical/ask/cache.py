"""A cache of replies across runs, keyed by everything that reaches the model; an SQLite file, shared by processes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from veridical.answers import ParsedAnswer, decide
from veridical.errors import InputError
from veridical.records import Json, Media, Message, Response, Text, canonical

_FORMAT = 1
_FILE = "replies.sqlite"
_PATIENCE = 30.0
_TABLES, _STATED = "SELECT count(*) FROM sqlite_master", "PRAGMA user_version"


@dataclass(frozen=True)
class _Reply:
    text: str
    reasoning: str | None
    stop_reason: str | None
    logprobs: Any = None


_REPLY = TypeAdapter(_Reply)


def cache_key(
    facts: Mapping[str, Json],
    sampled: Mapping[str, Json],
    messages: Sequence[Message],
    media_hash: Callable[[Media], str],
    repeat: int,
) -> str:
    """The sha256 of everything that reaches the model, media by the hash of their bytes, and of the repeat.

    `facts` are those of the model; `sampled` are its sampling settings for this repeat.
    """
    turns = [
        [
            message.role,
            [{"text": part.text} if isinstance(part, Text) else {"media": media_hash(part)} for part in message.parts],
        ]
        for message in messages
    ]
    whole = {"format": _FORMAT, **facts, "sampling": dict(sampled), "messages": turns, "repeat": repeat}
    return sha256(canonical(whole).encode("utf-8", "surrogatepass")).hexdigest()


def is_worth_keeping(response: Response) -> bool:
    """Whether a response may be reused: it is no failure, refusal or truncated reply, and it is not empty.

    >>> is_worth_keeping(Response(trial="t", text="Yes")), is_worth_keeping(Response(trial="t", text=" "))
    (True, False)
    >>> is_worth_keeping(Response(trial="t", text="Yes", stop_reason="max_tokens"))
    False
    """
    whole = response.stop_reason not in ("max_tokens", "model_length", "content_filter")
    decision = decide(response, lambda _: ParsedAnswer(None, "not read"))
    return whole and bool(response.text.strip()) and decision.status == "unparsed"


class ReplyCache:
    """Replies by key, in a folder that other runs and processes may use at the same time.

    Raises `InputError` if the folder cannot be used or holds something else. A cache that fails later, for example on a
    full disk, is no longer used, and `problem` says why; the run continues.
    """

    def __init__(self, folder: Path) -> None:
        self.problem: str | None = None
        self._path = folder / _FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(getattr(error, "strerror", None) or str(error)) from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._database.close()
            raise self._unusable(str(error)) from error
        except InputError:
            self._database.close()
            raise

    def get(self, key: str) -> Response | None:
        """The reply under a key, as a response without a trial and without cost, or `None`."""
        row = self._try("SELECT reply FROM replies WHERE key = ?", key)
        if row is None:
            return None
        try:
            reply = _REPLY.validate_json(row[0])
        except ValidationError:
            return None
        return Response(
            trial="",
            requests=0,
            text=reply.text,
            reasoning=reply.reasoning,
            stop_reason=reply.stop_reason,
            logprobs=reply.logprobs,
            input_tokens=0,
            output_tokens=0,
            cached=True,
        )

    def put(self, key: str, response: Response) -> None:
        """Stores a reply if it is worth keeping; it replaces an earlier one under the same key."""
        if is_worth_keeping(response):
            reply = _Reply(response.text, response.reasoning, response.stop_reason, response.logprobs)
            left_out = {"logprobs"} if response.logprobs is None else None
            self._try(
                "INSERT OR REPLACE INTO replies VALUES (?, ?)", key, _REPLY.dump_json(reply, exclude=left_out).decode()
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._database.close()

    def _prepare(self) -> None:
        if not self._number(_STATED):
            self._make()
        if self._number(_STATED) != _FORMAT:
            raise self._unusable(f"it does not hold replies of format {_FORMAT}")
        # A reply that is lost in a power failure is requested again, so there is no need to sync each one to disk.
        self._database.execute("PRAGMA synchronous = NORMAL")

    def _make(self) -> None:
        if self._number(_TABLES):
            return
        # Two processes may get here at once; SQLite then refuses one of them without its usual timeout.
        until = monotonic() + _PATIENCE
        while True:
            try:
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError:
                if monotonic() > until:
                    raise
                sleep(0.02)
        if not self._number(_TABLES):
            self._database.execute("CREATE TABLE replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)")
            self._database.execute(f"PRAGMA user_version = {_FORMAT}")
        self._database.execute("COMMIT")

    def _number(self, statement: str) -> int:
        (number,) = self._database.execute(statement).fetchone()
        return int(number)

    def _try(self, statement: str, *values: str) -> tuple[str] | None:
        if self.problem is not None:
            return None
        try:
            row: tuple[str] | None = self._database.execute(statement, values).fetchone()
        except sqlite3.Error as error:
            self.problem = f"the cache {self._path} is no longer used: {error}"
            return None
        return row

    def _unusable(self, why: str) -> InputError:
        return InputError(f"the cache {self._path} cannot be used: {why}")
