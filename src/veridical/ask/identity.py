"""Comparison of two run identities."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.ask.policy import UNSTATED
from veridical.records import Json, canonical


def differences(stored: Mapping[str, Json], requested: Mapping[str, Json]) -> list[str]:
    """Each key in which two identities differ, with both values; inner keys are joined by dots.

    A setting that is left open (`"unstated"`) equals one that is missing or null in the other identity, because a later
    release may add settings.

    >>> differences({"model": "a", "sampling": {"temperature": 0}}, {"model": "a", "sampling": {"temperature": 1}})
    ['sampling.temperature: 0 stored, 1 requested']
    """
    before, after = _flat(stored), _flat(requested)
    return [
        f"{key}: {_short(before, key)} stored, {_short(after, key)} requested"
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
