"""The scenes, one file each."""

from __future__ import annotations

from importlib import import_module

from veridical.suites.hocabench.physics.scene import PhysicsScene

_MODULES = (
    "bath campfire candle conveyor curling curtain dog dropped_ball mirror pouring pushed_blocks ramp road "
    "rolling_ball stove street_lamp tank tilting_board workbench"
)
"""The modules of the scenes, each with its record `SCENE`, whose name is the module's."""
SCENES: dict[str, PhysicsScene] = {name: import_module(f"{__name__}.{name}").SCENE for name in _MODULES.split()}
