"""A curling stone glides over the ice and hits another one, which glides on to a rough mat."""

from __future__ import annotations

from veridical.media.draw.scene import Colour
from veridical.media.figures.brush import Brush, faced
from veridical.media.figures.palette import COLORS, hand
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.props_rink import mirrored_stone, rink, rough_mat, stone
from veridical.suites.hocabench.physics.scene import Event, Scene, State, persists, phrases, value
from veridical.suites.hocabench.physics.scenes import curling_courses as courses
from veridical.suites.hocabench.physics.scenes.curling_courses import MAT, Curling

_FOOT = 286.0
_WALLS: tuple[Colour, ...] = ((72, 88, 120), (70, 104, 110), (104, 90, 116))
_STRIPES: tuple[Colour, ...] = ((196, 60, 56), (40, 92, 170), (60, 140, 90))


def sample(nuisances: Nuisances) -> Curling:
    colors = sorted(COLORS)
    (color,) = nuisances.in_turn(colors)
    return Curling(
        color=color,
        other=nuisances.one_of([each for each in colors if each != color]),
        wall=nuisances.one_of((0, 1, 2)),
        speed=nuisances.between(138, 156),
        place=nuisances.between(148, 170),
        gap=nuisances.between(58, 66),
        moment=nuisances.between(1.3, 1.55),
        mirrored=nuisances.one_of((False, True)),
    )


def ground(base: Curling, brush: Brush) -> None:
    side = faced(brush, base.mirrored)
    rink(side, _WALLS[base.wall], _STRIPES[(base.wall + len(base.color)) % 3], (208.0, 292.0))
    rough_mat(side, MAT - 20, 254, 336)


def paint(base: Curling, brush: Brush, state: State) -> None:
    side = faced(brush, base.mirrored)
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


_ON = "The {color} stone hits the {other} stone, which glides off and stops on the rough mat."
CURLING = Scene(
    name="curling",
    title="A curling stone hits another one before a rough mat",
    setup="A curling stone with a {color} handle glides over the ice to a {other} one, which lies before a rough mat.",
    sample=sample,
    ground=ground,
    paint=paint,
    entities=(("stone", "rock", "puck", "iron", "kettle"), ("ice", "rink"), ("mat", "carpet", "rug", "doormat")),
    actions=("glid", "slid", "hit", "mov", "collid", "bump", "push", "strik"),
    events=(
        Event(
            sub_type="friction",
            play=courses.slides_on,
            begins=courses.at_the_mat,
            breaks=courses.BRAKES,
            actors=("other",),
            claim="The {other} stone that is hit slides on over the rough mat and gets no slower.",
            control=_ON,
            normal="the rough mat brakes the {other} stone, which soon stops",
            signs=phrases("no slower, not slow, full speed, same speed, constant speed, not stop, without slowing"),
            expected=("brake", "slows", "stop", "come to rest"),
            interaction=True,
            explained="a hand draws the stone along",
        ),
        Event(
            sub_type="collision",
            play=courses.passes_through,
            begins=courses.at_the_hit,
            breaks=courses.SOLID,
            actors=("first", "other"),
            claim="The {color} stone glides straight through the {other} stone and comes out behind it.",
            control=_ON,
            normal="the {color} stone hits the {other} stone and pushes it away",
            signs=("through", "penetrat", "overlap", "merge"),
            expected=("push", "hit", "bump", "stop", "bounce", "knock", "away"),
            interaction=True,
        ),
        Event(
            sub_type="inertia",
            play=courses.turns_round,
            begins=courses.on_the_ice,
            breaks=courses.GLIDES,
            actors=("first",),
            claim="The {color} stone turns back in the middle of the ice, and nothing has touched it.",
            control=_ON,
            normal="the {color} stone glides on over the ice until it hits the other stone",
            signs=("turns back", "turn back", "turns round", "turns around", "reverse", "backward", "back by itself"),
            expected=("glides on", "keep", "continue", "until", "goes on", "onward"),
            explained="a hand takes the stone back",
        ),
        Event(
            sub_type="optics",
            play=courses.leaves_image,
            begins=courses.on_the_ice,
            breaks=courses.MIRRORS,
            actors=("first", "image"),
            claim="The mirror image of the {color} stone stays behind in the ice while the stone glides on.",
            control=_ON,
            normal="the mirror image in the ice glides along below the {color} stone",
            signs=("stays behind", "left behind", "stays in place", "separate", "detach", "does not move", "lags"),
            expected=("along", "below", "under", "with the stone", "follow"),
            interaction=True,
        ),
        Event(
            sub_type="permanence",
            play=courses.vanishes,
            begins=courses.on_the_ice,
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
