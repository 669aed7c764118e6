"""The files of a folder elsewhere: their listing, and append-only logs, whose newest lines stand in blocks.

Object stores cannot append. While a log grows, each upload is an object `.blocks/LOG/OFFSET-HASH`: OFFSET is where its
bytes stand in the log, HASH the first digits of the sha256 of the whole log up to its end. So a block of another log of
the same name, such as one that was left when an upload was cut off, is told apart and passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from veridical.base.remote_folders import RemoteFolder, storage_errors
from veridical.errors import InputError

BLOCKS = ".blocks"
TOKEN = ".veridical-writer.json"  # noqa: S105 (who writes to the folder, no secret)
_DIGITS = 16
_BLOCK = re.compile(rf"{re.escape(BLOCKS)}/(?P<log>.+)/(?P<offset>[0-9]{{15}})-(?P<digest>[0-9a-f]{{{_DIGITS}}})")
_MARKS = ("ETag", "etag", "md5Hash", "blob_id", "xet_hash", "mtime", "updated", "LastModified", "modified", "created")


class LogBlock(NamedTuple):
    """A block of a log: where its bytes stand in the log, the hash of the log up to its end, and its object's key."""

    offset: int
    digest: str
    key: str


@dataclass(frozen=True)
class RemoteFile:
    """A file elsewhere: its size without blocks, a mark that changes with its content, and its blocks in order.

    `whole` is false for a log of which only blocks were uploaded.
    """

    size: int
    mark: str
    blocks: tuple[LogBlock, ...] = ()
    whole: bool = True

    @property
    def version(self) -> str:
        """What changes with the content, also with that of the blocks."""
        return " ".join([self.mark, *(block.digest for block in self.blocks)])


def is_log(name: str) -> bool:
    """Whether a file is only ever appended to; the parts of a half-made set are not."""
    return name.endswith(".jsonl") and ".parts" not in PurePosixPath(name).parts


def block_name(log: str, offset: int, digest: str) -> str:
    """The path of a block in the folder, by its log, its place there, and the sha256 of the log up to its end."""
    return f"{BLOCKS}/{log}/{offset:015d}-{digest[:_DIGITS]}"


def list_files(remote: RemoteFolder) -> dict[str, RemoteFile]:
    """The files of a folder elsewhere, by path; a single file stands under "". Empty where there is nothing.

    Raises `InputError` where it cannot be listed, as for a bucket that does not exist, and for a name that leads out.
    """
    storage = remote.storage
    with storage_errors(remote.url, "read"):
        storage.invalidate_cache()
        found: Mapping[str, Mapping[str, Any]] = storage.find(remote.root, detail=True)
    whole: dict[str, RemoteFile] = {}
    blocks: dict[str, list[LogBlock]] = {}
    for key, facts in found.items():
        name = key.removeprefix(remote.root).removeprefix("/")
        if facts.get("type") == "directory" or key.endswith("/") or name == TOKEN:
            continue
        _require_inside(remote, name)
        if block := _BLOCK.fullmatch(name):
            blocks.setdefault(block["log"], []).append(LogBlock(int(block["offset"]), block["digest"], key))
        elif not name.startswith(f"{BLOCKS}/"):
            mark = next((str(facts[each]) for each in _MARKS if facts.get(each)), "")
            whole[name] = RemoteFile(int(facts.get("size") or 0), mark)
    for log, of_log in blocks.items():
        file = whole.get(log, RemoteFile(0, "", whole=False))
        whole[log] = RemoteFile(file.size, file.mark, tuple(sorted(of_log)), file.whole)
    return whole


def content_of(remote: RemoteFolder, name: str, file: RemoteFile) -> bytes:
    """The bytes of a file elsewhere, of a log with those of its blocks, as far as they follow each other."""
    storage = remote.storage
    with storage_errors(f"{remote.url}/{name}", "read"):
        content: bytes = storage.cat_file(remote.place(name)) if file.whole else b""
        return content + b"".join(_continued(content, ((b, storage.cat_file(b.key)) for b in file.blocks)))


def _continued(content: bytes, blocks: Iterable[tuple[LogBlock, bytes]]) -> Iterator[bytes]:
    """The bytes of those blocks that go on from a log's content.

    >>> digest = sha256(b"ab").hexdigest()[:_DIGITS]
    >>> list(_continued(b"a", [(LogBlock(0, "other", ""), b"xy"), (LogBlock(1, digest, ""), b"b")]))
    [b'b']
    """
    size, hashed = len(content), sha256(content)
    for block, added in blocks:
        after = hashed.copy()
        after.update(added)
        if block.offset == size and after.hexdigest()[:_DIGITS] == block.digest:
            size, hashed = size + len(added), after
            yield added


def _require_inside(remote: RemoteFolder, name: str) -> None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or not name.isprintable():
        raise InputError(f"{remote.url} holds the name {name[:80]!r}, which is no path inside a folder")
