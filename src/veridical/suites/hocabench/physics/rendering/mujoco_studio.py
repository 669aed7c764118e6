"""A stage in the physics engine's own renderer, which has masks, too."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.media.figures.render import Pixels
from veridical.suites.hocabench.physics.rendering.engine import engine
from veridical.suites.hocabench.physics.rendering.mjcf import WATER, stage_xml
from veridical.suites.hocabench.physics.rendering.stage import Lens, SceneStage
from veridical.suites.hocabench.physics.rendering.view import RenderedView
from veridical.suites.hocabench.physics.state import State

_HIDDEN = 5
"""The group of what is not drawn."""
_GOLDEN = 0.6180339887498949
_LAMP = 0.035
"""How large a lamp is, as a share of its distance: by it the edges of shadows are soft."""
_NEAR, _FAR = 0.03, 45.0


class MujocoStudio:
    """A stage that is set to one state after the other and filmed; to be closed."""

    def __init__(self, stage: SceneStage, view: RenderedView) -> None:
        mujoco = engine()
        document, assets = stage_xml(stage, passes=view.passes)
        self._stage, self._view = stage, view
        self._model = mujoco.MjModel.from_xml_string(document, assets)
        self._data = mujoco.MjData(self._model)
        self._sizes = self._model.geom_size.copy()
        self._renderer = mujoco.Renderer(self._model, view.height, view.width)
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = 1
        self._option.geomgroup[_HIDDEN] = 0

    def close(self) -> None:
        """Frees what the renderer holds."""
        self._renderer.close()

    def picture(self, state: State, lens: Lens) -> Pixels:
        """A state as the lens sees it, shape (height, width, 3), the mean of all passes.

        Each pass sees it a part of a pixel aside and in the light of another point of each lamp.
        """
        self._set(state)
        total = np.zeros((self._view.height, self._view.width, 3), np.uint32)
        for k in range(self._view.passes):
            aside = _jitter(k) if self._view.passes > 1 else (0.0, 0.0)
            self._look(lens, aside)
            if self._view.passes > 1:
                self._move_lamps(k)
            total += self._renderer.render()
        return np.asarray((total + self._view.passes // 2) // self._view.passes, np.uint8)

    def mask(self, state: State, lens: Lens, body: str, *, alone: bool = False) -> NDArray[np.bool_]:
        """Where a body is seen, shape (height, width): whole where it is `alone`, else without what hides it.

        What is behind glass or water is seen.
        """
        self._set(state)
        kept = self._model.geom_group.copy()
        own = self._geoms(body)
        clear = [k for k in range(self._model.ngeom) if self._model.mat_rgba[self._model.geom_matid[k], 3] < 1]
        hidden = [k for k in range(self._model.ngeom) if k not in own] if alone else [k for k in clear if k not in own]
        self._model.geom_group[hidden] = _HIDDEN
        self._look(lens, (0.0, 0.0))
        self._renderer.enable_segmentation_rendering()
        seen = self._renderer.render()
        self._renderer.disable_segmentation_rendering()
        self._model.geom_group[:] = kept
        kind = int(engine().mjtObj.mjOBJ_GEOM)
        return np.asarray(np.isin(seen[..., 0], own) & (seen[..., 1] == kind))

    def _geoms(self, body: str) -> list[int]:
        pieces = (body,) if body == WATER else self._stage.pieces(body)
        numbers = [self._model.body(piece).id for piece in pieces]
        return [number for number, own in enumerate(self._model.geom_bodyid) if int(own) in numbers]

    def _set(self, state: State) -> None:
        """Puts each body where the state has it, in its size there; what has no entry is not drawn."""
        for body in self._stage.moving:
            own, geoms = state.get(body.name), self._geoms(body.name)
            self._model.geom_group[geoms] = 0 if own else _HIDDEN
            if own is None:
                continue
            place = int(self._model.body(body.name).mocapid[0])
            self._data.mocap_pos[place] = [own[key] for key in "xyz"]
            self._data.mocap_quat[place] = [own[key] for key in ("qw", "qx", "qy", "qz")]
            self._model.geom_size[geoms] = self._sizes[geoms] * own["scale"]
        if (water := self._stage.water) is not None:
            half = (state[WATER]["level"] - water.bottom) / 2
            self._model.geom_size[self._geoms(WATER), 2] = half
            self._data.mocap_pos[int(self._model.body(WATER).mocapid[0]), 2] = water.bottom + half
        engine().mj_kinematics(self._model, self._data)
        engine().mj_camlight(self._model, self._data)

    def _look(self, lens: Lens, aside: tuple[float, float]) -> None:
        """Points the camera, moved aside by parts of a pixel."""
        self._renderer.update_scene(self._data, scene_option=self._option)
        for geom in self._renderer.scene.geoms[: self._renderer.scene.ngeom]:
            if geom.rgba[3] < 1:
                # Glass and water would cast the shadows of solids: what only decorates casts none.
                geom.category = int(engine().mjtCatBit.mjCAT_DECOR)
        forward = _unit([b - a for a, b in zip(lens.at, lens.aim, strict=True)])
        right = _unit([forward[1], -forward[0], 0.0])
        up = np.cross(right, forward)
        half = _NEAR * math.tan(math.radians(lens.angle) / 2)
        pixel = 2 * half / self._view.height
        for camera in self._renderer.scene.camera:
            camera.pos[:], camera.forward[:], camera.up[:] = lens.at, forward, up
            camera.frustum_near, camera.frustum_far = _NEAR, _FAR
            camera.frustum_center = aside[0] * pixel
            camera.frustum_width = 0.0
            camera.frustum_bottom, camera.frustum_top = -half + aside[1] * pixel, half + aside[1] * pixel

    def _move_lamps(self, k: int) -> None:
        """Lets the light come from another point of each lamp."""
        radius, angle = _LAMP * math.sqrt((k + 0.5) / self._view.passes), 2 * math.pi * k * _GOLDEN
        for number in range(self._renderer.scene.nlight):
            light = self._renderer.scene.lights[number]
            way = _unit(list(light.dir))
            aside = _unit(np.cross(way, [0.0, 1.0, 0.0]))
            other = np.cross(way, aside)
            light.dir[:] = _unit(way + radius * (math.cos(angle) * aside + math.sin(angle) * other))


def _unit(vector: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    array = np.asarray(vector, float)
    return array / float(np.linalg.norm(array))


def _jitter(k: int) -> tuple[float, float]:
    """By how much a pass is aside, in px: points spread evenly over a pixel."""
    return (0.5 + k * 0.7548776662466927) % 1 - 0.5, (0.5 + k * 0.5698402909980532) % 1 - 0.5
