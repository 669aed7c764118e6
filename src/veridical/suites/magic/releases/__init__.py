"""Importers from the user's disk: GQA with AiR-D, and annotated records; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.suite.parts import Release
from veridical.suite.releases import read_by

RELEASES: Mapping[str, Release] = {
    "gqa": Release(
        help="a folder with GQA's val scene graphs, val questions and pictures, and AiR-D's maps of correct answers",
        read=read_by("veridical.suites.magic.releases.gqa:read_gqa"),
    ),
    "magic": Release(
        help="MagiC's annotated records: JSON Lines with boxes and labeled chains, beside their pictures",
        read=read_by("veridical.suites.magic.releases.annotated_files:read_annotated"),
    ),
}
"""Importers by name."""
