"""Asking a model about a set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, Unpack

from veridical.ask import Run, ask, is_embedded, progress, to_ask_again
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet
from veridical.verbs.result import RunResult, refresh
from veridical.verbs.run_options import RunOptions
from veridical.verbs.sets import folder_for
from veridical.verbs.setup import Setup, prepare


def run(
    stimuli: StimulusSet | Path | str,
    model: str,
    *,
    out: Path | str | None = None,
    show: Literal["auto", "live", "plain", "quiet"] = "auto",
    confirm: Callable[[Setup], bool] | None = None,
    analyze: bool = True,
    **options: Unpack[RunOptions],
) -> RunResult:
    """The run of a model on a set, asked and stored in a folder; the keywords are those of `run_options.RunOptions`.

    `out` is the folder (default: a temporary one, kept while Python runs). Called again with the same arguments it asks
    only what is missing. `confirm` gets what is planned before anything is sent to a model that is not embedded, and
    may say no. Without `analyze`, outcomes, tables and figures are left for a later verb to write. Raises `InputError`
    for what a user can put right; a run that ends early is returned as it stands.
    """
    setup = prepare(stimuli, model, **options)
    folder, how = folder_for(out), setup.how
    opened = setup.open(folder)
    if confirm and not is_embedded(model) and not confirm(setup):
        raise InputError("nothing was sent: say yes, or give --yes")
    setup = setup.with_derived(folder)
    started = Run.start(
        folder,
        setup.identity(),
        setup.execution(),
        setup.trials,
        factors=setup.suite.design.factors,
        repeats=how.repeats,
    )
    again = to_ask_again(started.outcomes(setup.suite.asking.readers), how.retry) if how.retry else frozenset()
    ask(
        started,
        setup.trials,
        opened,
        media=setup.read,
        policy=how.policy,
        progress=progress(setup.planned, show),
        limits=how.limits,
        again=again,
        cache=how.cache,
        skip_unsupported=options.get("skip_unsupported", False),
        tells_trial=setup.observer is not None and setup.observer.sees != "messages",
    )
    result = RunResult(Run.open(started.folder))
    if analyze:
        refresh(result)
    return result
