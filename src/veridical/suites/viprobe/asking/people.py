"""Questions for people, and the strata over which their sample of pictures is balanced."""

from __future__ import annotations

import numpy as np

from veridical.records import Stimulus, Trial


def stratum(stimulus: Stimulus) -> tuple[str, str, int, str]:
    """Case, variant, sign of the change (-1, 0, 1), and its side ("" where all targets change)."""
    sign = int(np.sign(stimulus.factors.get("alpha") or 0))
    return stimulus.family, stimulus.variant, sign, stimulus.factors.get("side") or ""


def bare_question(stimulus: Stimulus, trial: Trial) -> str:
    """The question without instructions on the answer format, which people do not need."""
    form = trial.settings.get("polarity")
    if form == "reversed":
        return str(stimulus.truth.get("question_reversed") or "")
    comparison = stimulus.truth.get("comparison")
    return str(comparison["question"]) if form == "comparison" and comparison else stimulus.question
