"""How the crate on the ramp moves in each course, and the laws that it keeps."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from veridical.media.draw.scene import Point
from veridical.media.figures.clock import Clock, along
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.props_home import WALLS
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

TOP, FOOT = (92.0, 150.0), (320.0, 303.0)
LENGTH = math.hypot(FOOT[0] - TOP[0], FOOT[1] - TOP[1])
GRIP = 560.0
"""The carpet's braking, in units per second squared."""
_SAG = 70.0


@dataclass(frozen=True, slots=True)
class Ramp:
    """Lengths in units, times in seconds; `start` and `way` are distances of the crate's middle from the ramp's top."""

    color: str
    plank: str
    carpet: str
    wall: str
    mirrored: bool
    side: float
    start: float
    slide: float
    release: float
    way: float
    pause: float

    def speed(self, way: float) -> float:
        """How fast the crate is when its middle is there."""
        return math.sqrt(2 * self.slide * max(0.0, way - self.start))

    def time(self, way: float) -> float:
        """When its middle is there."""
        return self.release + self.speed(way) / self.slide

    @property
    def rest(self) -> float:
        """When it comes to rest on the carpet."""
        return self.time(LENGTH) + self.speed(LENGTH) / GRIP


def sample(nuisances: Nuisances) -> Ramp:
    color = nuisances.one_of(sorted(COLORS))
    return Ramp(
        color=color,
        plank=nuisances.one_of(("steel", "wooden")),
        carpet=nuisances.one_of(sorted(set(COLORS) - {color, "yellow"})),
        wall=nuisances.one_of(sorted(WALLS)),
        mirrored=nuisances.one_of((False, True)),
        side=nuisances.between(60, 68),
        start=nuisances.between(46, 62),
        slide=nuisances.between(145, 170),
        release=nuisances.between(0.2, 0.42),
        way=nuisances.between(112, 132),
        pause=nuisances.between(0.1, 0.2),
    )


def on_the_ramp(base: Ramp, clock: Clock) -> int:
    return clock.frame(base.time(base.way))


def further_down(base: Ramp, clock: Clock) -> int:
    return clock.frame(base.time(base.way + 75))


def at_the_foot(base: Ramp, clock: Clock) -> int:
    return clock.frame(base.time(LENGTH))


def after_the_rest(base: Ramp, clock: Clock) -> int:
    return clock.frame(base.rest + base.pause)


def on_profile(way: float, plank: Mapping[str, float]) -> Point:
    """The point of the ramp and the carpet at a distance from the ramp's top."""
    if way >= LENGTH:
        return FOOT[0] + way - LENGTH, FOOT[1]
    share, peak = way / LENGTH, plank["peak"] / LENGTH
    off = (peak - share) / peak if share < peak else (share - peak) / (1 - peak)
    sag = plank["sag"] * (1 - abs(min(1.0, off)) ** 1.5)
    return TOP[0] + share * (FOOT[0] - TOP[0]), TOP[1] + share * (FOOT[1] - TOP[1]) + sag


def pose(base: Ramp, crate: Mapping[str, float], plank: Mapping[str, float]) -> tuple[Point, float]:
    """The crate's center and its turn in radians."""
    half = base.side / 2
    (x0, y0), (x1, y1) = on_profile(crate["way"] - half, plank), on_profile(crate["way"] + half, plank)
    turn = math.atan2(y1 - y0, x1 - x0)
    return ((x0 + x1) / 2 + half * math.sin(turn), (y0 + y1) / 2 - half * math.cos(turn) - crate["lift"]), turn


def _handle(base: Ramp, crate: Mapping[str, float], plank: Mapping[str, float]) -> Point:
    """Where a hand grips the crate: in the middle of its upper edge."""
    (x, y), turn = pose(base, crate, plank)
    reach = base.side / 2 - 8
    return x + reach * math.sin(turn), y - reach * math.cos(turn)


def _state(base: Ramp, way: float, speed: float, lift: float = 0.0, sag: float = 0.0) -> State:
    crate = {"way": way, "speed": speed, "lift": lift}
    return {"crate": crate, "plank": {"sag": sag, "peak": base.way}}


def _with_hand(base: Ramp, state: State, above: float, holds: bool) -> State:
    x, y = _handle(base, state["crate"], state["plank"])
    return {**state, "hand": {"x": x, "y": y - above, "holds": float(holds)}}


def _normal(base: Ramp, time: float) -> State:
    """The hand lets go, the crate slides down and stops on the carpet."""
    if time <= base.release:
        return _with_hand(base, _state(base, base.start, 0.0), 0.0, True)
    since, foot = time - base.release, base.time(LENGTH)
    if time < foot:
        state = _state(base, base.start + base.slide * since**2 / 2, base.slide * since)
        above = 480 * since
        x, y = _handle(base, _state(base, base.start, 0.0)["crate"], state["plank"])
        return state if y - above < -20 else {**state, "hand": {"x": x, "y": y - above, "holds": 0.0}}
    braked, speed = min(time, base.rest) - foot, base.speed(LENGTH)
    now = 0.0 if time >= base.rest else speed - GRIP * braked
    return _state(base, LENGTH + speed * braked - GRIP * braked**2 / 2, now)


def _course(base: Ramp, clock: Clock, begin: int, after: Callable[[float], State]) -> States:
    times = [clock.time(k) for k in range(clock.frames)]
    return [_normal(base, time) if k < begin else after(time) for k, time in enumerate(times)]


