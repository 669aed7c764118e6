"""Derives media in processes that are killed, each at a later event in the file system than the one before.

`python -m tests.stimulus_set.killed SOURCE TARGET`: process n writes to TARGET/n and ends itself by SIGKILL just before
event n, after half a file where the event is the opening of one; the last one comes to its end.
"""

import os
import signal
import sys
from pathlib import Path

from tests.stimulus_set.standin import opened, shades
from veridical.stimulus_set import derive

CHUNK = 2
EVENTS = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate")


def kill_at(number, folder):
    left = number

    def hook(event, arguments):
        nonlocal left
        if event not in EVENTS or not str(arguments[0]).startswith(str(folder)):
            return
        left -= 1
        if left < 0:
            left = sys.maxsize
            if event == "open" and arguments[1] and "w" in arguments[1]:
                Path(arguments[0]).write_bytes(b"half")
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def main():
    derive.CHUNK = CHUNK
    source, target = opened(Path(sys.argv[1])), Path(sys.argv[2])
    for number in range(10_000):
        folder = target / str(number)
        child = os.fork()
        if not child:
            kill_at(number, folder)
            derive.derive(source.stimuli, source.read, shades(1), folder)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            sys.stdout.write(f"{number} {os.waitstatus_to_exitcode(status)}\n")
            return


if __name__ == "__main__":
    main()
