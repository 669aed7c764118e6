"""What a later stage rests on, of each stage that it needs one run as evidence, and what stages wait for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from veridical.ask import Run
from veridical.errors import InputError, unknown
from veridical.suite.asking import JUDGE, MODEL, PEOPLE, Stage
from veridical.suite.evidence import Evidence
from veridical.verbs.stages import Basis, Stages


def resting(
    standing: Stages,
    stage: Stage,
    rests_on: str | None,
    *,
    current: Mapping[str, Run] | None = None,
    accept_errors: bool = False,
) -> dict[str, Run] | str:
    """The run of each stage that a stage needs, or, where replies are missing, what it waits for.

    `current` are runs that were asked in this start; they count before older ones of the same model. Raises
    `InputError` where several models have one and `rests_on` does not say which counts.
    """
    below: dict[str, Run] = {}
    for need in stage.needs:
        runs = _candidates(standing, need, below, (current or {}).get(need))
        chosen = [_one_of(runs, need, rests_on)] if runs else []
        held_up = open_need(standing, need, chosen, accept_errors=accept_errors)
        if held_up is not None:
            return held_up[0]
        below[need] = chosen[0]
    return below


def require_known(named: str | None, standing: Stages | None, models: Iterable[str] = ()) -> None:
    """Raises `InputError`, with the nearest name, where `rests_on` names nobody who was or is asked in any stage."""
    runs = [run for of_stage in standing.runs.values() for run in of_stage] if standing else []
    standing_models = {*models, *(str(run.identity["model"]) for run in runs)}
    if named is not None and named not in standing_models and named not in {run.folder.name for run in runs}:
        raise unknown("model for --rests-on", named, standing_models)


def basis_of(standing: Stages, below: Mapping[str, Run]) -> Basis:
    """What a stage's trials are made from that rests on these runs."""
    folders = {need: run.folder.name for need, run in below.items() if run.folder != standing.root.folder}
    evidence = Evidence({need: partial(standing.outcomes, run) for need, run in below.items()})
    return Basis(evidence, folders, standing.planned_on(below))


def _candidates(standing: Stages, need: str, below: Mapping[str, Run], own: Run | None) -> list[Run]:
    """The runs of a needed stage that rest on the runs which were chosen already; the newest of each model."""
    candidates = [own] if own else []
    for run in reversed(standing.begun(need)):
        names: Mapping[str, str] = run.identity.get("rests_on") or {}
        fits = all(below[name].folder.name == folder for name, folder in names.items() if name in below)
        if fits and str(run.identity["model"]) not in {str(each.identity["model"]) for each in candidates}:
            candidates.append(run)
    return candidates[::-1]


def _one_of(runs: Sequence[Run], need: str, named: str | None) -> Run:
    """The run of a needed stage that a later one rests on; where several models have one, `named` says which.

    `named` is a model, or a folder's name. Raises `InputError` where it must be said and is not, or is none of them.
    """
    models = {str(run.identity["model"]): run for run in runs}
    if named is not None:
        fitting = [run for run in runs if named in (str(run.identity["model"]), run.folder.name)]
        if not fitting and len(models) > 1:
            raise unknown(f"model of stage {need} for --rests-on", named, models)
        return (fitting or list(runs))[-1]
    if len(models) > 1:
        raise InputError(
            f"stage {need} was asked of {' and of '.join(models)}: --rests-on says which counts for what follows"
        )
    return runs[-1]


@dataclass(frozen=True)
class Waiting:
    """A stage that cannot be asked yet, and what it waits for; `missing`: replies of an earlier stage, to be asked."""

    stage: str
    role: str
    why: str
    missing: bool = False

    def __str__(self) -> str:
        return f"stage {self.stage} waits for {self.why}"


def waiting(stages: Stages, lacking: Mapping[str, str], *, accept_errors: bool = False) -> Iterator[Waiting]:
    """The stages that were not asked about what their needs reply now; `lacking` says what each lacked, by stage."""
    for stage in stages.ordered[1:]:
        if any(stages.is_up_to_date(run) for run in stages.counted[stage.name]):
            continue
        needs = (open_need(stages, need, stages.counted[need], accept_errors=accept_errors) for need in stage.needs)
        held_up = next((need for need in needs if need is not None), None)
        if held_up is not None:
            yield Waiting(stage.name, stage.role, *held_up)
        else:
            yield Waiting(stage.name, stage.role, lacking.get(stage.name) or lacks_model(stage))


def open_need(
    stages: Stages, need: str, runs: Sequence[Run], *, accept_errors: bool = False
) -> tuple[str, bool] | None:
    """What a stage waits for that needs this one, and whether that is replies; `None` where one of the runs is whole.

    An error is no reply unless errors are accepted. Of people nobody knows what is still to come.
    """
    if not runs:
        return f"stage {need}", False
    ready = [run for run in runs if stages.is_up_to_date(run)]
    if not ready:
        return f"stage {need} to be asked about replies that have changed", False
    if any(stage.role == PEOPLE for stage in stages.ordered if stage.name == need):
        return None
    short = min(run.missing(accept_errors=accept_errors) for run in ready)
    return (f"{short:,} missing {'reply' if short == 1 else 'replies'} of stage {need}", True) if short else None


def lacks_model(stage: Stage) -> str:
    """What a stage waits for whose role nobody has."""
    if stage.role == PEOPLE:
        return "people's answers: `veridical people read` reads them"
    flag = f"--{stage.role}" if stage.role in (MODEL, JUDGE) else f"--role {stage.role}="
    return f"a model in the role {stage.role}: {flag}{'' if flag.endswith('=') else ' '}M"
