"""Verdicts: what a run shows about its observer, by comparing generative models of its reply pairs."""

from veridical.suites.viprobe.verdicts.conclude import comparison_verdicts, verdicts
from veridical.suites.viprobe.verdicts.names import NAMES, ObserverVerdict

__all__ = ["NAMES", "ObserverVerdict", "comparison_verdicts", "verdicts"]
