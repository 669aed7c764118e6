"""Observers of known mechanism that the models of the verdicts do not contain, with what is right to say of each."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.suites.viprobe.validation.observers import (
    lapsing,
    library,
    missing,
    on_figures,
    recalling,
    replying,
    unsteady,
    weak,
)
from veridical.suites.viprobe.validation.observers.judging import Judged, Verdict, asked, judge, planned
from veridical.suites.viprobe.validation.observers.known import NAMES, Expected, Known, Needs

CATALOGUE: Mapping[str, Known] = {
    known.name: known
    for file in (lapsing, missing, on_figures, recalling, replying, unsteady, weak, library)
    for known in file.OBSERVERS
}
"""All observers, by name, group after group."""

__all__ = ["CATALOGUE", "NAMES", "Expected", "Judged", "Known", "Needs", "Verdict", "asked", "judge", "planned"]
