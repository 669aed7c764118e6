"""A stage in Mitsuba: its bodies as meshes, which are moved from state to state, its lamps, and the camera."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw.colour import from_linear
from veridical.media.figures.render import Pixels
from veridical.suites.hocabench.physics.rendering.mitsuba.library import mitsuba_package
from veridical.suites.hocabench.physics.rendering.mitsuba.shapes import UnitMesh, half_sides, unit_mesh
from veridical.suites.hocabench.physics.rendering.mitsuba.surfaces import WATER_TOP, is_clear, surface
from veridical.suites.hocabench.physics.rendering.mjcf import WATER, WATER_LOOK
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Lamp, Lens, Material, SceneStage, Turn, Water
from veridical.suites.hocabench.physics.rendering.view import RenderedView
from veridical.suites.hocabench.physics.state import State

_LAMP = 0.07
"""How large a lamp is, as a share of its distance: by it shadows are soft."""
_DISTANCE = 8.0
"""How far lamps are from the middle of the stage, in m."""
_AMBIENT = 0.16
"""How bright the surroundings are: pictures are about as light as MuJoCo's."""
_DEPTH = 12
"""After how many surfaces light is no longer followed."""
_GAP = 0.0005
"""How far water stays from the glass around it, in m, so that their surfaces are apart."""
_AWAY = np.array([0.0, 0.0, -50.0])
"""Where what is gone is put: below the table, where nothing shows it."""
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PartMesh:
    """A part of a body, or water, and the mesh that it is drawn as."""

    name: str
    body: str
    part: BodyPart
    mesh: UnitMesh

    def placed(self, at: Matrix, turn: Matrix, scale: float) -> tuple[Matrix, Matrix]:
        """Its vertices (n, 3) and normals (n, 3) where its body is at such a place, turned and as many times as large.

        As in MuJoCo, a body that grows has larger parts at the same places.
        """
        own = _rotation(self.part.turn)
        half = half_sides(self.part) * scale
        vertices = (self.mesh.vertices * half) @ own.T + self.part.at
        normals = self.mesh.normals / half
        normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
        return vertices @ turn.T + at, normals @ (turn @ own).T


