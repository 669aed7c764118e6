"""Classic illusions as controlled stimuli: a registry with one record per case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from veridical.errors import unknown
from veridical.suites.viprobe.illusions import (
    alignment,
    area,
    assimilation,
    combs,
    contrast,
    curvature,
    edges,
    ehrenstein,
    extent,
    irradiation,
    ladders,
    length,
    mach,
    perspective,
    pills,
    poles,
    texture,
    tilt,
)
from veridical.suites.viprobe.illusions.case import Case

_FILES = (
    *(length, perspective, area, extent, irradiation, pills),
    *(contrast, assimilation, mach, texture, edges, combs),
    *(curvature, tilt, poles, alignment, ehrenstein, ladders),
)
CASES: dict[str, Case] = {
    case.name: case for case in sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
}
GROUPS: Mapping[str, Callable[[Case], bool]] = {
    "all": lambda _: True,
    "classic": lambda case: not case.novel,
    "novel": lambda case: case.novel,
    "size": lambda case: not case.novel and case.category == "size",
    "color": lambda case: not case.novel and case.category == "color",
    "orientation": lambda case: not case.novel and case.category == "orientation",
}
"""Names that stand for several cases at once."""


def get(name: str) -> Case:
    """The case of that name; raises `InputError` with the nearest name where there is none."""
    if name not in CASES:
        raise unknown("case", name, CASES)
    return CASES[name]


def selection(names: Sequence[str] | None) -> list[Case]:
    """The cases and groups of cases named, in the registry's order; `None` is all classic ones."""
    accepted = [*CASES, *GROUPS]
    wanted = names or ("classic",)
    for name in wanted:
        if name not in accepted:
            raise unknown("case", name, accepted)
    return [
        case for case in CASES.values() if case.name in wanted or any(GROUPS[n](case) for n in wanted if n in GROUPS)
    ]


__all__ = ["CASES", "GROUPS", "Case", "chosen", "get"]
