"""What runs say: compared, read anew, on a page."""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path

from veridical.ask import Run
from veridical.base.files import write_whole
from veridical.base.remote_access import stored_folder
from veridical.errors import InputError, unknown
from veridical.internals.run_internals import RunInternals
from veridical.records import Trial
from veridical.report import Exhibits, ReportRun
from veridical.report import write_report as html
from veridical.report.export import FORMS, Form, export_text
from veridical.report.page import LIMIT_BYTES
from veridical.report.runs import LaterStage
from veridical.stimulus_set import StimulusSet
from veridical.suite.contrasts import holm_by_kind
from veridical.suite.training_exports import TrainingRecord
from veridical.verbs.results.comparison import (
    Comparison,
    OutcomeOverlap,
    RescoredRun,
    changes,
    common_outcomes,
    common_trials,
    first_names,
    place_of,
)
from veridical.verbs.results.result import RunResult, open_run, refresh, written_to
from veridical.verbs.results.trainings import training_records
from veridical.verbs.runs.roster import Roster, read_roster
from veridical.verbs.sets import open_set, reader_of, suite_of


def compare(first: RunResult | Path | str, second: RunResult | Path | str) -> Comparison:
    """Paired differences, second − first, on the trials that both have, as today's readers read both (see its `notes`).

    Trials are paired by stimulus, settings and repeat, in later stages over the sources that both runs have. Raises
    `InputError` where no trial is in both, or where one has other pictures or another truth, and says which.
    """
    (comparison,) = compare_all(first, [second])
    return comparison


def compare_all(base: RunResult | Path | str, others: Sequence[RunResult | Path | str]) -> list[Comparison]:
    """Paired differences of each run − the base, as in `compare`.

    P-values are Holm's over all differences of a kind together, so that more runs find no more by chance.
    """
    first, runs = open_run(base), [open_run(each) for each in others]
    for each in runs:
        if first.suite.name != each.suite.name:
            both = f"{first.folder} is a run of {first.suite.name}, {each.folder} of {each.suite.name}"
            raise InputError(f"{both}: one suite is needed")
        require_alike([first, each])
    differences = first.suite.analysis.differences
    if differences is None:
        raise InputError(f"the suite {first.suite.name} offers no comparison of runs")
    found, notes = [], []
    for each in runs:
        both_have = common_trials(first.run, each.run)
        mine, theirs, overlaps = common_outcomes(first, each, both_have)
        found.append(list(differences(mine, theirs)))
        notes.append([*_stored_readings(first), *_stored_readings(each), *_in_common(both_have, overlaps)])
    corrected = iter(holm_by_kind(estimate for own in found for estimate in own))
    return [
        Comparison(list(islice(corrected, len(own))), first, each, lines)
        for own, each, lines in zip(found, runs, notes, strict=True)
    ]


def require_alike(runs: Sequence[RunResult]) -> None:
    """Raises `InputError` where some runs of a suite chose their questions by replies, and others did not."""
    by_suite: dict[str, dict[bool, RunResult]] = {}
    for each in runs:
        by_suite.setdefault(each.suite.name, {})[each.rounds is not None and each.rounds.adaptive] = each
    for kinds in by_suite.values():
        if len(kinds) > 1:
            chosen = f"{kinds[True].folder} chose its questions by the replies, {kinds[False].folder} did not"
            raise InputError(f"{chosen}: figures of the two say nothing of each other; show them apart")


def _stored_readings(run: RunResult) -> Iterator[str]:
    """What to know where the readings that are stored are not today's, which are compared."""
    stored = changes(run.folder / "outcomes.parquet", run.outcomes())
    if stored.problem:
        yield f"{stored.problem}; compared is what {', '.join(stored.now)} reads in the replies"
    elif not set(stored.before) <= set(stored.now):
        read = f"was stored as read by {', '.join(stored.before)}, and is compared as read by"
        moved = f"{stored.statuses:,} statuses and {stored.answers:,} answers of {stored.compared:,} changed"
        yield f"{run.folder} {read} {', '.join(stored.now)}: {moved}"


def _in_common(trials: Sequence[tuple[Trial, Trial]], overlaps: Sequence[OutcomeOverlap]) -> Iterator[str]:
    """What two runs have in common, where one has more, or asks in other words."""
    yield from (str(each) for each in overlaps if each.later or not each.whole)
    other = [place_of(a) for a, b in trials if a.messages != b.messages]
    if other:
        yield f"{len(other):,} trials have another wording in the second run ({first_names(other)})"


def rescore(run: RunResult | Path | str, reader: str | None = None) -> RescoredRun:
    """A run read anew by today's readers, with no request, and how that differs from what was stored before.

    `reader` reads in place of the default ones, in the families that have it. `outcomes.parquet` and `tables/` are
    written again as they follow from it, whatever state they were in; the run itself stays as it is. Raises
    `InputError` for a reader that the suite does not have.
    """
    result = RunResult(Run.open(open_run(run).folder))
    moved = changes(result.folder / "outcomes.parquet", result.outcomes(reader))
    refresh(result, reader=reader)
    return RescoredRun(result, moved)


