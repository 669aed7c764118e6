"""The importer of the published benchmark, or of clips annotated like it, from the user's disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.suite.parts import Release

if TYPE_CHECKING:
    from veridical.stimulus_set.imported import Import


def _read(place: Path) -> Import:
    from veridical.suites.hocabench.releases.release import read_hocabench

    return read_hocabench(place)


RELEASES: Mapping[str, Release] = {
    "hocabench": Release(
        help="HOCA-Bench's published clips: a folder with clips and annotations in JSON, JSON Lines or CSV; real clips "
        "in a folder 'real'",
        read=_read,
    ),
}
"""Importers by name."""
