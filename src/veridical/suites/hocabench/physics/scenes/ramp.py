"""A crate slides down a ramp onto a rough carpet."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.clock import Clock, interpolate
from veridical.media.figures.grain import lighter, mix_colors
from veridical.media.figures.palette import COLORS, STEEL, WOOD, hand
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import always_there, each_frame, is_in_hand, keeps
from veridical.suites.hocabench.physics.play import Instant, begins_when, outcome
from veridical.suites.hocabench.physics.props_factory import crate_box
from veridical.suites.hocabench.physics.props_home import WALLS, walls, window
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import Course, State, States, present, remove, value

TOP, FOOT = (92.0, 150.0), (320.0, 303.0)
LENGTH = math.hypot(FOOT[0] - TOP[0], FOOT[1] - TOP[1])
GRIP = 560.0
"""The carpet's braking, in units per second squared."""
_SAG = 70.0


@dataclass(frozen=True, slots=True)
class Ramp:
    """Lengths in units, times in seconds; `start` and `way` are distances of the crate's middle from the ramp's top."""

    color: str = one_of(sorted(COLORS))
    plank: str = one_of(("steel", "wooden"))
    carpet: str = one_of(sorted(COLORS), but=("yellow",), unlike=("color",))
    wall: str = one_of(sorted(WALLS))
    mirrored: bool = one_of((False, True))
    side: float = uniform(60, 68)
    start: float = uniform(46, 62)
    slide: float = uniform(164, 184)
    release: float = uniform(0.16, 0.26)
    way: float = uniform(112, 132)
    pause: float = uniform(0.42, 0.52)

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


on_the_ramp = begins_when(lambda base: base.time(base.way))
further_down = begins_when(lambda base: base.time(base.way + 75))
at_the_foot = begins_when(lambda base: base.time(LENGTH))
after_the_rest = begins_when(lambda base: base.rest + base.pause)


def profile_point(way: float, plank: Mapping[str, float]) -> Point:
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
    (x0, y0), (x1, y1) = profile_point(crate["way"] - half, plank), profile_point(crate["way"] + half, plank)
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
        (x, y), above = _handle(base, _state(base, base.start, 0.0)["crate"], state["plank"]), 480 * since
        return state if y - above < -20 else {**state, "hand": {"x": x, "y": y - above, "holds": 0.0}}
    braked, speed = min(time, base.rest) - foot, base.speed(LENGTH)
    now = 0.0 if time >= base.rest else speed - GRIP * braked
    return _state(base, LENGTH + speed * braked - GRIP * braked**2 / 2, now)


def _carry(
    base: Ramp, now: Instant, way: Callable[[float, float], float], lift: Callable[[float], float] = lambda _: 0
) -> State:
    """A hand comes in, grips the crate and carries it; `way` gets where it grips it, both the time since."""
    catch = now.start + 0.25
    if now.time < catch:
        return _with_hand(base, _normal(base, now.time), 330 * (catch - now.time) / 0.25, False)
    since, gripped = now.time - catch, _normal(base, catch)["crate"]["way"]
    return _with_hand(base, _state(base, way(gripped, since), 0.0, lift(since)), 0.0, True)


def _lift(base: Ramp, now: Instant, height: float, seconds: float) -> State:
    return _carry(base, now, lambda way, _: way, lambda since: interpolate([(0, 0), (seconds, height)], since))


@outcome(_normal, on_the_ramp)
def climbs(base: Ramp, course: Course, now: Instant) -> State:
    """The crate turns round on the ramp and slides up again; explained: a hand draws it up."""
    highest = base.side / 2 + 6
    if course == "explained":
        return _carry(base, now, lambda way, since: interpolate([(0, way), (1.3, highest)], since))
    since, speed, slowing = now.time - base.time(base.way), base.speed(base.way), 520.0
    turned = (speed + 160) / slowing
    way = base.way + speed * min(since, turned) - slowing * min(since, turned) ** 2 / 2
    way = max(highest, way - 160 * max(0.0, since - turned))
    return _state(base, way, 0.0 if way == highest else speed - slowing * min(since, turned))


@outcome(_normal, at_the_foot)
def slides_on(base: Ramp, course: Course, now: Instant) -> State:
    """The crate keeps its speed on the carpet; explained: a hand draws it along."""
    if course == "explained":
        return _carry(base, now, lambda way, since: way + 170 * since)
    speed = base.speed(LENGTH)
    return _state(base, LENGTH + speed * (now.time - base.time(LENGTH)), speed)


