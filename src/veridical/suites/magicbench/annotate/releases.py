"""The importer of real clips whose constraints or types are still to be written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.suite.parts import Release

if TYPE_CHECKING:
    from veridical.stimulus_set.imported import Import


def _read(place: Path) -> Import:
    from veridical.suites.magicbench.releases.release import read_to_author

    return read_to_author(place)


RELEASES: Mapping[str, Release] = {
    "magic-clips": Release(
        help="clips of magic tricks as MagicBench's release has them, whose constraints or types are to be written",
        read=_read,
    ),
}
"""Importers by name."""
