"""An export in a process that ends itself by SIGKILL: `python -m tests.rewards.killed FOLDER EVENT`.

It ends just before the event of this number in the file system below the folder.
"""

import sys
from pathlib import Path

from tests.rewards.exports import exported
from tests.stimulus_set.killed import kill_at

if __name__ == "__main__":
    kill_at(int(sys.argv[2]), Path(sys.argv[1]))
    exported(Path(sys.argv[1]))
