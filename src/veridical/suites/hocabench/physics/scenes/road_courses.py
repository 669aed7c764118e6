"""How the car on the road moves in each course, and the laws that it keeps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.draw.scene import Colour
from veridical.media.figures.clock import Clock
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

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

    color: str
    other: str
    sky: str
    houses: int
    mirrored: bool
    start: float
    speed: float
    bump: float
    brakes: float
    moment: float
    block: float

    @property
    def slowing(self) -> float:
        """How the car slows down once it brakes, in units per second squared."""
        way = GATE - self.start - self.speed * self.brakes
        return (self.speed**2 - self.bump**2) / (2 * way)

    @property
    def contact(self) -> float:
        """When its nose touches the gate."""
        return self.brakes + (self.speed - self.bump) / self.slowing


def sample(nuisances: Nuisances) -> Road:
    color = nuisances.one_of(sorted(COLORS))
    return Road(
        color=color,
        other=nuisances.one_of(sorted(set(COLORS) - {color})),
        sky=nuisances.one_of(sorted(SKIES)),
        houses=nuisances.one_of((0, 1, 2)),
        mirrored=nuisances.one_of((False, True)),
        start=nuisances.between(140, 172),
        speed=nuisances.between(180, 200),
        bump=nuisances.between(92, 108),
        brakes=nuisances.between(0.75, 1.0),
        moment=nuisances.between(1.1, 1.45),
        block=nuisances.between(64, 120),
    )


def on_the_way(base: Road, clock: Clock) -> int:
    return clock.frame(base.moment)


def at_the_gate(base: Road, clock: Clock) -> int:
    return clock.frame(base.contact)


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


def _course(base: Road, clock: Clock, begin: int, after: Callable[[float], State]) -> States:
    times = [clock.time(k) for k in range(clock.frames)]
    return [_normal(base, time) if k < begin else after(time) for k, time in enumerate(times)]


def _with(state: State, entity: str, **quantities: float) -> State:
    return {**state, entity: {**state[entity], **quantities}}


def passes_through(base: Road, clock: Clock, course: Course) -> States:
    """The car drives on through the gate; explained: the gate swings open before it."""

    def on(time: float) -> State:
        way = base.bump * (time - base.contact)
        state = _state(base, time, GATE + way, base.bump)
        opened = course == "explained"
        return _with(state, "gate", angle=min(HIGHEST, math.atan((way + 2) / 108))) if opened else state

    after = (lambda time: _normal(base, time)) if course == "plausible" else on
    return _course(base, clock, at_the_gate(base, clock), after)


def changes_color(base: Road, clock: Clock, course: Course) -> States:
    """The car takes on its other color; explained: a colored light falls on everything; control: the billboard."""
    changes: dict[Course, tuple[str, str]] = {
        "violating": ("car", "changed"),
        "plausible": ("billboard", "picture"),
        "explained": ("lamp", "on"),
    }
    entity, quantity = changes[course]
    begin = on_the_way(base, clock)
    return _course(base, clock, begin, lambda time: _with(_normal(base, time), entity, **{quantity: 1.0}))


def shrinks(base: Road, clock: Clock, course: Course) -> States:
    """The car shrinks to a toy in a third of a second; control: the billboard changes."""
    begin = on_the_way(base, clock)

    def after(time: float) -> State:
        if course == "plausible":
            return _with(_normal(base, time), "billboard", picture=1.0)
        share = min(1.0, (time - base.moment + 0.5 / clock.rate) / 0.33)
        return _with(_normal(base, time), "car", scale=1 - (1 - _TOY) * share)

    return _course(base, clock, begin, after)


def vanishes(base: Road, clock: Clock, course: Course) -> States:
    """The car is gone in mid-road; control: the billboard changes."""

    def after(time: float) -> State:
        state = _normal(base, time)
        if course == "plausible":
            return _with(state, "billboard", picture=1.0)
        return {name: state[name] for name in state if name != "car"}

    return _course(base, clock, on_the_way(base, clock), after)


def slides_off(base: Road, clock: Clock, course: Course) -> States:
    """The block beside the road sets off and slides along; control: the billboard changes."""

    def after(time: float) -> State:
        if course == "plausible":
            return _with(_normal(base, time), "billboard", picture=1.0)
        since = time - base.moment + 0.5 / clock.rate
        way = 150 * (since - 0.125 if since > 0.25 else 2 * since**2)
        return _with(_normal(base, time), "block", x=base.block + way)

    return _course(base, clock, on_the_way(base, clock), after)


def stays_out() -> Law:
    """The car's nose does not get beyond the gate while that is shut."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        return bool(value(states[k], "gate", "angle") > 0 or value(states[k], "car", "nose") <= GATE + 1e-6)

    return each_frame("the car stays in front of the shut gate", holds)
