"""The importer of the published benchmark from the user's disk; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.suite.parts import Release
from veridical.suite.releases import read_by

RELEASES: Mapping[str, Release] = {
    "viabench": Release(
        help="VIA-Bench's published items: a table in TSV, JSON Lines or Parquet, with its pictures inside or beside",
        read=read_by("veridical.suites.viabench.releases.release:read_viabench"),
    )
}
"""Importers by name."""
