"""Folders elsewhere, in fsspec's storage inside this process: nothing is lost when a machine or the network ends."""

import json
import os
import re
import shutil
import sys
from contextlib import suppress
from itertools import count

import fsspec
import pytest

from veridical.base import remote_folders, working_copy
from veridical.base.files import lock_file
from veridical.base.remote_access import stored_folder
from veridical.base.remote_access import working_copy as opened_copy
from veridical.base.remote_folders import RemoteFolder, fetch_missing, stored_name
from veridical.base.unused_copies import UNUSED_DAYS
from veridical.base.working_copy import WorkingCopy
from veridical.errors import InputError

NUMBERS = count()
LINES = [f'{{"trial": {number}}}\n' for number in range(6)]


class Killed(BaseException):
    """The machine ends."""


class Faulty:
    """A storage that fails from one of its operations on, until another; what fails does nothing, or is done first."""

    def __init__(self, storage, error, first=0, last=10**9, done=False):
        self.storage, self.error, self.fails, self.done, self.calls = storage, error, range(first, last), done, 0

    def __getattr__(self, name):
        whole = getattr(self.storage, name)
        if name not in ("find", "cat_file", "pipe_file", "put", "get", "rm_file", "get_file"):
            return whole

        def called(*words, **options):
            self.calls += 1
            if self.calls - 1 not in self.fails:
                return whole(*words, **options)
            if self.done:
                whole(*words, **options)
            raise self.error

        return called


