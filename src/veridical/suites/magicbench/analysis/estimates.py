"""The estimates of MagicBench."""

from __future__ import annotations

from veridical.judges.blind import blind_floors
from veridical.records import Estimate
from veridical.suite.evidence import Evidence
from veridical.suites.magicbench.analysis.accepted import accepted
from veridical.suites.magicbench.analysis.aided import aided
from veridical.suites.magicbench.analysis.apart import decisive
from veridical.suites.magicbench.analysis.confidence import confidence
from veridical.suites.magicbench.analysis.effects import effects
from veridical.suites.magicbench.analysis.marks import MARKS, SCORE, marked, scores, vetoes
from veridical.suites.magicbench.analysis.noticed import noticed
from veridical.suites.magicbench.analysis.overall import overall
from veridical.suites.magicbench.analysis.reliability import reliability
from veridical.suites.magicbench.analysis.rows import replies
from veridical.suites.magicbench.analysis.seeing import seeing
from veridical.suites.magicbench.analysis.settings import setting_effects
from veridical.suites.magicbench.asking.marking import GRADE
from veridical.suites.magicbench.stimuli import NAME


def estimates(evidence: Evidence) -> list[Estimate]:
    """All estimates of a run; those of tasks, stances and stages that it does not have are left out."""
    rows, marks = replies(evidence.outcomes()), marked(evidence)
    every = [*seeing(rows), *decisive(rows), *scores(marks), *effects(marks), *noticed(rows)]
    every += [*confidence(marks), *vetoes(marks), *reliability(marks), *aided(evidence)]
    every += blind_floors(NAME, evidence, GRADE, MARKS, SCORE)
    every += [*setting_effects(rows, marks), *accepted(evidence)]
    return [*every, *overall(every)]
