"""The importer of a user's raw clips."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.suite.parts import Release

if TYPE_CHECKING:
    from veridical.stimulus_set.imported import Import


def _read(place: Path) -> Import:
    from veridical.suites.hocabench.annotate.videos import read_videos

    return read_videos(place)


RELEASES: Mapping[str, Release] = {
    "videos": Release(
        help="a folder of raw clips to annotate; a table with the columns file and description may stand beside them",
        read=_read,
    ),
}
"""Importers by name."""
