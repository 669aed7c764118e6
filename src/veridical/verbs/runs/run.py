"""Asking models about a set, and asking the later stages of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from veridical.base.options import Options
from veridical.base.path_checks import holds_run
from veridical.base.run_options import RunOptions
from veridical.base.shards import shard_folder
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet
from veridical.suite import registry
from veridical.suite.record import Suite
from veridical.suite.sequential import STOP_AT
from veridical.verbs.results.result import RunResult
from veridical.verbs.runs.live_state import LiveState
from veridical.verbs.runs.options import options_of_run
from veridical.verbs.runs.roles import require_other_judge, require_ready, roles_of
from veridical.verbs.runs.run_start import Confirm, RunStart, Show
from veridical.verbs.runs.stage_states import (
    lacks_model,
    record_of_run,
    whole_run,
)
from veridical.verbs.sets import SetDesign, folder_for, open_with_suite, set_of


def run(
    stimuli: StimulusSet | SetDesign | Path | str,
    model: str | None = None,
    *,
    out: Path | str | None = None,
    show: Show = "auto",
    confirm: Confirm | None = None,
    analyze: bool = True,
    live: LiveState | None = None,
    **options: Unpack[RunOptions],
) -> RunResult:
    """The run of models on a set, asked and stored in a folder; the keywords are those of `RunOptions`.

    With `stop_at` it asks in rounds, and a design will do in place of a set. `model` is the one under test. Asked is
    every stage of the suite whose role has a model and whose needs are
    answered; `RunResult.waiting` says what each other one waits for. `out` is the folder (default: a temporary one,
    kept while Python runs); that of shard 2/4 is `out` with `-2-of-4` at its end. Called again with the same arguments
    it asks only what is missing. `confirm` gets what is planned before anything is sent to a model that is not
    embedded, and may say no. Without `analyze`, outcomes, tables and figures are left for a later verb to write. `live`
    is what a page follows (see `live_server`). Issues an
    `UnansweredWarning` for each stage in which more than 5 % of the replies have no answer (see `RunResult.warnings`),
    unless `analyze` is false. Raises `InputError` for what a user can put right; a run that ends early is returned as
    it stands, and without tables if a signal ended it.
    """
    place, suite = place_of_run(stimuli, options)
    roles = roles_of(suite, model, options)
    folder = folder_for(None if out is None else shard_folder(Path(out), options.get("shard")))
    return RunStart(suite, place, folder, roles, options, show, confirm, live=live).result(analyze=analyze)


def require_askable(suite: str, names: Sequence[str], out: Path, options: RunOptions) -> None:
    """Raises `InputError` for what is wrong with a run as far as that is known without its set; nothing is loaded."""
    chosen = registry.get(suite)
    wanted: list[str | None] = [*names] if names else [None]
    first = chosen.asking.ordered[0]
    for name in wanted:
        asked = roles_of(chosen, name, options)
        if first.role not in asked and not holds_run(out):
            raise InputError(f"nothing can be asked: stage {first.name} waits for {lacks_model(first)}")
        for role in asked.values() if len(wanted) == 1 else ():  # of several models, one may fail without the others
            require_ready(role)
    chosen.asked(options.get("settings"), options.get("prompts"))


def judge(
    run: RunResult | Path | str,
    *,
    stimuli: StimulusSet | Path | str | None = None,
    show: Show = "auto",
    confirm: Confirm | None = None,
    analyze: bool = True,
    live: LiveState | None = None,
    **options: Unpack[RunOptions],
) -> RunResult:
    """A run that is there, with its later stages asked as far as the roles that are given reach.

    It is `run` with the model under test left out: the set (default: where it was when the run was made), the settings
    and the wordings are those of the run unless they are given. Raises `InputError` as `run` does.
    """
    asked = run.run if isinstance(run, RunResult) else whole_run(run)
    suite = record_of_run(asked)
    whole = set_of(asked, stimuli)
    merged = options_of_run(asked, options)
    roles = roles_of(suite, None, merged)
    if not roles:
        raise InputError("nobody is named who is to be asked: give --judge M, or --role ROLE=M")
    require_other_judge(roles, str(asked.identity["model"]), merged)
    return RunStart(suite, whole, asked.folder, roles, merged, show, confirm, live=live).result(analyze=analyze)


def place_of_run(
    stimuli: StimulusSet | SetDesign | Path | str, options: RunOptions
) -> tuple[StimulusSet | Options, Suite]:
    """A set, or the options of a design, with its suite; raises `InputError` for a design that is to be asked whole."""
    if not isinstance(stimuli, SetDesign):
        return open_with_suite(stimuli)
    if not options.get(STOP_AT):
        raise InputError("a design can be asked in rounds alone: state stop_at, or make a set of it")
    return stimuli.options, registry.get(stimuli.suite)
