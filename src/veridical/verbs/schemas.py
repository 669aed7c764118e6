"""Who is held to a JSON schema: the model under test by a setting of its suite, others by an argument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.answers import Readers
from veridical.ask.capabilities import require_schemas
from veridical.ask.clients import Schema
from veridical.errors import InputError
from veridical.records import Json, Trial
from veridical.suite.asking import MODEL
from veridical.suite.record import Suite
from veridical.suite.reply import REPLY, SCHEMA, is_held

if TYPE_CHECKING:
    from veridical.verbs.roles import Asked

STRUCTURED = "structured"
"""The argument of a model that holds its replies to the schemas of their readers, where these have one."""


def schema_for(readers: Readers, *, every: bool = False) -> Schema:
    """The schema of a trial's reader where the trial's settings hold the reply to it, or of `every` trial's."""

    def schema(trial: Trial) -> Mapping[str, Json] | None:
        return readers[trial.reader][0].schema if every or is_held(trial) else None

    return schema


def require_held(trials: Sequence[Trial], model: str, base_url: str | None) -> None:
    """Raises `InputError` where trials are to be held to a schema, and a model (none: nobody yet) cannot be."""
    if model and any(is_held(trial) for trial in trials):
        require_schemas(f"{REPLY}={SCHEMA}", model, base_url)


def require_argument(suite: Suite, asked: Asked) -> None:
    """Raises `InputError` for an argument `structured` that is no truth value, or that does not apply to the model."""
    own = {stage.name for stage in suite.asking.ordered if stage.role == asked.role}
    every = [asked.options.get("model_args") or {}, *(args for name, args in asked.by_stage.items() if name in own)]
    for value in [args[STRUCTURED] for args in every if STRUCTURED in args]:
        if not isinstance(value, bool):
            raise InputError(f"model argument {STRUCTURED} of '{asked.model}': true or false is allowed")
        if asked.role == MODEL and REPLY in suite.asking.settings:
            raise InputError(
                f"model argument {STRUCTURED} of '{asked.model}': it is for judges and other roles; the model under "
                f"test is held to a JSON schema by -S {REPLY}={SCHEMA}"
            )
        if value:
            require_schemas(f"{STRUCTURED}=true", asked.model, asked.options.get("base_url"))
