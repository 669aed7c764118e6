"""A hand pushes a crate over gravel, against a block of stone."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush, circle, face_brush
from veridical.media.figures.clock import Clock
from veridical.media.figures.grain import clip_polygon, lighter
from veridical.media.figures.palette import COLORS, SKIN, SLEEVE, STONE
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import each_frame, keeps
from veridical.suites.hocabench.physics.passage import emerging_crate
from veridical.suites.hocabench.physics.play import Instant, begins_when, outcome
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import Course, State, States, remove, update, value

CRATE = 92.0
"""The width and height of the pushed crate."""
_GRIP = 620.0
"""The braking of the gravel, in units per second squared."""
_GRADUAL = 0.3
_COMES = 0.25
"""When the hand begins to push, in seconds."""


@dataclass(frozen=True, slots=True)
class PushedBlocks:
    """Lengths in units, times in seconds; `start` is the crate's right side, `stands` the stone's left side."""

    color: str = one_of(sorted(COLORS), but=("green",))
    garden: str = one_of(("hedge", "fence", "wall"))
    mirrored: bool = one_of((False, True))
    start: float = uniform(124, 140)
    stands: float = uniform(264, 284)
    width: float = uniform(96, 106)
    speed: float = uniform(116, 130)
    pushes: float = uniform(0.65, 0.8)
    early: float = uniform(0.35, 0.45)

    @property
    def contact(self) -> float:
        """When the crate touches the stone."""
        return _COMES + (self.stands - self.start) / self.speed

    @property
    def release(self) -> float:
        """When the hand stops pushing."""
        return self.contact + self.pushes

    def pushed(self, time: float) -> float:
        """Where the crate's right side is as long as the hand pushes."""
        return self.start + self.speed * (time - _COMES)


at_the_contact = begins_when(lambda base: base.contact)
before_the_contact = begins_when(lambda base: base.contact - base.early)
at_the_release = begins_when(lambda base: base.release)


def _slide(base: PushedBlocks, time: float) -> tuple[float, float]:
    """The crate's right side and its speed while a hand pushes it: it stops on the gravel when that lets go."""
    if time < _COMES:
        return base.start, 0.0
    if time < base.release:
        return base.pushed(time), base.speed
    braked = min(time - base.release, base.speed / _GRIP)
    way = base.start + base.speed * (base.release - _COMES + braked) - _GRIP * braked**2 / 2
    return way, max(0.0, base.speed - _GRIP * (time - base.release))


def _state(base: PushedBlocks, crate: float, stone: float, speed: float, touch: float, push: bool) -> State:
    """The crate's right side, the stone's left side and speed, and where the hand's palm is."""
    state = {
        "crate": {"right": crate, "round": 0.0},
        "stone": {"left": stone, "width": base.width, "speed": speed},
        "hand": {"x": touch, "push": float(push)},
    }
    return state if touch > -30 else remove(state, "hand")


def _hand(time: float, stops: float, crate: float) -> tuple[float, bool]:
    """Where the palm is, and whether it pushes: it leaves the crate when it stops."""
    return crate - CRATE - 420 * max(0.0, time - stops - 0.12), time < stops


def _normal(base: PushedBlocks, time: float) -> State:
    """The hand pushes the crate, the crate the stone; both stop when the hand lets go."""
    crate, speed = _slide(base, time)
    hand = _hand(time, base.release, crate)
    if time < base.contact:
        return _state(base, crate, base.stands, 0.0, *hand)
    return _state(base, crate, max(base.stands, crate), speed, *hand)


@outcome(_normal, at_the_release)
def glides_on(base: PushedBlocks, course: Course, now: Instant) -> State:
    """The stone keeps its speed when the hand lets go; explained: the hand goes on pushing."""
    way = base.pushed(now.time)
    if course == "explained":
        return _state(base, way, way, base.speed, way - CRATE, True)
    crate, _ = _slide(base, now.time)
    return _state(base, crate, way, base.speed, *_hand(now.time, base.release, crate))


