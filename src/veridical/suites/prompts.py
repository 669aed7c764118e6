"""Prompt templates: Markdown with a front matter (id, version, the constraints that it states) and `$fields`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Template

from veridical.errors import InputError

_FENCE = "+++\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template with its identity; `digest` is the hash of the whole file and goes into every trial."""

    id: str
    version: str
    constraints: tuple[str, ...]
    text: str
    digest: str

    def fill(self, **fields: str) -> str:
        """The prompt with its fields filled in; text in a field stays text."""
        return Template(self.text).substitute(fields)


def load(path: Path) -> Prompt:
    """The prompt in a file; raises `InputError` where its front matter is not as it should be."""
    content = path.read_text(encoding="utf-8")
    parts = content.split(_FENCE, 2)
    try:
        matter = tomllib.loads(parts[1])
        return Prompt(
            id=matter["id"],
            version=matter["version"],
            constraints=tuple(matter["constraints"]),
            text=parts[2].strip(),
            digest=sha256(content.encode()).hexdigest()[:16],
        )
    except (IndexError, KeyError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: a prompt opens with +++ id, version, constraints +++: {error}") from error
