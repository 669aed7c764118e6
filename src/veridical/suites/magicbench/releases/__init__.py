"""The importer of the published clips of magic tricks, or of clips described like them, from the user's disk."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.suite.parts import Release
from veridical.suite.releases import read_by

RELEASES: Mapping[str, Release] = {
    "magicbench": Release(
        help="MagicBench's published clips: a folder with items in JSON and videos or frames, or one file of items",
        read=read_by("veridical.suites.magicbench.releases.release:read_magicbench"),
    )
}
"""Importers by name."""
TO_AUTHOR: Mapping[str, Release] = {
    "magic-clips": Release(
        help="clips of magic tricks as MagicBench's release has them, whose constraints or types are to be written",
        read=read_by("veridical.suites.magicbench.releases.release:read_to_author"),
    )
}
"""The importer of real clips whose constraints or types are still to be written, by name."""
