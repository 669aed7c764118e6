"""Runs of a stage: the state log of a course, from the engine's own positions, speeds and forces of contact."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.play import Begins, Play, at_moment
from veridical.suites.hocabench.physics.rendering.engine import engine
from veridical.suites.hocabench.physics.rendering.mjcf import STEP, stage_xml
from veridical.suites.hocabench.physics.rendering.stage import SceneStage, SolidBody
from veridical.suites.hocabench.physics.rendering.water import buoyant_force, level_of
from veridical.suites.hocabench.physics.state import Base, Course, Quantities, States

GRAVITY = 9.81
_APART = 0.03
"""For how long bodies are apart that come to touch anew, in seconds."""
SYSTEM = "system"
"""The entry of a state that has the energy of all bodies, and what forces from outside added to it, in J."""
_SIZES = {"geom_size": "geoms", "geom_rbound": "geoms", "geom_aabb": "geoms", "bvh_aabb": "boxes"}
"""The engine's numbers that are as large as a body: those of its parts, and of the boxes around it."""
Vector = NDArray[np.float64]
BuildStage = Callable[[Base], SceneStage]
Breach = Callable[["StageRun", Base, float], None]
"""What a course does otherwise: it is called before each step from the event on, with the seconds since then."""


class Course3D(NamedTuple):
    """The state log of a run, and when two bodies came to touch, in seconds."""

    states: States
    touches: dict[frozenset[str], list[float]]


