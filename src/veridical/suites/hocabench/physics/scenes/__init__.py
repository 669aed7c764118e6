"""The scenes, one file each."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.errors import InputError, unknown
from veridical.suites.hocabench.physics.scene import Scene
from veridical.suites.hocabench.physics.scenes.bath import BATH
from veridical.suites.hocabench.physics.scenes.campfire import CAMPFIRE
from veridical.suites.hocabench.physics.scenes.candle import CANDLE
from veridical.suites.hocabench.physics.scenes.conveyor import CONVEYOR
from veridical.suites.hocabench.physics.scenes.curling import CURLING
from veridical.suites.hocabench.physics.scenes.curtain import CURTAIN
from veridical.suites.hocabench.physics.scenes.dog import DOG
from veridical.suites.hocabench.physics.scenes.dropped_ball import DROPPED_BALL
from veridical.suites.hocabench.physics.scenes.mirror import MIRROR
from veridical.suites.hocabench.physics.scenes.pouring import POURING
from veridical.suites.hocabench.physics.scenes.pushed_blocks import PUSHED_BLOCKS
from veridical.suites.hocabench.physics.scenes.ramp import RAMP
from veridical.suites.hocabench.physics.scenes.road import ROAD
from veridical.suites.hocabench.physics.scenes.rolling_ball import ROLLING_BALL
from veridical.suites.hocabench.physics.scenes.stove import STOVE
from veridical.suites.hocabench.physics.scenes.street_lamp import STREET_LAMP
from veridical.suites.hocabench.physics.scenes.tank import TANK
from veridical.suites.hocabench.physics.scenes.tilting_board import TILTING_BOARD
from veridical.suites.hocabench.physics.scenes.workbench import WORKBENCH
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES

_ALL = (
    BATH,
    CAMPFIRE,
    CANDLE,
    CONVEYOR,
    CURLING,
    CURTAIN,
    DOG,
    DROPPED_BALL,
    MIRROR,
    POURING,
    PUSHED_BLOCKS,
    RAMP,
    ROAD,
    ROLLING_BALL,
    STOVE,
    STREET_LAMP,
    TANK,
    TILTING_BOARD,
    WORKBENCH,
)
SCENES: dict[str, Scene] = {scene.name: scene for scene in _ALL}


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
