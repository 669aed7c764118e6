"""A candle burns on a table, beside a cup and a candle that is not lit."""

from __future__ import annotations

from veridical.media.figures.palette import COLORS
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.scene import Event, Scene, keeps, persists, phrases
from veridical.suites.hocabench.physics.scenes import candle_courses as courses
from veridical.suites.hocabench.physics.scenes.candle_courses import Candle
from veridical.suites.hocabench.physics.scenes.candle_paint import WAXES, ground, paint


def sample(nuisances: Nuisances) -> Candle:
    color = nuisances.one_of(sorted(COLORS))
    return Candle(
        color=color,
        other=nuisances.one_of(sorted({"red", "blue", "green", "purple"} - {color})),
        wax=nuisances.one_of(sorted(WAXES)),
        wall=nuisances.one_of((0, 1, 2, 3)),
        candle=nuisances.between(136, 170),
        cup=nuisances.between(318, 352),
        stub=nuisances.between(532, 552),
        moment=nuisances.between(1.3, 1.7),
        flipped=bool(nuisances.one_of([0, 1])),
    )


CANDLE = Scene(
    name="candle",
    title="A candle burns on a table",
    setup="A candle burns on a table, beside a {color} cup, and a {wax} candle that is not lit stands at the far end.",
    sample=sample,
    ground=ground,
    paint=paint,
    entities=(("candle", "flame"), ("cup", "mug", "paper", "sheet"), ("table", "desk", "surface")),
    actions=("burn", "stand", "hold", "flicker", "melt", "lit", "move"),
    events=(
        Event(
            sub_type="chemistry",
            play=courses.paper_in_flame,
            breaks=courses.burns(),
            claim="A hand holds a sheet of paper in the flame of the candle, and the paper stays unburnt.",
            control="A hand holds a sheet of paper in the flame, and it catches fire and burns away.",
            normal="paper catches fire in a flame, chars and is used up",
            signs=phrases("unburn, not burn, n't burn, unchanged, intact, not catch, n't catch, unharmed, unscathed"),
            expected=("burn", "fire", "char", "ash", "ignite"),
            interaction=True,
            begins=courses.begins,
            actors=("candle", "paper"),
            explained="the flame of the candle goes out",
        ),
        Event(
            sub_type="thermodynamics",
            play=courses.candle_melts,
            breaks=courses.melts_by_heat(),
            claim="The unlit {wax} candle at the far end melts into a pool with no heat near it.",
            control="A hand lights the {wax} candle at the far end with a lighter.",
            normal="wax stays solid at the temperature of a room",
            signs=("melt", "collaps", "sag", "pool", "puddle", "droop"),
            expected=("solid", "stay", "heat", "keep", "remain"),
            interaction=True,
            begins=courses.begins,
            actors=("other candle",),
            explained="the flame of a gas torch heats the candle",
        ),
        Event(
            sub_type="optics",
            play=courses.shadow_turns,
            breaks=courses.shadows_fall_away(),
            claim="The shadow of the {color} cup swings round and falls toward the burning candle.",
            control="A hand pushes the {color} cup away from the candle, and the shadow moves along.",
            normal="the shadow falls away from the burning candle",
            signs=phrases(
                "toward, wrong side, wrong direction, flip, swing, turns round, turns around, rotat, revers, "
                "changes direction, switches, inconsistent, not match, n't match, into the light, same side"
            ),
            expected=("away", "opposite", "other side", "light source", "behind"),
            interaction=True,
            begins=courses.begins,
            actors=("shadow", "candle"),
            explained="the candle goes out and a lamp on the other side lights up",
        ),
        Event(
            sub_type="shape",
            play=courses.piece_comes,
            breaks=courses.could_be_built(),
            claim="A hand puts a {other} triangle on the table whose three beams join as no solid can.",
            control="A hand puts a {other} triangular frame of three beams on the table.",
            normal="the beams of a solid triangle meet in corners that agree with each other",
            signs=phrases("impossible, penrose, escher, no solid, paradox, exist, illusion, inconsistent, contradict"),
            expected=("corner", "agree", "consistent", "real", "solid", "possible"),
            begins=courses.begins,
            actors=("piece",),
            explained="it is a picture on a card",
        ),
        Event(
            sub_type="mutation",
            play=courses.cup_recolors,
            breaks=keeps("cup", "changed"),
            claim="The {color} cup on the table turns {other} by itself in the same candlelight.",
            control="A hand pushes the {color} cup away from the candle.",
            normal="the cup stays {color} as long as the light stays the same",
            signs=("color", "colour", "changes to", "becomes", "cup turn", "turns"),
            expected=("stay", "remain", "keep", "same"),
            begins=courses.begins,
            actors=("cup",),
            explained="a colored lamp lights up and tints everything",
        ),
        Event(
            sub_type="permanence",
            play=courses.cup_vanishes,
            breaks=persists("cup"),
            claim="The {color} cup beside the burning candle is suddenly gone, and no hand takes it.",
            control="A hand takes the {color} cup away from the table.",
            normal="the cup stays on the table",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "continue", "exist"),
            begins=courses.begins,
            actors=("cup",),
        ),
    ),
)
