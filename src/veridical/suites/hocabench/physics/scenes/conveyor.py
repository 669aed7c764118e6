"""Crates ride out of a tunnel on a belt, past a worker."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.media.figures.brush import Brush, faced
from veridical.media.figures.palette import COLORS, hand
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics import props_factory as props
from veridical.suites.hocabench.physics.props_exhibits import canvas, impossible_triangle, solid_triangle
from veridical.suites.hocabench.physics.props_home import WALLS, walls, window
from veridical.suites.hocabench.physics.props_person import Look, Pose, side_view
from veridical.suites.hocabench.physics.scene import Event, Scene, State, keeps, persists, phrases
from veridical.suites.hocabench.physics.scenes import conveyor_courses as courses
from veridical.suites.hocabench.physics.scenes.conveyor_courses import BELT, MOUTH, Conveyor

_TOP = 78.0
_HAIR = ((58, 42, 34), (150, 76, 40), (214, 176, 86))
_APPLES = {"red": (200, 44, 44), "green": (126, 176, 60), "yellow": (226, 186, 60)}


def sample(nuisances: Nuisances) -> Conveyor:
    colors = sorted(COLORS)
    (color,) = nuisances.in_turn(colors)
    other = nuisances.one_of([each for each in colors if each != color])
    return Conveyor(
        color=color,
        other=other,
        goods=nuisances.one_of([each for each in colors if each not in (color, other)]),
        apple=nuisances.one_of(sorted(_APPLES)),
        coat=nuisances.one_of([each for each in colors if each not in ("yellow", color)]),
        wall=nuisances.one_of(sorted(WALLS)),
        hair=nuisances.one_of((0, 1, 2)),
        height=nuisances.between(236, 250),
        side=nuisances.between(66, 76),
        small=nuisances.between(44, 50),
        speed=nuisances.between(108, 122),
        place=nuisances.between(312, 336),
        moment=nuisances.between(1.3, 1.65),
        mirrored=nuisances.one_of((False, True)),
    )


def ground(base: Conveyor, brush: Brush) -> None:
    walls(brush, 296, WALLS[base.wall], (168, 166, 162), "plaster")
    side = faced(brush, base.mirrored)
    for x in (222, 352):
        window(side, x, 30, 104, 78)
    side.shadow((320, 352), 380, 12)
    look = Look(base.height, COLORS[base.coat], hair=_HAIR[base.hair])
    pose = Pose((0.05, -0.05), arms=(0.35, 0.2), elbows=(0.9, 0.8), head=0.3)
    side_view(faced(brush, not base.mirrored), look, pose, (90, 330))
    props.belt_frame(side, BELT)


def paint(base: Conveyor, brush: Brush, state: State) -> None:
    side = faced(brush, base.mirrored)
    with side.of("belt"):
        props.belt(side, BELT, state["belt"]["way"])
    for name, size, color in (("small", base.small, base.other), ("crate", base.side, base.color)):
        box = state.get(name)
        if box and box["x"] + size / 2 > MOUTH + 3:
            with side.of(name):
                foot = (box["x"], BELT - box.get("lift", 0.0))
                if box.get("round"):
                    props.barrel(side, foot, size / 2, COLORS[color], box["round"])
                else:
                    props.crate_box(side, (foot[0], foot[1] - size / 2), size / 2, 0.0, COLORS[color])
    if "goods" in state:
        with side.of("goods"):
            _goods(base, side, state["goods"])
    props.tunnel(side, MOUTH, _TOP, BELT, _push(base, state), state["belt"]["speed"] > 0)
    if "hand" in state:
        x, lift = state["crate"]["x"], state["crate"]["lift"]
        with side.of("hand"):
            hand(side, (x, BELT - base.side + 8 - lift - state["hand"]["above"]))


def _goods(base: Conveyor, brush: Brush, goods: Mapping[str, float]) -> None:
    x, color = goods["x"], COLORS[base.goods]
    if goods["apple"]:
        paint_apple = props.apple if goods["apple"] > 30 else props.apple_crate
        paint_apple(brush, (x, BELT), goods["apple"], _APPLES[base.apple])
    elif goods["drawn"]:
        canvas(brush, x - 66, 102, x + 66, BELT - 26)
        impossible_triangle(brush, (x, 168), 106, color)
    elif goods["impossible"]:
        impossible_triangle(brush, (x, BELT - 54), 140, color)
    else:
        solid_triangle(brush, (x - 5, BELT - 53), 126, color)


def _push(base: Conveyor, state: State) -> float:
    """How far the strips of the tunnel are pushed out by what comes through, from 0 to 1."""
    spans = [
        (state[name]["x"], size / 2) for name, size in (("small", base.small), ("crate", base.side)) if name in state
    ]
    if "goods" in state:
        spans.append((state["goods"]["x"], courses.reach(state["goods"]) - 14))
    return max(max(0.0, min(1.0, (half + 12 - abs(x - MOUTH)) / 12)) for x, half in spans)


CONVEYOR = Scene(
    name="conveyor",
    title="Crates on a belt that comes out of a tunnel",
    setup="A ribbed belt takes a {color} and a {other} crate out of a tunnel, past a worker in a {coat} coat.",
    sample=sample,
    ground=ground,
    paint=paint,
    entities=(
        ("crate", "box", "apple", "triangle", "frame"),
        ("belt", "conveyor"),
        ("worker", "person", "man", "woman", "figure", "character"),
    ),
    actions=("mov", "ride", "slid", "carr", "take", "bring", "transport", "travel", "stop", "come", "emerge", "run"),
    events=(
        Event(
            sub_type="friction",
            play=courses.slides_on,
            begins=courses.begins,
            breaks=courses.rubs(),
            actors=("crate", "belt"),
            claim="The belt stops, and the {color} crate slides on along the rough belt at full speed.",
            control="The belt stops, and both crates on it come to rest at once.",
            normal="the rough belt slows the {color} crate down and stops it",
            signs=phrases("slides on, full speed, same speed, keeps, continues, moves on, not stop, without slow"),
            expected=("slow", "stops it", "come to rest", "comes to rest", "brak", "grip"),
            interaction=True,
            explained="a hand draws the crate along",
        ),
        Event(
            sub_type="shape",
            play=courses.brings_triangle,
            begins=courses.begins,
            breaks=courses.could_be_built(),
            actors=("goods",),
            claim="Out of the tunnel comes a {goods} triangle whose three beams join as no solid can.",
            control="Out of the tunnel comes a {goods} triangular frame of three beams.",
            normal="the beams of a solid triangle meet in corners that agree with each other",
            signs=("impossible", "penrose", "escher", "no solid", "paradox", "inconsistent", "twisted"),
            expected=("corner", "agree", "consistent", "real", "possible"),
            explained="it is a picture on a canvas",
        ),
        Event(
            sub_type="size",
            play=courses.brings_apple,
            begins=courses.begins,
            breaks=courses.keeps_scale(),
            actors=("goods",),
            claim="Out of the tunnel comes one {apple} apple that is half as tall as the worker.",
            control="Out of the tunnel comes a crate full of {apple} apples.",
            normal="an apple is so small that a hand can hold it",
            signs=("tall", "size", "large", "big", "giant", "huge", "enormous"),
            expected=("small", "size", "hand"),
        ),
        Event(
            sub_type="morphing",
            play=courses.becomes_barrel,
            begins=courses.begins,
            breaks=keeps("crate", "round"),
            actors=("crate",),
            claim="The {color} crate turns into a barrel on the running belt, and nobody has touched it.",
            control="A hand lifts the {color} crate off the running belt.",
            normal="the crate keeps its form and rides on along the belt",
            signs=("barrel", "drum", "keg", "turns into", "morph", "transform", "another shape"),
            expected=("keeps its form", "keeps its shape", "stays a crate", "remains", "the same", "rides on"),
        ),
        Event(
            sub_type="permanence",
            play=courses.vanishes,
            begins=courses.begins,
            breaks=persists("crate", "small"),
            actors=("crate",),
            claim="The {color} crate is suddenly gone from the running belt, and nobody has touched it.",
            control="A hand lifts the {color} crate off the running belt.",
            normal="the crate stays in sight and rides on along the belt",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "ride", "continue", "exist"),
        ),
    ),
)
