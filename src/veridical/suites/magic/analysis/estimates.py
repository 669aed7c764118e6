"""The estimates of MagiC."""

from __future__ import annotations

from veridical.records import Estimate
from veridical.suite.evidence import Evidence
from veridical.suites.magic.analysis.accuracy import accuracies, agreements
from veridical.suites.magic.analysis.healing import healing
from veridical.suites.magic.analysis.magiscore import by_focus, magiscore
from veridical.suites.magic.analysis.views import effects, errors, steps


def estimates(evidence: Evidence) -> list[Estimate]:
    """All estimates of a run; those of stages and settings that it does not have are left out."""
    every = [*magiscore(evidence), *accuracies(evidence), *agreements(evidence), *by_focus(evidence)]
    return [*every, *effects(evidence), *healing(evidence), *steps(evidence), *errors(evidence)]
