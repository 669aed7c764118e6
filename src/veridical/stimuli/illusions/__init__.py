"""Classic illusions as controlled stimuli: a registry with one record per case."""

from __future__ import annotations

from veridical.errors import unknown
from veridical.stimuli.illusions import contrast, length, tilt
from veridical.stimuli.illusions.case import Case

CASES: dict[str, Case] = {
    case.name: case for case in sorted(length.CASES + contrast.CASES + tilt.CASES, key=lambda case: case.number)
}


def get(name: str) -> Case:
    """The case of that name; raises `InputError` with the nearest name where there is none."""
    if name not in CASES:
        raise unknown("case", name, CASES)
    return CASES[name]


__all__ = ["CASES", "Case", "get"]
