"""The estimates of MagiC."""

from __future__ import annotations

from veridical.records import Estimate
from veridical.suite.evidence import Evidence
from veridical.suites.magic.analysis.accuracy import accuracies, agreements
from veridical.suites.magic.analysis.focused import by_focus
from veridical.suites.magic.analysis.healing import healing
from veridical.suites.magic.analysis.magiscore import magiscore
from veridical.suites.magic.analysis.steps import errors, steps
from veridical.suites.magic.analysis.views import effects


def estimates(evidence: Evidence) -> list[Estimate]:
    """All estimates of a run; those of stages and settings that it does not have are left out."""
    every = [*magiscore(evidence), *accuracies(evidence), *agreements(evidence), *by_focus(evidence)]
    return [*every, *effects(evidence), *healing(evidence), *steps(evidence), *errors(evidence)]
