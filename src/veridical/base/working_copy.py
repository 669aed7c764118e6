"""Working on a folder elsewhere: a local copy, which is brought up to date first, and uploaded while work goes on."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from threading import Event, Lock, Thread
from time import monotonic
from typing import Literal

from veridical.base.copy_decisions import (
    Decision,
    FileVersions,
    decision_of_contents,
    decision_of_copy,
    decision_of_pending,
    is_medium,
)
from veridical.base.copy_state import CopyState, Stat, StoredFile, file_stats
from veridical.base.files import lock_file, os_errors, write_whole
from veridical.base.log_uploads import LogUploads
from veridical.base.remote_files import RemoteFile, content_of, is_log, list_files
from veridical.base.remote_folders import READ_ONLY, RemoteFolder, state_file, storage_errors
from veridical.base.unused_copies import remove_unused_copies
from veridical.base.writer_token import WriterChangedError, claim, current_writer, release, require_writer
from veridical.errors import InputError

CopyMode = Literal["read", "add", "own"]
"""What a copy is for: reading; adding what can be made again, as a report; or writing, by one machine at a time."""

EVERY = 10.0
"""Seconds between uploads while work goes on."""
_BATCH = 200
_DIGITS = 16
_TRIES, _PAUSE = 2, 2.0
_LAST = ("trials.parquet", "run.copy.json", "run.json", "manifest.json")
"""What makes a folder whole is uploaded after all else, in this order."""
OPENED_BUCKETS: set[str] = set()
"""The buckets of what this process has opened."""


class WorkingCopy:
    """A local copy of a folder or file elsewhere.

    `mode` says what it is for. With `lazy`, media are fetched when they are first read. With `folder`, that folder is
    mirrored: it is a user's own, so nothing in it is deleted because it is not elsewhere.
    """

    def __init__(self, remote: RemoteFolder, mode: CopyMode, *, lazy: bool = False, folder: Path | None = None) -> None:
        self.remote, self.mode, self.lazy = remote, mode, lazy
        self.folder = folder or remote.local
        self._mirrors = folder is not None
        self._state = CopyState(self._state_file, remote.url, False, None, None, {})
        self._logs = LogUploads(remote)
        self._lock: int | None = None
        self._alone = True
        self._before: dict[str, Stat] = {}
        self._stop, self._busy = Event(), Lock()
        self._thread: Thread | None = None

    @property
    def _state_file(self) -> Path:
        if not self._mirrors:
            return state_file(self.folder)
        # A mirrored folder is no copy in the cache, so its state stands beside where the URL's own copy would be.
        mirror = sha256(str(self.folder.resolve()).encode()).hexdigest()[:8]
        return state_file(self.remote.local.with_name(f"{self.remote.local.name}.{mirror}"))

    def open(self, *, take_over: bool = False) -> Path:
        """Brings the copy up to date and returns its folder; in the mode "own", uploads begin.

        Raises `InputError` where the storage cannot be read, or, in a mode that writes, be written; while another
        process or machine writes; and where both the copy and the folder elsewhere have changed.
        """
        if self.mode != "read" and self.remote.scheme in READ_ONLY:
            raise InputError(
                f"{self.remote.url} cannot be written: {self.remote.scheme}:// is read only, because it has no "
                "logs; write to a folder, and upload that"
            )
        with os_errors(self.folder.parent, "written"):
            self._state_file.parent.mkdir(parents=True, exist_ok=True)
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self._alone = self._locked()
        if not self._alone and self.mode == "own":
            raise InputError(f"another process is writing to {self.remote.url}: wait for it, or stop it")
        try:
            if self._alone:  # else the folder is the one in which that process works
                self._begin(take_over)
        except BaseException:
            self._unlock()
            raise
        if self.mode == "own":
            self._thread = Thread(target=self._upload_on, daemon=True)
            self._thread.start()
        else:
            self._unlock()
        OPENED_BUCKETS.add(self.remote.bucket)
        remove_unused_copies()
        return self.folder

    def _begin(self, take_over: bool) -> None:
        self._state = state = CopyState.read(self._state_file, self.remote.url)
        writer = current_writer(self.remote) if self.mode == "own" or state.token else None
        ours = writer is not None and writer["token"] == state.token
        if self.mode == "own":
            list_files(self.remote)  # a bucket that is not there is said before it is written to
            accepted = take_over or (writer is not None and writer["token"] in (state.token, state.claim))
            state.claim = state.token if ours else token_hex(_DIGITS)
            state.write()
            claim(self.remote, str(state.claim), writer, accepted=accepted)
        try:
            self._pull(ours=ours)
        except BaseException:
            if self.mode == "own" and not ours:
                with suppress(InputError):
                    release(self.remote)
            raise
        if self.mode == "own":
            state.token, state.claim = state.claim, None
        state.pending |= self.mode == "own"
        state.write()
        self._before = file_stats(self.folder) if self.mode == "add" else {}

    def close(self) -> None:
        """Uploads what has changed, and ends the work.

        Raises `InputError` if that cannot be uploaded: it stays in the copy, and the next start uploads it.
        """
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        try:
            if self.mode != "read" and self._alone:
                self._finish()
        finally:
            self._unlock()

    def upload(self) -> None:
        """Uploads the folder as it is; nothing where another process writes to it."""
        if self._locked():
            try:
                self._state = CopyState.read(self._state_file, self.remote.url)
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
        if self.mode == "own":
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
        remote, local, files = list_files(self.remote), file_stats(self.folder), self._state.files
        fetched = []
        for name in sorted({*remote, *local, *files}):
            file = FileVersions(files.get(name), remote.get(name), local.get(name))
            decision = self._decision(name, file, ours=ours)
            if file.remote is not None and decision == "fetch":
                fetched.append((name, file.remote))
            else:
                self._settle(name, file, decision)
        for start in range(0, len(fetched), _BATCH):
            self._fetch(fetched[start : start + _BATCH])
            self._state.write()
        for name, there in remote.items():
            if there.blocks and self.mode == "own" and name in files:  # the whole log replaces them at the end
                files[name] = files[name]._replace(modified=-1)
        if not self._mirrors:
            self._remove_empty_folders()

    def _settle(self, name: str, file: FileVersions, decision: Decision) -> None:
        """Carries out a decision for which nothing is fetched."""
        if decision in ("leave", "drop"):
            self._state.files.pop(name, None)
            if file.local is not None:
                self._path(name).unlink()
        if file.remote is not None and decision in ("leave", "adopt", "deleted"):
            modified = None if decision == "leave" else -1 if file.local is None else file.local[1]
            self._state.files[name] = StoredFile(file.remote.size, modified, file.remote.version)

    def _remove_empty_folders(self) -> None:
        """Storage elsewhere has no empty folders, and one that is left here would pass for something else."""
        for above, _, _ in os.walk(self.folder, topdown=False):
            with suppress(OSError):
                Path(above).rmdir()

    def _decision(self, name: str, file: FileVersions, *, ours: bool) -> Decision:
        """What is done with a file; raises `InputError` if it has changed both here and elsewhere."""
        lazy = self.lazy and is_medium(name)
        if not (self._state.pending or self._mirrors):
            return decision_of_copy(file, lazy=lazy, exact=self.mode == "own")
        decision = decision_of_pending(file, lazy=lazy, ours=ours, mirrors=self._mirrors)
        if decision != "compare" or file.remote is None:
            return decision
        contents = self._path(name).read_bytes(), content_of(self.remote, name, file.remote)
        decided = decision_of_contents(name, *contents)
        if decided is None:
            raise InputError(
                f"{self.remote.url} and its copy in {self.folder.parent} have both changed ({name}): move the copy "
                f"away to go on from {self.remote.url}"
            )
        return decided

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
        """Uploads what has changed: media first, what makes the folder whole last; then removes what was deleted."""
        local, files = file_stats(self.folder), self._state.files
        for name, stat in local.items():
            stored = files.get(name)
            if stored is not None and stored.modified is None and stored.size == stat[0]:
                files[name] = StoredFile(stored.size, stat[1], stored.version)  # fetched when it was first read
        changed = [name for name, stat in local.items() if files.get(name) is None or files[name].stat != stat]
        changed = [name for name in changed if self._before.get(name) != local[name]]
        changed += [name for name in self._logs.in_blocks() if final and name in local and name not in changed]
        removed = [name for name, stored in files.items() if stored.modified is not None and name not in local]
        if self.mode == "add":
            removed = []
        elif self._state.token is not None and (changed or removed or final):
            require_writer(self.remote, self._state.token)
        if not (changed or removed):
            return
        media = sorted(filter(is_medium, changed))
        try:
            for start in range(0, len(media), _BATCH):
                self._upload_media(media[start : start + _BATCH], local)
            for name in sorted(set(changed) - set(media), key=_rank):
                self._upload(name, local[name], final=final)
            self._remove(removed)
            if final and changed:
                self._confirm(changed)
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

    def _confirm(self, names: Iterable[str]) -> None:
        """Holds what was uploaded against the listing, and removes blocks that are in their logs by now."""
        there = list_files(self.remote)
        for name in names:
            file = there.get(name)
            if file is None or file.size != self._state.files[name].size:
                raise InputError(f"{self.remote.url} cannot be written: {name} did not arrive whole")
            if file.blocks:
                with storage_errors(self.remote.url, "written"):
                    self._logs.remove_blocks(file.blocks)
            stored = self._state.files[name]
            self._state.files[name] = StoredFile(stored.size, stored.modified, file.mark)

    def _path(self, name: str) -> Path:
        return self.folder / name if name else self.folder

    def _locked(self) -> bool:
        self._lock = lock_file(self._state_file.with_suffix(".lock"))
        return self._lock is not None

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _rank(name: str) -> tuple[int, str]:
    last = Path(name).name
    return (_LAST.index(last) + 1 if last in _LAST else 0, name)
