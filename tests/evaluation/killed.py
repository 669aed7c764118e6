"""An evaluation in a process of its own, which kills itself once so many files were written or replies stored."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.evaluation.conftest import OBSERVERS, evaluation, shrink


def fuse(count: int) -> None:
    """Kills this process at the call of `os.replace` or `os.fsync` with this number."""
    left = [count]

    def counted(call):
        def counting(*args, **kwargs):
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **kwargs)

        return counting

    os.replace, os.fsync = counted(os.replace), counted(os.fsync)


if __name__ == "__main__":
    out, moment = Path(sys.argv[1]), int(sys.argv[2])
    if moment:
        fuse(moment)
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch)
        evaluation(OBSERVERS[0], out=out, suites=["viprobe"]).write_page()
