"""`python -m studies.inside`: models whose insides are known are taught, and read as any other."""

from __future__ import annotations

from studies.inside.commands import main

if __name__ == "__main__":
    main()
