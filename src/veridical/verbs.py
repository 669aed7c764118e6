"""The verbs on runs as functions: run, open, compare, report. The command line is thin over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import polars as pl

from veridical import runs, suites
from veridical.ask import Policy, Run, Sampling, ask, clean_endpoint, is_embedded, open_model, progress
from veridical.errors import InputError
from veridical.records import Counts, Estimate, Json
from veridical.report import ReportRun, write_figures, write_tables
from veridical.report import write_report as html
from veridical.runs import Plan
from veridical.sets import folder_for, open_set, suite_of
from veridical.stimulus_set import StimulusSet


@dataclass(frozen=True)
class RunResult:
    """A run on disk with what follows from it; everything is made anew from the stored replies."""

    run: Run

    @property
    def folder(self) -> Path:
        return self.run.folder

    @property
    def model(self) -> str:
        return str(self.run.identity["model"])

    @cached_property
    def suite(self) -> suites.Suite:
        return suites.get(str(self.run.identity["suite"]))

    @cached_property
    def outcomes(self) -> pl.DataFrame:
        """The outcome table: one row per planned trial, of the schema `records.OUTCOMES`."""
        return self.run.outcomes(self.suite.readers)

    @cached_property
    def counts(self) -> Counts:
        return Counts.of(self.outcomes)

    @property
    def complete(self) -> bool:
        """Whether every planned trial was asked and none ended in an error."""
        return self.counts.asked == self.counts.planned and not self.counts.error

    def estimates(self) -> list[Estimate]:
        """The suite's estimates, each with interval, counts and method."""
        return self.suite.estimates(self.outcomes)

    def result(self) -> suites.Result:
        """The run as the suite's tables and figures take it."""
        return suites.Result(self.model, self.outcomes, self.estimates())

    def report(self, out: Path | str | None = None) -> Path:
        """The path of the HTML report of this run alone, written to `out` (default: `report.html` in the run)."""
        return write_report([self], out)


def run(
    stimuli: StimulusSet | Path | str,
    model: str,
    *,
    out: Path | str | None = None,
    limit: int | None = None,
    max_connections: int = 8,
    temperature: float | None = None,
    max_tokens: int | None = None,
    model_args: Mapping[str, Json] | None = None,
    base_url: str | None = None,
    settings: Mapping[str, str | Sequence[str]] | None = None,
    prompts: Path | str | None = None,
    show: Literal["auto", "live", "plain", "quiet"] = "auto",
    confirm: Callable[[Plan], bool] | None = None,
) -> RunResult:
    """The run of a model on a set, asked and stored in a folder.

    `out` is that folder (default: a temporary one, kept while Python runs). Called again with the same arguments it
    asks only what is missing. `limit` takes so many whole units, evenly over the cases. `settings` has the levels to
    cross for settings of the suite (default: the suite's), `prompts` a folder whose files stand in for the suite's own
    wordings. `confirm` gets the plan before anything is sent to a model that is not embedded, and may say no. Raises
    `InputError` for what a user can put right; a run that ends early is returned as it stands.
    """
    whole = open_set(stimuli)
    whole.require_intact_table()
    suite = suites.get(suite_of(whole))
    asking = suite.asking(settings, prompts)
    trials = runs.planned(suite, whole, asking, limit)
    policy = Policy(max_connections=max_connections)
    sampling = Sampling(temperature=temperature, max_tokens=max_tokens)
    asked = open_model(model, base_url=base_url, model_args=model_args or {}, sampling=sampling, policy=policy)
    endpoint = clean_endpoint(base_url) if base_url else None
    plan = runs.plan(suite, model, endpoint, trials, max_connections, asking)
    if confirm and not is_embedded(model) and not confirm(plan):
        raise InputError("nothing was sent: say yes, or give --yes")
    identity = {
        **runs.identity(suite, whole, asking, limit, trials),
        "sampling": {"temperature": temperature, "max_tokens": max_tokens},
        "model": model,
        "model_args": dict(model_args or {}),
        "endpoint": endpoint,
    }
    execution = runs.execution(whole, asking, policy)
    started = Run.start(folder_for(out), identity, execution, trials)
    ask(started, trials, asked, media=whole.read, policy=policy, progress=progress(len(trials), show))
    result = RunResult(started)
    _refresh(result)
    return result


def open_run(folder: RunResult | Path | str) -> RunResult:
    """The run in a folder; raises `InputError` where there is none."""
    return folder if isinstance(folder, RunResult) else RunResult(Run.open(Path(folder)))


def compare(first: RunResult | Path | str, second: RunResult | Path | str) -> list[Estimate]:
    """Paired differences, second less first, on the same trials; raises `InputError` where the trials differ."""
    a, b = open_run(first), open_run(second)
    if a.suite.name != b.suite.name:
        raise InputError(f"{a.folder} is a run of {a.suite.name}, {b.folder} of {b.suite.name}: one suite is needed")
    if a.suite.differences is None:
        raise InputError(f"the suite {a.suite.name} offers no comparison of runs")
    return a.suite.differences(a.outcomes, b.outcomes)


def write_report(
    runs: Sequence[RunResult | Path | str],
    out: Path | str | None = None,
    *,
    items: int = 220,
    assets: Path | str | None = None,
    stimuli: StimulusSet | Path | str | None = None,
) -> Path:
    """The path of one HTML file on all runs (default: `report.html` in the first).

    Each run's `outcomes.parquet`, `tables/` and `figures/` are made anew as well. Pictures come from `stimuli`, else
    from where the set was when the run was made; without a set the report has no pictures and says so.
    """
    opened = [open_run(each) for each in runs]
    if not opened:
        raise InputError("report: name at least one run")
    suite = opened[0].suite
    if any(each.suite.name != suite.name for each in opened):
        raise InputError(f"report: the runs are of different suites ({', '.join(e.suite.name for e in opened)})")
    for each in opened:
        _refresh(each)
    pictures = open_set(stimuli) if stimuli is not None else _set_of(opened)
    parts = [ReportRun(each.result(), {t.id: t for t in each.run.trials()}, each.run.identity) for each in opened]
    return html(
        suite,
        parts,
        Path(out) if out is not None else opened[0].folder / "report.html",
        stimuli={stimulus.id: stimulus for stimulus in pictures.stimuli} if pictures else {},
        media=pictures.read if pictures else None,
        items=items,
        assets=Path(assets) if assets is not None else None,
    )


def _refresh(result: RunResult) -> None:
    result.outcomes.write_parquet(result.folder / "outcomes.parquet")
    results = [result.result()]
    write_tables(result.suite, results, result.folder / "tables")
    write_figures(result.suite, results, result.folder / "figures")


def _set_of(runs: Sequence[RunResult]) -> StimulusSet | None:
    """The set that a run was made on, if it is still where it was, or inside the run folder."""
    for each in runs:
        places = [each.folder / "stimuli", *(Path(str(e.get("set"))) for e in reversed(each.run.executions))]
        for place in places:
            if (place / "manifest.json").exists():
                found = StimulusSet.open(place)
                if found.digest == each.run.identity["set"]:
                    return found
    return None
