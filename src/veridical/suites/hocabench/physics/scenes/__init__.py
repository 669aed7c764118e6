"""The scenes, one file each."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from veridical.errors import InputError, unknown
from veridical.suites.hocabench.physics.scene import PhysicsScene
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES

_MODULES = (
    "bath campfire candle conveyor curling curtain dog dropped_ball mirror pouring pushed_blocks ramp road "
    "rolling_ball stove street_lamp tank tilting_board workbench"
)
"""The modules of the scenes, each with its record `SCENE`, whose name is the module's."""
SCENES: dict[str, PhysicsScene] = {name: import_module(f"{__name__}.{name}").SCENE for name in _MODULES.split()}


def hosts(sub_type: str, names: Sequence[str] | None = None) -> list[str]:
    """The names of the scenes that host an event of this sub-type, all or those among `names`."""
    return [
        scene.name
        for scene in SCENES.values()
        if (not names or scene.name in names) and any(event.sub_type == sub_type for event in scene.events)
    ]


def hosted_sub_types(sub_types: Sequence[str] | None, scenes: Sequence[str] | None) -> list[str]:
    """The sub-types with these names or of these domains that the scenes host, in the order of the taxonomy.

    Raises `InputError` for an unknown name, and where no scene is left.
    """
    for name in scenes or ():
        if name not in SCENES:
            raise unknown("scene", name, SCENES)
    for name in sub_types or ():
        if name not in SUB_TYPES and name not in DOMAINS:
            raise unknown("sub-type", name, [*DOMAINS, *SUB_TYPES])
    kept = [
        each.name
        for each in SUB_TYPES.values()
        if (not sub_types or each.name in sub_types or each.domain in sub_types) and hosts(each.name, scenes)
    ]
    if not kept:
        raise InputError("none of these scenes hosts these sub-types")
    return kept
