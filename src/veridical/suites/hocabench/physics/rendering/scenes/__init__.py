"""The scenes in three dimensions, one file each."""

from __future__ import annotations

from importlib import import_module

from veridical.suites.hocabench.physics.rendering.scene import RenderedScene

_MODULES = (
    "ball_and_block ball_and_post ball_on_shelf crate_on_board falling_ball floating_block sinking_ball sliding_crate"
)
"""The modules of the scenes, each with its record `SCENE`, whose name is the module's."""
RENDERED_SCENES: dict[str, RenderedScene] = {
    name: import_module(f"{__name__}.{name}").SCENE for name in _MODULES.split()
}
