"""Who writes to a folder elsewhere: an object in it that one machine creates and removes when it has ended."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from veridical.base.remote_files import TOKEN
from veridical.base.remote_folders import RemoteFolder, storage_errors
from veridical.errors import InputError

_LONGEST = 100


class WriterChangedError(InputError):
    """Another machine took over what this one was writing."""


def current_writer(remote: RemoteFolder) -> Mapping[str, str] | None:
    """Who writes to a folder: `token`, `host` and `since`; `None` if nobody does."""
    with storage_errors(remote.url, "read"):
        try:
            content: bytes = remote.storage.cat_file(remote.place(TOKEN))
        except FileNotFoundError:
            return None
    try:
        stated: Any = json.loads(content)
    except ValueError:
        stated = None
    facts = stated if isinstance(stated, dict) else {}
    return {key: str(facts.get(key, "unknown"))[:_LONGEST] for key in ("token", "host", "since")}


def claim(remote: RemoteFolder, token: str, writer: Mapping[str, str] | None, *, accepted: bool) -> None:
    """Makes this machine, by a token, the one that writes to a folder in place of the current `writer`.

    Raises `InputError` while another machine writes, unless it is `accepted` that it is replaced, and where the folder
    cannot be written to.
    """
    if writer is not None and not accepted:
        raise _refusal(remote, writer)
    facts = {"token": token, "host": platform.node(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
    with storage_errors(remote.url, "written"):
        try:
            # Of two machines that find no token, only one creates it.
            mode = "create" if writer is None else "overwrite"
            remote.storage.pipe_file(remote.place(TOKEN), json.dumps(facts).encode(), mode=mode)
        except FileExistsError:
            raise _refusal(remote, current_writer(remote) or facts) from None


def require_writer(remote: RemoteFolder, token: str) -> None:
    """Raises `WriterChangedError` if another machine took over what this one was writing."""
    writer = current_writer(remote)
    if writer is None or writer["token"] != token:
        other = writer["host"] if writer else "another machine"
        raise WriterChangedError(f"{remote.url} was taken over by {other}: this machine no longer writes to it")


def release(remote: RemoteFolder) -> None:
    """Says that this machine no longer writes to a folder."""
    with storage_errors(remote.url, "written"), suppress(FileNotFoundError):
        remote.storage.rm_file(remote.place(TOKEN))


def _refusal(remote: RemoteFolder, writer: Mapping[str, str]) -> InputError:
    return InputError(
        f"{remote.url} is being written by {writer['host']} since {writer['since']}: wait for it, or, if it has ended "
        "for good, call `veridical --take-over` with the same words"
    )
