"""Asking models about a set, stage by stage."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from veridical.ask import Run
from veridical.ask.folder import folder_lock
from veridical.base.format import visible
from veridical.base.places import RUN
from veridical.errors import InputError, UnansweredWarning
from veridical.stimulus_set import StimulusSet
from veridical.suite import registry
from veridical.verbs.placed import options_of_run, set_of_run
from veridical.verbs.resting import lacks_model
from veridical.verbs.result import RunResult, open_run, refresh
from veridical.verbs.roles import require_other_judge, require_ready, roles_of
from veridical.verbs.run_options import RunOptions
from veridical.verbs.sets import folder_for, open_set, suite_of
from veridical.verbs.staging import Confirm, Show, Staging


def run(
    stimuli: StimulusSet | Path | str,
    model: str | None = None,
    *,
    out: Path | str | None = None,
    show: Show = "auto",
    confirm: Confirm | None = None,
    analyze: bool = True,
    **options: Unpack[RunOptions],
) -> RunResult:
    """The run of models on a set, asked and stored in a folder; the keywords are those of `run_options.RunOptions`.

    `model` is the one under test. Asked is every stage of the suite whose role has a model and whose needs are
    answered; `RunResult.waiting` says what each other one waits for. `out` is the folder (default: a temporary one,
    kept while Python runs). Called again with the same arguments it asks only what is missing. `confirm` gets what is
    planned before anything is sent to a model that is not embedded, and may say no. Without `analyze`, outcomes, tables
    and figures are left for a later verb to write. Issues an `UnansweredWarning` for each stage in which more than 5 %
    of the replies have no answer (see `RunResult.warnings`), unless `analyze` is false. Raises `InputError` for what a
    user can put right; a run that ends early is returned as it stands.
    """
    whole = open_set(stimuli)
    whole.require_intact_table()
    suite = registry.get(suite_of(whole))
    roles = roles_of(suite, model, options)
    folder = folder_for(out)
    return ask_stages(Staging(suite, whole, folder, roles, options, show, confirm), analyze=analyze)


def require_askable(suite: str, names: Sequence[str], out: Path, options: RunOptions) -> None:
    """Raises `InputError` for what is wrong with a run as far as that is known without its set; nothing is loaded."""
    chosen = registry.get(suite)
    wanted: list[str | None] = [*names] if names else [None]
    first = chosen.asking.ordered[0]
    for name in wanted:
        asked = roles_of(chosen, name, options)
        if first.role not in asked and not (out / RUN).exists():
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
    **options: Unpack[RunOptions],
) -> RunResult:
    """A run that is there, with its later stages asked as far as the roles that are given reach.

    It is `run` with the model under test left out: the set (default: where it was when the run was made), the settings
    and the wordings are those of the run unless they are given. Raises `InputError` as `run` does.
    """
    opened = open_run(run)
    whole = set_of_run(opened, stimuli)
    merged = options_of_run(opened, options)
    roles = roles_of(opened.suite, None, merged)
    if not roles:
        raise InputError("nobody is named who is to be asked: give --judge M, or --role ROLE=M")
    require_other_judge(roles, str(opened.run.identity["model"]), merged)
    return ask_stages(Staging(opened.suite, whole, opened.folder, roles, merged, show, confirm), analyze=analyze)


def ask_stages(staging: Staging, *, analyze: bool) -> RunResult:
    """The run that one start comes to, asked as far as it can be."""
    first = staging.first()
    with folder_lock(staging.folder):
        staging.go(first)
        result = RunResult(Run.open(staging.folder), lacking=dict(staging.lacking))
        if analyze:
            refresh(result)
    if analyze:
        for line in result.warnings():
            # Issued where `run`, `judge` or `run_models` is called, which call this.
            warnings.warn(visible(line), UnansweredWarning, stacklevel=3)
    if staging.problem is not None:
        raise staging.problem
    return result