@outcome(_normal, at_the_contact)
def passes_through(base: PushedBlocks, _course: Course, now: Instant) -> State:
    """The crate moves on through the stone, which stays where it stands."""
    stops = base.contact + (base.width + CRATE + 24) / base.speed
    crate = base.pushed(min(now.time, stops))
    return _state(base, crate, base.stands, 0.0, *_hand(now.time, stops, crate))


@outcome(_normal, at_the_contact)
def is_squashed(base: PushedBlocks, _course: Course, now: Instant) -> State:
    """The stone's right side stays where it stands, and the crate presses it together."""
    stops = base.contact + 0.52 * base.width / base.speed
    crate = base.pushed(min(now.time, stops))
    state = _state(base, crate, crate, 0.0, *_hand(now.time, stops, crate))
    return update(state, "stone", width=base.stands + base.width - crate - 0.01)


@outcome(_normal, at_the_contact)
def becomes_ball(base: PushedBlocks, _course: Course, now: Instant) -> State:
    """The crate becomes a ball of its width within a moment, which then moves as the crate does."""
    since = now.time - base.contact + now.step
    return update(_normal(base, now.time), "crate", round=min(1.0, since / _GRADUAL))


@outcome(_normal, before_the_contact)
def sets_off(base: PushedBlocks, _course: Course, now: Instant) -> State:
    """The stone sets off before the crate reaches it, and stops a while later."""
    moment, fast, lasts = base.contact - base.early, 1.5 * base.speed, 0.75
    since = now.time - moment + 0.5 * now.step
    braked = min(max(0.0, since - lasts), fast / _GRIP)
    stone = base.stands + fast * (min(since, lasts) + braked) - _GRIP * braked**2 / 2
    crate, _ = _slide(base, now.time)
    speed = fast if since < lasts else max(0.0, fast - _GRIP * (since - lasts))
    return _state(base, crate, stone, speed, *_hand(now.time, base.release, crate))


@each_frame("the gravel brakes the stone")
def brakes(_base: PushedBlocks, clock: Clock, states: States, k: int) -> bool:
    """Once the hand has stopped pushing, the gravel brakes the stone."""
    if any(value(state, "hand", "push") for state in states[k - 1 : k + 1]):
        return True
    slower = states[k - 1]["stone"]["speed"] - 0.9 * _GRIP / clock.rate
    return states[k]["stone"]["speed"] <= max(0.0, slower)


@each_frame("the crate stays out of the stone")
def stays_out(_base: PushedBlocks, _clock: Clock, states: States, k: int) -> bool:
    return states[k]["crate"]["right"] <= states[k]["stone"]["left"] + 1e-6


@each_frame("the stone stays at rest until it is touched")
def waits(base: PushedBlocks, _clock: Clock, states: States, k: int) -> bool:
    touched = states[k]["crate"]["right"] >= base.stands - 1e-6
    return bool(touched or states[k]["stone"]["speed"] == 0)


_GROUND, _GRAVEL, _TALL = 316.0, 280.0, 108.0
_BEHIND: dict[str, tuple[Colour, float]] = {
    "hedge": ((84, 132, 82), 126.0),
    "fence": ((196, 170, 132), 140.0),
    "wall": ((190, 152, 132), 104.0),
}


def ground(base: PushedBlocks, brush: Brush) -> None:
    side, (color, top) = face_brush(brush, base.mirrored), _BEHIND[base.garden]
    left, right = -20.0, WIDTH + 20.0
    side.plain([(left, -20), (right, -20), (right, top + 4), (left, top + 4)], (192, 218, 238))
    side.box(left, top, right, _GRAVEL, color)
    if base.garden == "fence":
        for k in range(9):
            side.line((10 + 78.0 * k, top), (10 + 78.0 * k, _GRAVEL), 5, lighter(color, -0.25))
    elif base.garden == "wall":
        for k in range(6):
            y = top + 4 + 30.0 * k
            side.line((left, y), (right, y), 2.5, lighter(color, 0.35))
    else:
        side.plain([(left, top), (right, top), (right, top + 14), (left, top + 14)], lighter(color, 0.18))
    side.plain([(left, _GRAVEL), (right, _GRAVEL), (right, HEIGHT + 20), (left, HEIGHT + 20)], (186, 178, 162))
    for k in range(44):
        x, y = -16 + (k * 83.7) % 672, _GRAVEL + 7 + (k * 31.3) % 96
        tone = (-0.3, 0.35, -0.16)[k % 3]
        side.line((x, y), (x + 7 + k % 5, y), 4.4, lighter((186, 178, 162), tone))


