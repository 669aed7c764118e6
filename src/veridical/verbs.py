"""The verbs on runs as functions: run, open, compare, report. The command line is thin over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Unpack

import polars as pl

from veridical import export, people, suites
from veridical.ask import Run, ask, is_embedded, progress, to_ask_again
from veridical.errors import InputError, unknown
from veridical.export.compared import Changes, changes, few, require_same_trials, worded_otherwise
from veridical.options import Options
from veridical.records import Counts, Estimate, Json
from veridical.releases import RELEASES, write_import
from veridical.report import ReportRun, write_figures, write_tables
from veridical.report import write_report as html
from veridical.report.runs import cannot_be_asked
from veridical.roster import Roster, read_roster
from veridical.runs import Setup, Spending, prepare
from veridical.sets import folder_for, open_set
from veridical.stimuli.illusions.verify import read_back
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
    def not_asked(self) -> dict[str, int]:
        """Why trials cannot be asked at all, and how many; what is only not asked yet is not among them."""
        return cannot_be_asked(self.outcomes)

    @property
    def complete(self) -> bool:
        """Whether every planned trial that can be asked was asked, and none ended in an error."""
        return self.counts.asked + sum(self.not_asked.values()) == self.counts.planned and not self.counts.error

    @property
    def stopped(self) -> str | None:
        """What ended the latest start before it had asked everything: the limit that it reached, or "interrupted"."""
        ended = self._ended()
        return "interrupted" if ended.get("interrupted") else ended.get("limit") and str(ended["limit"])

    @property
    def cache_problem(self) -> str | None:
        """Why the latest start gave up its cache of replies, if it did."""
        problem = self._ended().get("cache_problem")
        return None if problem is None else str(problem)

    def _ended(self) -> dict[str, Json]:
        ended = self.run.executions[-1].get("ended") if self.run.executions else None
        return ended if isinstance(ended, dict) else {}

    def spending(self) -> Spending:
        """What all starts together sent and spent."""
        return Spending.of(self.run)

    def estimates(self) -> list[Estimate]:
        """The suite's estimates, each with interval, counts and method."""
        return list(self._estimates)

    @cached_property
    def _estimates(self) -> list[Estimate]:
        return self.suite.estimates(self.outcomes)

    def result(self, roster: Roster | None = None) -> suites.Result:
        """The run as the suite's tables and figures take it, with what is stated of its model."""
        about = roster.of(self.model) if roster else None
        name = f"{self.model} (reads the truth)" if "reads" in self.run.identity else self.model
        return suites.Result(name, self.outcomes, self.estimates(), about)

    def report(self, out: Path | str | None = None) -> Path:
        """The path of the HTML report of this run alone, written to `out` (default: `report.html` in the run)."""
        return write_report([self], out)


def run(
    stimuli: StimulusSet | Path | str,
    model: str,
    *,
    out: Path | str | None = None,
    show: Literal["auto", "live", "plain", "quiet"] = "auto",
    confirm: Callable[[Setup], bool] | None = None,
    **options: Unpack[Options],
) -> RunResult:
    """The run of a model on a set, asked and stored in a folder; the keywords are those of `options.Options`.

    `out` is the folder (default: a temporary one, kept while Python runs). Called again with the same arguments it asks
    only what is missing. `confirm` gets what is planned before anything is sent to a model that is not embedded, and
    may say no. Raises `InputError` for what a user can put right; a run that ends early is returned as it stands.
    """
    setup = prepare(stimuli, model, **options)
    folder, how = folder_for(out), setup.how
    opened = setup.open(folder)
    if confirm and not is_embedded(model) and not confirm(setup):
        raise InputError("nothing was sent: say yes, or give --yes")
    started = Run.start(folder, setup.identity(), setup.execution(), setup.trials, repeats=how.repeats)
    again = to_ask_again(started.outcomes(setup.suite.readers), how.retry) if how.retry else frozenset()
    ask(
        started,
        setup.trials,
        opened,
        media=setup.stimuli.read,
        policy=how.policy,
        progress=progress(setup.planned, show),
        limits=how.limits,
        again=again,
        cache=how.cache,
        skip_unsupported=options.get("skip_unsupported", False),
    )
    result = RunResult(Run.open(started.folder))
    _refresh(result)
    return result


def open_run(folder: RunResult | Path | str) -> RunResult:
    """The run in a folder; raises `InputError` where there is none."""
    return folder if isinstance(folder, RunResult) else RunResult(Run.open(Path(folder)))


def compare(first: RunResult | Path | str, second: RunResult | Path | str) -> list[Estimate]:
    """Paired differences, second less first, on the same trials, both as read by today's readers (see `notes`).

    Raises `InputError` where the trials differ, and says which.
    """
    a, b = open_run(first), open_run(second)
    if a.suite.name != b.suite.name:
        raise InputError(f"{a.folder} is a run of {a.suite.name}, {b.folder} of {b.suite.name}: one suite is needed")
    if a.suite.differences is None:
        raise InputError(f"the suite {a.suite.name} offers no comparison of runs")
    require_same_trials(a.run, b.run)
    return a.suite.differences(a.outcomes, b.outcomes)


