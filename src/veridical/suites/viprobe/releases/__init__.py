"""Importers: pictures that others made, on the user's disk, as stimulus sets. One file each; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from veridical.stimulus_set.imported import Import
from veridical.suites.viprobe.releases.own_pictures import read_pictures
from veridical.suites.viprobe.releases.release import read_viprobe

RELEASES: Mapping[str, Callable[[Path], Import]] = {"viprobe": read_viprobe, "pictures": read_pictures}
"""What can be imported, by name: the folder of VI-Probe's release, a table of a user's own pictures."""

__all__ = ["RELEASES"]
