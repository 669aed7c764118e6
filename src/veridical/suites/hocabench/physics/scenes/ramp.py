"""A crate slides down a ramp onto a rough carpet."""

from __future__ import annotations

from veridical.media.draw.scene import Colour
from veridical.media.figures.brush import Brush, faced
from veridical.media.figures.grain import lighter, mixed
from veridical.media.figures.palette import COLORS, STEEL, WOOD, hand
from veridical.suite.nuisance_fields import sampler
from veridical.suites.hocabench.physics.law import always_there, keeps
from veridical.suites.hocabench.physics.props_factory import crate_box
from veridical.suites.hocabench.physics.props_home import WALLS, walls, window
from veridical.suites.hocabench.physics.scene import Event, Scene, phrases
from veridical.suites.hocabench.physics.scenes import ramp_courses as courses
from veridical.suites.hocabench.physics.scenes.ramp_courses import FOOT, LENGTH, TOP, Ramp
from veridical.suites.hocabench.physics.state import State

_THICK = 14.0


def ground(base: Ramp, brush: Brush) -> None:
    walls(brush, 276, WALLS[base.wall])
    side = faced(brush, base.mirrored)
    window(side, 470, 62)
    _carpet(side, mixed(COLORS[base.carpet], (120, 110, 100), 0.45))
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
    side = faced(brush, base.mirrored)
    steel, plank = base.plank == "steel", state["plank"]
    with side.of("plank"):
        _plank(side, [courses.on_profile(LENGTH * k / 24, plank) for k in range(25)], STEEL if steel else WOOD, steel)
    crate = state.get("crate")
    if crate:
        (x, y), turn = courses.pose(base, crate, plank)
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


_ON = "The {color} crate slides down the ramp, gets slower on the rough carpet and stops."
RAMP = Scene(
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
    events=(
        Event(
            sub_type="friction",
            play=courses.slides_on,
            breaks=courses.brakes,
            claim="The {color} crate slides across the rough carpet at full speed and does not get slower.",
            control=_ON,
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
            play=courses.climbs,
            breaks=courses.gets_no_slower,
            claim="The {color} crate turns round halfway down and slides up to the ramp's top by itself.",
            control=_ON,
            normal="the crate slides on down the ramp",
            signs=("up the", "upward", "upwards", "uphill", "back up", "climb", "slides up", "moves up", "ascend"),
            expected=("down", "fall"),
            interaction=True,
            explained="a hand draws the crate up",
            actors=("crate",),
        ),
        Event(
            sub_type="rigidity",
            play=courses.sags,
            breaks=keeps("plank", "sag"),
            claim="The {plank} ramp sags like a cloth under the {color} crate, which stays in the hollow.",
            control=_ON,
            normal="the {plank} ramp stays straight while the crate slides down it",
            signs=("sag", "bend", "bent", "droop", "cloth", "hollow", "deform", "soft", "warp", "curv"),
            expected=("straight", "rigid", "stiff", "stay", "keep", "firm"),
            interaction=True,
            actors=("plank", "crate"),
        ),
        Event(
            sub_type="inertia",
            play=courses.sets_off,
            breaks=courses.lies_still,
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
            play=courses.vanishes,
            breaks=always_there("crate"),
            claim="The {color} crate is suddenly gone from the ramp, and nobody has touched it.",
            control=_ON,
            normal="the crate stays in sight and slides down onto the carpet",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "slide", "continue", "exist"),
            explained="a hand takes the crate away",
            actors=("crate",),
        ),
    ),
)
