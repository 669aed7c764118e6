"""A car drives along a street towards a shut gate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush, face_brush
from veridical.media.figures.clock import Clock
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import each_frame, keeps, persists
from veridical.suites.hocabench.physics.play import Instant, begins_when, outcome
from veridical.suites.hocabench.physics.props_car import NOSE, billboard, car, red_light, street, street_lamp
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene
from veridical.suites.hocabench.physics.state import Course, State, States, remove, update, value

GATE = 474.0
"""Where the car's nose touches the gate."""
HIGHEST = math.radians(60)
"""How far the gate swings, so that it lies on the car's roof."""
SKIES: dict[str, Colour] = {"blue": (184, 212, 236), "gray": (206, 212, 218), "morning": (238, 218, 206)}
_TOY = 0.36
_STANDS = {"gate": {"angle": 0.0}, "billboard": {"picture": 0.0}, "lamp": {"on": 0.0}}


@dataclass(frozen=True, slots=True)
class Road:
    """Lengths in units, times in seconds, speeds in units per second; `start` is where the car's nose begins."""

    color: str = one_of(sorted(COLORS))
    other: str = one_of(sorted(COLORS), unlike=("color",))
    sky: str = one_of(sorted(SKIES))
    houses: int = one_of((0, 1, 2))
    mirrored: bool = one_of((False, True))
    start: float = uniform(140, 172)
    speed: float = uniform(180, 200)
    bump: float = uniform(92, 108)
    brakes: float = uniform(0.75, 1.0)
    moment: float = uniform(1.1, 1.45)
    block: float = uniform(64, 120)

    @property
    def slowing(self) -> float:
        """How the car slows down once it brakes, in units per second squared."""
        way = GATE - self.start - self.speed * self.brakes
        return (self.speed**2 - self.bump**2) / (2 * way)

    @property
    def contact(self) -> float:
        """When its nose touches the gate."""
        return self.brakes + (self.speed - self.bump) / self.slowing


at_the_gate = begins_when(lambda base: base.contact)


def _state(base: Road, time: float, nose: float, speed: float) -> State:
    """`nose` is where the car's front is, `changed` is 1 where it has its other color."""
    braking = float(base.brakes <= time < base.contact + 0.8)
    car = {"nose": nose, "speed": speed, "scale": 1.0, "changed": 0.0, "braking": braking}
    return {"car": car, **_STANDS, "block": {"x": base.block}}


def _normal(base: Road, time: float) -> State:
    """The car brakes too late, bumps against the gate and rolls back a little."""
    if time < base.contact:
        braked = max(0.0, time - base.brakes)
        nose = base.start + base.speed * time - base.slowing * braked**2 / 2
        return _state(base, time, nose, base.speed - base.slowing * braked)
    since, back = min(time - base.contact, 0.6), 0.45 * base.bump
    return _state(base, time, GATE - back * (since - since**2 / 1.2), -back * (1 - since / 0.6))


@outcome(_normal, at_the_gate)
def passes_through(base: Road, course: Course, now: Instant) -> State:
    """The car drives on through the gate; explained: the gate swings open before it."""
    way = base.bump * (now.time - base.contact)
    state = _state(base, now.time, GATE + way, base.bump)
    if course == "explained":
        return update(state, "gate", angle=min(HIGHEST, math.atan((way + 2) / 108)))
    return state


_on_the_way = outcome(_normal, control=True)


@_on_the_way
def changes_color(base: Road, course: Course, now: Instant) -> State:
    """The car takes on its other color; explained: a colored light falls on everything; control: the billboard."""
    changes: dict[Course, tuple[str, str]] = {
        "violating": ("car", "changed"),
        "plausible": ("billboard", "picture"),
        "explained": ("lamp", "on"),
    }
    entity, quantity = changes[course]
    return update(_normal(base, now.time), entity, **{quantity: 1.0})


@_on_the_way
def shrinks(base: Road, course: Course, now: Instant) -> State:
    """The car shrinks to a toy in a third of a second; control: the billboard changes."""
    state = _normal(base, now.time)
    if course == "plausible":
        return update(state, "billboard", picture=1.0)
    share = min(1.0, (now.time - base.moment + 0.5 * now.step) / 0.33)
    return update(state, "car", scale=1 - (1 - _TOY) * share)


