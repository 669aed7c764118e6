"""The embedded judge `veridical/rule`: it marks by each rubric's rule and reads what the judge is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.errors import InputError
from veridical.judges.marking import rubrics_of
from veridical.judges.rubric import Rubric, Rule
from veridical.judges.verdict import CANNOT_TELL
from veridical.observers import Observer, Reply, TrialContext, without_arguments
from veridical.records import ChatTurn, Json, Trial, canonical
from veridical.suite import registry

RULE = "rule"
NAME = f"veridical/{RULE}"


def _rule_of(trial: Trial) -> Rule:
    rubric: Rubric | None = rubrics_of(registry.get(trial.suite).asking).get(trial.reader)
    if rubric is None:
        raise InputError(f"{NAME} marks verdicts only, and stage {trial.stage} asks for none")
    if rubric.rule is None:
        raise InputError(f"rubric '{rubric.name}' has no rule: name a model as the judge")
    return rubric.rule


def reply_by_rule(trial: Trial) -> str:
    """The rule's verdict on what a trial shows, as JSON, or the words "cannot tell" and the reason."""
    ruling = _rule_of(trial)(trial.expects["shown"])
    return f"{CANNOT_TELL}{ruling}." if isinstance(ruling, str) else canonical(dict(ruling))


def _opened(model_args: Mapping[str, Json], run: Path | None) -> Reply:
    without_arguments(NAME, model_args)
    if run is None:
        raise InputError(f"{NAME} marks the replies of a run, and there is none")
    planned: dict[str, Trial] = {}

    def reply(messages: Sequence[ChatTurn], request: TrialContext | None) -> str:  # noqa: ARG001 (it reads the trial)
        from veridical.ask import Run

        if not planned:
            planned.update({trial.id: trial for trial in Run.open(run).trials()})
        if request is None or request.trial not in planned:
            raise InputError(f"{NAME} marks the planned trials of its run alone")
        return reply_by_rule(planned[request.trial])

    return reply


def _no_arguments(model_args: Mapping[str, Json]) -> dict[str, Json]:
    without_arguments(NAME, model_args)
    return {}


def _require_rules(trials: Sequence[Trial], repeats: int) -> None:  # noqa: ARG001 (a rule says the same each time)
    for trial in {trial.reader: trial for trial in trials}.values():
        _rule_of(trial)


EMBEDDED: Mapping[str, Observer] = {
    RULE: Observer(
        help="marks replies by the rule of a rubric, without a model",
        sees="run",
        opened=_opened,
        identity=_no_arguments,
        require_able=_require_rules,
        reads="the question, the true answer and the reply",
        slow=True,
    )
}
"""Judges that are embedded in the library, by name."""