def write_report(
    runs: Sequence[RunResult | Path | str],
    out: Path | str | None = None,
    *,
    items: int = 220,
    assets: Path | str | None = None,
    stimuli: StimulusSet | Path | str | None = None,
    models: Path | str | None = None,
    trained_on: Sequence[Path | str] | Path | str = (),
    published: bool = False,
    limit_bytes: int = LIMIT_BYTES,
) -> Path:
    """The path of one HTML file on all runs (default: `report.html` in the first), with a part for each suite.

    Each run's `outcomes.parquet`, `tables/` and `figures/` are made anew as well; with `out`, not those of a run that
    cannot be written. Where a page of `limit_bytes` has no room for the media of its items, they stand in a folder
    beside it (see `media_beside`). Pictures come from `stimuli`, else from where the set was when the run was made;
    without a set the report has no pictures and says so. `models` is a file that states what the models are (see
    `roster.read_roster`): tables then group them. `trained_on` names training exports of the model, where the runs are
    of one: the page says what was held out. `published` shows the suites' published results beside the runs.
    """
    opened = [open_run(each) for each in runs]
    if not opened:
        raise InputError("report: name at least one run")
    require_alike(opened)
    roster = roster_of(models, opened)
    sets = _sets_of(opened, None if stimuli is None else open_set(stimuli))
    exports = [trained_on] if isinstance(trained_on, Path | str) else trained_on
    trainings = training_records(opened, roster, [Path(each) for each in exports], sets)
    exhibits = [refresh(each, roster, figures=True, kept=out is None) for each in opened]
    parts = [
        _for_report(each, roster, made, training)
        for each, made, training in zip(opened, exhibits, trainings, strict=True)
    ]
    own = opened[0].folder
    page = own / "report.html" if out is None else Path(out)
    with written_to(own) if out is None else nullcontext():
        return html(
            parts,
            page,
            stimuli={name: whole.stimuli_by_id for name, whole in sets.items()},
            media={name: reader_of(whole, [each.folder for each in opened]) for name, whole in sets.items()},
            items=items,
            assets=Path(assets) if assets is not None else None,
            beside=media_beside(page),
            published=published,
            limit_bytes=limit_bytes,
        )


def media_beside(page: Path) -> Path:
    """The folder of a page's media, if it has no room for them.

    >>> media_beside(Path("run/report.html")).as_posix()
    'run/report-media'
    """
    return page.with_name(f"{page.stem}-media")


def export(
    runs: Sequence[RunResult | Path | str],
    form: Form,
    out: Path | str | None = None,
    *,
    models: Path | str | None = None,
) -> str:
    """The figures of all runs as text: `csv` or `json` with all of them, `markdown` or `latex` with the main.

    It is written to the file `out` as well, if one is named. The fields are `report.export.FIELDS`; `models` is as in
    `write_report`. Raises `InputError` for another form.
    """
    opened = [open_run(each) for each in runs]
    if form not in FORMS:
        raise unknown("form", form, FORMS)
    if not opened:
        raise InputError("report: name at least one run")
    roster = roster_of(models, opened)
    text = export_text([(each.suite, each.result(roster)) for each in opened], form)
    if out is not None:
        write_whole(Path(out), text.encode(errors="backslashreplace"))
    return text


def _for_report(
    result: RunResult, roster: Roster | None, exhibits: Exhibits, training: TrainingRecord | None
) -> ReportRun:
    counted = [run for runs in result.stages.counted.values() for run in runs]
    identity = result.run.facts
    for run in counted[1:]:
        own = {key: value for key, value in run.facts.items() if identity.get(key) != value}
        identity[f"stage {run.identity['stage']}, {run.identity['model']}"] = own
    later = [each for each in result.staged if each.folder != result.folder]
    several = len(result.stages.ordered) > 1
    return ReportRun(
        result.suite,
        result.result(roster),
        ChainMap(*(run.trials_by_id() for run in reversed(counted))),  # type: ignore[arg-type] # it is only read
        identity,
        result.stopped,
        later=[
            LaterStage(
                name=each.stage,
                role=each.role,
                model=each.model,
                counts=each.counts,
                not_asked=each.not_asked,
                stale=each.stale,
                counted=each.counted,
                unanswered=each.unanswered,
            )
            for each in later
        ],
        notes=[*(str(each) for each in result.waiting if several), *result.remarks],
        otherwise=result.otherwise,
        exhibits=exhibits,
        training=training,
        internals=RunInternals.of(result.folder, result.run.identity),
    )


def roster_of(models: Path | str | None, runs: Sequence[RunResult]) -> Roster | None:
    """What a file states of models; raises `InputError` where it states nothing of any run's."""
    if models is None:
        return None
    roster = read_roster(Path(models))
    roster.require_any(each.model for each in runs)
    return roster


def _sets_of(runs: Sequence[RunResult], stimuli: StimulusSet | None) -> dict[str, StimulusSet]:
    """The set of each suite that has one: that which is given, or where a run was made on it, or in the run folder."""
    sets: dict[str, StimulusSet] = {} if stimuli is None else {suite_of(stimuli): stimuli}
    for each in runs:
        places = [each.folder / "stimuli", *(stored_folder(str(e.get("set"))) for e in reversed(each.run.executions))]
        for place in places:
            # `os.path` says no where a folder may not be looked into; a path raises an error.
            if each.suite.name not in sets and os.path.exists(place / "manifest.json"):  # noqa: PTH110
                whole = StimulusSet.open(place)
                if whole.key == each.run.identity["set"]:
                    sets[each.suite.name] = whole
    return sets