def paint(base: PushedBlocks, brush: Brush, state: State) -> None:
    side = face_brush(brush, base.mirrored)
    crate, stone = state["crate"]["right"], state["stone"]
    side.shadow((crate - CRATE / 2, _GROUND + 2), 54, 6)
    side.shadow((stone["left"] + stone["width"] / 2, _GROUND + 2), 0.58 * stone["width"], 6)
    with side.of("crate"):
        _crate(side, crate, COLORS[base.color], state["crate"]["round"])
    with side.of("stone"):
        pressed = 1 - stone["width"] / base.width
        _stone(side, stone["left"], stone["width"], _TALL * (1 + 0.32 * pressed), pressed)
    if crate > stone["left"] + 1e-6 and not state["crate"]["round"]:
        with side.of("crate"):
            front = stone["left"], _GROUND - 0.52 * CRATE, stone["left"] + stone["width"], _GROUND
            emerging_crate(side, (crate - CRATE, _GROUND - CRATE, crate, _GROUND), COLORS[base.color], front)
    held = state.get("hand")
    if held:
        with side.of("hand"):
            _pushing_hand(side, held["x"], _GROUND - 0.55 * CRATE)


def _crate(brush: Brush, right: float, color: Colour, rounded: float) -> None:
    """A crate, a ball of its width (`rounded` 1), or a form between them."""
    if rounded:
        _ball(brush, (right - CRATE / 2, _GROUND - CRATE / 2), color, rounded)
        return
    left, top, dark = right - CRATE, _GROUND - CRATE, lighter(color, -0.3)
    brush.box(left, top, right, _GROUND, color, "wood")
    brush.line((left + 6, _GROUND - 6), (right - 6, top + 6), 9, lighter(color, -0.18))
    for x in (left + 5, right - 5):
        brush.line((x, top), (x, _GROUND), 10, dark)
    for y in (top + 5, _GROUND - 5):
        brush.line((left, y), (right, y), 10, dark)


def _ball(brush: Brush, middle: Point, color: Colour, rounded: float) -> None:
    """A ball with a light band and a glint, or a form between a box and it."""
    (x, y), half = middle, CRATE / 2
    outline = []
    for u, v in circle((0.0, 0.0), half):
        wide = 1 + (1 - rounded) * (half / max(abs(u), abs(v)) - 1)
        outline.append((x + wide * u, y + wide * v))
    brush.plain(outline, color)
    brush.plain(clip_polygon(clip_polygon(outline, (0.0, 1.0), y - 9), (0.0, -1.0), -(y + 9)), lighter(color, 0.55))
    brush.plain(circle((x - 0.4 * half, y - 0.5 * half), 9, 6), lighter(color, 0.7))


def _stone(brush: Brush, left: float, width: float, tall: float, pressed: float) -> None:
    """A block of stone; pressed together it is narrower and higher, and bulges."""
    top, right = _GROUND - tall, left + width
    bulge = 16 * pressed
    corners = [(left, top + 6), (left + 8, top - bulge), (left + width / 2, top - 1.6 * bulge)]
    corners += [(right - 8, top - bulge), (right, top + 6)]
    corners += [(right + 1.4 * bulge, _GROUND - tall / 2), (right, _GROUND), (left, _GROUND)]
    brush.polygon(corners, STONE, "stone")
    brush.line((left + 0.2 * width, top + 22), (left + 0.42 * width, top + 34), 2.5, lighter(STONE, -0.3))
    brush.line((left + 0.58 * width, top + 58), (left + 0.8 * width, top + 50), 2.5, lighter(STONE, 0.3))


