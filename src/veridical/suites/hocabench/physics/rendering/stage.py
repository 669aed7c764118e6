"""What stands on a stage: bodies with their materials, lights, a camera; in meters, x right, y away, z up."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import Literal

from veridical.media.draw.scene import Colour
from veridical.media.figures.clock import Clock
from veridical.media.figures.style import Camera

Vector = tuple[float, float, float]
Turn = tuple[float, float, float, float]
"""A rotation as a quaternion: w, x, y, z."""
Grain = Literal["wood", "cloth", "tiles", "metal", "stone", "plaster", "rubber", "band", "bricks", "plain"]
_DRIFT = 0.05
"""How far a drifting camera moves at most, as a share of its distance."""


@dataclass(frozen=True, slots=True)
class Material:
    """How a surface looks: its grain, color, gloss (0 to 1) and opacity (0 to 1), and how often its grain repeats."""

    grain: Grain
    color: Colour
    gloss: float = 0.2
    opacity: float = 1.0
    repeat: tuple[float, float] = (1.0, 1.0)
    flat: bool = False
    """Whether the grain lies on the top and goes straight through, as that of boards, and is not put on each side."""


@dataclass(frozen=True, slots=True)
class BodyPart:
    """A piece of a body: a ball (radius), a box (half its sides) or a cylinder (radius, half its height), m."""

    shape: Literal["sphere", "box", "cylinder"]
    size: tuple[float, ...]
    material: Material
    at: Vector = (0.0, 0.0, 0.0)
    turn: Turn = (1.0, 0.0, 0.0, 0.0)
    solid: bool = True
    """Whether other bodies touch it."""


@dataclass(frozen=True, slots=True)
class Hinge:
    """By what a body is joined to another one: an axis through its own origin, locked as it is in a rigid rod.

    `damping` is how hard the joint turns where it is not locked, in N m s per rad.
    """

    parent: str
    axis: Vector
    damping: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SolidBody:
    """A body: its parts, where it is at first and how it moves, its density (kg/m³) and its contacts.

    `velocity` is in m/s, `spin` in rad/s about the axes of the room, whatever its turn.
    `friction` is the coefficient of sliding, that of a moving body on a fixed one. `bounce` is the share of speed that
    a blow leaves. A `fixed` body never moves. A `driven` one goes where a cause leads it, and is not there before.
    `at` is relative to the parent of a body with a hinge.
    """

    name: str
    parts: tuple[BodyPart, ...]
    at: Vector = (0.0, 0.0, 0.0)
    turn: Turn = (1.0, 0.0, 0.0, 0.0)
    velocity: Vector = (0.0, 0.0, 0.0)
    spin: Vector = (0.0, 0.0, 0.0)
    density: float = 700.0
    friction: float = 0.5
    bounce: float = 0.3
    fixed: bool = False
    driven: bool = False
    hinge: Hinge | None = None

    @property
    def free(self) -> bool:
        """Whether it moves by forces alone, in every direction."""
        return not self.fixed and not self.driven and self.hinge is None


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp far away: from where its light comes, and how bright it is (0 to 1); the first one casts shadows."""

    source: Vector
    brightness: float


@dataclass(frozen=True, slots=True)
class Lens:
    """Where the camera is, what it looks at, and how wide it sees from top to bottom, in degrees."""

    at: Vector
    aim: Vector
    angle: float

    @property
    def top(self) -> float:
        """How high things in the middle of the table (y = 0) are seen, in m."""
        away = self.aim[1] - self.at[1]
        up = math.radians(self.angle) / 2 - math.atan2(self.at[2] - self.aim[2], away)
        return self.at[2] - self.at[1] * math.tan(up)

    def moved(self, camera: Camera, clock: Clock, frame: int) -> Lens:
        """The lens in a frame of a clip: a drifting camera moves sideways and a little up while it keeps its aim."""
        if camera == "still":
            return self
        phase = 2 * math.pi * (frame / clock.frames)
        reach = _DRIFT * math.dist(self.at, self.aim)
        x, y, z = self.at
        return replace(self, at=(x + reach * (math.sin(0.5 * phase) - 0.5), y, z + 0.3 * reach * math.sin(phase)))


@dataclass(frozen=True, slots=True)
class Water:
    """Water in a tank with upright walls: from where to where it reaches (x, y), its bottom, and its level at rest."""

    low: tuple[float, float]
    high: tuple[float, float]
    bottom: float
    level: float

    @property
    def area(self) -> float:
        """Its surface in m²."""
        return (self.high[0] - self.low[0]) * (self.high[1] - self.low[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneStage:
    """Everything that a scene in three dimensions is built from; `seed` is that of its grains."""

    bodies: tuple[SolidBody, ...]
    lens: Lens
    lights: tuple[Lamp, ...]
    seed: int
    water: Water | None = None
    moving: tuple[SolidBody, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "moving", tuple(body for body in self.bodies if not body.fixed))

    def body(self, name: str) -> SolidBody:
        """The body of that name."""
        return next(body for body in self.bodies if body.name == name)

    def pieces(self, name: str) -> tuple[str, ...]:
        """The names of the bodies that make up a thing: its own or, of a rod, those of its pieces (rod0, rod1, …)."""
        own = re.compile(rf"{re.escape(name)}\d*")
        return tuple(body.name for body in self.bodies if own.fullmatch(body.name))


def rotation(axis: Literal["x", "y", "z"], degrees: float) -> Turn:
    """The rotation around an axis, counterclockwise as seen from its tip.

    >>> [round(each, 3) for each in rotation("z", 90)]
    [0.707, 0.0, 0.0, 0.707]
    """
    half = math.radians(degrees) / 2
    own = [math.sin(half) if name == axis else 0.0 for name in "xyz"]
    return math.cos(half), own[0], own[1], own[2]
