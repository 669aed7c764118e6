"""Small stimuli of a false transfer, as the generator and a release have them, each with a tiny clip."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from veridical.media.clips.write import encode_clip
from veridical.media.decode import medium_of
from veridical.records import Stimulus
from veridical.suites.magicbench.stimuli import FACTORS, QUESTION

RATE, COUNT, SIDE = 12, 72, 32
SECRET, WINDOW = (2.0, 3.0), (2.0, 3.5)
PROPS = {"present": ["coin", "table"], "absent": ["magnet", "thread", "mirror", "wires", "trapdoor"]}
WORDS = {
    "lie": ("The coin goes into my left hand, and now it is in my left hand.", "left hand", 3.5),
    "misdirection": ("Keep a close eye on my left hand, watch its fingers.", None, None),
    "filler": ("My grandmother used to bake on Sundays, and nobody dared to be late.", None, None),
    "silence": ("", None, None),
    "cue": ("Look here, watch closely.", None, None),
    "nouns": ("Coin. Left hand. Right hand.", None, None),
    "truth": ("The coin stays in the right hand, hidden behind its fingers.", "right hand", 3.5),
}


@lru_cache
def clip(shade):
    return encode_clip((np.full((SIDE, SIDE, 3), shade + k, np.uint8) for k in range(COUNT)), RATE)


@lru_cache
def drawn(shade):
    """The record of that clip, decoded once."""
    return medium_of("clip.mp4", clip(shade))


def atom(text, kind, **fields):
    names = ("thing", "place", "agent", "origin", "target", "start", "end")
    return {"text": text, "kind": kind} | dict.fromkeys(names) | fields


def constraints(honest):
    """Six atoms: with the honest control the coin really changes hands."""
    end = "left hand" if honest else "right hand"
    moved = (
        atom(
            "The right hand puts the coin into the left hand.",
            "secret",
            thing="coin",
            agent="right hand",
            origin="right hand",
            target="left hand",
            start=2.0,
            end=3.0,
        )
        if honest
        else atom(
            "The right hand keeps the coin behind its fingers.",
            "secret",
            thing="coin",
            agent="right hand",
            origin="right hand",
            target="right hand",
            start=2.0,
            end=3.0,
        )
    )
    return [
        atom("The coin lies in the open right hand.", "start", thing="coin", place="right hand", start=0.0, end=2.0),
        atom(
            "No one but the two hands touches the coin.", "holder", thing="coin", agent="right hand", start=0.0, end=2.0
        ),
        moved,
        atom(
            f"While both hands are closed, the coin is in the {end}.",
            "cover",
            thing="coin",
            place=end,
            start=3.0,
            end=4.5,
        ),
        atom(
            f"The left hand opens, and {'the coin lies in it' if honest else 'it is empty'}.",
            "reveal",
            thing="coin",
            place=end,
            start=4.5,
            end=6.0,
        ),
        atom("There are only a coin, two hands and a table.", "props"),
    ]


def patter(honest):
    """All patters, with whether each claim is true in this clip."""
    end = "left hand" if honest else "right hand"
    made = {}
    for name, (text, place, time) in WORDS.items():
        claims = (
            []
            if place is None
            else [{"text": text, "thing": "coin", "place": place, "time": time, "true": place == end, "atom": 3}]
        )
        made[name] = {"text": text, "timeline": [[1.5, 4.0, text]] if text else [], "claims": claims}
    return made


def probes(honest):
    """Where the coin is before, during and after the secret; which hand holds it; whether it is in view."""
    end = "left hand" if honest else "right hand"
    options = ["left hand", "right hand", "the table", "the lap"]
    places = (("before", 1.0, "right hand"), ("during", 2.5, "right hand"), ("after", 4.0, end))
    made = [
        {
            "asks": "place",
            "moment": moment,
            "time": time,
            "question": f"Where is the coin at {time:.1f} s?",
            "options": options,
            "answer": answer,
        }
        for moment, time, answer in places
    ]
    return [
        *made,
        {
            "asks": "view",
            "moment": "after",
            "time": 4.0,
            "question": "Is the coin in view at 4.0 s?",
            "options": ["Yes", "No"],
            "answer": "No",
        },
    ]


def make_stimulus(variant="trick", index=0, **changes):
    """A stimulus of a variant; `changes` replace fields, and truths and factors by name."""
    honest, real = variant == "honest", variant == "real"
    boxes = [[t / 4, 8, 8, 16, 16] for t in range(8, 14)]
    truth = {
        "principle": "Nothing is hidden." if honest else "The coin stays in the right hand, behind its fingers.",
        "pcs": constraints(honest),
        "props": PROPS,
        "log": None if real else [{"event": "At", "thing": "coin", "place": "right hand", "start": 0.0, "end": 2.0}],
        "secret": list(SECRET),
        "window": list(WINDOW),
        "first_visible": None,
        "outcome": None if real else 4.5,
        "critical": boxes,
        "placebo": [[t, 20, 8, 28, 16] for t, *_ in boxes],
        "probes": probes(honest),
        "effect": "The coin vanishes from the left hand.",
        "nouns": ["coin", "left hand", "right hand", "table"],
        "decoy": "left hand",
        "patter": patter(honest),
    }
    if real:
        plain = [atom(each["text"], "release") for each in truth["pcs"]]
        own = {"text": "The coin melts away.", "timeline": [[1.0, 2.0, "The coin melts away."]], "claims": []}
        truth |= {"pcs": plain, "probes": [], "patter": {"own": own}, "critical": [], "placebo": []}
    family = "release" if real else "coin"
    factors = {"taken_from": "release" if real else "generator", "phrasing": None if real else index % 3}
    factors |= {"linguistic_type": "A" if real else None, "difficulty": "medium" if real else None}
    factors |= {} if real else {"peek": (0.3, 0.6, 1.0)[index % 3], "window_length": 1.5, "decoy": 1.0}
    unit = f"{family}/{index:04}"
    own = {
        "id": f"{unit}/{variant}",
        "suite": "magicbench",
        "family": family,
        "unit": unit,
        "variant": variant,
        "category": "release" if real else "palming",
        "question": QUESTION,
        "label": None,
        "seed": 0,
        "media": (replace(drawn(60 if honest else 100), file=f"media/{unit}/{variant}.mp4"),),
        "factors": dict.fromkeys(FACTORS) | factors,
        "truth": truth,
    }
    for name, value in changes.items():
        part = name if name in own else "factors" if name in FACTORS else "truth"
        own[part] = value if name in own else {**own[part], name: value}
    return Stimulus(**own)


def stimuli(units=3):
    """The trick and its honest control of so many units."""
    return [make_stimulus(variant, index) for index in range(units) for variant in ("trick", "honest")]
