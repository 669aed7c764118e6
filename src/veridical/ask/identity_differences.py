"""In what two identities differ: what a run was asked with, and what it is to go on with."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.ask.policy import UNSTATED
from veridical.records import Json, canonical

OLD_ADDRESS = "endpoint"
"""The key under which identities once had the address of a server, which is no part of them."""


def differences(
    stored: Mapping[str, Json], requested: Mapping[str, Json], words: tuple[str, str] = ("stored", "requested")
) -> list[str]:
    """Each key in which two identities differ, with both values, in these words; inner keys are joined by dots.

    The address of a server in an identity of an earlier release does not count. A setting that is left open
    (`"unstated"`) equals one that is missing or null in the other identity, because a later release may add settings.

    >>> differences({"model": "a", "sampling": {"temperature": 0}}, {"model": "a", "sampling": {"temperature": 1}})
    ['sampling.temperature: 0 stored, 1 requested']
    """
    before, after = ({k: v for k, v in _flat(each).items() if k != OLD_ADDRESS} for each in (stored, requested))
    return [
        f"{key}: {_short(before, key)} {words[0]}, {_short(after, key)} {words[1]}"
        for key in sorted({*before, *after})
        if not _same(before, after, key)
    ]


def _same(before: Mapping[str, Json], after: Mapping[str, Json], key: str) -> bool:
    values = (before.get(key), after.get(key))
    if UNSTATED in values:
        return all(value in (UNSTATED, None) for value in values)
    return key in before and key in after and canonical(before[key]) == canonical(after[key])


def _flat(value: Mapping[str, Json], prefix: str = "") -> dict[str, Json]:
    flat: dict[str, Json] = {}
    for key, inner in value.items():
        flat |= _flat(inner, f"{prefix}{key}.") if isinstance(inner, Mapping) and inner else {f"{prefix}{key}": inner}
    return flat


def _short(values: Mapping[str, Json], key: str) -> str:
    text = canonical(values[key]) if key in values else "nothing"
    return text if len(text) <= 60 else f"{text[:57]}..."
