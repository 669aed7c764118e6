"""`python -m studies.rewards`: what policies without sight earn by each training recipe."""

from __future__ import annotations

from studies.rewards.commands import app

if __name__ == "__main__":
    app()
