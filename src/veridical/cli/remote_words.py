"""Folders elsewhere on the command line: where a path is taken, a URL is too, and the verb gets its working copy."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO, get_args, get_type_hints

import typer

from veridical.base.shards import shard_folder
from veridical.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from veridical.base.remote_folders import RemoteFolder
    from veridical.base.working_copy import WorkingCopy
    from veridical.cli.front import Click

_SIGN = "://"
_WRITTEN_BY = {
    "out": {"make", "import", "adopt", "run", "merge", "evaluate", "demo"},
    "run": {"judge", "repair", "pack"},
    "stimuli": {"derive"},
}
"""The verbs that write, by one machine at a time, to the folder that a parameter names."""
_ADDED_TO = {"out", "assets"}
_ADDING = {"describe", "rescore", "whitebox"}
"""The verbs that write what can be made again to the folder that they read."""
_LAZY = {
    *("make", "run", "plan", "judge", "merge", "evaluate", "metrics", "report", "compare", "status", "rescore"),
    *("trials", "profile", "board"),
}
"""The verbs that read media one by one, so that a set's need not all be fetched first."""
_VOTES = "a study's votes are in a database"
_HERE = {
    ("people serve", "out"): _VOTES,
    ("people invite", "study"): _VOTES,
    ("people revoke", "study"): _VOTES,
    ("evaluate", "choices"): "the evaluation is written beside this file",
    ("", "cache"): "replies are kept in a database",
}
"""Why a parameter of a verb, or of any verb, names no folder elsewhere."""
_COPIES = "remote_copies"

Mirror = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Folder elsewhere, s3://BUCKET/RUN, to which the run is uploaded as it grows."),
]


def takes_urls(command: Click) -> Click:
    """The command, and those inside it, with URLs allowed where a path is."""
    for each in getattr(command, "commands", {}).values():
        takes_urls(each)
    if command.callback is None or getattr(command, "commands", None) is not None:
        return command
    for each in command.params:
        each.process_value = partial(_processed, command, each, each.process_value)
    command.invoke = partial(_invoked, command.invoke)
    return command


def _processed(command: Click, parameter: Click, process: Callable[[Click, Any], Any], ctx: Click, value: Any) -> Any:  # noqa: ANN401
    """What a parameter makes of its words, after each URL among them has become the folder of its working copy."""
    words = value if isinstance(value, list | tuple) else [value]
    if not ctx.resilient_parsing and any(isinstance(word, str) and _SIGN in word for word in words):
        hint = get_type_hints(inspect.unwrap(command.callback), include_extras=True).get(parameter.name)
        if _is_path(hint):
            places = [_local(ctx, parameter, word) if isinstance(word, str) else word for word in words]
            value = type(value)(places) if isinstance(value, list | tuple) else places[0]
    return process(ctx, value)


def _is_path(hint: Any) -> bool:  # noqa: ANN401
    return hint is Path or any(_is_path(each) for each in get_args(hint))


def _local(ctx: Click, parameter: Click, word: str) -> str:
    """The path of a word: that of the working copy of a URL, which is brought up to date if the verb reads it."""
    from veridical.base.remote_folders import RemoteFolder
    from veridical.base.working_copy import WorkingCopy

    remote = RemoteFolder.of(word) if _SIGN in word else None
    if remote is None:
        return word
    verb = " ".join(ctx.command_path.split()[1:3])
    if why := _HERE.get((verb, parameter.name)) or _HERE.get(("", parameter.name)):
        raise InputError(f"{remote.url}: {why}, so it must be on this machine")
    mode = _mode(verb.partition(" ")[0], parameter.name)
    copy = WorkingCopy(remote, mode, lazy=verb.partition(" ")[0] in _LAZY)
    copies: list[WorkingCopy] = ctx.meta.setdefault(_COPIES, [])
    copies.append(copy)
    if parameter.name not in _ADDED_TO:  # what is written to is opened after all words are known to be good
        WorkingCopy(remote, "read", lazy=copy.lazy).open()
    _show_urls(copy.folder, remote.url)
    return str(copy.folder)


def _mode(verb: str, parameter: str) -> Literal["read", "add", "own"]:
    if verb in _WRITTEN_BY.get(parameter, ()):
        return "own"
    return "add" if parameter in _ADDED_TO or verb in _ADDING else "read"


