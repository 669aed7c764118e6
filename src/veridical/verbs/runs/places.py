"""Where the stages of a run stand, and whether one can stand there: whole, or as a part of the run around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from veridical.ask import Run
from veridical.ask.identity_differences import differences
from veridical.ask.run_folder import ASIDE
from veridical.base.path_checks import RUN, STAGES, holds_run, remedy, run_of
from veridical.errors import InputError
from veridical.records import Json, canonical

_LONGEST_SLUG = 40


def stage_folder(root: Path, identity: Mapping[str, Json]) -> Path:
    """Where a later stage of this identity stands in a run's folder: by its name, the model's, and the identity.

    A stage that was begun when the address of its server was in its identity stands where it was begun.
    """
    model, place = slug_of(str(identity["model"])), root / STAGES / str(identity["stage"])
    folder = place / f"{model}-{sha256(canonical(dict(identity)).encode()).hexdigest()[:8]}"
    if holds_run(folder):
        return folder
    begun = [each for each in place.glob(f"{model}-*") if holds_run(each) and not ASIDE.search(each.name)]
    same = [run for run in map(Run.read, begun) if not differences(run.identity, identity)]
    return max(same, key=lambda run: run.started).folder if same else folder


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


def slug_of(model: str) -> str:
    """A model's name as the beginning of a folder's name.

    >>> slug_of("Qwen/Qwen2.5-VL:free")
    'Qwen-Qwen2.5-VL-free'
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", model)[:_LONGEST_SLUG].strip("-.") or "model"
