"""Observers of known mechanism that the models of the verdicts do not contain, with the right verdicts on each."""

from __future__ import annotations

from collections.abc import Mapping

from studies.viprobe.validation.observers import (
    lapsing,
    library,
    missing,
    on_figures,
    recalling,
    replying,
    unsteady,
    weak,
)
from studies.viprobe.validation.observers.judging import Judged, Verdict, judge, outcomes_of, planned
from studies.viprobe.validation.observers.observer import NAMES, Expected, Needs, Observer

CATALOGUE: Mapping[str, Observer] = {
    observer.name: observer
    for file in (lapsing, missing, on_figures, recalling, replying, unsteady, weak, library)
    for observer in file.OBSERVERS
}
"""All observers by name, in the order of their groups."""

__all__ = [
    "CATALOGUE",
    "NAMES",
    "Expected",
    "Judged",
    "Needs",
    "Observer",
    "Verdict",
    "judge",
    "outcomes_of",
    "planned",
]
