"""Working on a folder elsewhere: a local copy, which is brought up to date first, and uploaded while work goes on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from threading import Event, Lock, Thread
from time import monotonic
from typing import Literal

from veridical.base.copy_state import CopyState, StoredFile
from veridical.base.files import lock_now, os_errors, write_whole
from veridical.base.log_uploads import LogUploads
from veridical.base.remote_files import BLOCKS, RemoteFile, content_of, is_log, listed
from veridical.base.remote_folders import READ_ONLY, RemoteFolder, state_file, storage_errors
from veridical.base.writer_token import WriterChangedError, claim, current_writer, release, require_writer
from veridical.errors import InputError

CopyMode = Literal["read", "add", "own"]
"""What a copy is for: reading; adding what can be made again, such as a report; or writing, by one machine at a time."""
Stat = tuple[int, int]

EVERY = 10.0
"""Seconds between uploads while work goes on."""
_BATCH = 200
_TRIES, _PAUSE = 2, 2.0
_LAST = ("trials.parquet", "run.copy.json", "run.json", "manifest.json")
"""What makes a folder whole is uploaded after all else, in this order."""
_MADE_AGAIN = ("outcomes.parquet", "status.json", "tables", "figures", "report.html", "README.md")
_OPENED: set[str] = set()


class WorkingCopy:
    """A local copy of a folder or file elsewhere.

    `mode` says what it is for. With `lazy`, media are fetched when they are first read. With `folder`, that folder is
    mirrored: it is a user's own, so nothing in it is deleted because it is not elsewhere.
    """

    def __init__(self, remote: RemoteFolder, mode: CopyMode, *, lazy: bool = False, folder: Path | None = None) -> None:
        self.remote, self.mode, self.lazy = remote, mode, lazy
        self.folder = folder or remote.local
        self._mirrors = folder is not None
        self._state = CopyState.read(self._state_file, remote.url)
        self._logs = LogUploads(remote)
        self._lock: int | None = None
        self._stop, self._busy = Event(), Lock()
        self._thread: Thread | None = None

    @property
    def _state_file(self) -> Path:
        if not self._mirrors:
            return state_file(self.folder)
        # A mirrored folder is no copy in the cache, so its state stands under the URL's own.
        return state_file(self.remote.local.with_name(f"{self.remote.local.name}.mirror"))

    def open(self, *, take_over: bool = False) -> Path:
        """Brings the copy up to date and returns its folder; in the mode "own", uploads begin.

        Raises `InputError` where the storage cannot be read, or, in a mode that writes, be written; while another
        process or machine writes; and where both the copy and the folder elsewhere have changed.
        """
        if self.mode != "read" and self.remote.scheme in READ_ONLY:
            raise InputError(
                f"{self.remote.url} cannot be written: {self.remote.scheme}:// is read only, name a folder"
            )
        with os_errors(self.folder.parent, "written"):
            self._state_file.parent.mkdir(parents=True, exist_ok=True)
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            alone = self._locked()
        if not alone and self.mode == "own":
            raise InputError(f"another process is writing to {self.remote.url}: wait for it, or stop it")
        try:
            if alone:
                self._begin(take_over)
        except BaseException:
            self._unlock()
            raise
        if self.mode == "own":
            self._thread = Thread(target=self._upload_on, daemon=True)
            self._thread.start()
        else:
            self._unlock()
        _OPENED.add(self.remote.bucket)
        return self.folder

    def _begin(self, take_over: bool) -> None:
        writer = None if self._state.token is None else current_writer(self.remote)
        ours = writer is not None and writer["token"] == self._state.token
        if self.mode == "own":
            listed(self.remote)  # a bucket that is not there is said before it is written to
            self._state.token = claim(self.remote, self._state.token, take_over=take_over)
            self._state.write()
        self._pull(ours=ours)
        self._state.pending |= self.mode != "read"
        self._state.write()

    def close(self) -> None:
        """Uploads what has changed, and ends the work.

        Raises `InputError` if that cannot be uploaded: it stays in the copy, and the next start uploads it.
        """
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        try:
            if self.mode != "read":
                self._finish()
        finally:
            self._unlock()

    def _finish(self) -> None:
        for attempt in range(_TRIES):
            try:
                with self._busy:
                    self._push(final=True)
                    if self.mode == "own":
                        release(self.remote)
                break
            except WriterChangedError:
                raise
            except InputError as error:
                if attempt == _TRIES - 1:
                    where = self.folder if self._mirrors else self.folder.parent
                    raise InputError(f"{error}; all is kept in {where}, and the same command uploads it") from error
                Event().wait(_PAUSE)
        self._state.pending, self._state.token = False, None
        self._state.write()

    def _upload_on(self) -> None:
        pause = EVERY
        while not self._stop.wait(pause):
            begun = monotonic()
            with suppress(InputError, OSError), self._busy:  # what cannot be uploaded now is uploaded later
                self._push(final=False)
            pause = max(EVERY, 5 * (monotonic() - begun))

    def _pull(self, *, ours: bool) -> None:
        """Brings the copy up to date; `ours` says that nobody else can have written since this machine did."""
        remote, local, state = listed(self.remote), self._scan(), self._state
        fetched = []
        for name in sorted({*remote, *local, *state.files}):
            file, stat = remote.get(name), local.get(name)
            if state.pending or self._mirrors:
                action = self._merged(name, file, stat, ours=ours)
            else:
                action = self._copied(name, file, stat)
            if action == "fetch" and self.lazy and _is_medium(name):
                action = "leave"
            if file is not None and action == "fetch":
                fetched.append((name, file))
            elif file is not None and action in ("leave", "adopt"):
                if action == "leave" and stat is not None:
                    self._path(name).unlink()
                state.files[name] = StoredFile(file.size, stat[1] if stat and action == "adopt" else None, file.version)
            elif action == "drop":
                state.files.pop(name, None)
                if stat is not None:
                    self._path(name).unlink()
        for start in range(0, len(fetched), _BATCH):
            self._fetch(fetched[start : start + _BATCH])
            state.write()
        if not self._mirrors:
            self._remove_empty_folders()

    def _remove_empty_folders(self) -> None:
        """Storage elsewhere has no empty folders, and one that is left here would pass for something else."""
        for above, _, _ in os.walk(self.folder, topdown=False):
            with suppress(OSError):
                Path(above).rmdir()

    def _copied(self, name: str, file: RemoteFile | None, stat: Stat | None) -> str:
        """What brings a file up to date where nothing of the copy waits to be uploaded."""
        stored = self._state.files.get(name)
        if file is None:
            return "drop" if stored is not None or self.mode == "own" else "keep"
        if stat is None:
            same = stored is not None and stored.modified is None and stored.is_of(file)
            return "keep" if same and self.lazy else "fetch"
        if stored is None or not stored.is_of(file):
            return "fetch"
        if stored.modified is None:
            return "adopt" if stat[0] == file.size else "fetch"
        return "keep" if stored.stat == stat else "fetch"

    def _merged(self, name: str, file: RemoteFile | None, stat: Stat | None, *, ours: bool) -> str:
        """What brings a file up to date where the copy may hold what was not uploaded; raises `InputError` for both."""
        stored = self._state.files.get(name)
        if stat is None and stored is None and file is not None:
            if ours:  # it was uploaded and deleted here, and the process ended before it could say so
                self._state.files[name] = StoredFile(file.size, -1, file.version)
                return "keep"
            return "fetch"
        if file is None:
            unchanged = stored is not None and stat in (None, stored.stat)
            return "drop" if unchanged and not ours and not self._mirrors else "keep"
        if stored is not None and stored.modified is None and stat is None:
            return "leave" if self.lazy else "fetch"
        if ours or (stored is not None and stored.is_of(file)):
            return "keep"
        if stat is None or (stored is not None and stored.stat == stat):
            return "fetch"
        return self._of_two(name, file)

    def _of_two(self, name: str, file: RemoteFile) -> str:
        """Which of two versions of a file counts; raises `InputError` if neither goes on from the other."""
        own, other = self._path(name).read_bytes(), content_of(self.remote, name, file)
        if own == other:
            return "adopt"
        if is_log(name) and other.startswith(own):
            return "fetch"
        if (is_log(name) and own.startswith(other)) or Path(name).parts[:1] in [(each,) for each in _MADE_AGAIN]:
            return "keep"
        raise InputError(
            f"{self.remote.url} and its copy in {self.folder.parent} have both changed ({name}): move the copy away to "
            f"go on from {self.remote.url}"
        )

    def _fetch(self, files: list[tuple[str, RemoteFile]]) -> None:
        """Fetches files, each first to a place beside the copy, so that none is ever half there."""
        scratch = self.folder.with_name(f".{self.folder.name}.fetched")
        plain = [(name, file) for name, file in files if not file.blocks]
        places = [scratch / str(number) for number in range(len(plain))]
        with os_errors(self.folder, "written"):
            scratch.mkdir(parents=True, exist_ok=True)
            with storage_errors(self.remote.url, "read"):
                if plain:
                    sources = [self.remote.place(name) for name, _ in plain]
                    self.remote.storage.get(sources, [str(each) for each in places])
            for (name, file), place in zip(plain, places, strict=True):
                self._path(name).parent.mkdir(parents=True, exist_ok=True)
                place.replace(self._path(name))
                self._note(name, file.version)
            for name, file in files:
                if file.blocks:
                    write_whole(self._path(name), content_of(self.remote, name, file))
                    self._note(name, file.version)
            rmtree(scratch, ignore_errors=True)

    def _note(self, name: str, version: str) -> None:
        stat = self._path(name).stat()
        self._state.files[name] = StoredFile(stat.st_size, stat.st_mtime_ns, version)

    def _push(self, *, final: bool) -> None:
        """Uploads what has changed: media first, then all else, what makes the folder whole last; deletions at the end."""
        local, files = self._scan(), self._state.files
        for name, stat in local.items():
            stored = files.get(name)
            if stored is not None and stored.modified is None and stored.size == stat[0]:
                files[name] = StoredFile(stored.size, stat[1], stored.version)  # fetched when it was first read
        changed = [name for name, stat in local.items() if files.get(name) is None or files[name].stat != stat]
        removed = [name for name, stored in files.items() if stored.modified is not None and name not in local]
        if self._state.token is not None and (changed or removed):
            require_writer(self.remote, self._state.token)
        media = sorted(filter(_is_medium, changed))
        try:
            for start in range(0, len(media), _BATCH):
                self._upload_media(media[start : start + _BATCH], local)
            for name in sorted(set(changed) - set(media), key=_rank):
                self._upload(name, local[name], final=final)
            self._remove(removed)
            if final:
                self._confirm(local)
        finally:
            self._state.write()

    def _upload_media(self, names: list[str], local: dict[str, Stat]) -> None:
        with storage_errors(self.remote.url, "written"):
            self.remote.storage.put([str(self._path(n)) for n in names], [self.remote.place(n) for n in names])
        for name in names:
            self._state.files[name] = StoredFile(*local[name], None)

    def _upload(self, name: str, stat: Stat, *, final: bool) -> None:
        with storage_errors(self.remote.url, "written"):
            if is_log(name):
                size = self._logs.upload(name, self._path(name), final=final)
                self._state.files[name] = StoredFile(size, stat[1] if size == stat[0] else -1, None)
                return
            self.remote.storage.pipe_file(self.remote.place(name), self._path(name).read_bytes())
        self._state.files[name] = StoredFile(*stat, None)

    def _remove(self, names: list[str]) -> None:
        for name in names:
            with storage_errors(self.remote.url, "written"):
                self._logs.remove(name)
                with suppress(FileNotFoundError):
                    self.remote.storage.rm_file(self.remote.place(name))
            del self._state.files[name]

    def _confirm(self, local: dict[str, Stat]) -> None:
        """Holds what was uploaded against the listing, and removes blocks that are in their logs by now."""
        there = listed(self.remote)
        for name, stat in local.items():
            file = there.get(name)
            if file is None or file.size != stat[0]:
                raise InputError(f"{self.remote.url} cannot be written: {name} did not arrive whole")
            if file.blocks:
                with storage_errors(self.remote.url, "written"):
                    self._logs.remove_blocks(file.blocks)
            stored = self._state.files[name]
            self._state.files[name] = StoredFile(stored.size, stored.modified, file.mark)

    def _path(self, name: str) -> Path:
        return self.folder / name if name else self.folder

    def _scan(self) -> dict[str, Stat]:
        """Size and time of each file of the copy, without temporary ones; a single file stands under ""."""
        if self.folder.is_file():
            found = self.folder.stat()
            return {"": (found.st_size, found.st_mtime_ns)}
        stats = {}
        for above, _, names in os.walk(self.folder):
            for each in names:
                path = Path(above, each)
                name = path.relative_to(self.folder).as_posix()
                if (each.startswith(".") and each.endswith(".tmp")) or name.startswith(f"{BLOCKS}/"):
                    continue
                with suppress(FileNotFoundError):
                    stat = path.stat()
                    stats[name] = (stat.st_size, stat.st_mtime_ns)
        return stats

    def _locked(self) -> bool:
        self._lock = os.open(self._state_file.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o666)
        if lock_now(self._lock):
            return True
        self._unlock()
        return False

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _is_medium(name: str) -> bool:
    return "media" in Path(name).parts[:-1]


def _rank(name: str) -> tuple[int, str]:
    last = Path(name).name
    return (_LAST.index(last) + 1 if last in _LAST else 0, name)


@contextmanager
def working_copy(
    url: str | Path, mode: CopyMode = "own", *, lazy: bool = False, take_over: bool = False
) -> Iterator[Path]:
    """The local folder in which a folder elsewhere (`s3://`, `gs://`, `hf://`) is worked on; a path is itself.

    It is brought up to date first. In the mode "own", what changes in it is uploaded while the block runs and at its
    end, and no other machine may write meanwhile, unless it takes over; in the mode "add", at the end alone; in the
    mode "read", never. With `lazy`, media of sets are fetched when they are first read. Raises `InputError` where the
    storage cannot be used, and where an upload failed: then all is kept, and the next call uploads it.
    """
    remote = RemoteFolder.of(url)
    if remote is None:
        yield Path(url)
        return
    copy = WorkingCopy(remote, mode, lazy=lazy)
    folder = copy.open(take_over=take_over)
    try:
        yield folder
    except BaseException as error:
        with suppress(InputError):
            copy.close()
        raise error
    copy.close()


def stored_folder(text: str) -> Path:
    """The folder that a file of a run states, as `stored_name` gave it: a path, or the working copy of a URL.

    The copy is brought up to date only where something in the same bucket was opened before: text in a run's file makes
    no connection to a place that the user did not name.
    """
    try:
        remote = RemoteFolder.of(text)
    except InputError:
        return Path(text)
    if remote is None:
        return Path(text)
    if remote.bucket in _OPENED:
        with suppress(InputError):
            WorkingCopy(remote, "read", lazy=True).open()
    return remote.local
