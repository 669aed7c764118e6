"""`python -m studies.published`: the papers' own numbers, recomputed from each other."""

from __future__ import annotations

from studies.published.commands import main

if __name__ == "__main__":
    main()
