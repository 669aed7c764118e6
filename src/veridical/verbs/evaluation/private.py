"""The private seed of an evaluation: drawn once, kept in its folder, and committed to by a hash."""

from __future__ import annotations

import json
import secrets
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from veridical.base.files import folder_lock, read_json, require_shape, write_whole
from veridical.errors import InputError

PRIVATE = "private.json"
FRESH = "fresh"


class PrivateSeed(BaseModel):
    """A seed that nobody knows, and a salt, so that nobody finds it by trying seeds."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    format: Literal[1]
    seed: int = Field(ge=0, lt=2**63, repr=False)
    salt: str = Field(pattern="^[0-9a-f]{32}$", repr=False)

    @property
    def commitment(self) -> str:
        """The sha256 of `SEED:SALT`: published before a run, it shows later that the seed was chosen before.

        >>> PrivateSeed(format=1, seed=5, salt="00" * 16).commitment[:16]
        '06410865967a3bd1'
        """
        return sha256(f"{self.seed}:{self.salt}".encode()).hexdigest()


def suite_place(folder: Path, suite: str, *, fresh: bool = False) -> Path:
    """Where the set and the runs of a suite stand in an evaluation's folder; those of fresh units apart."""
    return folder / suite / FRESH if fresh else folder / suite


def private_seed_of(folder: Path) -> PrivateSeed:
    """The private seed of an evaluation's folder, drawn and stored there if there is none yet.

    Raises `InputError` for a damaged file, and where it is missing although units were drawn with it.
    """
    path = folder / PRIVATE
    with folder_lock(folder):
        if path.exists():
            return read_private(path)
        if (drawn := next(folder.glob(f"*/{FRESH}"), None)) is not None:
            raise InputError(f"{path} is missing, and {drawn} is of its seed: restore it, or name another folder")
        made = PrivateSeed(format=1, seed=secrets.randbelow(2**63), salt=secrets.token_hex(16))
        write_whole(path, (json.dumps(made.model_dump(), indent=1) + "\n").encode()).chmod(0o600)
    return made


def read_private(path: Path) -> PrivateSeed:
    """The private seed in a file; raises `InputError` where it cannot be read or is damaged."""
    try:
        value = read_json(path)
    except ValueError as error:
        raise InputError(f"{path} is damaged: it is no JSON") from error
    require_shape(path, value, PrivateSeed)
    return PrivateSeed.model_validate(value)