@_on_the_way
def vanishes(base: Road, course: Course, now: Instant) -> State:
    """The car is gone in mid-road; control: the billboard changes."""
    state = _normal(base, now.time)
    return update(state, "billboard", picture=1.0) if course == "plausible" else remove(state, "car")


@_on_the_way
def slides_off(base: Road, course: Course, now: Instant) -> State:
    """The block beside the road sets off and slides along; control: the billboard changes."""
    state = _normal(base, now.time)
    if course == "plausible":
        return update(state, "billboard", picture=1.0)
    since = now.time - base.moment + 0.5 * now.step
    return update(state, "block", x=base.block + 150 * (since - 0.125 if since > 0.25 else 2 * since**2))


@each_frame("the car stays in front of the shut gate")
def stays_out(_base: Road, _clock: Clock, states: States, k: int) -> bool:
    return bool(value(states[k], "gate", "angle") > 0 or value(states[k], "car", "nose") <= GATE + 1e-6)


_CURB, _WHEELS, _NEAR = 262.0, 318.0, 350.0
_HIGH = 158.0
_SLANT = 0.72
"""How far right a step towards the viewer leads on the street."""
_HOUSES = (
    ((206, 168, 140), (188, 190, 176), (214, 196, 150), (176, 150, 146)),
    ((178, 186, 200), (214, 184, 160), (186, 168, 150), (206, 202, 178)),
    ((216, 204, 176), (170, 158, 168), (200, 166, 140), (184, 196, 196)),
)


def ground(base: Road, brush: Brush) -> None:
    side = face_brush(brush, base.mirrored)
    street(side, SKIES[base.sky], _CURB, _HOUSES[base.houses])
    for k in range(5):
        x = 10 + 140.0 * k
        side.plain([(x, 330), (x + 62, 330), (x + 66, 335), (x + 4, 335)], (226, 226, 220))
    side.box(-20, _NEAR - 6, WIDTH + 20, HEIGHT + 20, (188, 186, 180))
    left, right = _gate_at(_CURB) - 26, _gate_at(_NEAR + 20) - 26
    side.plain(
        [(left - 7, _CURB), (left + 7, _CURB), (right + 7, _NEAR + 20), (right - 7, _NEAR + 20)], (236, 236, 230)
    )
    red_light(side, 392, _CURB - 4, 112)


def _gate_at(depth: float) -> float:
    """Where the gate stands on the street at a depth: the y at which a thing there touches the ground."""
    return GATE + 6 + _SLANT * (depth - _WHEELS)


def paint(base: Road, brush: Brush, state: State) -> None:
    side = face_brush(brush, base.mirrored)
    lit = bool(state["lamp"]["on"])
    with side.of("billboard"):
        billboard(side, 36, 70, int(state["billboard"]["picture"]), _CURB - 6)
    street_lamp(side, 236, _CURB - 4, 44, COLORS[base.other] if lit else None)
    angle, now = state["gate"]["angle"], state.get("car")
    with side.of("gate"):
        _post(side, _CURB + 4)
        _panel(side, _CURB + 4, _WHEELS, angle)
    if now:
        with side.of("car"):
            middle, color = now["nose"] - NOSE * now["scale"], COLORS[base.other if now["changed"] else base.color]
            car(side, (middle, _WHEELS), now["scale"], color, now["nose"] / (20 * now["scale"]), bool(now["braking"]))
    with side.of("gate"):
        _panel(side, _WHEELS, _NEAR, angle)
        side.line((_gate_at(_CURB), _CURB - _HIGH), (_gate_at(_NEAR), _NEAR - _HIGH), 9, (92, 98, 108))
        _post(side, _NEAR)
    with side.of("block"):
        x = state["block"]["x"]
        side.shadow((x, _NEAR + 7), 44, 5)
        side.box(x - 36, _NEAR - 56, x + 36, _NEAR + 7, (222, 184, 92), "stone")
        side.text((x, _NEAR - 26), "1000 kg", 17, (40, 40, 40))
    if lit:
        corners = [(-30.0, -30.0), (WIDTH + 30.0, -30.0), (WIDTH + 30.0, HEIGHT + 30.0), (-30.0, HEIGHT + 30.0)]
        side.veil(corners, COLORS[base.other], 0.45)
        side.veil([(258, 66), (316, 66), (560, 372), (20, 372)], lighter(COLORS[base.other], 0.4), 0.25)