def write_report(
    runs: Sequence[RunResult | Path | str],
    out: Path | str | None = None,
    *,
    items: int = 220,
    assets: Path | str | None = None,
    stimuli: StimulusSet | Path | str | None = None,
    models: Path | str | None = None,
    published: bool = False,
) -> Path:
    """The path of one HTML file on all runs (default: `report.html` in the first).

    Each run's `outcomes.parquet`, `tables/` and `figures/` are made anew as well. Pictures come from `stimuli`, else
    from where the set was when the run was made; without a set the report has no pictures and says so. `models` is a
    file that states what the models are (see `roster.read_roster`): tables then group them. `published` shows the
    suite's published results beside the runs.
    """
    opened = [open_run(each) for each in runs]
    if not opened:
        raise InputError("report: name at least one run")
    suite = opened[0].suite
    if any(each.suite.name != suite.name for each in opened):
        raise InputError(f"report: the runs are of different suites ({', '.join(e.suite.name for e in opened)})")
    roster = roster_of(models, opened)
    for each in opened:
        _refresh(each, roster)
    pictures = open_set(stimuli) if stimuli is not None else _set_of(opened)
    parts = [
        ReportRun(each.result(roster), {t.id: t for t in each.run.trials()}, each.run.identity, each.stopped)
        for each in opened
    ]
    return html(
        suite,
        parts,
        Path(out) if out is not None else opened[0].folder / "report.html",
        stimuli={stimulus.id: stimulus for stimulus in pictures.stimuli} if pictures else {},
        media=pictures.read if pictures else None,
        items=items,
        assets=Path(assets) if assets is not None else None,
        published=published,
    )


def rescore(run: RunResult | Path | str) -> tuple[RunResult, Changes]:
    """A run read anew by today's readers, with no request, and how that differs from what was stored before.

    `outcomes.parquet`, `tables/` and `figures/` are written again, whatever state they were in.
    """
    result = RunResult(Run.open(open_run(run).folder))
    found = changes(result.folder / "outcomes.parquet", result.outcomes)
    _refresh(result)
    return result, found


def notes(first: RunResult | Path | str, second: RunResult | Path | str) -> list[str]:
    """What to know beside a comparison of two runs: stored readings that are not today's, and other wordings."""
    a, b = open_run(first), open_run(second)
    found = []
    for each in (a, b):
        stored = changes(each.folder / "outcomes.parquet", each.outcomes)
        if stored.problem:
            found.append(f"{stored.problem}; compared is what {', '.join(stored.now)} reads in the replies")
        elif not set(stored.before) <= set(stored.now):
            read = f"was stored as read by {', '.join(stored.before)}, and is compared as read by"
            moved = f"{stored.statuses:,} statuses and {stored.answers:,} answers of {stored.compared:,} changed"
            found.append(f"{each.folder} {read} {', '.join(stored.now)}: {moved}")
    other = worded_otherwise(a.run, b.run)
    if other:
        found.append(f"{len(other):,} trials have another wording in the second run ({few(other)})")
    return found


def write_trials(
    stimuli: StimulusSet | Path | str,
    out: Path | str,
    *,
    settings: Mapping[str, str | Sequence[str]] | None = None,
    prompts: Path | str | None = None,
    limit: int | None = None,
    gold: bool = False,
    batch: bool = False,
    model: str | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
) -> int:
    """The number of trials of a set written to the file `out`, as a run with the same arguments would ask them.

    The file has JSON lines (see `export.write_trials`), with the true answers if `gold` is set; with `batch`, it is the
    input of an OpenAI batch to `model`. Raises `InputError` for what a user can put right.
    """
    sampled = {"model": model, "temperature": temperature, "max_tokens": max_tokens}
    named = [name for name, value in sampled.items() if value is not None]
    if batch and not model:
        raise InputError("a batch file names the model that is to answer: give its name as model")
    if batch and gold:
        raise InputError("a batch file is sent to the model, so it holds no true answers: leave out gold or batch")
    if named and not batch:
        raise InputError(f"{', '.join(named)}: only a batch file holds that; leave it out, or give batch")
    setup = prepare(stimuli, model or "", settings=settings, prompts=prompts, limit=limit)
    if not batch:
        return export.write_trials(Path(out), setup.trials, setup.stimuli.folder, gold=gold)
    given: dict[str, Any] = {**sampled, "model": str(model)}
    return export.write_batch(Path(out), setup.trials, setup.stimuli.read, **given)


def import_release(
    name: str, place: Path | str, out: Path | str | None = None, *, progress: Callable[[int, int], None] | None = None
) -> StimulusSet:
    """The stimulus set of pictures on disk, written to the folder `out` (default: a temporary one).

    `name` is "viprobe" (`place` is the folder of the published pictures) or "pictures" (a table of one's own). What was
    found on the way stands in the manifest under `import`. Raises `InputError` for what a user can put right.
    """
    if name not in RELEASES:
        raise unknown("import", name, RELEASES)
    return write_import(RELEASES[name](Path(place)), folder_for(out), read_back, progress)


def read_people(
    stimuli: StimulusSet | Path | str,
    answers: Path | str,
    out: Path | str | None = None,
    *,
    name: str | None = None,
    settings: Mapping[str, str | Sequence[str]] | None = None,
) -> RunResult:
    """What people answered, from a table, as a run like any other (see `people.read_people`)."""
    result = RunResult(people.read_people(stimuli, answers, out, name=name, settings=settings))
    _refresh(result)
    return result


def roster_of(models: Path | str | None, runs: Sequence[RunResult]) -> Roster | None:
    """What a file states of models; raises `InputError` where it states nothing of any run's."""
    if models is None:
        return None
    roster = read_roster(Path(models))
    roster.require_any(each.model for each in runs)
    return roster


def _refresh(result: RunResult, roster: Roster | None = None) -> None:
    result.outcomes.write_parquet(result.folder / "outcomes.parquet")
    results = [result.result(roster)]
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
