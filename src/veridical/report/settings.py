"""How runs were made, as a table for people: the settings that were stated, under headings, without internal names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from veridical.records import Json, canonical

_NO_NAMES: Mapping[str, str] = {}
_HASH = re.compile(r"(?:sha256:)?([0-9a-f]{16,64})")
_SHOWN_OF_HASH = 12
_FIRST = "The run"
_KNOWN = ("suite", "stage", "role")
"""What a page says elsewhere of every run."""
_NAMES = {
    "set": "Stimulus set (hash)",
    "trials": "Trials (hash)",
    "prompts": "Prompts (hashes)",
    "answers": "Answers (hash)",
    "model_args": "Arguments of the model",
    "sampling": "Sampling",
    "settings": "Asked with",
    "top_p": "top-p",
    "top_k": "top-k",
}
"""Names of general settings that need more than spaces for underscores."""


@dataclass(frozen=True)
class SettingRow:
    """A row: the name, the value of each run with what it is in full, and whether the runs differ."""

    name: str
    values: tuple[tuple[str, str], ...]
    differs: bool


def settings_view(
    identities: Sequence[Mapping[str, Json]], names: Mapping[str, str] = _NO_NAMES
) -> list[tuple[str, list[SettingRow]]]:
    """Headings, each with its settings; what no run states is left out.

    `names` are the suite's names for people. Hashes are shown by their beginnings; the whole stands beside them.

    >>> [(heading, rows)] = settings_view([{"sampling": {"seed": 1, "top_p": None}}, {"sampling": {"seed": 2}}])
    >>> heading, rows[0].name, [shown for shown, _ in rows[0].values], rows[0].differs
    ('Sampling', 'Seed', ['1', '2'], True)
    """
    flat = [dict(_flat(identity, names)) for identity in identities]
    by_heading: dict[str, list[SettingRow]] = {}
    for key in dict.fromkeys(key for identity in flat for key in identity):
        values = tuple(_shown(identity.get(key)) for identity in flat)
        if any(text for text, _ in values):
            heading, name = key
            shown = tuple((text or "not stated", whole) for text, whole in values)
            by_heading.setdefault(heading, []).append(SettingRow(name, shown, len({whole for _, whole in shown}) > 1))
    return sorted(by_heading.items(), key=lambda each: each[0] != _FIRST)


def _flat(identity: Mapping[str, Json], names: Mapping[str, str]) -> Iterator[tuple[tuple[str, str], Json]]:
    """Each value under its heading and name; what is nested deeper has the names joined."""
    for key, value in identity.items():
        if key in _KNOWN:
            continue
        if not isinstance(value, Mapping):
            yield (_FIRST, _name(str(key), names)), value
            continue
        for path, inner in _inner(value, names):
            yield (_name(str(key), names), ", ".join(path)), inner


def _inner(value: Mapping[str, Json], names: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], Json]]:
    for key, inner in value.items():
        name = _name(str(key), names)
        if isinstance(inner, Mapping):
            yield from (((name, *path), last) for path, last in _inner(inner, names))
        else:
            yield (name,), inner


def _name(key: str, names: Mapping[str, str]) -> str:
    name = shown_name({**_NAMES, **names}, key)
    return name[:1].upper() + name[1:] if key.isidentifier() else name


def _shown(value: Json) -> tuple[str, str]:
    """A value as it is shown, and the whole of it; both empty where nothing is stated."""
    if value is None or value in ("", "unstated", [], {}):
        return "", ""
    if isinstance(value, bool):
        return ("yes", "yes") if value else ("no", "no")
    if isinstance(value, list | tuple):
        parts = [_shown(each) for each in value]
        return ", ".join(short for short, _ in parts), ", ".join(whole for _, whole in parts)
    text = canonical(value) if isinstance(value, Mapping) else str(value)
    digest = _HASH.fullmatch(text)
    return (f"{digest[1][:_SHOWN_OF_HASH]}…" if digest and len(digest[1]) > _SHOWN_OF_HASH else text), text


def shown_name(names: Mapping[str, str], name: str) -> str:
    """The suite's name for a factor, fact, setting or family; else its own, with spaces for underscores.

    >>> shown_name({"alpha": "α"}, "alpha"), shown_name({}, "length_ratio")
    ('α', 'length ratio')
    """
    return names.get(name, name.replace("_", " "))
