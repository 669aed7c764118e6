"""A run as eval logs of inspect-ai, one for each stage and model, which `inspect view` shows."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from veridical.ask import Run
from veridical.ask.pending_trials import data_url
from veridical.base.files import os_errors, replace_atomically
from veridical.base.requirements import extra_needed
from veridical.errors import InputError
from veridical.records import Media
from veridical.stimulus_set import StimulusSet
from veridical.verbs.exchange.line_files import LineFiles
from veridical.verbs.exchange.planned_stages import set_of_run
from veridical.verbs.results.result import RunResult, open_run
from veridical.verbs.sets import reader_of

_SUFFIX = ".eval"
_KEPT = 64
"""Data URLs that are kept: the questions about a picture follow each other."""


def export_inspect(
    run: RunResult | Path | str, out: Path | str | None = None, *, stimuli: StimulusSet | Path | str | None = None
) -> LineFiles:
    """The eval logs written of a run: that of its first stage is `out` (default: `inspect.eval` in the run's folder).

    Each further stage and model has a file beside it, `NAME-STAGE-MODEL.eval`. A sample is a trial and a repeat: its
    messages with all media inside, the reply with its reasoning, tokens and latency, and two scores: `correct` (C or I,
    unscored where nothing can be right; a failure is not correct) and `status`. The log of the first stage has the
    run's main figures with their intervals as metrics, and their counts beside them. A trial that was not asked has no
    sample, a stage without trials no log. `stimuli` is the set of the run, if it has moved. The media of a log are held
    in memory.

    Raises `InputError` where inspect-ai is missing, where the set is another or a medium was changed, for a name that
    does not end in `.eval`, and where the files cannot be written.
    """
    with extra_needed("providers", "an eval log of inspect"):
        from inspect_ai.log import write_eval_log

        from veridical.verbs.harnesses.inspect_records import log_of
    result = open_run(run)
    first = result.folder / f"inspect{_SUFFIX}" if out is None else Path(out)
    if first.suffix != _SUFFIX:
        raise InputError(f"{first}: the name of an eval log ends in {_SUFFIX}, such as {first.name}{_SUFFIX}")
    read = reader_of(set_of_run(result, stimuli), [result.folder])

    @lru_cache(maxsize=_KEPT)
    def url(medium: Media) -> str:
        return data_url(medium, read(medium.file))

    places: list[Path] = []
    samples, planned = 0, 0
    for each in (run for runs in result.stages.runs.values() for run in runs if run.trials()):
        log = log_of(result, each, url)
        places.append(_place(first, result, each))
        with os_errors(places[-1], "written"), replace_atomically(places[-1]) as temporary:
            write_eval_log(log, temporary, format="eval")
        samples += len(log.samples or ())
        planned += each.repeats * len(each.trials())
    left = planned - samples
    return LineFiles(samples, tuple(places), (f"{left:,} trials that were not asked have no sample",) if left else ())


def _place(first: Path, result: RunResult, run: Run) -> Path:
    if run.folder == result.folder:
        return first
    return first.with_name(f"{first.stem}-{run.folder.parent.name}-{run.folder.name}{_SUFFIX}")
