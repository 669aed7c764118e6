"""The verbs on runs as functions: run, judge, merge, open, compare, report. The command line is thin over them."""

from veridical.verbs.exchange.releases import adopt, import_release
from veridical.verbs.exchange.trials import write_trials
from veridical.verbs.results.report import compare, compare_all, export, rescore, roster_of, write_report
from veridical.verbs.results.result import RunResult, open_run
from veridical.verbs.runs.merge import merge
from veridical.verbs.runs.model_runs import Runs, run_models
from veridical.verbs.runs.repair import repair_run
from veridical.verbs.runs.run import judge, run
from veridical.verbs.runs.run_archives import pack

__all__ = [
    "RunResult",
    "Runs",
    "adopt",
    "compare",
    "compare_all",
    "export",
    "import_release",
    "judge",
    "merge",
    "open_run",
    "pack",
    "repair_run",
    "rescore",
    "roster_of",
    "run",
    "run_models",
    "write_report",
    "write_trials",
]
