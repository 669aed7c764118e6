"""Whether a run can stand where it stands: whole in a folder of its own, or as a stage of the run around it."""

from __future__ import annotations

from veridical.ask import Run
from veridical.base.path_checks import RUN, remedy, run_of
from veridical.errors import InputError


def require_whole(run: Run) -> None:
    """Raises `InputError` for a later stage, which is part of a run, and for a run that names no suite or no set."""
    whole = run_of(run.folder.resolve())
    if whole != run.folder.resolve():
        raise InputError(f"{run.folder} is a stage of the run {whole}: name that folder")
    for needed in ("suite", "set"):
        if not run.identity.get(needed):
            problem = f"its identity names no {needed}"
            raise InputError(f"{run.folder / RUN} is damaged: {problem}{remedy(run.folder)}")


def require_stage(run: Run, root: Run) -> None:
    """Raises `InputError` for a run in the place of a later stage that is of another stage, or on another set."""
    stage, stated = run.folder.parent.name, run.identity.get("stage")
    named = f"of stage '{stated}'" if stated else "of no stage"
    problem = "" if stated == stage else f"it is {named}, in the place of stage '{stage}'"
    if not problem and run.identity.get("set") != root.identity.get("set"):
        problem = "it is of another set than the run"
    if problem:
        raise InputError(f"{run.folder / RUN} is damaged: {problem}{remedy(run.folder)}")
