"""A curling stone glides over the ice and hits another one, which glides on to a rough mat."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.draw.scene import Colour
from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.clock import Clock
from veridical.media.figures.palette import COLORS, hand
from veridical.suite.nuisance_fields import one_of, sampler, take_turns, uniform
from veridical.suites.hocabench.physics.law import each_frame, is_in_hand, persists
from veridical.suites.hocabench.physics.play import Instant, begins_when, outcome
from veridical.suites.hocabench.physics.props_rink import STONE_HALF, mirrored_stone, rink, rough_mat, stone
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import Course, Quantities, State, States, present, value

MAT = 404.0
"""The x at which the rough mat begins."""
GRIP = 330.0
"""The mat's braking, in units per second squared."""
_PASSED_ON = 0.95
"""The share of its speed that a stone passes on to another one of the same mass."""
_COMES, _AWAY = 0.22, 300.0
_SLOWS, _LIFTS = 0.2, 0.8
"""How long a hand that takes a stone takes to stop it and to lift it out of sight, in seconds."""
_TURN, _BACK, _EARLY = 0.3, 0.5, 0.5
"""How long a stone takes to turn round (s), and the share of its speed with which it comes back.

It turns so long before the moment that the other stone is far away: nearer to it, that would read as a bounce.
"""


@dataclass(frozen=True, slots=True)
class Curling:
    """Colors by name; `moment` is when the first stone is at `place`, in seconds and units; speeds in units per second.

    The first stone then has `gap` units to go before it touches the other one.
    """

    color: str = take_turns(sorted(COLORS))
    other: str = one_of(sorted(COLORS), unlike=("color",))
    wall: int = one_of((0, 1, 2))
    speed: float = uniform(138, 156)
    place: float = uniform(148, 170)
    gap: float = uniform(58, 66)
    moment: float = uniform(1.3, 1.55)
    mirrored: bool = one_of((False, True))

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


at_the_hit = begins_when(lambda base: base.hit)
before_the_moment = begins_when(lambda base: base.moment - _EARLY)
at_the_mat = begins_when(lambda base: base.landing)


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


def _normal(base: Curling, time: float) -> Quantities:
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


def _draws(base: Curling, now: Instant, name: str, speed: float) -> State:
    """A hand comes in, grips a stone's handle and moves it at a speed."""
    time, catch = now.time, now.start + _COMES
    state = _normal(base, min(time, catch))
    drawn = max(0.0, time - catch)
    if drawn:
        state = {**_normal(base, time), name: _stone(state[name]["x"] + speed * drawn, speed)}
        if speed < 0:
            state["other"] = _stone(base.rest, 0.0)
    above = _AWAY * max(0.0, (catch - time) / _COMES)
    return {**state, "hand": {"x": state[name]["x"], "above": above, "holds": float(drawn > 0)}}


@outcome(_normal, at_the_mat)
def slides_on(base: Curling, course: Course, now: Instant) -> State:
    """The other stone is not braked by the mat, or a hand draws it along."""
    speed = _PASSED_ON * base.speed
    if course == "explained":
        return _draws(base, now, "other", speed)
    return {**_normal(base, now.time), "other": _stone(MAT + speed * (now.time - base.landing), speed)}


@outcome(_normal, at_the_hit)
def passes_through(base: Curling, _course: Course, now: Instant) -> State:
    """The first stone moves through the other one, which stays where it is."""
    first = _free(base.place + base.gap, base.speed, now.time - base.hit)
    return {"first": first, "other": _stone(base.rest, 0.0)}


@outcome(_normal, before_the_moment)
def turns_round(base: Curling, course: Course, now: Instant) -> State:
    """The first stone turns round by itself before it has touched the other one, or a hand takes it back."""
    if course == "explained":
        return _draws(base, now, "first", -_BACK * base.speed)
    since = now.time - base.moment + _EARLY
    turning = min(since, _TURN)
    speed = base.speed * (1 - (1 + _BACK) * turning / _TURN)
    way = base.speed * (turning - (1 + _BACK) * turning**2 / (2 * _TURN)) + speed * (since - turning)
    way -= base.speed * _EARLY
    return {"first": _stone(base.place + way, speed), "other": _stone(base.rest, 0.0)}


@outcome(_normal)
def leaves_image(base: Curling, _course: Course, now: Instant) -> State:
    """The mirror image of the first stone stays where it is while the stone glides on."""
    state = _normal(base, now.time)
    state["first"]["image"] = base.place
    return state


@outcome(_normal, control=True)
def vanishes(base: Curling, course: Course, now: Instant) -> State:
    """The first stone is gone, or a hand takes it from the ice."""
    other = _stone(base.rest, 0.0)
    if course == "violating":
        return {"other": other}
    catch = now.start + _COMES
    state, held = _normal(base, min(now.time, catch)), max(0.0, now.time - catch)
    slowing = min(held, _SLOWS)
    way = base.speed * (slowing - slowing**2 / (2 * _SLOWS))
    first = _stone(state["first"]["x"] + way, base.speed * (1 - slowing / _SLOWS))
    lift = _AWAY * min(1.0, held / _LIFTS) ** 2
    above = lift if held else _AWAY * max(0.0, (catch - now.time) / _COMES)
    hand = {"x": first["x"], "above": above, "holds": float(held > 0)}
    return {"first": {**first, "lift": lift}, "other": other, "hand": hand}