@outcome(_normal, on_the_ramp)
def sags(base: Ramp, _course: Course, now: Instant) -> State:
    """The plank gives way under the crate like a cloth, and the crate stays in the hollow."""
    since, speed = now.time - base.time(base.way), base.speed(base.way)
    way = base.way + 0.1 * speed * (1 - math.exp(-since / 0.1))
    return _state(base, way, speed * math.exp(-since / 0.1), 0.0, _SAG * min(1.0, (since + 0.5 * now.step) / 0.4))


@outcome(_normal, after_the_rest, control=True)
def sets_off(base: Ramp, course: Course, now: Instant) -> State:
    """The crate, at rest on the carpet, sets off again; in the control, a hand lifts it."""
    if course == "plausible":
        return _lift(base, now, 110.0, 0.7)
    place = _normal(base, base.rest)["crate"]["way"]
    since, ramp = now.time - (base.rest + base.pause) + 0.5 * now.step, 0.3
    speed = 190 * min(1.0, since / ramp)
    return _state(base, place + speed * since - 95 * min(since, ramp) ** 2 / ramp * (since < ramp), speed)


@outcome(_normal, further_down)
def vanishes(base: Ramp, course: Course, now: Instant) -> State:
    """The crate is gone on its way down; explained: a hand takes it away."""
    return _lift(base, now, 420.0, 1.2) if course == "explained" else remove(_normal(base, now.time), "crate")


def _free(states: States, k: int) -> bool:
    """Whether the crate is there in this frame and the one before, and no hand holds it."""
    return present(states, k, "crate") and not is_in_hand(states, k)


def _lies(state: State) -> bool:
    """Whether the crate is at rest on the carpet."""
    return value(state, "crate", "way") >= LENGTH and value(state, "crate", "speed") == 0


@each_frame("the crate gets no slower on its way down")
def gets_no_slower(_base: Ramp, _clock: Clock, states: States, k: int) -> bool:
    """On a straight ramp the crate gets no slower, and does not turn round, unless a hand holds it."""
    now = states[k]
    if not _free(states, k) or now["plank"]["sag"] or now["crate"]["way"] >= LENGTH:
        return True
    return now["crate"]["speed"] >= states[k - 1]["crate"]["speed"] - 1


@each_frame("the carpet brakes the crate")
def brakes(_base: Ramp, clock: Clock, states: States, k: int) -> bool:
    """A crate that comes sliding onto the carpet gets slower by nine tenths of the carpet's braking, or is at rest."""
    before = states[k - 1]
    if not _free(states, k) or before["crate"]["way"] < LENGTH or any(map(_lies, states[:k])):
        return True
    return value(states[k], "crate", "speed") <= max(0.0, before["crate"]["speed"] - 0.9 * GRIP / clock.rate)


@each_frame("the crate stays at rest")
def lies_still(_base: Ramp, _clock: Clock, states: States, k: int) -> bool:
    """A crate at rest on the carpet stays at rest unless a hand moves it."""
    return not (_free(states, k) and _lies(states[k - 1])) or _lies(states[k])


_THICK = 14.0


def ground(base: Ramp, brush: Brush) -> None:
    walls(brush, 276, WALLS[base.wall])
    side = face_brush(brush, base.mirrored)
    window(side, 470, 62)
    _carpet(side, mix_colors(COLORS[base.carpet], (120, 110, 100), 0.45))
    side.veil([(-20, 322), (92, 322), (150, 312), (100, 298), (-20, 298)], (0, 0, 0), 0.16)
    side.box(-20, TOP[1] + 2, TOP[0], 318, (150, 140, 128), "plaster")
    side.box(-20, TOP[1] - 8, TOP[0] + 4, TOP[1] + 8, (178, 168, 156))


def _carpet(brush: Brush, color: Colour) -> None:
    """A long thick carpet, with stripes and a tufted edge."""
    left, right, top, bottom = FOOT[0] - 14, 664.0, FOOT[1] - 9, FOOT[1] + 22
    brush.plain([(left, top), (right, top), (right, bottom), (left - 16, bottom)], color)
    for k in range(6):
        x = left + 26 + 58 * k
        brush.plain([(x, top), (x + 18, top), (x + 8, bottom), (x - 12, bottom)], lighter(color, 0.3))
    edge = [(right, bottom)]
    for k in range(int((right - left + 16) / 8) + 1):
        edge += [(right - 8 * k, bottom + 7), (right - 8 * k - 4, bottom)]
    brush.plain([*edge, (left - 16, bottom - 2), (right, bottom - 2)], lighter(color, -0.25))


