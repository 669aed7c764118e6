"""Packing the logs of a run, stage by stage, and how much smaller they are."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from veridical.ask.log_archives import pack_log, packed_path
from veridical.ask.responses import Writer
from veridical.ask.run_folder import RESPONSES, stage_folders
from veridical.base.files import LOCKS, folder_lock, os_errors
from veridical.verbs.results.result import RunResult, open_run


class PackedLog(NamedTuple):
    """A log that was packed: the archive that it is now, and the bytes before and after."""

    file: Path
    before: int
    after: int


def pack(run: RunResult | Path | str) -> list[PackedLog]:
    """The logs of a run and of its stages that were packed, each as `responses.jsonl.zst`; every verb reads both forms.

    A log that is packed stays as it is; what asks more unpacks it first. If the process is killed at any moment,
    nothing is lost. Raises `InputError` while another process writes to the run, and for a line that is no response.
    """
    folder = open_run(run).folder
    packed = []
    with folder_lock(folder), os_errors(folder, "packed"):
        for place in (folder, *stage_folders(folder)):
            path = place / RESPONSES
            if not path.exists():
                continue
            with ExitStack() as held:
                held.enter_context(Writer(path))  # which locks the log, and sets a torn line aside
                before = path.stat().st_size
                pack_log(path)
                if not LOCKS:
                    held.close()  # Windows removes no file that is open
                path.unlink()
            archive = packed_path(path)
            packed.append(PackedLog(archive, before, archive.stat().st_size))
    return packed
