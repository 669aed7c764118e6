"""How the weight on the workbench moves in each course, and the laws that hold there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock, along
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.props_home import WALLS
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

BENCH, ROD = 286.0, 184.0
MIDDLE, ASIDE, RELEASED = 320.0, 572.0, 200.0
"""Where the weight lies on the rod, where the hand carries it, and how high its underside is when it lets go."""
TALL = 76.0
"""From the weight's underside to where a hand grips it."""
SAG = 82.0
_GRAVITY = 1250.0
_AWAY = -40.0


@dataclass(frozen=True, slots=True)
class Workbench:
    """Times in seconds: when the weight is put down, when the hand comes back for it, and when it lets it fall."""

    color: str
    bottle: str
    wall: str
    mass: str
    mirrored: bool
    put: float
    back: float
    carry: float

    @property
    def grip(self) -> float:
        """When the hand grips the weight again."""
        return self.back + 0.22

    @property
    def drop(self) -> float:
        """When the hand lets the weight fall beside the rod."""
        return self.grip + 0.3 + self.carry


def sample(nuisances: Nuisances) -> Workbench:
    color = nuisances.one_of(sorted(COLORS))
    put = nuisances.between(0.45, 0.7)
    return Workbench(
        color=color,
        bottle=nuisances.one_of(sorted(set(COLORS) - {color})),
        wall=nuisances.one_of(sorted(WALLS)),
        mass=nuisances.one_of(("5 kg", "10 kg", "20 kg")),
        mirrored=nuisances.one_of((False, True)),
        put=put,
        back=put + nuisances.between(0.65, 0.9),
        carry=nuisances.between(0.5, 0.7),
    )


def when_the_hand_is_back(base: Workbench, clock: Clock) -> int:
    return clock.frame(base.back)


def when_the_hand_lets_go(base: Workbench, clock: Clock) -> int:
    return clock.frame(base.drop)


def _state(x: float, y: float, speed: float, hand: float | None, holds: bool) -> State:
    """The weight with its underside at y, and a hand whose fingers are at a height."""
    state = {
        "weight": {"x": x, "y": y, "speed": speed},
        "rod": {"sag": 0.0},
        "cube": {"clear": 0.0},
        "string": {"shown": 0.0},
    }
    return state if hand is None or hand <= _AWAY else {**state, "hand": {"x": x, "y": hand, "holds": float(holds)}}


def _normal(base: Workbench, time: float) -> State:
    """The hand puts the weight on the rod, comes back, carries it aside and lets it fall onto the bench."""
    if time <= base.put:
        y = along([(0.0, ROD - 62), (base.put, ROD)], time)
        return _state(MIDDLE, y, 0.0, y - TALL, True)
    if time < base.grip:
        tip = along([(base.put, ROD - TALL), (base.put + 0.35, _AWAY), (base.back - 0.03, _AWAY)], time)
        tip = tip if time < base.back - 0.03 else along([(base.back - 0.03, _AWAY), (base.grip, ROD - TALL)], time)
        return _state(MIDDLE, ROD, 0.0, tip, False)
    if time <= base.drop:
        x = along([(base.grip + 0.2, MIDDLE), (base.drop - 0.05, ASIDE)], time)
        y = along([(base.grip, ROD), (base.grip + 0.3, ROD - 70), (base.drop, RELEASED)], time)
        return _state(x, y, 0.0, y - TALL, True)
    return _state(ASIDE, *_fallen(time - base.drop), _leaving(base, time), False)


def _leaving(base: Workbench, time: float) -> float:
    """Where the fingers of the hand are after it has let go."""
    return along([(base.drop, RELEASED - TALL), (base.drop + 0.6, _AWAY)], time)


def _fallen(time: float) -> tuple[float, float]:
    """Height and speed of the weight some time after it was let go; it hits the bench and stays there."""
    y = RELEASED + _GRAVITY * time**2 / 2
    return (y, _GRAVITY * time) if y < BENCH else (BENCH, 0.0)


def _course(base: Workbench, clock: Clock, begin: int, after: Callable[[float], State]) -> States:
    times = [clock.time(k) for k in range(clock.frames)]
    return [_normal(base, time) if k < begin else after(time) for k, time in enumerate(times)]


def hangs(base: Workbench, clock: Clock, course: Course) -> States:
    """The weight that the hand has let go stays in the air; explained: on a string in the hand."""

    def after(time: float) -> State:
        if course == "violating":
            return _state(ASIDE, RELEASED, 0.0, _leaving(base, time), False)
        if course == "plausible":
            return _normal(base, time)
        tip = along([(base.drop, RELEASED - TALL), (base.drop + 0.7, RELEASED - TALL - 72)], time)
        return {**_state(ASIDE, RELEASED, 0.0, tip, False), "string": {"shown": 1.0}}

    return _course(base, clock, when_the_hand_lets_go(base, clock), after)


def droops(base: Workbench, clock: Clock, course: Course) -> States:
    """The rod gives way under the weight like a rope; the hand does not come back."""

    def after(time: float) -> State:
        sag = SAG * along([(base.back - 0.04, 0.0), (base.back + 0.45, 1.0)], time)
        return {**_state(MIDDLE, ROD + sag, 0.0, None, False), "rod": {"sag": sag}}

    chosen = after if course == "violating" else lambda time: _normal(base, time)
    return _course(base, clock, when_the_hand_is_back(base, clock), chosen)


def vanishes(base: Workbench, clock: Clock, course: Course) -> States:
    """The weight is gone; explained: the hand takes it out of sight."""

    def after(time: float) -> State:
        if course == "plausible" or (course == "explained" and time < base.grip):
            return _normal(base, time)
        if course == "violating":
            empty = _state(MIDDLE, ROD, 0.0, None, False)
            return {name: empty[name] for name in empty if name != "weight"}
        y = along([(base.grip, ROD), (base.grip + 1.2, -70.0)], time)
        state = _state(MIDDLE, y, 0.0, None, True)
        return {**state, "hand": {"x": MIDDLE, "y": y - TALL, "holds": 1.0}}

    return _course(base, clock, when_the_hand_is_back(base, clock), after)


def turns_clear(base: Workbench, clock: Clock, course: Course) -> States:
    """The cube becomes see-through, while the hand comes back."""

    def after(time: float) -> State:
        clear = along([(base.back - 0.05, 0.0), (base.back + 0.4, 1.0)], time)
        return {**_normal(base, time), "cube": {"clear": clear}}

    chosen = after if course == "violating" else lambda time: _normal(base, time)
    return _course(base, clock, when_the_hand_is_back(base, clock), chosen)


def falls() -> Law:
    """A weight that nothing holds falls faster by the same amount in each frame."""

    def held(state: State) -> bool:
        lies = abs(state["weight"]["x"] - MIDDLE) < 1 and abs(state["weight"]["y"] - ROD - state["rod"]["sag"]) < 0.01
        return bool(lies or value(state, "hand", "holds") or state["string"]["shown"])

    def holds(_base: Base, clock: Clock, states: States, k: int) -> bool:
        if any("weight" not in state or held(state) for state in states[k - 1 : k + 1]):
            return True
        now, before, step = states[k]["weight"], states[k - 1]["weight"], 1 / clock.rate
        speed = before["speed"] + _GRAVITY * step
        lands = before["y"] + before["speed"] * step + _GRAVITY * step**2 / 2 >= BENCH - 1e-6
        return bool(lands or abs(now["speed"] - speed) < 1)

    return each_frame("a weight that nothing holds falls", holds)