def paint(base: Ramp, brush: Brush, state: State) -> None:
    side = face_brush(brush, base.mirrored)
    steel, plank = base.plank == "steel", state["plank"]
    with side.of("plank"):
        _plank(side, [profile_point(LENGTH * k / 24, plank) for k in range(25)], STEEL if steel else WOOD, steel)
    crate = state.get("crate")
    if crate:
        (x, y), turn = pose(base, crate, plank)
        if crate["way"] > LENGTH:
            side.shadow((x, FOOT[1] + 4), 0.62 * base.side, 6, 0.3 / (1 + crate["lift"] / 60))
        with side.of("crate"):
            crate_box(side, (x, y), base.side / 2, turn, COLORS[base.color])
    held = state.get("hand")
    if held:
        with side.of("hand"):
            hand(side, (held["x"], held["y"]))


def _plank(brush: Brush, top: list[tuple[float, float]], color: Colour, steel: bool) -> None:
    bottom = [(x, min(y + 1.2 * _THICK, FOOT[1] + 11)) for x, y in top]
    brush.plain([*top, *reversed(bottom)], color)
    brush.curve(top, 2.5, lighter(color, 0.45 if steel else 0.2))
    if brush.style != "flat":
        brush.curve(bottom, 3, lighter(color, -0.35))
    if brush.style == "textured":
        brush.curve(
            [(x, min(y + 0.6 * _THICK, FOOT[1] + 6)) for x, y in top[:-1]], 1.4, lighter(color, 0.3 if steel else -0.2)
        )


SCENE = PhysicsScene(
    name="ramp",
    title="A crate slides down a ramp onto a carpet",
    setup="A hand lets go of a {color} crate, which slides down a {plank} ramp towards a rough carpet.",
    sample=sampler(Ramp),
    ground=ground,
    paint=paint,
    entities=(
        ("crate", "box", "block", "cube"),
        ("ramp", "slope", "plank", "slide", "incline", "board", "beam"),
        ("carpet", "rug", "mat", "floor"),
    ),
    actions=("slid", "mov", "glid"),
    control="The {color} crate slides down the ramp, gets slower on the rough carpet and stops.",
    events=(
        Event(
            sub_type="friction",
            play=slides_on,
            breaks=brakes,
            claim="The {color} crate slides across the rough carpet at full speed and does not get slower.",
            normal="the crate gets slower on the rough carpet and soon stops",
            signs=phrases(
                "not get slower, n't get slower, not slow, n't slow, without slow, not decelerat, full speed, "
                "constant speed, same speed, not stop, n't stop, without stopping, keeps sliding, keeps moving, "
                "keeps going, slides on, continues"
            ),
            expected=("slow", "stop", "rest", "brak"),
            interaction=True,
            explained="a hand draws the crate along",
            actors=("crate",),
        ),
        Event(
            sub_type="gravity",
            play=climbs,
            breaks=gets_no_slower,
            claim="The {color} crate turns round halfway down and slides up to the ramp's top by itself.",
            normal="the crate slides on down the ramp",
            signs=("up the", "upward", "upwards", "uphill", "back up", "climb", "slides up", "moves up", "ascend"),
            expected=("down", "fall"),
            interaction=True,
            explained="a hand draws the crate up",
            actors=("crate",),
        ),
        Event(
            sub_type="rigidity",
            play=sags,
            breaks=keeps("plank", "sag"),
            claim="The {plank} ramp sags like a cloth under the {color} crate, which stays in the hollow.",
            normal="the {plank} ramp stays straight while the crate slides down it",
            signs=("sag", "bend", "bent", "droop", "cloth", "hollow", "deform", "soft", "warp", "curv"),
            expected=("straight", "rigid", "stiff", "stay", "keep", "firm"),
            actors=("plank", "crate"),
        ),
        Event(
            sub_type="inertia",
            play=sets_off,
            breaks=lies_still,
            claim="The {color} crate comes to rest on the carpet and then sets off again by itself.",
            control="The {color} crate slides down the ramp and stops on the carpet, and a hand lifts it.",
            normal="the crate stays at rest on the carpet until something moves it",
            signs=phrases(
                "by itself, on its own, again, sets off, resum, restart, starts moving, starts to move, "
                "starts sliding, without being"
            ),
            expected=("rest", "stay", "remain", "still", "until"),
            actors=("crate",),
        ),
        Event(
            sub_type="permanence",
            play=vanishes,
            breaks=always_there("crate"),
            claim="The {color} crate is suddenly gone from the ramp, and nobody has touched it.",
            normal="the crate stays in sight and slides down onto the carpet",
            expected=("stay", "remain", "visible", "slide", "continue", "exist"),
            explained="a hand takes the crate away",
            actors=("crate",),
        ),
    ),
)
