"""The physics engine, with the back end that it draws with."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

from veridical.base.requirements import PACKAGE
from veridical.suites.hocabench.physics.rendering.libraries import DrawingLibrary

_PROBE = """
import mujoco
from OpenGL.GL import GL_VERSION, glGetString
model = mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
data = mujoco.MjData(model)
with mujoco.Renderer(model, 8, 8) as renderer:
    mujoco.mj_forward(model, data)
    renderer.update_scene(data)
    renderer.render()
    print("drawn by", glGetString(GL_VERSION).decode(), flush=True)
"""
_LINUX = sys.platform == "linux"
GL = DrawingLibrary(
    kind="a GL library",
    packages=("mujoco",),
    variable="MUJOCO_GL",
    candidates=lambda: ("osmesa", "egl") if _LINUX else ("glfw",),
    probe=_PROBE,
    missing="neither OSMesa nor EGL works",
    cure="apt-get install libosmesa6" if _LINUX else f'pip install --upgrade "{PACKAGE}[rendered]"',
)
"""What MuJoCo draws with: `GL.require` names the back end, such as "osmesa"."""


@lru_cache(maxsize=1)
def engine() -> Any:  # noqa: ANN401 (the package has no types)
    """The package mujoco, loaded with the back end that works; its warnings go nowhere, a simulation counts its own."""
    GL.require()
    import mujoco

    mujoco.set_mju_user_warning(lambda _: None)
    return mujoco
