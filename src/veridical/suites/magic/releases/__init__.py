"""Importers from the user's disk: GQA with AiR-D, and annotated records; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.suite.parts import Release

if TYPE_CHECKING:
    from veridical.stimulus_set.imported import Import


def _gqa(place: Path) -> Import:
    from veridical.suites.magic.releases.gqa import read_gqa

    return read_gqa(place)


def _annotated(place: Path) -> Import:
    from veridical.suites.magic.releases.release import read_annotated

    return read_annotated(place)


RELEASES: Mapping[str, Release] = {
    "gqa": Release(
        help="a folder with GQA's val scene graphs, val questions and pictures, and AiR-D's maps of correct answers",
        read=_gqa,
    ),
    "magic": Release(
        help="MagiC's annotated records: JSON Lines with boxes and labeled chains, beside their pictures",
        read=_annotated,
    ),
}
"""Importers by name."""
