"""`python -m studies.width`: runs that stop at a width, by simulation."""

from __future__ import annotations

from studies.width.commands import app

if __name__ == "__main__":
    app()
