"""What makes a run the run that it is: the comparison of two identities."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.ask.policy import UNSTATED
from veridical.records import Json, canonical


def differences(there: Mapping[str, Json], asked: Mapping[str, Json]) -> list[str]:
    """Each key in which two identities differ, with both values; inner keys are joined by dots.

    A setting that one leaves open (`"unstated"`) is no different from one that the other does not know of or has as
    null: a later release may know more settings.

    >>> differences({"model": "a", "sampling": {"temperature": 0}}, {"model": "a", "sampling": {"temperature": 1}})
    ['sampling.temperature: 0 there, 1 asked for']
    """
    before, after = _flat(there), _flat(asked)
    return [
        f"{key}: {_short(before, key)} there, {_short(after, key)} asked for"
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
