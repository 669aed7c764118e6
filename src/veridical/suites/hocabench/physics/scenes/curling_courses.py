"""How two stones move over ice and a rough mat in each course, and the laws that they keep or break."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.props_rink import STONE_HALF
from veridical.suites.hocabench.physics.scene import Base, Course, State, States, each_frame, present, value

MAT = 404.0
"""The x at which the rough mat begins."""
GRIP = 330.0
"""The mat's braking, in units per second squared."""
_PASSED_ON = 0.95
"""The share of its speed that a stone passes on to another one of the same mass."""
_COMES, _AWAY = 0.22, 300.0
_SLOWS, _LIFTS = 0.2, 0.8
"""How long a hand that takes a stone takes to stop it and to lift it out of sight, in seconds."""
_TURN, _BACK = 0.3, 0.5
"""How long a stone takes to turn round (s), and the share of its speed with which it comes back."""


@dataclass(frozen=True, slots=True)
class Curling:
    """Colors by name; `moment` is when the first stone is at `place`, in seconds and units; speeds in units per second.

    The first stone then has `gap` units to go before it touches the other one.
    """

    color: str
    other: str
    wall: int
    speed: float
    place: float
    gap: float
    moment: float
    mirrored: bool

    @property
    def rest(self) -> float:
        """The x of the stone that lies on the ice."""
        return self.place + self.gap + 2 * STONE_HALF

    @property
    def hit(self) -> float:
        """When the stones touch."""
        return self.moment + self.gap / self.speed

    @property
    def landing(self) -> float:
        """When the other stone comes onto the mat."""
        return self.hit + (MAT - self.rest) / (_PASSED_ON * self.speed)


def on_the_ice(base: Curling, clock: Clock) -> int:
    return clock.frame(base.moment)


def at_the_hit(base: Curling, clock: Clock) -> int:
    return clock.frame(base.hit)


def at_the_mat(base: Curling, clock: Clock) -> int:
    return clock.frame(base.landing)


def _free(x: float, speed: float, time: float) -> dict[str, float]:
    """A stone that glides off from x: as fast as before on the ice, braked on the mat."""
    until = max(0.0, MAT - x) / speed
    if time <= until:
        return _stone(x + speed * time, speed)
    left = max(0.0, speed - GRIP * (time - until))
    return _stone(x + speed * until + (speed**2 - left**2) / (2 * GRIP), left)


def _stone(x: float, speed: float) -> dict[str, float]:
    """A stone and its mirror image in the ice."""
    return {"x": x, "speed": speed, "image": x}


def _normal(base: Curling, time: float) -> dict[str, dict[str, float]]:
    """The first stone hits the other, which glides off and stops on the mat."""
    if time <= base.hit:
        way = base.speed * (time - base.moment)
        return {"first": _stone(base.place + way, base.speed), "other": _stone(base.rest, 0.0)}

    since = time - base.hit
    kept = (1 - _PASSED_ON) * base.speed
    return {
        "first": _stone(base.place + base.gap + kept * since, kept),
        "other": _free(base.rest, _PASSED_ON * base.speed, since),
    }


def _course(base: Curling, clock: Clock, begin: int, after: Callable[[float], State] | None) -> States:
    times = [clock.time(k) for k in range(clock.frames)]
    return [after(time) if after and k >= begin else _normal(base, time) for k, time in enumerate(times)]


def _drawn(base: Curling, begin: float, name: str, speed: float) -> Callable[[float], State]:
    """A hand comes in, grips a stone's handle and moves it at a speed."""
    catch = begin + _COMES

    def after(time: float) -> State:
        state = _normal(base, min(time, catch))
        drawn = max(0.0, time - catch)
        if drawn:
            state = {**_normal(base, time), name: _stone(state[name]["x"] + speed * drawn, speed)}
            if speed < 0:
                state["other"] = _stone(base.rest, 0.0)
        above = _AWAY * max(0.0, (catch - time) / _COMES)
        return {**state, "hand": {"x": state[name]["x"], "above": above, "holds": float(drawn > 0)}}

    return after


def slides_on(base: Curling, clock: Clock, course: Course) -> States:
    """The other stone is not braked by the mat, or a hand draws it along."""
    begin, speed = at_the_mat(base, clock), _PASSED_ON * base.speed

    def on(time: float) -> State:
        return {**_normal(base, time), "other": _stone(MAT + speed * (time - base.landing), speed)}

    after = {"violating": on, "explained": _drawn(base, clock.time(begin), "other", speed)}.get(course)
    return _course(base, clock, begin, after)


