"""`python -m studies.fresh`: who is said to recall the standard sets, on real sets."""

from __future__ import annotations

from studies.fresh.commands import app

if __name__ == "__main__":
    app()