def _carried(
    base: Ramp, begin: float, way: Callable[[float, float], float], lift: Callable[[float], float]
) -> Callable[[float], State]:
    """A hand comes in, grips the crate and carries it; `way` gets where it grips it, both the time since."""
    catch = begin + 0.25
    gripped = _normal(base, catch)["crate"]["way"]

    def state(time: float) -> State:
        if time < catch:
            return _with_hand(base, _normal(base, time), 330 * (catch - time) / 0.25, False)
        since = time - catch
        return _with_hand(base, _state(base, way(gripped, since), 0.0, lift(since)), 0.0, True)

    return state


def _lifted(base: Ramp, begin: float, height: float, seconds: float) -> Callable[[float], State]:
    return _carried(base, begin, lambda way, _: way, lambda since: along([(0, 0), (seconds, height)], since))


def climbs(base: Ramp, clock: Clock, course: Course) -> States:
    """The crate turns round on the ramp and slides up again; explained: a hand draws it up."""
    begin, moment = on_the_ramp(base, clock), base.time(base.way)
    highest = base.side / 2 + 6

    def up(time: float) -> State:
        since, speed, slowing = time - moment, base.speed(base.way), 520.0
        turned = (speed + 160) / slowing
        way = base.way + speed * min(since, turned) - slowing * min(since, turned) ** 2 / 2
        way = max(highest, way - 160 * max(0.0, since - turned))
        return _state(base, way, 0.0 if way == highest else speed - slowing * min(since, turned))

    if course == "explained":
        drawn = _carried(
            base, clock.time(begin), lambda way, since: along([(0, way), (1.3, highest)], since), lambda _: 0
        )
        return _course(base, clock, begin, drawn)
    return _course(base, clock, begin, up if course == "violating" else lambda time: _normal(base, time))


def slides_on(base: Ramp, clock: Clock, course: Course) -> States:
    """The crate keeps its speed on the carpet; explained: a hand draws it along."""
    begin, speed = at_the_foot(base, clock), base.speed(LENGTH)

    def on(time: float) -> State:
        return _state(base, LENGTH + speed * (time - base.time(LENGTH)), speed)

    if course == "explained":
        drawn = _carried(base, clock.time(begin), lambda way, since: way + 170 * since, lambda _: 0)
        return _course(base, clock, begin, drawn)
    return _course(base, clock, begin, on if course == "violating" else lambda time: _normal(base, time))


def sags(base: Ramp, clock: Clock, course: Course) -> States:
    """The plank gives way under the crate like a cloth, and the crate stays in the hollow."""
    begin, moment, speed = on_the_ramp(base, clock), base.time(base.way), base.speed(base.way)

    def hollow(time: float) -> State:
        since = time - moment
        way = base.way + 0.1 * speed * (1 - math.exp(-since / 0.1))
        return _state(base, way, speed * math.exp(-since / 0.1), 0.0, _SAG * min(1.0, (since + 0.5 / clock.rate) / 0.4))

    return _course(base, clock, begin, hollow if course == "violating" else lambda time: _normal(base, time))


def sets_off(base: Ramp, clock: Clock, course: Course) -> States:
    """The crate, at rest on the carpet, sets off again; in the control, a hand lifts it."""
    begin, moment = after_the_rest(base, clock), base.rest + base.pause
    place = _normal(base, base.rest)["crate"]["way"]

    def off(time: float) -> State:
        since, ramp = time - moment + 0.5 / clock.rate, 0.3
        speed = 190 * min(1.0, since / ramp)
        return _state(base, place + speed * since - 95 * min(since, ramp) ** 2 / ramp * (since < ramp), speed)

    lifted = _lifted(base, clock.time(begin), 110.0, 0.7)
    return _course(base, clock, begin, off if course == "violating" else lifted)


def vanishes(base: Ramp, clock: Clock, course: Course) -> States:
    """The crate is gone on its way down; explained: a hand takes it away."""
    begin = further_down(base, clock)
    if course == "explained":
        return _course(base, clock, begin, _lifted(base, clock.time(begin), 420.0, 1.2))
    states = _course(base, clock, begin, lambda time: _normal(base, time))
    if course == "plausible":
        return states
    return [s if k < begin else {n: s[n] for n in s if n != "crate"} for k, s in enumerate(states)]


def _free(states: States, k: int) -> bool:
    """Whether the crate is there in this frame and the one before, and no hand holds it."""
    return all("crate" in state and not value(state, "hand", "holds") for state in states[k - 1 : k + 1])


def _lies(state: State) -> bool:
    """Whether the crate is at rest on the carpet."""
    return value(state, "crate", "way") >= LENGTH and value(state, "crate", "speed") == 0


def gets_no_slower() -> Law:
    """On a straight ramp the crate gets no slower, and does not turn round, unless a hand holds it."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        now = states[k]
        if not _free(states, k) or now["plank"]["sag"] or now["crate"]["way"] >= LENGTH:
            return True
        return now["crate"]["speed"] >= states[k - 1]["crate"]["speed"] - 1

    return each_frame("the crate gets no slower on its way down", holds)


def brakes() -> Law:
    """A crate that comes sliding onto the carpet gets slower by nine tenths of the carpet's braking, or is at rest."""

    def holds(_base: Base, clock: Clock, states: States, k: int) -> bool:
        before = states[k - 1]
        if not _free(states, k) or before["crate"]["way"] < LENGTH or any(map(_lies, states[:k])):
            return True
        return value(states[k], "crate", "speed") <= max(0.0, before["crate"]["speed"] - 0.9 * GRIP / clock.rate)

    return each_frame("the carpet brakes the crate", holds)


def lies_still() -> Law:
    """A crate at rest on the carpet stays at rest unless a hand moves it."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        return not (_free(states, k) and _lies(states[k - 1])) or _lies(states[k])

    return each_frame("the crate stays at rest", holds)
