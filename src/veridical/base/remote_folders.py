"""Folders elsewhere, named by a URL: where each is worked on at this machine, and its storage, through fsspec."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from veridical.base.files import locked_temporary
from veridical.base.requirements import extra_needed
from veridical.errors import InputError

SCHEMES = ("s3", "gs", "hf", "memory")
"""The schemes of folders elsewhere; "memory" is fsspec's storage inside one process."""
READ_ONLY = ("hf",)
"""Schemes of storage that takes commits, so that no log can be kept there."""
CACHE_VARIABLE = "VERIDICAL_CACHE"

_DRIVERS = {"s3": "s3fs", "gs": "gcsfs", "hf": "huggingface_hub"}
_ENDPOINTS = (
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
    "FSSPEC_S3_ENDPOINT_URL",
    "STORAGE_EMULATOR_HOST",
    "HF_ENDPOINT",
)
# A `Path` has only one of the two slashes left.
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/+(.*)", re.DOTALL)
_LONGEST_REASON = 200


def cache_folder() -> Path:
    """Where working copies lie: `VERIDICAL_CACHE`, else `veridical` in the user's folder for caches."""
    stated = os.environ.get(CACHE_VARIABLE)
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "veridical"
    return Path(stated or usual).resolve() / "remote"


@dataclass(frozen=True)
class RemoteFolder:
    """A folder or file elsewhere, by its URL, which has neither credentials nor a query."""

    url: str

    @classmethod
    def of(cls, text: str | Path) -> RemoteFolder | None:
        """The folder that a URL names; `None` for a path on this machine.

        Raises `InputError` for another scheme, and for credentials, a query or `..` in the URL.

        >>> RemoteFolder.of("s3://bucket/runs/a/"), RemoteFolder.of(Path("runs/a"))
        (RemoteFolder(url='s3://bucket/runs/a'), None)
        """
        url = _URL.fullmatch(text if isinstance(text, str) else text.as_posix())
        if url is None:
            return None
        scheme, rest = url[1].lower(), url[2]
        shown = f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"
        if scheme not in SCHEMES:
            raise InputError(f"{shown} is no folder that can be used: s3://, gs://, hf:// or a path is allowed")
        parts = [part for part in rest.split("/") if part]
        if not parts:
            raise InputError(f"{scheme}:// names no folder: {scheme}://BUCKET/FOLDER is allowed")
        if "@" in parts[0]:
            raise InputError(
                f"{shown}: no credentials are allowed in a URL; the environment or the driver's files hold them"
            )
        if "?" in rest or "::" in rest or "\\" in rest or {".", ".."} & set(parts) or not rest.isprintable():
            raise InputError(f"{shown}: a plain {scheme}://BUCKET/FOLDER is allowed, without a query and '..'")
        return cls(f"{scheme}://{'/'.join(parts)}")

    @property
    def scheme(self) -> str:
        return self.url.partition("://")[0]

    @property
    def root(self) -> str:
        """The bucket and the folder in it, as the storage names them."""
        path = self.url.partition("://")[2]
        return f"/{path}" if self.scheme == "memory" else path

    @property
    def bucket(self) -> str:
        """The URL of the bucket."""
        return f"{self.scheme}://{self.url.partition('://')[2].partition('/')[0]}"

    @property
    def local(self) -> Path:
        """The working copy on this machine; those of folders beside each other lie beside each other.

        Another server (`AWS_ENDPOINT_URL` and the like) is another storage, so it has another copy.
        """
        above, _, name = self.url.rpartition("/")
        storage = [above, *(os.environ.get(each, "") for each in _ENDPOINTS)]
        return cache_folder() / sha256("\n".join(storage).encode()).hexdigest()[:16] / name

    @property
    def storage(self) -> Any:  # noqa: ANN401 (fsspec has no types)
        """The file system of the URL; raises `InputError` where its driver is not installed."""
        with extra_needed("remote", self.url):
            return _storage(self.scheme)

    def place(self, name: str) -> str:
        """The key of a file by its path in the folder; the folder's own if it is a file itself ("")."""
        return f"{self.root}/{name}" if name else self.root

    def beside(self, name: str) -> RemoteFolder:
        """The folder of that name beside this one."""
        return RemoteFolder(f"{self.url.rpartition('/')[0]}/{name}")


@lru_cache
def _storage(scheme: str) -> Any:  # noqa: ANN401
    import fsspec

    if scheme in _DRIVERS:
        import_module(_DRIVERS[scheme])  # fsspec's own error for a missing driver names no package
    return fsspec.filesystem(scheme)


@contextmanager
def storage_errors(place: str, done: str, remedy: str = "") -> Iterator[None]:
    """Turns what a driver raises into an `InputError`: what cannot be `done` to which place, why, and the remedy."""
    try:
        yield
    except (InputError, AssertionError, AttributeError, NameError, TypeError):
        raise  # mistakes of a program are none of the storage
    except Exception as error:
        raise InputError(f"{place} cannot be {done}: {_reason(error)}{remedy}") from error


def _reason(error: Exception) -> str:
    text = " ".join(str(getattr(error, "strerror", None) or error).split())[:_LONGEST_REASON]
    if isinstance(error, PermissionError):
        return f"no permission ({text or 'access denied'})"
    if isinstance(error, FileNotFoundError) and " " not in text:
        return "No such file or directory"
    return text or type(error).__name__


def state_file(folder: Path) -> Path:
    """The file beside a working copy that says what it is a copy of, and what was uploaded."""
    return folder.with_name(f".{folder.name}.state.json")


def remote_of(path: Path) -> tuple[RemoteFolder, str] | None:
    """The folder elsewhere whose working copy holds a path, and the path in it; `None` for any other path."""
    cache = cache_folder()
    if not path.is_relative_to(cache):
        return None
    for folder in (path, *path.parents):
        if folder == cache:
            break
        if state_file(folder).is_file():
            remote = RemoteFolder.of(_url_of(state_file(folder)))
            name = path.relative_to(folder).as_posix()
            return (remote, "" if name == "." else name) if remote else None
    return None


@lru_cache
def _url_of(state: Path) -> str:
    return str(json.loads(state.read_bytes())["url"])


def stored_name(path: Path) -> str:
    """A path as files state it: the URL of what lies in a working copy, else the absolute path."""
    found = remote_of(path.resolve())
    if found is None:
        return str(path.resolve())
    remote, name = found
    return f"{remote.url}/{name}" if name else remote.url


def fetch_missing(path: Path) -> None:
    """Fetches a file of a working copy that was left to be fetched when it is first read; any other path is left alone.

    Raises `InputError` if the storage cannot be read.
    """
    if not path.is_relative_to(cache_folder()) or path.exists():
        return
    found = remote_of(path)
    if found is None:
        return
    remote, name = found
    with storage_errors(f"{remote.url}/{name}", "read"), locked_temporary(path) as temporary:
        remote.storage.get_file(remote.place(name), str(temporary))
        temporary.replace(path)
