"""A dog walks up to a parked car and sniffs at its bumper."""

from __future__ import annotations

from veridical.media.figures.brush import Brush, circle, faced
from veridical.media.figures.grain import lighter, mixed
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.props_animals import butterfly, dog
from veridical.suites.hocabench.physics.props_car import BUMPER, parked_car
from veridical.suites.hocabench.physics.props_exhibits import crate
from veridical.suites.hocabench.physics.scene import Event, Scene, State, keeps, persists, phrases
from veridical.suites.hocabench.physics.scenes import dog_courses as courses
from veridical.suites.hocabench.physics.scenes.dog_courses import NEARER, ROAD, Dog

_COATS = {"brown": (142, 92, 54), "black": (58, 54, 54), "sandy": (206, 166, 110)}
_HEDGES = ((86, 134, 84), (108, 140, 78), (74, 122, 98))


def sample(nuisances: Nuisances) -> Dog:
    color = nuisances.one_of(sorted(COLORS))
    return Dog(
        color=color,
        other=nuisances.one_of(sorted(set(COLORS) - {color, "green"})),
        coat=nuisances.one_of(sorted(_COATS)),
        dyed=nuisances.one_of(["blue", "purple", "red"]),
        hedge=nuisances.one_of((0, 1, 2)),
        height=nuisances.between(84, 94),
        rear=nuisances.between(548, 566),
        start=nuisances.between(54, 84),
        moment=nuisances.between(1.5, 1.9),
        flipped=bool(nuisances.one_of([0, 1])),
    )


def ground(base: Dog, brush: Brush) -> None:
    brush = faced(brush, base.flipped)
    hedge = _HEDGES[base.hedge]
    brush.plain([(-20, -20), (660, -20), (660, 180), (-20, 180)], (190, 216, 236))
    brush.box(-20, 150, 660, 286, hedge)
    for k in range(12):
        brush.plain(circle((-6 + 60 * k, 152 + 6 * (k % 3)), 34), lighter(hedge, 0.06 * (k % 2)))
    brush.box(-20, 262, 660, 292, (150, 178, 104))
    brush.box(-20, 288, 660, 380, (152, 150, 150))
    brush.line((-20, 288), (660, 288), 5, (196, 194, 188))


def paint(base: Dog, brush: Brush, state: State) -> None:
    brush = faced(brush, base.flipped)
    if "car" in state:
        rear = state["car"]["x"]
        brush.shadow((rear - 96, ROAD + 3), 168, 12)
        with brush.of("car"):
            turn = (rear - base.rear) / 30
            parked_car(brush, (rear, ROAD - state["car"]["up"]), COLORS[base.color], state["car"]["tilt"], turn)
    if "rope" in state:
        _rope(base, brush, state)
    if "crane" in state:
        _crane(base, brush, state)
    body = state["dog"]
    brush.shadow((body["x"] - 4, ROAD + NEARER + 2), 0.72 * base.height, 8)
    with brush.of("dog"):
        fur = mixed(_COATS[base.coat], COLORS[base.dyed], body["dyed"])
        dog(brush, (body["x"], ROAD + NEARER), base.height, fur, body["pitch"], body["walk"], body["wag"])
    if "balloon" in state:
        x, y = state["balloon"]["x"], state["balloon"]["y"]
        with brush.of("balloon"):
            brush.curve([(x + 5 * (k % 2), y + 56 + 10 * k) for k in range(7)], 2, (90, 90, 90))
            brush.plain([(x - 7, y + 66), (x + 7, y + 66), (x, y + 54)], lighter(COLORS[base.other], -0.25))
            brush.disc((x, y), 58, COLORS[base.other])
    if "crate" in state:
        with brush.of("crate"):
            x, y = state["crate"]["x"], state["crate"]["y"]
            for hook in ((x, y), (x + 118, y), (x + 47, y - 40), (x + 165, y - 40)):
                brush.line((x + 82, y - 96), hook, 3, (70, 62, 54))
            brush.line((x + 82, -40), (x + 82, y - 94), 6, (70, 62, 54))
            crate(brush, (x, y), 118, (198, 146, 88), state["crate"]["impossible"] > 0)
    if "butterfly" in state:
        _butterfly(base, brush, state)


def _butterfly(base: Dog, brush: Brush, state: State) -> None:
    each = state["butterfly"]
    if each["line"]:
        x, y = each["x"], each["y"]
        brush.line((x, y), (-40, 372), 2.5, (250, 250, 250))
        tail = [(x + 12 * (1 if k % 2 else -1), y + 40 + 14 * k) for k in range(7)]
        brush.curve(tail, 3, (250, 250, 250))
        for point in tail[2:]:
            brush.plain(
                [(point[0] - 8, point[1] - 4), (point[0] + 8, point[1] + 4), (point[0] + 8, point[1] - 4)],
                COLORS[base.other],
            )
    with brush.of("butterfly"):
        butterfly(brush, (each["x"], each["y"]), each["span"], COLORS[base.other], each["flap"])
    if each["line"]:
        half = 0.5 * each["span"]
        brush.line(
            (each["x"] - half, each["y"] - 0.3 * half), (each["x"] + half, each["y"] - 0.3 * half), 4, (120, 84, 50)
        )