def _invoked(invoke: Callable[[Click], Any], ctx: Click) -> Any:  # noqa: ANN401
    """Calls a verb while the working copies of what it writes are open, and uploads what it wrote."""
    copies: list[WorkingCopy] = [_of_shard(ctx, each) for each in ctx.meta.pop(_COPIES, ())]
    if mirrored := ctx.params.get("mirror"):
        copies.append(_mirror(ctx, mirrored))
    adds = ctx.command.name == "report" and not (ctx.params.get("out") or ctx.params.get("export"))
    adds |= bool(ctx.params.get("log_to"))
    for each in copies:
        each.mode = "add" if adds and each.mode == "read" else each.mode
    written = [each for each in copies if each.mode != "read"]
    if copies and ctx.params.get("cluster") is not None:
        raise InputError(f"{copies[0].remote.url} beside --cluster: its machines share no copy; name a shared folder")
    if not written:
        return invoke(ctx)
    with _opened(written, take_over=bool(ctx.find_root().params.get("take_over"))):
        return invoke(ctx)


def _of_shard(ctx: Click, copy: WorkingCopy) -> WorkingCopy:
    """The copy, or, of a folder for shards, that of the shard that is asked."""
    from veridical.base.working_copy import WorkingCopy

    shard, models = ctx.params.get("shard"), ctx.params.get("model") or []
    if shard is None or copy.mode != "own" or len(models) > 1:
        return copy
    remote = copy.remote.beside(shard_folder(copy.folder, shard).name)
    _show_urls(remote.local, remote.url)
    return WorkingCopy(remote, copy.mode, lazy=copy.lazy)


def _mirror(ctx: Click, url: str) -> WorkingCopy:
    """What mirrors the run folder of a verb at a URL."""
    from veridical.base.remote_folders import RemoteFolder
    from veridical.base.working_copy import WorkingCopy

    remote: RemoteFolder | None = RemoteFolder.of(url)
    if remote is None:
        raise InputError(f"--mirror '{url}': a URL is allowed, such as s3://BUCKET/FOLDER")
    out, shard, models = ctx.params["out"], ctx.params.get("shard"), ctx.params.get("model") or []
    if shard is not None and len(models) < 2:
        out = shard_folder(out, shard)
        remote = remote.beside(shard_folder(remote.local, shard).name)
    return WorkingCopy(remote, "own", folder=out)


@contextmanager
def _opened(copies: list[WorkingCopy], *, take_over: bool) -> Iterator[None]:
    """Opens copies, and closes all that were opened; what closing one comes to is said after what the verb came to."""
    from veridical.cli.common import print_warning

    opened: list[WorkingCopy] = []
    problems: list[str] = []
    try:
        for each in copies:
            each.open(take_over=take_over)
            opened.append(each)
        before = [_entries(each.folder.parent) for each in opened]
        yield
        for each, entries in zip(copies, before, strict=True):
            _upload_beside(each, entries)
    except BaseException:
        problems = _closed(opened)
        for line in problems:
            print_warning(line)
        raise
    if problems := _closed(opened):
        raise InputError("; ".join(problems))


def _entries(folder: Path) -> dict[str, int]:
    """The time of each entry of a folder, by name."""
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if not path.name.startswith(".")}


def _upload_beside(copy: WorkingCopy, before: dict[str, int]) -> None:
    """Uploads what a verb wrote beside the file that it was to write, such as the media of a page."""
    from veridical.base.remote_folders import state_file
    from veridical.base.working_copy import WorkingCopy

    if copy.mode != "add" or not copy.folder.is_file():
        return
    for name, time in _entries(copy.folder.parent).items():
        own = name.startswith(copy.folder.stem) or not state_file(copy.folder.with_name(name)).exists()
        if own and name != copy.folder.name and before.get(name) != time:
            WorkingCopy(copy.remote.beside(name), "add").upload()


def _closed(copies: list[WorkingCopy]) -> list[str]:
    problems = []
    for each in copies:
        try:
            each.close()
        except InputError as error:
            problems.append(str(error))
    return problems


class _UrlStream:
    """A stream that names the folders elsewhere in place of their working copies."""

    def __init__(self, stream: TextIO, urls: dict[str, str]) -> None:
        self._stream, self._urls = stream, urls

    def write(self, text: str) -> int:
        for path in sorted(self._urls, key=len, reverse=True):
            text = text.replace(path, self._urls[path])
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._stream, name)


_URLS: dict[str, str] = {}


def _show_urls(folder: Path, url: str) -> None:
    """Names the URL, from here on, wherever the folder would be printed."""
    if not isinstance(sys.stdout, _UrlStream):
        # A stream of the standard library has no class that takes another stream whole.
        sys.stdout, sys.stderr = _UrlStream(sys.stdout, _URLS), _UrlStream(sys.stderr, _URLS)
    _URLS[str(folder)] = url


@contextmanager
def usual_streams() -> Iterator[None]:
    """Restores the standard streams, which name URLs since one was read, when the block ends."""
    streams = sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams
        _URLS.clear()