@each_frame("the first stone keeps its speed until it touches the other")
def glides(_base: Curling, clock: Clock, states: States, k: int) -> bool:
    now, before = states[k], states[k - 1]
    if not present(states, k, "first"):
        return True
    gap = before["other"]["x"] - before["first"]["x"] - 2 * STONE_HALF
    if is_in_hand(states, k) or gap <= before["first"]["speed"] / clock.rate + 1e-6:
        return True
    return abs(now["first"]["speed"] - before["first"]["speed"]) <= 1e-6


@each_frame("the mat brakes the stones")
def brakes(_base: Curling, clock: Clock, states: States, k: int) -> bool:
    for name in ("first", "other"):
        if present(states, k, name):
            now, before = states[k][name], states[k - 1][name]
            slowed = max(0.0, before["speed"] - 0.9 * GRIP / clock.rate)
            if before["x"] >= MAT and not is_in_hand(states, k) and now["speed"] > slowed:
                return False
    return True


@each_frame("the stones do not pass through each other")
def solid(_base: Curling, _clock: Clock, states: States, k: int) -> bool:
    return states[k]["other"]["x"] - value(states[k], "first", "x") >= 2 * STONE_HALF - 1e-6


@each_frame("a mirror image is below its stone")
def mirrors(_base: Curling, _clock: Clock, states: States, k: int) -> bool:
    return all(value(states[k], each, "x") == value(states[k], each, "image") for each in ("first", "other"))


_FOOT = 286.0
_WALLS: tuple[Colour, ...] = ((72, 88, 120), (70, 104, 110), (104, 90, 116))
_STRIPES: tuple[Colour, ...] = ((196, 60, 56), (40, 92, 170), (60, 140, 90))


def ground(base: Curling, brush: Brush) -> None:
    side = face_brush(brush, base.mirrored)
    rink(side, _WALLS[base.wall], _STRIPES[(base.wall + len(base.color)) % 3], (208.0, 292.0))
    rough_mat(side, MAT - 20, 254, 336)


def paint(base: Curling, brush: Brush, state: State) -> None:
    side = face_brush(brush, base.mirrored)
    named = [(name, color) for name, color in (("other", base.other), ("first", base.color)) if name in state]
    with side.of("image"):
        for name, color in named:
            below = _FOOT + 2 + value(state, name, "lift")
            mirrored_stone(side, (state[name]["image"], below), COLORS[color], MAT - 28)
    for name, color in named:
        x, lift = state[name]["x"], value(state, name, "lift")
        side.shadow((x, _FOOT), 50, 7, 0.4 * max(0.0, 1 - lift / 120))
        with side.of(name):
            stone(side, (x, _FOOT - lift), COLORS[color])
    if "hand" in state:
        with side.of("hand"):
            hand(side, (state["hand"]["x"] + 6, _FOOT - 60 - state["hand"]["above"]))


SCENE = PhysicsScene(
    name="curling",
    title="A curling stone hits another one before a rough mat",
    setup="A curling stone with a {color} handle glides over the ice to a {other} one, which lies before a rough mat.",
    sample=sampler(Curling),
    ground=ground,
    paint=paint,
    entities=(("stone", "rock", "puck", "iron", "kettle"), ("ice", "rink"), ("mat", "carpet", "rug", "doormat")),
    actions=("glid", "slid", "hit", "mov", "collid", "bump", "push", "strik"),
    control="The {color} stone hits the {other} stone, which glides off and stops on the rough mat.",
    events=(
        Event(
            sub_type="friction",
            play=slides_on,
            breaks=brakes,
            actors=("other",),
            claim="The {other} stone that is hit slides on over the rough mat and gets no slower.",
            normal="the rough mat brakes the {other} stone, which soon stops",
            signs=phrases("no slower, not slow, full speed, same speed, constant speed, not stop, without slowing"),
            expected=("brake", "slows", "stop", "come to rest"),
            interaction=True,
            explained="a hand draws the stone along",
        ),
        Event(
            sub_type="collision",
            play=passes_through,
            breaks=solid,
            actors=("first", "other"),
            claim="The {color} stone glides straight through the {other} stone and comes out behind it.",
            normal="the {color} stone hits the {other} stone and pushes it away",
            signs=("through", "penetrat", "overlap", "merge"),
            expected=("push", "hit", "bump", "stop", "bounce", "knock", "away"),
        ),
        Event(
            sub_type="inertia",
            play=turns_round,
            breaks=glides,
            actors=("first",),
            claim="The {color} stone turns back in the middle of the ice, and nothing has touched it.",
            normal="the {color} stone glides on over the ice until it hits the other stone",
            signs=("turns back", "turn back", "turns round", "turns around", "reverse", "backward", "back by itself"),
            expected=("glides on", "keep", "continue", "until", "goes on", "onward"),
            explained="a hand takes the stone back",
        ),
        Event(
            sub_type="optics",
            play=leaves_image,
            breaks=mirrors,
            actors=("first", "image"),
            claim="The mirror image of the {color} stone stays behind in the ice while the stone glides on.",
            normal="the mirror image in the ice glides along below the {color} stone",
            signs=("stays behind", "left behind", "stays in place", "separate", "detach", "does not move", "lags"),
            expected=("along", "below", "under", "with the stone", "follow"),
        ),
        Event(
            sub_type="permanence",
            play=vanishes,
            breaks=persists("first"),
            actors=("first",),
            claim="The {color} stone is suddenly gone from the middle of the ice, and nothing has taken it.",
            control="A hand grips the gliding {color} stone and lifts it off the ice.",
            normal="the {color} stone stays in sight and glides on until it hits the other stone",
            signs=("vanish", "disappear", "gone", "no longer there", "missing", "cease"),
            expected=("stay", "remain", "visible", "continue", "exist", "glides on"),
        ),
    ),
)