@pytest.fixture
def url():
    return f"memory://bucket-{next(NUMBERS)}/runs/a"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Makes this process another machine, by name: it has a cache of its own."""

    def called(name):
        monkeypatch.setenv("VERIDICAL_CACHE", str(tmp_path / name))

    monkeypatch.setattr(working_copy, "_PAUSE", 0)
    monkeypatch.setattr(working_copy, "EVERY", 3600.0)
    called("first")
    return called


def faulty(monkeypatch, *words, **options):
    storage = Faulty(fsspec.filesystem("memory"), *words, **options)
    monkeypatch.setattr(remote_folders, "_storage", lambda _: storage)
    return storage


def sound(monkeypatch):
    monkeypatch.setattr(remote_folders, "_storage", fsspec.filesystem)


def files(url):
    """What the storage holds, by path in the folder."""
    root = "/" + url.partition("://")[2]
    storage = fsspec.filesystem("memory")
    return {key.removeprefix(f"{root}/"): storage.cat_file(key) for key in storage.find(root)}


def work(copy, folder):
    """Makes a small set and a log in a copy, step by step, and uploads after each; what is there is not made again."""

    def written(name, content):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != content:
            path.write_text(content)

    whole = (folder / "manifest.json").exists()
    if not whole:
        for number in range(2):
            written(f"media/{number}.png", f"picture {number}")
            written(f".parts/{number}.jsonl", f"part {number}\n")
            copy._push(final=False)
        written("manifest.json", "{}")
    shutil.rmtree(folder / ".parts", ignore_errors=True)
    copy._push(final=False)
    written("trials.parquet", "trials")
    written("run.json", "identity")
    log = folder / "responses.jsonl"
    log.touch()
    stored = log.read_text().splitlines(keepends=True)
    assert stored == LINES[: len(stored)], "what was stored is another log"
    for line in LINES[len(stored) :]:
        with log.open("a") as file:
            file.write(line)
        copy._push(final=False)


def session(url, *, take_over=False):
    copy = WorkingCopy(RemoteFolder.of(url), "own")
    try:
        work(copy, copy.open(take_over=take_over))
        copy.close()
    finally:
        copy._stop.set()
        copy._unlock()


WHOLE = {"media/0.png", "media/1.png", "manifest.json", "trials.parquet", "run.json", "responses.jsonl"}


def require_whole(url):
    held = files(url)
    assert held.keys() == WHOLE
    assert held["responses.jsonl"].decode() == "".join(LINES)


def require_valid(url, machine):
    """What another machine reads meanwhile has a manifest only if it has all media, and the first lines of the log."""
    machine("reader")
    with opened_copy(url, "read") as folder:
        if (folder / "manifest.json").exists():
            assert {path.name for path in folder.glob("media/*")} == {"0.png", "1.png"}
        if (folder / "responses.jsonl").exists():
            lines = (folder / "responses.jsonl").read_text().splitlines(keepends=True)
            assert lines == LINES[: len(lines)]


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("other", [False, True])
def test_a_machine_that_ends_at_any_operation_loses_nothing_and_the_next_start_ends_as_if_undisturbed(
    machine, monkeypatch, done, other
):
    for first in range(200):
        url = f"memory://bucket-{next(NUMBERS)}/a"
        machine("first")
        storage = faulty(monkeypatch, Killed(), first, done=done)
        with suppress(Killed):
            session(url)
        sound(monkeypatch)
        require_valid(url, machine)
        if storage.calls <= first:
            break
        machine("second" if other else "first")
        session(url, take_over=other)
        require_whole(url)
    assert 30 < first < 199


def test_a_log_is_uploaded_in_blocks_that_its_end_replaces(machine, url):
    copy = WorkingCopy(RemoteFolder.of(url), "own")
    work(copy, copy.open())
    blocks = [name for name in files(url) if name.startswith(".blocks/responses.jsonl/")]
    assert len(blocks) == len(LINES) - 1
    log = copy.folder / "responses.jsonl"
    with log.open("a") as file:
        file.write('{"half": ')
    copy._push(final=False)
    require_valid(url, machine)
    log.write_text("".join(LINES))
    copy.close()
    require_whole(url)


def test_a_log_that_was_replaced_by_another_is_not_continued_by_the_blocks_of_the_first(machine, url):
    copy = WorkingCopy(RemoteFolder.of(url), "own")
    log = copy.open() / "responses.jsonl"
    log.parent.mkdir()
    for text in ("1\n", "1\n2\n"):
        log.write_text(text)
        copy._push(final=False)
    blocks = {name: content for name, content in files(url).items() if ".blocks" in name}
    log.unlink()
    log.write_text("3\n")
    copy.close()
    root = RemoteFolder.of(url)
    for name, content in blocks.items():  # as if the process had ended before it removed them
        root.storage.pipe_file(root.place(name), content)
    machine("second")
    with opened_copy(url, "read") as folder:
        assert (folder / "responses.jsonl").read_text() == "3\n"


def test_what_could_not_be_uploaded_is_kept_and_uploaded_by_the_next_start(machine, monkeypatch, url):
    faulty(monkeypatch, ConnectionError("the network is gone"), 8)
    with pytest.raises(InputError, match=rf"{url} cannot be written: the network is gone"):
        session(url)
    with pytest.raises(InputError, match=r"cannot be read: the network is gone"), opened_copy(url):
        pass
    sound(monkeypatch)
    session(url)
    require_whole(url)
    faulty(monkeypatch, ConnectionError("the network is gone"), 4)
    with (
        pytest.raises(InputError, match=r"gone; all is kept in .*, and the same command uploads it"),
        opened_copy(url) as folder,
    ):
        (folder / "more.txt").write_text("more")
    sound(monkeypatch)
    with opened_copy(url):
        assert (folder / "more.txt").read_text() == "more"
    assert files(url)["more.txt"] == b"more"


def test_the_network_may_go_and_come_back_while_work_goes_on(machine, monkeypatch, url):
    copy = WorkingCopy(RemoteFolder.of(url), "own")
    folder = copy.open()
    folder.mkdir()
    for number in range(3):
        (folder / "responses.jsonl").write_text("".join(LINES[: number + 1]))
        faulty(monkeypatch, ConnectionError("gone"))
        with pytest.raises(InputError):
            copy._push(final=False)
        sound(monkeypatch)
        copy._push(final=False)
    copy.close()
    assert files(url)["responses.jsonl"].decode() == "".join(LINES[:3])


def test_a_folder_without_permission_is_refused_before_anything_is_written(machine, monkeypatch, url):
    faulty(monkeypatch, PermissionError("Access Denied"), 2)
    with pytest.raises(InputError, match=rf"^{url} cannot be written: no permission \(Access Denied\)$"):
        session(url)
    assert files(url) == {}


def test_one_machine_writes_at_a_time_and_another_takes_over_only_where_that_is_said(machine, url):
    first = WorkingCopy(RemoteFolder.of(url), "own")
    folder = first.open()
    with pytest.raises(InputError, match="another process is writing"), opened_copy(url):
        pass
    machine("second")
    with pytest.raises(InputError, match=r"is being written by .* since .*--take-over"), opened_copy(url):
        pass
    with opened_copy(url, "read"):
        pass
    with opened_copy(url, take_over=True) as other:
        other.mkdir(exist_ok=True)
        (other / "run.json").write_text("of the second")
        folder.mkdir()
        (folder / "run.json").write_text("of the first")
        with pytest.raises(InputError, match=r"was taken over by .*: this machine no longer writes"):
            first._push(final=False)
    with pytest.raises(InputError, match="was taken over"):
        first.close()
    assert files(url) == {"run.json": b"of the second"}
    machine("first")
    with pytest.raises(InputError, match=r"have both changed \(run.json\): move the copy away"), opened_copy(url):
        pass
    assert (folder / "run.json").read_text() == "of the first"
    assert files(url) == {"run.json": b"of the second"}


def test_media_are_fetched_when_they_are_first_read_or_at_once(machine, url):
    session(url)
    machine("second")
    with opened_copy(url, "read", lazy=True) as folder:
        assert not list(folder.glob("media/*"))
        fetch_missing(folder / "media" / "1.png")
        assert [path.read_text() for path in folder.glob("media/*")] == ["picture 1"]
        assert stored_name(folder / "media") == f"{url}/media"
        assert stored_folder(url) == folder
        with pytest.raises(InputError, match=rf"{url}/media/9.png cannot be read"):
            fetch_missing(folder / "media" / "9.png")
    with opened_copy(url, lazy=True):
        pass
    require_whole(url)
    with opened_copy(url, "read") as folder:
        assert len(list(folder.glob("media/*"))) == 2


def test_what_was_changed_or_removed_elsewhere_is_so_here_and_what_readers_write_counts_for_nothing(machine, url):
    session(url)
    machine("second")
    with opened_copy(url, "read") as folder:
        (folder / "outcomes.parquet").write_text("read")
        (folder / "run.json").write_text("changed by a reader")
    machine("first")
    with opened_copy(url) as other:
        (other / "run.json").write_text("new identity")
        (other / "trials.parquet").unlink()
    machine("second")
    with opened_copy(url, "read") as folder:
        assert (folder / "run.json").read_text() == "new identity"
        assert not (folder / "trials.parquet").exists()
    with opened_copy(url) as folder:
        assert not (folder / "outcomes.parquet").exists()
    assert "outcomes.parquet" not in files(url)


def test_what_is_added_is_all_that_is_uploaded(machine, url):
    session(url)
    machine("second")
    with opened_copy(url, "add") as folder:
        (folder / "report.html").write_text("page")
    assert files(url).keys() == WHOLE | {"report.html"}
    place = f"{url}-page.html"
    with opened_copy(place, "add") as page:
        page.write_text("page")
    machine("third")
    with opened_copy(place, "read") as page:
        assert page.read_text() == "page"


def test_a_mirror_uploads_a_folder_of_this_machine_and_brings_it_to_another(machine, url, tmp_path):
    folder = tmp_path / "run"
    for text in ("1\n", "1\n2\n"):
        copy = WorkingCopy(RemoteFolder.of(url), "own", folder=folder)
        copy.open()
        folder.mkdir(exist_ok=True)
        (folder / "responses.jsonl").write_text(text)
        copy.close()
        assert files(url) == {"responses.jsonl": text.encode()}
    machine("second")
    elsewhere = tmp_path / "other"
    WorkingCopy(RemoteFolder.of(url), "own", folder=elsewhere).open()
    assert (elsewhere / "responses.jsonl").read_text() == "1\n2\n"
    machine("third")
    own = tmp_path / "third"
    own.mkdir()
    (own / "run.json").write_text("mine")
    with pytest.raises(InputError, match="is being written by"):
        WorkingCopy(RemoteFolder.of(url), "own", folder=own).open()
    assert (own / "run.json").read_text() == "mine"


def test_names_that_lead_out_of_a_folder_are_refused(machine, url, tmp_path):
    root = RemoteFolder.of(url)
    root.storage.store[f"{root.root}/../../out"] = fsspec.implementations.memory.MemoryFile(
        root.storage, f"{root.root}/../../out", b"out"
    )
    with pytest.raises(InputError, match="is no path inside a folder"), opened_copy(url, "read"):
        pass
    assert not list(tmp_path.rglob("out"))


def test_a_run_that_names_a_folder_elsewhere_makes_no_connection_that_the_user_did_not(machine, monkeypatch, url):
    storage = faulty(monkeypatch, AssertionError("connected"))
    assert stored_folder(url) == RemoteFolder.of(url).local
    assert stored_folder("ftp://host/set").as_posix() == "ftp:/host/set"
    assert storage.calls == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("s3://key:secret@bucket/a", "s3://bucket/a: no credentials are allowed"),
        ("s3://bucket/a?X-Signature=secret", "without a query"),
        ("s3://bucket/../a", r"without a query and '\.\.'"),
        ("s3://", "names no folder"),
        ("https://host/set", "s3://, gs://, hf:// or a path is allowed"),
        ("zip://a::s3://b/c", "is no folder that can be used"),
    ],
)
def test_a_url_that_is_no_folder_is_refused_without_its_secrets(text, problem):
    with pytest.raises(InputError, match=problem) as refused:
        RemoteFolder.of(text)
    assert "secret" not in str(refused.value)


def test_a_driver_that_is_not_installed_is_named_with_its_extra(machine, monkeypatch):
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    remote_folders._storage.cache_clear()
    with pytest.raises(InputError, match=re.escape('gs://b/set needs gcsfs: pip install "veridical[remote]"')):
        WorkingCopy(RemoteFolder.of("gs://b/set"), "read").open()


def test_commits_take_no_logs_and_a_damaged_state_is_named(machine, url):
    with pytest.raises(InputError, match=r"hf://datasets/a/b cannot be written: hf:// is read only"):
        WorkingCopy(RemoteFolder.of("hf://datasets/a/b"), "own").open()
    session(url)
    state = remote_folders.state_file(RemoteFolder.of(url).local)
    for content in ("no JSON", json.dumps({"format": 1})):
        state.write_text(content)
        with pytest.raises(InputError, match=r"is damaged: move the folder .* away"), opened_copy(url):
            pass


def aged(url):
    """Makes the copy of a folder one that was last opened long ago, and returns its folder."""
    folder = RemoteFolder.of(url).local
    state = remote_folders.state_file(folder)
    long_ago = state.stat().st_mtime - (UNUSED_DAYS + 1) * 86_400
    os.utime(state, (long_ago, long_ago))
    return folder


@pytest.mark.parametrize("kept", ["changed here", "more here", "pending", "in use", "young", None])
def test_a_copy_that_nobody_has_opened_for_long_is_deleted_unless_anything_is_only_here(url, machine, kept):
    with opened_copy(url) as folder:
        folder.mkdir()
        (folder / "a.txt").write_text("uploaded")
    with opened_copy(url, "read") as folder:
        pass
    assert (folder / "a.txt").exists()
    state = remote_folders.state_file(folder)
    if kept == "changed here":
        (folder / "a.txt").write_text("not uploaded")
    if kept == "more here":
        (folder / "b.txt").write_text("not uploaded")
    if kept == "pending":
        state.write_text(state.read_text().replace('"pending": false', '"pending": true'))
    lock = lock_file(state.with_suffix(".lock")) if kept == "in use" else None
    if kept != "young":
        aged(url)
    with opened_copy(f"memory://bucket-{next(NUMBERS)}/other"):
        pass
    assert folder.exists() == (kept is not None)
    if lock is not None:
        os.close(lock)
    if kept is None:
        with opened_copy(url, "read") as again:
            assert (again / "a.txt").read_text() == "uploaded"
