"""The importers of clips on the user's disk: the published benchmark or clips annotated like it, and raw clips."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.suite.parts import Release
from veridical.suite.releases import read_by

RELEASES: Mapping[str, Release] = {
    "hocabench": Release(
        help="HOCA-Bench's published clips: a folder with clips and annotations in JSON, JSON Lines or CSV; real clips "
        "in a folder 'real'",
        read=read_by("veridical.suites.hocabench.releases.release:read_hocabench"),
    )
}
"""Importers of the suite `hocabench` by name."""
RAW_CLIPS: Mapping[str, Release] = {
    "videos": Release(
        help="a folder of raw clips to annotate; a table with the columns file and description may stand beside them",
        read=read_by("veridical.suites.hocabench.annotate.videos:read_videos"),
    )
}
"""Importers of the suite `hoca-annotate` by name."""