def _post(brush: Brush, depth: float) -> None:
    x = _gate_at(depth)
    brush.box(x - 6, depth - _HIGH - 8, x + 6, depth, (92, 98, 108))


def _panel(brush: Brush, far: float, near: float, angle: float) -> None:
    """The part of the gate between two depths; it hangs from the beam and swings by an angle in radians."""

    def at(depth: float, share: float) -> Point:
        down = (_HIGH - 6) * share
        return _gate_at(depth) + down * math.sin(angle), depth - _HIGH + down * math.cos(angle)

    for k in range(5):
        low, high = k / 5, (k + 1) / 5
        color = (206, 44, 40) if k % 2 == 0 else (244, 244, 240)
        brush.plain([at(far, low), at(near, low), at(near, high), at(far, high)], color)
    brush.line(at(far, 1.0), at(near, 1.0), 5, (92, 98, 108))


_ON = "The {color} car brakes too late, bumps against the shut gate and rolls back a little."
SCENE = PhysicsScene(
    name="road",
    title="A car drives towards a shut gate",
    setup="A {color} car drives along a street and brakes before a shut gate; a heavy block stands beside the road.",
    sample=sampler(Road),
    ground=ground,
    paint=paint,
    entities=(
        ("car", "vehicle", "auto"),
        ("road", "street"),
        ("gate", "barrier", "fence", "barricade", "door"),
        ("block", "box", "cube", "weight", "crate"),
    ),
    actions=("driv", "mov", "brak", "approach"),
    control="The {color} car drives on towards the gate, and the billboard shows another picture.",
    events=(
        Event(
            sub_type="collision",
            play=passes_through,
            breaks=stays_out,
            claim="The {color} car drives straight through the shut gate, and both stay whole.",
            control=_ON,
            normal="the car bumps against the shut gate and is stopped by it",
            signs=("through", "penetrat", "clip", "pass"),
            expected=("stop", "bump", "crash", "hit", "blocked", "damage"),
            explained="the gate swings open",
            actors=("car", "gate"),
        ),
        Event(
            sub_type="mutation",
            play=changes_color,
            breaks=keeps("car", "changed"),
            claim="The {color} car turns {other} all over while it drives towards the gate.",
            normal="the car stays {color} while it drives",
            expected=("stay", "remain", "keep", "same color", "same colour"),
            explained="a colored lamp shines on everything",
            actors=("car",),
        ),
        Event(
            sub_type="size",
            play=shrinks,
            breaks=keeps("car", "scale"),
            claim="The {color} car becomes as small as a toy while it drives towards the gate.",
            normal="the car keeps its full size while it drives",
            signs=("small", "shrink", "shrunk", "tiny", "toy", "miniature", "size"),
            expected=("size", "stay", "remain", "keep", "same"),
            actors=("car",),
        ),
        Event(
            sub_type="permanence",
            play=vanishes,
            breaks=persists("car"),
            claim="The {color} car is suddenly gone in mid-road on its way to the gate.",
            normal="the car stays in sight and drives on to the gate",
            expected=("stay", "remain", "visible", "driv", "continue", "exist"),
            actors=("car",),
        ),
        Event(
            sub_type="inertia",
            play=slides_off,
            breaks=keeps("block", "x"),
            claim="The heavy block beside the road sets off by itself and slides along.",
            normal="the heavy block stays where it stands until something pushes it",
            signs=("by itself", "on its own", "sets off", "slid", "glid", "block moves", "block move", "untouched"),
            expected=("stay", "remain", "still", "rest", "until", "stationary"),
            actors=("block",),
        ),
    ),
)
