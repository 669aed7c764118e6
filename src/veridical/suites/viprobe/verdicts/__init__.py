"""What a run says of its observer: a generative model of reply pairs, weighed against its rivals."""

from veridical.suites.viprobe.verdicts.conclude import comparison_verdicts, verdicts
from veridical.suites.viprobe.verdicts.names import NAMES, Verdict

__all__ = ["NAMES", "Verdict", "comparison_verdicts", "verdicts"]
