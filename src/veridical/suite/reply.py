"""The form of a reply: free, or held by the provider to the JSON schema of the trial's reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from veridical.errors import InputError
from veridical.records import Json, Trial

if TYPE_CHECKING:
    from pydantic import BaseModel

REPLY = "reply"
FREE, SCHEMA = FORMS = ("free", "schema")
"""Levels of a setting `reply`, for questions whose reader has a schema: whether the request carries it."""


def is_held(trial: Trial) -> bool:
    """Whether the reply to a trial is to be held to the schema of its reader."""
    return trial.settings.get(REPLY) == SCHEMA


def form_of(levels: Mapping[str, str]) -> str:
    """The levels of a trial's settings as the form in its id; a free reply leaves no trace in it.

    >>> form_of({"task": "set", "reply": "free"}), form_of({"task": "set", "reply": "schema"})
    ('set', 'set,schema')
    """
    return ",".join(level for name, level in levels.items() if (name, level) != (REPLY, FREE))


def require_some_held(trials: Sequence[Trial], levels: Mapping[str, Sequence[str]]) -> None:
    """Raises `InputError` where replies are to be held to a schema, and no trial has one."""
    if SCHEMA in levels.get(REPLY, ()) and not any(is_held(trial) for trial in trials):
        raise InputError(
            f"{REPLY}={SCHEMA}: no question that would be asked has a schema for its reply; leave it out, or ask others"
        )


def object_of(properties: Mapping[str, Json]) -> dict[str, Json]:
    """The JSON schema of an object in the form that providers accept: every key is required, and no other allowed.

    >>> object_of({"options": {"type": "array", "items": {"type": "string"}}})["required"]
    ['options']
    """
    required = list(properties)
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


def schema_of(model: type[BaseModel]) -> dict[str, Json]:
    """The JSON schema of a pydantic model's form, without its bounds, which not every provider accepts.

    >>> from pydantic import BaseModel, Field
    >>> class Graded(BaseModel):
    ...     grade: int = Field(ge=0, le=10)
    >>> schema_of(Graded)["properties"]
    {'grade': {'type': 'integer'}}
    """
    whole = model.model_json_schema()
    return _formed(whole, whole.get("$defs", {}))


def _formed(part: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Json]:
    """A part of a pydantic schema with references filled in; `parts` has what they refer to, by name."""
    if "$ref" in part:
        return _formed(parts[part["$ref"].rpartition("/")[2]], parts)
    if "properties" in part:
        return object_of({name: _formed(inner, parts) for name, inner in part["properties"].items()})
    formed: dict[str, Json] = {"type": part["type"], **({"enum": part["enum"]} if "enum" in part else {})}
    return formed | ({"items": _formed(part["items"], parts)} if "items" in part else {})
