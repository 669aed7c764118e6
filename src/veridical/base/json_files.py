"""Untrusted JSON files: read within limits and validated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

from veridical.errors import InputError

_LONGEST = 100_000_000


class Shape(BaseModel):
    """The required fields of a JSON object; other fields are allowed."""

    model_config = ConfigDict(extra="allow", strict=True)


def read_json(path: Path) -> Any:  # noqa: ANN401 (JSON)
    """The value in a JSON file.

    Raises `InputError` for a file that cannot be read or is very large, ValueError for one that is not JSON or is
    nested too deeply.
    """
    try:
        if path.stat().st_size > _LONGEST:
            raise InputError(f"{path} is damaged: it is larger than {_LONGEST:,} bytes")
        return from_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def require_format(place: Path, value: Any, supported: int, *, what: str, again: str) -> None:  # noqa: ANN401 (JSON)
    """Raises `InputError` if a value does not state the supported format; `again` is the verb that recreates it."""
    stated = value.get("format") if isinstance(value, dict) else None
    if type(stated) is not int or stated != supported:
        version = str(stated)[:20]
        raise InputError(
            f"{place} is a {what} of format {version}, but this version reads {supported}: {again} it again"
        )


def require_shape(path: Path, value: Any, shape: type[Shape]) -> None:  # noqa: ANN401 (JSON)
    """Raises `InputError`, naming the place in the file, if a value does not have the required shape."""
    try:
        shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path} is damaged: {where}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None
