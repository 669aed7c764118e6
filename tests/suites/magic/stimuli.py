"""Small stimuli of every kind, as the generator and the releases make them, each with a tiny picture of blocks."""

from functools import lru_cache

import numpy as np

from veridical.media.decode import medium_of
from veridical.media.draw import encode_png
from veridical.records import Stimulus
from veridical.suites.magic.stimuli import FACTORS, QUESTION_TYPES

COLORS = {"red": (200, 40, 40), "blue": (40, 80, 200), "green": (40, 150, 70), "yellow": (230, 200, 40)}
NAMES = ("mug", "lamp", "vase", "book")
PLACES = ([40, 60, 120, 140], [200, 60, 280, 140], [360, 60, 440, 140], [500, 200, 580, 280])
TYPES = {
    "query": ("What color is the mug?", ("red", "blue", "green", "yellow"), (0,)),
    "verify": ("Is the mug red?", ("yes", "no"), (0,)),
    "choose": ("Is the mug red or blue?", ("red", "blue"), (0,)),
    "logical": ("Are the mug and the lamp both red?", ("yes", "no"), (0, 1)),
    "compare": ("Which is further left, the mug or the lamp?", ("mug", "lamp"), (0, 1)),
}


def claim(kind, thing, box, value, true, other=None):
    return {"kind": kind, "thing": thing, "box": box, "value": value, "true": true, "other": other}


def step(text, correct=True, correction=None, *claims):
    return {"text": text, "correct": correct, "correction": correction, "claims": list(claims)}


def chains(short, color, number, relevant, lamp):
    """Chains about the mug, which is in box `number`; the lamp is in box `lamp`."""
    scene = step("The picture shows a room with a few things in it.")
    color_of = claim("color", "mug", number, color, color)
    seen = step(f"I look at R{number}, which shows the mug, and it is {color}.", True, None, color_of)
    end = step(f"So the answer is {short}.")
    false = "green" if color != "green" else "blue"
    by = "generator"
    correct = f"The mug in R{number} is {color}."
    wrong = step(f"R{number} shows a {false} mug.", False, correct, claim("color", "mug", number, false, color))
    place = step(
        f"The mug is in R{lamp}.",
        False,
        f"The mug is in R{number}, not in R{lamp}.",
        claim("place", "mug", lamp, f"R{lamp}", f"R{number}"),
    )
    side = step(
        f"The mug in R{number} is to the right of the lamp in R{lamp}.",
        False,
        f"The mug in R{number} is to the left of the lamp in R{lamp}.",
        claim("relation", "mug", number, "right of", "left of", "lamp"),
    )
    every = [step(f"I look at R{k} as well.") for k in range(1, 5)]
    return [
        {"kind": "region", "by": by, "steps": [scene, place]},
        {"kind": "relation", "by": by, "steps": [scene, seen, side]},
        {"kind": "description", "by": by, "steps": [scene, wrong]},
        {"kind": "listing", "by": by, "steps": [scene, *every]},
        {"kind": "true", "by": by, "steps": [scene, seen, end]},
    ]


@lru_cache
def picture(colors):
    pixels = np.full((480, 640, 3), 235, np.uint8)
    for color, (x0, y0, x1, y1) in zip(colors, PLACES, strict=True):
        pixels[y0:y1, x0:x1] = COLORS[color]
    return encode_png(pixels)


def make_stimulus(kind="query", index=0, **changes):
    """The question of one type about scene `index`: a mug, a lamp, a vase and a book side by side.

    `changes` replace fields, and truths and factors by name.
    """
    question, offered, places = TYPES[kind]
    color = tuple(COLORS)[index % 4]
    colors = (color, tuple(COLORS)[(index // 4) % 4], "yellow", "green")
    order = [(place + index) % 4 for place in range(4)]
    numbers = {place: order.index(place) + 1 for place in range(4)}
    both = "yes" if colors[0] == colors[1] == "red" else "no"
    short = {"query": color, "verify": "yes" if color == "red" else "no", "choose": color, "logical": both}
    short = short.get(kind, "mug")
    if kind == "choose":
        question = f"Is the mug {color} or {'blue' if color != 'blue' else 'red'}?"
    full = {"query": f"The mug is {color}.", "choose": f"The mug is {color}.", "compare": "The mug is further left."}
    full = full.get(kind, f"{short.capitalize()}, the mug is {color}.")
    relevant = sorted(numbers[place] for place in places)
    things = [
        {"name": name, "color": shade, "material": "wood", "size": "small", "box": list(box), "number": numbers[k]}
        for k, (name, shade, box) in enumerate(zip(NAMES, colors, PLACES, strict=True))
    ]
    truth = {
        "short": short,
        "full": full,
        "boxes": [list(PLACES[place]) for place in order],
        "relevant": relevant,
        "adversarial": [number for number in range(1, 5) if number not in relevant],
        "chains": chains(short, color, numbers[0], relevant, numbers[1]),
        "graph": {"things": things, "relations": [[0, "left of", 1], [1, "right of", 0]]},
        "rule": {
            "accepted": [short],
            "rivals": [answer for answer in offered if answer != short] if short in offered else [],
            "essentials": [[short]],
        },
    }
    factors = {
        "template": "compare-side" if kind == "compare" else f"{kind}-color",
        "offered": len(offered),
        "box_count": 4,
        "relevant_count": len(relevant),
    }
    factors |= {"chain_by": "generator", "taken_from": "generator"}
    unit = f"room/{index:04}"
    own = {
        "id": f"{unit}/{kind}",
        "suite": "magic",
        "family": "room",
        "unit": unit,
        "variant": "drawn",
        "category": kind,
        "question": question,
        "label": short,
        "seed": 0,
        "media": (medium_of(f"media/{unit}.png", picture(colors)),),
        "factors": dict.fromkeys(FACTORS) | factors,
        "truth": truth,
    }
    for name, value in changes.items():
        part = name if name in own else "factors" if name in FACTORS else "truth"
        own[part] = value if name in own else {**own[part], name: value}
    return Stimulus(**own)


def stimuli(units=4):
    """One question of each type about each of so many scenes."""
    return [make_stimulus(kind, index) for index in range(units) for kind in QUESTION_TYPES]


ANNOTATED = {
    "kind": "annotated",
    "by": "model-x",
    "steps": [
        step("The picture shows a kitchen."),
        step("In R1 there is a green mug.", False, "The mug in R1 is red."),
        step("It stands to the right of the lamp.", False, "It stands to the left of the lamp."),
        step("The lamp in R2 is off."),
        step("So the mug is green.", False, "So the mug is red."),
    ],
}
"""An annotated chain with two wrong stretches: steps 2 and 3, and step 5."""


def released(index=0):
    """A question of an annotated release: no graph, no rule, a chain of a model's."""
    made = make_stimulus("query", index, chains=[ANNOTATED], graph=None, rule=None)
    changed = {"family": "photo", "variant": "photo", "unit": f"photo/{index}", "id": f"photo/{index}/1"}
    factors = dict.fromkeys(FACTORS) | {"box_count": 4, "relevant_count": 1, "chain_by": "model-x"}
    return Stimulus(
        **{name: getattr(made, name) for name in Stimulus.__dataclass_fields__ if name not in (*changed, "factors")},
        **changed,
        factors=factors | {"portion": "test", "taken_from": "release"},
    )
