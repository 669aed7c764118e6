"""Importers of pictures on the user's disk as stimulus sets, one file each; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.suite.parts import Release
from veridical.suites.viprobe.releases.own_pictures import read_pictures
from veridical.suites.viprobe.releases.release import read_viprobe

RELEASES: Mapping[str, Release] = {
    "viprobe": Release(help="the folder of VI-Probe's published pictures", read=read_viprobe),
    "pictures": Release(help="a table of your own pictures, original and changed", read=read_pictures),
}
"""Importers by name."""