def _rope(base: Dog, brush: Brush, state: State) -> None:
    """A rope with a hook that comes from above and holds the bumper."""
    tilt = state["car"]["tilt"]
    x, y = base.rear + BUMPER[0] + 26 + 24 * tilt, ROAD + BUMPER[1] - 36 - 224 * tilt
    y = -40 + state["rope"]["down"] * (y + 40)
    brush.line((x, -30), (x, y), 7, (70, 62, 54))
    brush.box(x - 17, y - 12, x + 17, y + 8, (226, 176, 40))
    brush.ring((x, y + 20), 13, 7, (70, 70, 74))


def _crane(base: Dog, brush: Brush, state: State) -> None:
    """A hook that comes from above, with straps to both ends of the car's roof."""
    x, roof = base.rear - 77, ROAD - 124 - state["car"]["up"]
    roof -= (1 - state["crane"]["down"]) * 240
    for end in (-44, 44):
        brush.line((x, roof - 36), (x + end, roof), 6, (206, 120, 30))
    brush.line((x, -30), (x, roof - 50), 8, (70, 62, 54))
    brush.box(x - 18, roof - 56, x + 18, roof - 34, (226, 176, 40))


DOG = Scene(
    name="dog",
    title="A dog before a parked car",
    setup="A {coat} dog walks up to a parked {color} car with a driver in it and sniffs at the bumper.",
    sample=sample,
    ground=ground,
    paint=paint,
    entities=(("dog", "puppy", "hound", "animal"), ("car", "vehicle", "auto")),
    actions=("walk", "sniff", "approach", "parked", "moves", "stand", "lift"),
    events=(
        Event(
            sub_type="bio_behavior",
            play=courses.lifts_car,
            breaks=courses.strength_has_limits(),
            claim="The {coat} dog lifts the front of the {color} car high up with its snout.",
            control="The {coat} dog raises its head while the car backs away.",
            normal="a dog is far too weak for the weight of a car, which stays on its wheels",
            signs=("lift", "hoist", "picks up", "tilt", "raises the", "raising the", "holds up", "strength"),
            expected=("weak", "heavy", "weight", "stay", "wheels", "cannot", "ground"),
            interaction=True,
            begins=courses.begins,
            actors=("dog", "car"),
            explained="a rope from above lifts the car",
        ),
        Event(
            sub_type="shape",
            play=courses.crate_comes,
            breaks=courses.could_be_built(),
            claim="On a rope hangs an impossible crate whose back beams pass in front of its front beams.",
            control="A wooden crate of twelve beams comes down on a rope.",
            normal="the front beams of a solid crate hide parts of the back beams",
            signs=phrases(
                "impossible, penrose, escher, in front of, paradox, exist, illusion, inconsistent, contradict"
            ),
            expected=("front", "hide", "consistent", "solid", "real", "behind"),
            begins=courses.begins,
            actors=("crate", "dog"),
        ),
        Event(
            sub_type="size",
            play=courses.butterfly_comes,
            breaks=courses.keeps_scale(),
            claim="A living {other} butterfly that is larger than the {coat} dog flutters past the hedge.",
            control="A small {other} butterfly and a round {other} balloon drift past the hedge.",
            normal="a butterfly is much smaller than a dog",
            signs=("large", "size", "giant", "huge", "big", "enormous", "oversized"),
            expected=("small", "size", "tiny"),
            begins=courses.begins,
            actors=("butterfly", "dog"),
            explained="it is a kite on a line",
        ),
        Event(
            sub_type="mutation",
            play=courses.dog_changes,
            breaks=keeps("dog", "dyed"),
            claim="The fur of the dog before the car turns from {coat} to {dyed} by itself.",
            control="The {coat} dog raises its head while the car backs away.",
            normal="the dog's fur stays {coat}",
            signs=("color", "colour", "turns from", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same"),
            begins=courses.begins,
            actors=("dog",),
        ),
        Event(
            sub_type="permanence",
            play=courses.car_vanishes,
            breaks=persists("car"),
            claim="The parked {color} car is suddenly gone from before the dog's nose.",
            control="The parked {color} car backs away from the {coat} dog.",
            normal="the car stays in sight, or drives away",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "drive", "exist"),
            begins=courses.begins,
            actors=("car",),
        ),
        Event(
            sub_type="gravity",
            play=courses.car_floats,
            breaks=courses.weighs(),
            claim="The parked {color} car rises with all four wheels by itself and stays in the air.",
            control="The parked {color} car backs away from the {coat} dog.",
            normal="the weight of the car keeps its wheels on the road",
            signs=phrases(
                "rises, float, levitat, hover, in the air, mid-air, midair, into the air, lifts off, off the ground, "
                "off the road"
            ),
            expected=("weight", "heavy", "stay", "remain", "on the road", "on the ground", "fall"),
            begins=courses.begins,
            actors=("car",),
            explained="a crane lifts the car",
        ),
    ),
)
