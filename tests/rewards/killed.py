"""An export in processes that are killed, each at a later event in the file system than the one before.

`python -m tests.rewards.killed TARGET STEP`: export n writes to TARGET/n and ends itself by SIGKILL at event n × STEP;
the last one comes to its end.
"""

import os
import sys
from pathlib import Path

from tests.rewards.exports import exported
from tests.stimulus_set.killed import kill_at


def main():
    target, step = Path(sys.argv[1]), int(sys.argv[2])
    exported(target / "warm")  # what is imported later opens files of its own
    for number in range(1, 10_000):
        folder = target / str(number)
        child = os.fork()
        if not child:
            kill_at(number * step, folder)
            exported(folder)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            sys.stdout.write(f"{number} {os.waitstatus_to_exitcode(status)}\n")
            return


if __name__ == "__main__":
    main()
