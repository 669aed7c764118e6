"""Prompt templates: Markdown with a front matter (id, version, the constraints that it states) and `$fields`."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Template, ascii_uppercase

from veridical.errors import InputError, unknown

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
    """The prompt in a file; raises `InputError` if it cannot be read or its front matter is invalid."""
    content = read_text(path)
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
    except (IndexError, KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: a prompt opens with +++ id, version, constraints +++: {error}") from error


def load_all(
    own: Path, replacing: Path | None, fields: Mapping[str, Collection[str]], others: Collection[str] = ()
) -> dict[str, Prompt]:
    """The templates of a suite by file stem; a file of the same name in the user's folder replaces one.

    `fields` has the fields that each template may use; a field `question` must be used. The user's folder must hold at
    least one file, and only files named like a template or in `others`; hidden files are ignored. Raises `InputError`
    for anything else.
    """
    places = dict.fromkeys(fields, own)
    if replacing is not None:
        allowed = {f"{stem}.md" for stem in fields} | set(others)
        for name in _names(replacing):
            if name not in allowed:
                raise InputError(f"{replacing}: {unknown('prompt file', name, allowed)}")
            places[name.removesuffix(".md")] = replacing
    prompts = {stem: load(places[stem] / f"{stem}.md") for stem in fields}
    for stem, prompt in prompts.items():
        _require_fields(places[stem] / f"{stem}.md", prompt, fields[stem])
    return prompts


def read_text(path: Path) -> str:
    """The text of a file; raises `InputError` if it cannot be read as UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8: {error}") from error


def digest_of(*digests: str) -> str:
    """One digest for all of these; a single one is returned unchanged."""
    return digests[0] if len(digests) == 1 else sha256("/".join(digests).encode()).hexdigest()[:16]


def names_beside(fields: Collection[str], *folders: Path) -> tuple[str, ...]:
    """File names of the prompts in these folders that are none of `fields`: those of other stages."""
    return tuple(path.name for folder in folders for path in folder.glob("*.md") if path.stem not in fields)


def letter_options(options: Sequence[str]) -> str:
    """Options one a line, each after its letter; a break within one becomes a space.

    >>> letter_options(["left hand", "the\\nlap"])
    'A. left hand\\nB. the lap'
    """
    pairs = zip(ascii_uppercase, options, strict=False)
    return "\n".join(f"{letter}. {' '.join(option.split())}" for letter, option in pairs)


def _names(folder: Path) -> list[str]:
    try:
        names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise InputError(f"prompts {folder}: {error.strerror}") from error
    if not names:
        raise InputError(f"prompts {folder}: the folder holds no prompt")
    return names


def _require_fields(path: Path, prompt: Prompt, allowed: Collection[str]) -> None:
    template = Template(prompt.text)
    if not template.is_valid():
        raise InputError(f"{path}: a $ stands before a field; write $$ for the sign itself")
    used = template.get_identifiers()
    for name in used:
        if name not in allowed:
            raise InputError(f"{path}: {unknown('field', f'${name}', [f'${field}' for field in allowed])}")
    if "question" in allowed and "question" not in used:
        raise InputError(f"{path}: $question is missing")
