"""Packed logs: they have the lines of the plain ones, are appended to without loss, and survive a kill at any step."""

import os
import signal
import sys
from pathlib import Path

import pytest

from veridical.ask.log_archives import log_blocks, pack_log, packed_path, seekable_log, unpack_log
from veridical.ask.outcomes import Attempts
from veridical.ask.responses import Writer, lines_of
from veridical.errors import InputError
from veridical.records import Response

REPLIES = [Response(trial=f"t{number}", text="Да. " * number, ended="2026-01-01T00:00:00Z") for number in range(40)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "responses.jsonl"
    with Writer(path) as writer:
        for reply in REPLIES:
            writer.append(reply)
    return path


def pack(path: Path) -> None:
    with Writer(path):
        pack_log(path)
        path.unlink()


def replies(path: Path) -> list[Response | None]:
    return [line.response for line in lines_of(path)]


def test_a_packed_log_is_read_as_the_plain_one_was(log: Path):
    content, table = log.read_bytes(), Attempts.read(log).lines
    pack(log)
    assert not log.exists()
    assert b"".join(log_blocks(log)) == content
    assert replies(log) == REPLIES
    assert Attempts.read(log).lines.equals(table)
    with seekable_log(log) as file:
        file.seek(100)
        assert file.read(50) == content[100:150]


def test_a_reply_appended_to_a_packed_log_follows_those_that_were_packed(log: Path):
    content = log.read_bytes()
    pack(log)
    with Writer(log) as writer:
        writer.append(Response(trial="new", text="Yes"))
    assert not packed_path(log).exists()
    assert log.read_bytes().startswith(content)
    assert replies(log) == [*REPLIES, Response(trial="new", text="Yes")]


def test_an_archive_cut_off_or_changed_anywhere_is_refused_in_one_line(log: Path):
    pack(log)
    archive = packed_path(log)
    whole = archive.read_bytes()
    flipped = (bytes([*whole[:at], whole[at] ^ 0x55, *whole[at + 1 :]]) for at in range(0, len(whole), 37))
    for damaged in (b"", b"not an archive", *(whole[:size] for size in range(1, len(whole), 37)), *flipped):
        archive.write_bytes(damaged)
        with pytest.raises(InputError, match=r"^[^\n]*responses\.jsonl\.zst is damaged[^\n]*$"):
            replies(log)
        with pytest.raises(InputError):
            Writer(log)
        assert archive.read_bytes() == damaged
        assert not log.exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is copied, which this platform cannot")
@pytest.mark.parametrize("step", [pack, unpack_log])
def test_a_process_killed_at_any_moment_loses_no_reply(log: Path, step):
    if step is unpack_log:
        pack(log)
    for moment in range(100):
        ended = _killed(lambda: step(log), moment)
        assert replies(log) == REPLIES
        with Writer(log) as writer:
            assert writer.torn == b""
        assert replies(log) == REPLIES
        if ended:
            break
        if step is unpack_log:
            pack(log)
    assert ended
    assert moment > 3


def _killed(work, moment: int) -> bool:
    """Whether the work ended in a process that was to be killed at so manieth change or opening of a file."""
    child = os.fork()
    if child == 0:
        left = [moment]

        def hook(event: str, _: object) -> None:
            if event in ("open", "os.rename", "os.remove", "os.truncate"):
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1

        sys.addaudithook(hook)
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
