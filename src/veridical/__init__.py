"""Does a vision-language model perceive what is in front of it, or recall what is usually there?

`import veridical as v`: the verbs of the command line as functions, what they give, and the types that a suite of your
own is written with. Each is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.answers import Marks, ParsedAnswer, Reader
    from veridical.ask import Sampling
    from veridical.base.options import Options, Recipe
    from veridical.base.run_options import RunOptions
    from veridical.errors import IncompleteError, InputError, UnansweredWarning
    from veridical.observers import Observer
    from veridical.records import (
        Box,
        Chunk,
        Counts,
        Estimate,
        Estimates,
        Measure,
        Media,
        Medium,
        Message,
        Reading,
        Response,
        Source,
        Stimulus,
        Text,
        Trial,
        Unit,
    )
    from veridical.stimulus_set import Check, NotMeasurable, StimulusSet
    from veridical.suite.evidence import Evidence
    from veridical.suite.opening import Opening
    from veridical.suite.parts import AnalysisPart, AskingPart, DesignPart, PresentationPart, Release
    from veridical.suite.record import Suite
    from veridical.suite.registry import register
    from veridical.suite.results import Figure, Result, Table
    from veridical.suite.simple import simple_suite
    from veridical.suite.stages import AskingOptions, Preset, PresetModel, Stage, StageBounds
    from veridical.verbs import (
        RunResult,
        Runs,
        adopt,
        compare,
        import_release,
        judge,
        open_run,
        people,
        repair_run,
        rescore,
        run,
        run_models,
        write_report,
        write_trials,
    )
    from veridical.verbs.exchange.line_files import LineFiles
    from veridical.verbs.people.judging import JudgeCalibration, JudgedSample, calibrate_judges, sample_replies
    from veridical.verbs.plans.forecast import Forecast
    from veridical.verbs.plans.plan import plan
    from veridical.verbs.plans.rehearsal import Requests, dry_run
    from veridical.verbs.results.comparison import Comparison, RescoredRun
    from veridical.verbs.runs.repair import Repairs
    from veridical.verbs.sets import Description, SetDesign, check, describe, design, make, open_set
    from veridical.verbs.share import PackedSet, share

    __version__: str

_OFFERED = {
    "answers": "Marks ParsedAnswer Reader",
    "ask": "Sampling",
    "base.options": "Options Recipe",
    "base.run_options": "RunOptions",
    "errors": "IncompleteError InputError UnansweredWarning",
    "observers": "Observer",
    "records": (
        "Box Chunk Counts Estimate Estimates Measure Media Medium Message Reading Response Source Stimulus "
        "Text Trial Unit"
    ),
    "stimulus_set": "Check NotMeasurable StimulusSet",
    "suite.stages": "AskingOptions StageBounds Preset PresetModel Stage",
    "suite.evidence": "Evidence",
    "suite.parts": "AnalysisPart AskingPart DesignPart PresentationPart Release",
    "suite.record": "Suite",
    "suite.registry": "register",
    "suite.opening": "Opening",
    "suite.results": "Figure Result Table",
    "suite.simple": "simple_suite",
    "verbs": (
        "RunResult Runs adopt compare import_release judge open_run people repair_run rescore run run_models "
        "write_report write_trials"
    ),
    "verbs.results.comparison": "Comparison RescoredRun",
    "verbs.plans.forecast": "Forecast",
    "verbs.people.judging": "JudgeCalibration JudgedSample calibrate_judges sample_replies",
    "verbs.exchange.line_files": "LineFiles",
    "verbs.plans.plan": "plan",
    "verbs.plans.rehearsal": "Requests dry_run",
    "verbs.runs.repair": "Repairs",
    "verbs.sets": "Description SetDesign check describe design make open_set",
    "verbs.share": "PackedSet share",
}
"""The public names by the module that has them."""

_PLACES = {name: module for module, names in _OFFERED.items() for name in names.split()}
__all__ = [
    "AnalysisPart",
    "AskingOptions",
    "AskingPart",
    "Box",
    "Check",
    "Chunk",
    "Comparison",
    "Counts",
    "Description",
    "DesignPart",
    "Estimate",
    "Estimates",
    "Evidence",
    "Figure",
    "Forecast",
    "IncompleteError",
    "InputError",
    "JudgeCalibration",
    "JudgedSample",
    "LineFiles",
    "Marks",
    "Measure",
    "Media",
    "Medium",
    "Message",
    "NotMeasurable",
    "Observer",
    "Opening",
    "Options",
    "PackedSet",
    "ParsedAnswer",
    "PresentationPart",
    "Preset",
    "PresetModel",
    "Reader",
    "Reading",
    "Recipe",
    "Release",
    "Repairs",
    "Requests",
    "RescoredRun",
    "Response",
    "Result",
    "RunOptions",
    "RunResult",
    "Runs",
    "Sampling",
    "SetDesign",
    "Source",
    "Stage",
    "StageBounds",
    "Stimulus",
    "StimulusSet",
    "Suite",
    "Table",
    "Text",
    "Trial",
    "UnansweredWarning",
    "Unit",
    "adopt",
    "calibrate_judges",
    "check",
    "compare",
    "describe",
    "design",
    "dry_run",
    "import_release",
    "judge",
    "make",
    "open_run",
    "open_set",
    "people",
    "plan",
    "register",
    "repair_run",
    "rescore",
    "run",
    "run_models",
    "sample_replies",
    "share",
    "simple_suite",
    "write_report",
    "write_trials",
]


if not TYPE_CHECKING:  # so that a type checker refuses a name that is none

    def __getattr__(name: str) -> Any:  # noqa: ANN401
        """Loads a public name when it is first used, so that importing the package costs nothing."""
        if name == "__version__":
            from importlib.metadata import version

            return version("veridical")
        if name not in _PLACES:
            raise AttributeError(f"module 'veridical' has no attribute '{name}'")
        return getattr(import_module(f"veridical.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
