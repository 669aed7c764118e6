"""`python -m studies.viprobe COMMAND`: the studies of VI-Probe, from the root of the source tree."""

from __future__ import annotations

from studies.viprobe.commands import main

if __name__ == "__main__":
    main()
