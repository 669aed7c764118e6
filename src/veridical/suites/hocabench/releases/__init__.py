"""The importers of clips on the user's disk: the published benchmark or clips annotated like it, and raw clips."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.suite.parts import Release

if TYPE_CHECKING:
    from veridical.stimulus_set.imported import Import


def _published(place: Path) -> Import:
    from veridical.suites.hocabench.releases.release import read_hocabench

    return read_hocabench(place)


def _raw(place: Path) -> Import:
    from veridical.suites.hocabench.annotate.videos import read_videos

    return read_videos(place)


RELEASES: Mapping[str, Release] = {
    "hocabench": Release(
        help="HOCA-Bench's published clips: a folder with clips and annotations in JSON, JSON Lines or CSV; real clips "
        "in a folder 'real'",
        read=_published,
    )
}
"""Importers of the suite `hocabench` by name."""
RAW_CLIPS: Mapping[str, Release] = {
    "videos": Release(
        help="a folder of raw clips to annotate; a table with the columns file and description may stand beside them",
        read=_raw,
    )
}
"""Importers of the suite `hoca-annotate` by name."""
