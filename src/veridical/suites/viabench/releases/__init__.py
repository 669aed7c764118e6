"""The importer of the published benchmark from the user's disk; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.suite.parts import Release

if TYPE_CHECKING:
    from veridical.stimulus_set.imported import Import


def _read(place: Path) -> Import:
    from veridical.suites.viabench.releases.release import read_viabench

    return read_viabench(place)


RELEASES: Mapping[str, Release] = {
    "viabench": Release(
        help="VIA-Bench's published items: a table in TSV, JSON Lines or Parquet, with its pictures inside or beside",
        read=_read,
    ),
}
"""Importers by name."""