def passes_through(base: Curling, clock: Clock, course: Course) -> States:
    """The first stone moves through the other one, which stays where it is."""

    def on(time: float) -> State:
        place = base.place + base.gap
        return {"first": _free(place, base.speed, time - base.hit), "other": _stone(base.rest, 0.0)}

    return _course(base, clock, at_the_hit(base, clock), on if course == "violating" else None)


def turns_round(base: Curling, clock: Clock, course: Course) -> States:
    """The first stone turns round by itself before it has touched the other one, or a hand takes it back."""
    begin = on_the_ice(base, clock)

    def back(time: float) -> State:
        since = time - base.moment
        turning = min(since, _TURN)
        speed = base.speed * (1 - (1 + _BACK) * turning / _TURN)
        way = base.speed * (turning - (1 + _BACK) * turning**2 / (2 * _TURN)) + speed * (since - turning)
        return {"first": _stone(base.place + way, speed), "other": _stone(base.rest, 0.0)}

    after = {"violating": back, "explained": _drawn(base, clock.time(begin), "first", -_BACK * base.speed)}.get(course)
    return _course(base, clock, begin, after)


def leaves_image(base: Curling, clock: Clock, course: Course) -> States:
    """The mirror image of the first stone stays where it is while the stone glides on."""

    def parted(time: float) -> State:
        state = _normal(base, time)
        state["first"]["image"] = base.place
        return state

    return _course(base, clock, on_the_ice(base, clock), parted if course == "violating" else None)


def vanishes(base: Curling, clock: Clock, course: Course) -> States:
    """The first stone is gone, or a hand takes it from the ice."""
    begin = on_the_ice(base, clock)
    catch = clock.time(begin) + _COMES

    def gone(_time: float) -> State:
        return {"other": _stone(base.rest, 0.0)}

    def taken(time: float) -> State:
        state, held = _normal(base, min(time, catch)), max(0.0, time - catch)
        slowing = min(held, _SLOWS)
        way = base.speed * (slowing - slowing**2 / (2 * _SLOWS))
        first = _stone(state["first"]["x"] + way, base.speed * (1 - slowing / _SLOWS))
        lift = _AWAY * min(1.0, held / _LIFTS) ** 2
        above = lift if held else _AWAY * max(0.0, (catch - time) / _COMES)
        hand = {"x": first["x"], "above": above, "holds": float(held > 0)}
        return {"first": {**first, "lift": lift}, "other": _stone(base.rest, 0.0), "hand": hand}

    return _course(base, clock, begin, gone if course == "violating" else taken)


def _unheld(states: States, k: int) -> bool:
    return not any(value(state, "hand", "holds") for state in states[k - 1 : k + 1])


def _glides(_base: Base, clock: Clock, states: States, k: int) -> bool:
    now, before = states[k], states[k - 1]
    if not present(states, k, "first"):
        return True
    gap = before["other"]["x"] - before["first"]["x"] - 2 * STONE_HALF
    if not _unheld(states, k) or gap <= before["first"]["speed"] / clock.rate + 1e-6:
        return True
    return abs(now["first"]["speed"] - before["first"]["speed"]) <= 1e-6


def _braked(_base: Base, clock: Clock, states: States, k: int) -> bool:
    for name in ("first", "other"):
        if not present(states, k, name):
            continue
        now, before = states[k][name], states[k - 1][name]
        slowed = max(0.0, before["speed"] - 0.9 * GRIP / clock.rate)
        if before["x"] >= MAT and _unheld(states, k) and now["speed"] > slowed:
            return False
    return True


GLIDES = each_frame("the first stone keeps its speed until it touches the other", _glides)
BRAKES = each_frame("the mat brakes the stones", _braked)
SOLID = each_frame(
    "the stones do not pass through each other",
    lambda _base, _clock, states, k: states[k]["other"]["x"] - value(states[k], "first", "x") >= 2 * STONE_HALF - 1e-6,
)


def _below(_base: Base, _clock: Clock, states: States, k: int) -> bool:
    return all(value(states[k], each, "x") == value(states[k], each, "image") for each in ("first", "other"))


MIRRORS = each_frame("a mirror image is below its stone", _below)
