"""How two blocks, one of which a hand pushes, move in each course, and the laws that hold there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

CRATE = 92.0
"""The width and height of the pushed crate."""
_GRIP = 620.0
"""The braking of the gravel, in units per second squared."""
_GRADUAL = 0.3


@dataclass(frozen=True, slots=True)
class PushedBlocks:
    """Lengths in units, times in seconds; `start` is the crate's right side, `stands` the stone's left side."""

    color: str
    garden: str
    mirrored: bool
    start: float
    stands: float
    width: float
    speed: float
    pushes: float
    early: float

    @property
    def contact(self) -> float:
        """When the crate touches the stone."""
        return 0.25 + (self.stands - self.start) / self.speed

    @property
    def release(self) -> float:
        """When the hand stops pushing."""
        return self.contact + self.pushes


def sample(nuisances: Nuisances) -> PushedBlocks:
    return PushedBlocks(
        color=nuisances.one_of(sorted(set(COLORS) - {"green"})),
        garden=nuisances.one_of(("hedge", "fence", "wall")),
        mirrored=nuisances.one_of((False, True)),
        start=nuisances.between(124, 140),
        stands=nuisances.between(264, 284),
        width=nuisances.between(96, 106),
        speed=nuisances.between(116, 130),
        pushes=nuisances.between(0.65, 0.8),
        early=nuisances.between(0.35, 0.45),
    )


def at_the_contact(base: PushedBlocks, clock: Clock) -> int:
    return clock.frame(base.contact)


def before_the_contact(base: PushedBlocks, clock: Clock) -> int:
    return clock.frame(base.contact - base.early)


def at_the_release(base: PushedBlocks, clock: Clock) -> int:
    return clock.frame(base.release)


def _pushed(base: PushedBlocks, time: float) -> tuple[float, float]:
    """The crate's right side and its speed while a hand pushes it: it stops on the gravel when that lets go."""
    if time < 0.25:
        return base.start, 0.0
    if time < base.release:
        return base.start + base.speed * (time - 0.25), base.speed
    braked = min(time - base.release, base.speed / _GRIP)
    way = base.start + base.speed * (base.release - 0.25 + braked) - _GRIP * braked**2 / 2
    return way, max(0.0, base.speed - _GRIP * (time - base.release))


def _state(base: PushedBlocks, crate: float, stone: float, speed: float, touch: float, push: bool) -> State:
    """The crate's right side, the stone's left side and speed, and where the hand's palm is."""
    state = {
        "crate": {"right": crate, "round": 0.0},
        "stone": {"left": stone, "width": base.width, "speed": speed},
        "hand": {"x": touch, "push": float(push)},
    }
    return state if touch > -30 else {name: state[name] for name in ("crate", "stone")}


def _hand(base: PushedBlocks, time: float, stops: float, crate: float) -> tuple[float, bool]:
    """Where the palm is, and whether it pushes: it leaves the crate when it stops."""
    return crate - CRATE - 420 * max(0.0, time - stops - 0.12), time < stops


def _normal(base: PushedBlocks, time: float) -> State:
    """The hand pushes the crate, the crate the stone; both stop when the hand lets go."""
    crate, speed = _pushed(base, time)
    touched = time >= base.contact
    hand = _hand(base, time, base.release, crate)
    return _state(base, crate, max(base.stands, crate) if touched else base.stands, speed if touched else 0.0, *hand)


def _course(base: PushedBlocks, clock: Clock, begin: int, after: Callable[[float], State]) -> States:
    times = [clock.time(k) for k in range(clock.frames)]
    return [_normal(base, time) if k < begin else after(time) for k, time in enumerate(times)]


def glides_on(base: PushedBlocks, clock: Clock, course: Course) -> States:
    """The stone keeps its speed when the hand lets go; explained: the hand goes on pushing."""

    def after(time: float) -> State:
        if course == "plausible":
            return _normal(base, time)
        crate, way = _pushed(base, time)[0], base.start + base.speed * (time - 0.25)
        if course == "explained":
            return _state(base, way, way, base.speed, way - CRATE, True)
        return _state(base, crate, way, base.speed, *_hand(base, time, base.release, crate))

    return _course(base, clock, at_the_release(base, clock), after)


