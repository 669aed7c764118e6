"""What the models of runs were trained on, as users state it, beside the sets that they were asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.base.options import seed_space
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet
from veridical.suite.training_exports import TrainingExport, TrainingRecord, read_training_export
from veridical.verbs.results.result import RunResult
from veridical.verbs.runs.roster import Roster
from veridical.verbs.standard import standard_comparison


def training_records(
    runs: Sequence[RunResult], roster: Roster | None, trained_on: Sequence[Path], sets: Mapping[str, StimulusSet]
) -> list[TrainingRecord | None]:
    """For each run what its model was trained on, by the file of models or else by `trained_on`; `None` if unstated.

    `sets` are those of the runs, by suite, as far as they are at hand. Raises `InputError` where `trained_on` stands
    beside runs of several models, and for what is no training export.
    """
    models = {run.model for run in runs}
    if trained_on and len(models) > 1:
        raise InputError(
            f"--trained-on is about one model, and these runs are of {', '.join(sorted(models))}: "
            "state trained_on in the file of --models"
        )
    by_model = {model: roster.trained_on.get(model, ()) if roster else () for model in models}
    exports = {
        model: [read_training_export(place) for place in by_model[model] or trained_on]
        for model in models
        if by_model[model] or trained_on
    }
    return [_record(run, exports[run.model], sets) if run.model in exports else None for run in runs]


def _record(run: RunResult, exports: Sequence[TrainingExport], sets: Mapping[str, StimulusSet]) -> TrainingRecord:
    digest, whole = str(run.run.identity["set"]), sets.get(run.suite.name)
    if whole is None or whole.digest != digest:
        return TrainingRecord(exports=exports, digest=digest)
    compared = standard_comparison(whole)
    known = compared is not None and compared.name and not compared.redrawn
    standard = compared.words if compared is not None and known else ""
    return TrainingRecord(exports=exports, digest=digest, space=_space(whole), standard=standard)


def _space(whole: StimulusSet) -> str:
    """The space of a set's seed, empty where it was not drawn from one."""
    seed = whole.manifest.get("seed")
    return "" if seed is None or "import" in whole.manifest else seed_space(int(seed))
