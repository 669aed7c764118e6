"""The importer of the published clips of magic tricks, or of clips described like them, from the user's disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.suite.parts import Release

if TYPE_CHECKING:
    from veridical.stimulus_set.imported import Import


def _read(place: Path) -> Import:
    from veridical.suites.magicbench.releases.release import read_magicbench

    return read_magicbench(place)


def _read_to_author(place: Path) -> Import:
    from veridical.suites.magicbench.releases.release import read_to_author

    return read_to_author(place)


RELEASES: Mapping[str, Release] = {
    "magicbench": Release(
        help="MagicBench's published clips: a folder with items in JSON and videos or frames, or one file of items",
        read=_read,
    ),
}
"""Importers by name."""
TO_AUTHOR: Mapping[str, Release] = {
    "magic-clips": Release(
        help="clips of magic tricks as MagicBench's release has them, whose constraints or types are to be written",
        read=_read_to_author,
    ),
}
"""The importer of real clips whose constraints or types are still to be written, by name."""