class MitsubaStudio:
    """A stage that is set to one state after the other and filmed; `scene` is that of Mitsuba."""

    def __init__(self, stage: SceneStage, view: RenderedView) -> None:
        mitsuba = mitsuba_package()
        self._stage, self._view = stage, view
        self._parts = tuple(_drawn_parts(stage))
        self.scene = mitsuba.load_dict(_description(stage, view, self._parts), parallel=False)
        self._parameters = mitsuba.traverse(self.scene)
        self._guide = mitsuba.load_dict({"type": "aov", "aovs": "albedo:albedo,normal:sh_normal"})

    def close(self) -> None:
        """Nothing is held beyond the memory."""

    def picture(self, state: State, lens: Lens) -> Pixels:
        """A state as the lens sees it, shape (height, width, 3).

        `passes` paths a pixel are followed, the same in each picture, so that what stands still does not flicker; what
        noise they leave is removed by a network that knows colors and directions of surfaces, too.
        """
        import mitsuba_oidn

        solids = [drawn for drawn in self._parts if not is_clear(drawn.part.material)]
        self.set(state, lens, solids)
        albedo, normal = self._traced(self._guide)
        if len(solids) < len(self._parts):
            self.set(state, lens)
        (color,) = self._traced(self.scene.integrator())
        clean = mitsuba_oidn.denoise(color, albedo, normal, hdr=True)
        return np.asarray(from_linear(np.clip(clean, 0.0, 1.0)).round(), np.uint8)

    def _traced(self, integrator: Any) -> list[NDArray[np.float32]]:  # noqa: ANN401
        """What an integrator makes of the scene: pictures of three channels each."""
        traced = mitsuba_package().render(self.scene, integrator=integrator, spp=self._view.passes, seed=0)
        channels = np.moveaxis(np.asarray(traced, np.float32), -1, 0)
        return [np.ascontiguousarray(np.moveaxis(each, 0, -1)) for each in np.split(channels, len(channels) // 3)]

    def set(self, state: State, lens: Lens, shown: Collection[PartMesh] | None = None) -> None:
        """Puts each body where the state has it, in its size there, and the camera where the lens is.

        Of the parts only those that are `shown` are there (default: all).
        """
        for drawn in self._parts:
            vertices, normals = self._placed(drawn, state if shown is None or drawn in shown else {})
            self._parameters[f"{drawn.name}.vertex_positions"] = vertices.ravel()
            self._parameters[f"{drawn.name}.vertex_normals"] = normals.ravel()
        self._parameters["sensor.to_world"] = _seen_from(lens)
        self._parameters.update()

    def _placed(self, drawn: PartMesh, state: State) -> tuple[Matrix, Matrix]:
        """The vertices and normals of a part in a state; far away if it is not there."""
        if drawn.body == WATER and state:
            assert self._stage.water is not None
            parts = _water_parts(self._stage.water, state[WATER]["level"])
            return replace(drawn, part=parts[drawn.name]).placed(np.zeros(3), np.eye(3), 1.0)
        if state and drawn.body != WATER and (body := self._stage.body(drawn.body)).fixed:
            return drawn.placed(np.array(body.at), _rotation(body.turn), 1.0)
        if (own := state.get(drawn.body)) is None:
            return drawn.placed(_AWAY, np.eye(3), 1.0)
        turn = _rotation((own["qw"], own["qx"], own["qy"], own["qz"]))
        return drawn.placed(np.array([own[key] for key in "xyz"]), turn, own["scale"])


def _drawn_parts(stage: SceneStage) -> Iterator[PartMesh]:
    for body in stage.bodies:
        for k, part in enumerate(body.parts):
            yield PartMesh(f"{body.name}_{k}", body.name, part, unit_mesh(part))
    if stage.water is not None:
        for name, part in _water_parts(stage.water, stage.water.level).items():
            yield PartMesh(name, WATER, part, unit_mesh(part))


def _water_parts(water: Water, level: float) -> dict[str, BodyPart]:
    """Water up to a level, and its surface."""
    (x0, y0), (x1, y1), bottom = water.low, water.high, water.bottom + _GAP
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    half = ((x1 - x0) / 2 - _GAP, (y1 - y0) / 2 - _GAP, (level - bottom) / 2)
    top = BodyPart("box", (*half[:2], _GAP), WATER_TOP, (x, y, level + _GAP))
    return {"water_block": BodyPart("box", half, WATER_LOOK, (x, y, bottom + half[2])), "water_top": top}


def _description(stage: SceneStage, view: RenderedView, parts: Sequence[PartMesh]) -> dict[str, Any]:
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "volpath", "max_depth": _DEPTH, "rr_depth": _DEPTH},
        "surroundings": {"type": "constant", "radiance": _AMBIENT},
        "sensor": {
            "type": "perspective",
            "fov": stage.lens.angle,
            "fov_axis": "y",
            "near_clip": 0.03,
            "far_clip": 45.0,
            "to_world": _seen_from(stage.lens),
            "sampler": {"type": "multijitter", "sample_count": view.passes},
            "film": {
                "type": "hdrfilm",
                "width": view.width,
                "height": view.height,
                "rfilter": {"type": "box"},
                "pixel_format": "rgb",
                "component_format": "float32",
            },
        },
    }
    scene |= {f"lamp{k}": _lamp(lamp, stage.lens.aim) for k, lamp in enumerate(stage.lights)}
    mitsuba, surfaces = mitsuba_package(), dict[Material, Any]()
    for drawn in parts:
        material = drawn.part.material
        if material not in surfaces:
            surfaces[material] = mitsuba.load_dict(surface(material, stage.seed), parallel=False)
        scene[drawn.name] = _mesh(drawn, surfaces[material])
    return scene


def _mesh(drawn: PartMesh, look: Any) -> Any:  # noqa: ANN401
    """A part as Mitsuba's own mesh, in unit size."""
    mitsuba, mesh = mitsuba_package(), drawn.mesh
    properties = mitsuba.Properties()
    properties["bsdf"] = look
    made = mitsuba.Mesh(
        drawn.name,
        len(mesh.vertices),
        len(mesh.faces),
        props=properties,
        has_vertex_normals=True,
        has_vertex_texcoords=True,
    )
    parameters = mitsuba.traverse(made)
    parameters["vertex_positions"], parameters["vertex_normals"] = mesh.vertices.ravel(), mesh.normals.ravel()
    parameters["vertex_texcoords"], parameters["faces"] = mesh.grains.ravel(), mesh.faces.ravel()
    parameters.update()
    return made


def _lamp(lamp: Lamp, aim: Sequence[float]) -> dict[str, Any]:
    """A ball of light, as bright in the middle of the stage as the lamp says."""
    way = np.array(lamp.source) / np.linalg.norm(lamp.source)
    return {
        "type": "sphere",
        "center": [float(each) for each in np.array(aim) + _DISTANCE * way],
        "radius": _LAMP * _DISTANCE,
        "emitter": {"type": "area", "radiance": lamp.brightness / _LAMP**2},
    }


def _seen_from(lens: Lens) -> Any:  # noqa: ANN401
    return mitsuba_package().ScalarTransform4f().look_at(origin=lens.at, target=lens.aim, up=(0, 0, 1))


def _rotation(turn: Turn) -> Matrix:
    """A rotation as a matrix, from its quaternion."""
    w, x, y, z = np.array(turn) / math.hypot(*turn)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
