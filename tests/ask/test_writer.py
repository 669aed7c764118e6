"""The file of responses: a kill tears one line at most, a full disk none, and two processes never share it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.ask.plans import READERS, plan, put
from tests.ask.server import Server
from tests.calling import as_nobody
from veridical.ask import Run
from veridical.errors import InputError
from veridical.records import Response

IDENTITY = {"model": "toy/model"}


def _stored(run: Run, *names: str) -> None:
    with run.writer() as writer:
        for name in names:
            writer.append(Response(trial=name, text="Yes, läßt\u2028sich\n\x85sehen"))


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_not_read_and_is_set_aside_when_the_run_goes_on(tmp_path: Path, cut: int):
    run = Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
    path = tmp_path / "responses.jsonl"
    _stored(run, "a", "b", "c")
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert [trial for trial, _ in run.responses()] == ["a", "b"]
    _stored(run, "d")
    assert [trial for trial, _ in run.responses()] == ["a", "b", "d"]
    torn = whole[whole.index(b'{"trial":"c"') : -cut]
    assert (tmp_path / "responses.torn").read_bytes() == torn + b"\n"


def test_a_folder_that_cannot_be_written_is_told_in_one_line_and_stays_readable(server: Server):
    with TemporaryDirectory() as name:
        folder = Path(name)
        put(folder, server.url, plan(1, 1))
        for path in (folder, *folder.iterdir()):
            path.chmod(0o555 if path.is_dir() else 0o444)
        with as_nobody(), pytest.raises(InputError, match=r"responses\.jsonl cannot be written: Permission denied"):
            put(folder, server.url, plan(1, 1))
        with as_nobody():
            assert len(Run.open(folder).outcomes(READERS)) == 1
        folder.chmod(0o755)
    assert len(server.requests) == 1


def test_a_damaged_line_in_the_middle_is_told_by_its_number_without_its_content(tmp_path: Path):
    run = Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
    _stored(run, "a", "b", "c")
    path = tmp_path / "responses.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b'{"trial": "b", "attempt": "<script>"}\n' + lines[2])
    with pytest.raises(InputError, match=r"responses\.jsonl, line 2, is not a response") as caught:
        run.responses()
    assert "script" not in str(caught.value)


def test_a_second_writer_and_a_second_start_are_refused_while_the_first_writes(tmp_path: Path):
    run = Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
    with run.writer() as writer:
        writer.append(Response(trial="a"))
        with pytest.raises(InputError, match="another process is writing"):
            run.writer()
        with pytest.raises(InputError, match="another process is writing"):
            Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
        writer.append(Response(trial="b"))
    _stored(run, "c")
    assert [trial for trial, _ in run.responses()] == ["a", "b", "c"]
    assert len(Run.open(tmp_path).executions) == 1


_FULL_DISK = """
import resource, sys
from pathlib import Path
from veridical.ask import Run
from veridical.errors import InputError
from veridical.records import Response
run = Run.open(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
try:
    with run.writer() as writer:
        for number in range(99):
            writer.append(Response(trial=str(number), text="x" * 100))
except InputError as error:
    print(number, error)
"""


def test_a_disk_that_takes_no_more_leaves_whole_lines_and_the_run_goes_on_later(tmp_path: Path):
    run = Run.start(tmp_path, IDENTITY, {}, plan(), factors={})
    command = [sys.executable, "-c", _FULL_DISK, str(tmp_path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    number, _, message = told.partition(" ")
    assert "responses.jsonl cannot be written: File too large; earlier responses are stored" in message
    assert (tmp_path / "responses.jsonl").read_bytes().endswith(b"\n")
    assert [trial for trial, _ in run.responses()] == [str(before) for before in range(int(number))]
    _stored(run, "later")
    assert ("later", 1) in run.responses()
