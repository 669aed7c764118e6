"""What the stages of a run wait for: replies of other stages, a model for their role, or people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from veridical.ask import Run
from veridical.suite.asking import JUDGE, MODEL, PEOPLE, Stage
from veridical.verbs.stages import Stages


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