def _pushing_hand(brush: Brush, x: float, y: float) -> None:
    """A hand that comes from the left and pushes with its palm at x."""
    brush.stroke([(x - 720, y - 169), (x - 76, y - 14)], 40, SLEEVE)
    brush.stroke([(x - 78, y - 14), (x - 32, y - 2)], 28, SKIN)
    brush.stroke([(x - 17, y - 16), (x - 17, y + 14)], 26, SKIN)
    brush.stroke([(x - 6, y - 26), (x - 6, y + 22)], 11, lighter(SKIN, -0.08))
    brush.stroke([(x - 26, y - 14), (x - 12, y - 34)], 10, lighter(SKIN, -0.04))


SCENE = PhysicsScene(
    name="pushed_blocks",
    title="A hand pushes a crate against a stone",
    setup="A hand pushes a {color} crate over rough gravel towards a block of stone.",
    sample=sampler(PushedBlocks),
    ground=ground,
    paint=paint,
    entities=(
        ("crate", "box"),
        ("stone", "rock", "block", "boulder", "concrete"),
        ("hand", "arm", "person", "someone"),
        ("gravel", "ground", "floor"),
    ),
    actions=("push", "slid", "mov", "shov"),
    control="The {color} crate pushes the stone block along, and both stop when the hand lets go.",
    events=(
        Event(
            sub_type="friction",
            play=glides_on,
            breaks=brakes,
            claim="The stone block glides on over the rough gravel without getting slower when the hand lets go.",
            normal="the stone block stops on the rough gravel as soon as the hand lets go",
            signs=phrases(
                "glide, slides on, slides away, keeps sliding, keeps moving, keeps going, continues to, "
                "continues sliding, continues moving, without getting slower, not slow, n't slow, without slow, "
                "not stop, n't stop, without stopping, constant speed, on its own"
            ),
            expected=("stop", "slow", "rest", "brak"),
            interaction=True,
            explained="the hand goes on pushing",
            actors=("stone",),
        ),
        Event(
            sub_type="collision",
            play=passes_through,
            breaks=stays_out,
            claim="The {color} crate moves straight through the stone block and comes out on its other side.",
            normal="the crate hits the stone block and pushes it along",
            signs=("through", "penetrat", "clip", "into the stone", "pass"),
            expected=("push", "stop", "block", "hit", "move"),
            actors=("crate", "stone"),
        ),
        Event(
            sub_type="rigidity",
            play=is_squashed,
            breaks=keeps("stone", "width"),
            claim="The stone block is squashed like a sponge when the {color} crate presses against it.",
            normal="the hard stone block keeps its form and is pushed along",
            signs=("squash", "sponge", "compress", "squeez", "deform", "soft", "narrow", "crush", "bulg", "rubber"),
            expected=("keep", "rigid", "hard", "push", "form", "shape", "solid"),
            actors=("stone", "crate"),
        ),
        Event(
            sub_type="inertia",
            play=sets_off,
            breaks=waits,
            claim="The stone block sets off by itself and slides away before the {color} crate has touched it.",
            normal="the stone block stays at rest until the crate touches it",
            signs=phrases(
                "by itself, on its own, before the, before it, before being, sets off, untouched, without contact, "
                "without being, without touch, starts moving, starts to move"
            ),
            expected=("rest", "stay", "remain", "still", "until", "touch"),
            actors=("stone",),
        ),
        Event(
            sub_type="morphing",
            play=becomes_ball,
            breaks=keeps("crate", "round"),
            claim="The {color} crate turns into a {color} ball by itself as it touches the stone block.",
            normal="the crate keeps its form and stays a crate while it pushes the stone block",
            signs=("ball", "sphere", "spheric", "round", "circle", "circular", "turns into", "morph", "transform"),
            expected=("keep", "stay", "remain", "form", "shape", "square", "box"),
            actors=("crate",),
        ),
    ),
)