@dataclass(eq=False)
class StageRun:
    """A run that goes on: the engine's model and data, and what a breach changes.

    `forces` are added to a body (N) until they are taken away, and nothing explains them; `held` is the same of forces
    whose cause is seen, `grasped` how bodies moved when it took hold of them (m/s). `scales` are sizes beside those at
    first, `absent` what is not there, `lift` the share of its buoyancy that a body has.
    """

    stage: SceneStage
    model: Any
    data: Any
    forces: dict[str, Vector] = field(default_factory=dict)
    held: dict[str, Vector] = field(default_factory=dict)
    grasped: dict[str, Vector] = field(default_factory=dict)
    scales: dict[str, float] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    lift: dict[str, float] = field(default_factory=dict)
    work: float = 0.0
    touches: dict[frozenset[str], list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bodies = {body.name: self.model.body(body.name).id for body in self.stage.bodies}
        self.names = {number: name for name, number in self.bodies.items()}
        self._sizes = {name: getattr(self.model, name).copy() for name in _SIZES}
        self.free = {
            body.name: int(self.model.body_dofadr[self.bodies[body.name]]) for body in self.stage.moving if body.free
        }
        self.absent |= {body.name for body in self.stage.moving if body.driven}
        self._last: dict[frozenset[str], float] = {}
        self._impulses = {name: np.zeros(3) for name in self.free}
        self._normal, self._tangent = (dict.fromkeys(self.free, 0.0) for _ in range(2))
        self._speeds = {name: self.speed(name) for name in self.free}

    def geoms(self, name: str) -> list[int]:
        """The numbers of the parts of a body, or of all pieces of a rod."""
        numbers = [self.bodies[piece] for piece in self.stage.pieces(name)]
        return [number for number, body in enumerate(self.model.geom_bodyid) if int(body) in numbers]

    def speed(self, name: str) -> Vector:
        """How a free body moves, in m/s."""
        return np.array(self.data.qvel[self.free[name] : self.free[name] + 3])

    def mass(self, name: str) -> float:
        """The mass of a body, in kg."""
        return float(self.model.body_mass[self.bodies[name]])

    def push(self, name: str, change: Vector) -> None:
        """Changes how a body moves at once, by so many m/s; the energy that this takes or gives is work."""
        start, before = self.free[name], self.speed(name)
        self.data.qvel[start : start + 3] = before + change
        self.work += 0.5 * self.mass(name) * float((before + change) @ (before + change) - before @ before)

    def resize(self, name: str, scale: float) -> None:
        """Makes a body so many times as large as it was at first, as heavy as it is, with its bounds for contacts."""
        body = self.bodies[name]
        first = int(self.model.body_bvhadr[body])
        boxes = range(first, first + int(self.model.body_bvhnum[body]))
        for own, rows in _SIZES.items():
            which = boxes if rows == "boxes" else self.geoms(name)
            getattr(self.model, own)[which] = self._sizes[own][which] * scale
        self.scales[name] = scale

    def lead(self, name: str, place: Vector) -> None:
        """Puts a driven body where it is led; from then on it is there."""
        self.absent.discard(name)
        self.data.mocap_pos[int(self.model.body_mocapid[self.bodies[name]])] = place

    def step(self) -> None:
        """One step, with the forces that are added, and those of water."""
        mujoco = engine()
        self.data.xfrc_applied[:] = 0
        known = {}
        for name in self.free:
            held = self.held.get(name, np.zeros(3))
            known[name] = self.water_force(name) * self.lift.get(name, 1.0) + held
            added = self.forces.get(name, np.zeros(3))
            self.data.xfrc_applied[self.bodies[name], :3] = known[name] + added
        before = {name: self.speed(name) for name in self.free}
        mujoco.mj_step(self.model, self.data)
        for name, start in self.free.items():
            middle = (self.speed(name) + before[name]) / 2
            weight = np.array([0.0, 0.0, -GRAVITY * self.mass(name)])
            due = known[name] if self.lift.get(name, 1.0) == 1.0 else self.water_force(name)
            self._impulses[name] += STEP * (self.data.qfrc_constraint[start : start + 3] + weight + due)
            self.work += STEP * float((known[name] + self.forces.get(name, np.zeros(3))) @ middle)
        self._touch(mujoco)

    def water_force(self, name: str) -> Vector:
        """What the water does to a body, in N, as if its mass were that of its first size.

        A body that swells or shrinks keeps to what its material does: wood floats, stone sinks. Otherwise its size
        would not be all that is odd.
        """
        water = self.stage.water
        if water is None or name in self.absent:
            return np.zeros(3)
        scale = self.scales.get(name, 1.0)
        body, place, speed = self.stage.body(name), self.place(name), self.speed(name)
        return buoyant_force(water, body, scale, place, speed, self.level()) / scale**3

    def place(self, name: str) -> Vector:
        """Where a body is."""
        return np.array(self.data.xpos[self.bodies[name]])

    def level(self) -> float:
        """How high the water stands, with what the bodies displace."""
        water = self.stage.water
        assert water is not None
        here = [body for body in self.stage.moving if body.name not in self.absent]
        inside = [(body, self.scales.get(body.name, 1.0), self.place(body.name)) for body in here]
        return level_of(water, inside)

    def _touch(self, mujoco: Any) -> None:  # noqa: ANN401
        """Adds up the impulses of contacts across and along them, and notes when bodies come to touch."""
        force = np.zeros(6)
        for index in range(self.data.ncon):
            contact = self.data.contact[index]
            pair = [self.names.get(int(self.model.geom_bodyid[each]), "") for each in contact.geom]
            self._note(frozenset(pair))
            mujoco.mj_contactForce(self.model, self.data, index, force)
            for name in pair:
                if name in self.free:
                    self._normal[name] += STEP * float(force[0])
                    self._tangent[name] += STEP * math.hypot(force[1], force[2])

    def _note(self, pair: frozenset[str]) -> None:
        now = float(self.data.time)
        if now - self._last.get(pair, -1.0) > _APART:
            self.touches.setdefault(pair, []).append(now)
        self._last[pair] = now

    def state(self) -> Quantities:
        """The state now: where each body is and how it is turned, how fast it is, and what its motion adds up to.

        `unexplained` is the change of its speed since the last frame that no weight, contact, water or cause that is
        seen explains, in m/s; `normal` and `tangent` are the impulses of its contacts since then, in N s; `overlap` is
        how deep it is in other solids, in m.
        """
        mujoco = engine()
        mujoco.mj_fwdPosition(self.model, self.data)
        mujoco.mj_energyPos(self.model, self.data)
        mujoco.mj_energyVel(self.model, self.data)
        state: Quantities = {SYSTEM: {"energy": float(self.data.energy.sum()), "work": self.work}}
        for body in self.stage.moving:
            name, number = body.name, self.bodies[body.name]
            if name in self.absent:
                continue
            places = zip("xyz", self.data.xpos[number], strict=True)
            turns = zip(("qw", "qx", "qy", "qz"), self.data.xquat[number], strict=True)
            own = {key: float(each) for key, each in (*places, *turns)}
            own |= {"scale": self.scales.get(name, 1.0)}
            if body.hinge is not None:
                own["bend"] = float(self.data.qpos[self.model.jnt_qposadr[self.model.joint(name).id]])
            if name in self.free:
                own |= self._motion(name)
            state[name] = own
        if self.stage.water is not None:
            state["water"] = {"level": self.level()}
        return state

    def _motion(self, name: str) -> dict[str, float]:
        speed = self.speed(name)
        mass = self.mass(name)
        change = speed - self._speeds[name] - self._impulses[name] / mass
        own = dict(zip(("vx", "vy", "vz"), map(float, speed), strict=True))
        own |= {"unexplained": float(np.linalg.norm(change)), "overlap": self._overlap(name)}
        own |= {"normal": self._normal[name], "tangent": self._tangent[name]}
        self._impulses[name], self._speeds[name] = np.zeros(3), speed
        self._normal[name] = self._tangent[name] = 0.0
        return own

    def _overlap(self, name: str) -> float:
        """How deep a body is in any other solid, by the distance of their surfaces."""
        mujoco = engine()
        deepest, line = 0.0, np.zeros(6)
        solid = self.model.geom_contype.astype(bool)
        for own in self.geoms(name):
            for other in range(self.model.ngeom):
                there = self.names.get(int(self.model.geom_bodyid[other]), "")
                if there != name and there not in self.absent and solid[other] and solid[own]:
                    apart = mujoco.mj_geomDistance(self.model, self.data, own, other, 0.01, line)
                    deepest = max(deepest, -float(apart))
        return deepest


@lru_cache(maxsize=12)
def run(build: BuildStage, base: Base, clock: Clock, begin: int | None, breach: Breach | None) -> Course3D:
    """A run of a stage, one state a frame; from the event in frame `begin` on with a breach, if there is one.

    Raises `InputError` for a run that is unstable.
    """
    mujoco, stage = engine(), build(base)
    document, _ = stage_xml(stage)
    model = mujoco.MjModel.from_xml_string(document)
    data = mujoco.MjData(model)
    for body in stage.moving:
        if body.free:
            start = int(model.body_dofadr[model.body(body.name).id])
            data.qvel[start : start + 6] = (*body.velocity, *_in_own_axes(body))
    mujoco.mj_forward(model, data)
    simulation = StageRun(stage, model, data)
    states = [simulation.state()]
    steps = [round(clock.time(frame) / STEP) for frame in range(clock.frames)]
    for frame in range(1, clock.frames):
        for step in range(steps[frame - 1], steps[frame]):
            if breach is not None and begin is not None and frame >= begin:
                breach(simulation, base, (step - steps[begin - 1]) * STEP)
            simulation.step()
        _require_stable(data, clock.time(frame))
        states.append(simulation.state())
    return Course3D(tuple(states), simulation.touches)


def _in_own_axes(body: SolidBody) -> Vector:
    """The spin of a body about its own axes, as the engine has it."""
    w, x, y, z = body.turn
    spin = np.zeros(3)
    engine().mju_rotVecQuat(spin, np.array(body.spin), np.array([w, -x, -y, -z]))
    return spin


def _require_stable(data: Any, time: float) -> None:  # noqa: ANN401
    if any(int(warning.number) for warning in data.warning) or not np.isfinite(data.qpos).all():
        raise InputError(f"the simulation is unstable at {time:.2f} s; nothing is written, another seed may do")


def simulated_play(build: BuildStage, breach: Breach, begins: Begins = at_moment, cause: Breach | None = None) -> Play:
    """The play of an event: one simulation, from the frame in which the event begins with a breach, or without one.

    In the explained course, if there is one, a `cause` that is seen acts in place of the breach.
    """

    def states(base: Base, clock: Clock, course: Course) -> States:
        if course == "plausible":
            return run(build, base, clock, None, None).states
        otherwise = cause if course == "explained" else breach
        return run(build, base, clock, begins(base, clock), otherwise).states

    return Play(begins, states)


def touch_begins(build: BuildStage, one: str, other: str, count: int = 1) -> Begins:
    """Gives the frame in which two bodies come to touch for the first time, or the second, without a breach.

    The frame before it is shown two steps before they touch at the latest: a breach that begins then is in time.
    """

    def begins(base: Base, clock: Clock) -> int:
        touches = run(build, base, clock, None, None).touches
        times = sorted(time for piece in build(base).pieces(other) for time in touches.get(frozenset((one, piece)), []))
        if len(times) < count:
            raise InputError(f"the {one} and the {other} do not touch so often; another seed may do")
        return max(1, clock.frame(times[count - 1] - 2 * STEP))

    return begins