def passes_through(base: PushedBlocks, clock: Clock, course: Course) -> States:
    """The crate moves on through the stone, which stays where it stands."""
    stops = base.contact + (base.width + CRATE + 24) / base.speed

    def after(time: float) -> State:
        crate = base.start + base.speed * (min(time, stops) - 0.25)
        return _state(base, crate, base.stands, 0.0, *_hand(base, time, stops, crate))

    chosen = after if course == "violating" else lambda time: _normal(base, time)
    return _course(base, clock, at_the_contact(base, clock), chosen)


def is_squashed(base: PushedBlocks, clock: Clock, course: Course) -> States:
    """The stone's right side stays where it stands, and the crate presses it together."""
    stops = base.contact + 0.52 * base.width / base.speed

    def after(time: float) -> State:
        crate = base.start + base.speed * (min(time, stops) - 0.25)
        state = _state(base, crate, crate, 0.0, *_hand(base, time, stops, crate))
        width = base.stands + base.width - crate - 0.01
        return {**state, "stone": {"left": crate, "width": width, "speed": 0.0}}

    chosen = after if course == "violating" else lambda time: _normal(base, time)
    return _course(base, clock, at_the_contact(base, clock), chosen)


def becomes_ball(base: PushedBlocks, clock: Clock, course: Course) -> States:
    """The crate becomes a ball of its width within a moment, which then moves as the crate does."""

    def after(time: float) -> State:
        state, since = _normal(base, time), time - base.contact + 1 / clock.rate
        round_ = min(1.0, since / _GRADUAL)
        return {**state, "crate": {**state["crate"], "round": round_}}

    chosen = after if course == "violating" else lambda time: _normal(base, time)
    return _course(base, clock, at_the_contact(base, clock), chosen)


def sets_off(base: PushedBlocks, clock: Clock, course: Course) -> States:
    """The stone sets off before the crate reaches it, and stops a while later."""
    moment, fast = base.contact - base.early, 1.5 * base.speed

    def after(time: float) -> State:
        since, lasts = time - moment + 0.5 / clock.rate, 0.75
        braked = min(max(0.0, since - lasts), fast / _GRIP)
        stone = base.stands + fast * (min(since, lasts) + braked) - _GRIP * braked**2 / 2
        crate = _pushed(base, time)[0]
        speed = fast if since < lasts else max(0.0, fast - _GRIP * (since - lasts))
        return _state(base, crate, stone, speed, *_hand(base, time, base.release, crate))

    chosen = after if course == "violating" else lambda time: _normal(base, time)
    return _course(base, clock, before_the_contact(base, clock), chosen)


def brakes() -> Law:
    """Once the hand has stopped pushing, the gravel brakes the stone."""

    def holds(_base: Base, clock: Clock, states: States, k: int) -> bool:
        if any(value(state, "hand", "push") for state in states[k - 1 : k + 1]):
            return True
        slower = states[k - 1]["stone"]["speed"] - 0.9 * _GRIP / clock.rate
        return states[k]["stone"]["speed"] <= max(0.0, slower)

    return each_frame("the gravel brakes the stone", holds)


def stays_out() -> Law:
    """The crate does not enter the stone."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        return states[k]["crate"]["right"] <= states[k]["stone"]["left"] + 1e-6

    return each_frame("the crate stays out of the stone", holds)


def waits() -> Law:
    """The stone stays at rest until the crate touches it."""

    def holds(base: Base, _clock: Clock, states: States, k: int) -> bool:
        touched = states[k]["crate"]["right"] >= base.stands - 1e-6
        return bool(touched or states[k]["stone"]["speed"] == 0)

    return each_frame("the stone stays at rest until it is touched", holds)
