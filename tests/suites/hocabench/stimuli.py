"""Small stimuli of every kind, as a generator or a release has them, each with a tiny clip."""

import io
from dataclasses import replace
from functools import lru_cache

import numpy as np

from veridical.media.clips.write import encode_clip
from veridical.media.decode import medium_of
from veridical.records import Stimulus
from veridical.suites.hocabench.stimuli import FACTORS, QUESTION
from veridical.suites.hocabench.taxonomy import SUB_TYPES

RATE, COUNT, SIDE = 12, 48, 32
EVENT = 2.0
RULE = {
    "entities": [["ball", "sphere"], ["table", "desk"]],
    "actions": ["bounc", "drop", "fall"],
    "signs": ["rises", "float", "upward", "does not fall"],
    "expected": ["fall", "drop", "come down"],
}
REFERENCE = {
    "scene": "A hand lets a red ball fall onto a table, where it bounces.",
    "anomaly": "The red ball rises up to the ceiling.",
    "reasoning": "It breaks the rule that what is not held falls down. Normally, the ball falls back.",
}
OPTIONS = ["The ball rises.", "The ball is gone.", "The ball turns blue.", "The ball sinks through the table."]


@lru_cache
def clip(frames=COUNT):
    """A gray clip whose frame k has the value 5 k."""
    return encode_clip((np.full((SIDE, SIDE, 3), min(5 * k, 255), np.uint8) for k in range(frames)), RATE)


@lru_cache
def drawn():
    """The record of that clip, decoded once."""
    return medium_of("clip.mp4", clip())


def make_stimulus(variant="violating", sub_type="gravity", **changes):
    """A stimulus of a variant; `changes` replace fields, and truths and factors by name."""
    kind = SUB_TYPES[sub_type]
    single = variant in ("violating", "plausible", "explained")
    violating = variant == "violating"
    truth = {"plausible": variant in ("plausible", "explained"), "sub_types": [sub_type], "interaction": True}
    truth |= {"intervals": [] if truth["plausible"] else [[EVENT, 4.0]]}
    if violating:
        truth["reference"] = {**REFERENCE, "attribution": kind.layer.capitalize()}
        truth |= {"options": OPTIONS, "option": OPTIONS[0], "rule": RULE}
        truth["option_sub_types"] = ["gravity", "permanence", "mutation", "collision"]
    if variant == "panels":
        truth["sub_types"] = ["collision", "gravity"]
    family = sub_type if single else variant
    factors = {"layer": kind.layer, "sub_type": sub_type, "event": EVENT} if single else {}
    own = {
        "id": f"{family}/0000/{variant}",
        "suite": "hocabench",
        "family": family,
        "unit": f"{family}/0000",
        "variant": variant,
        "category": kind.domain if single else "several",
        "question": QUESTION,
        "label": "No" if violating else "Yes" if single else "collision,gravity" if variant == "panels" else None,
        "seed": 0,
        "media": (replace(drawn(), file=f"media/{family}/{variant}.mp4"),),
        "factors": dict.fromkeys(FACTORS) | factors | {"taken_from": "generator"},
        "truth": truth,
    }
    for name, value in changes.items():
        part = name if name in own else "factors" if name in FACTORS else "truth"
        own[part] = value if name in own else {**own[part], name: value}
    return Stimulus(**own)


def all_kinds():
    """One stimulus of each variant, and a real clip of a release, which has no event."""
    made = [make_stimulus(variant) for variant in ("violating", "plausible", "explained", "panels", "sequence")]
    return [*made, make_stimulus("plausible", id="real/1/plausible", family="real", event=None, category="real")]


def opened():
    """The clip of these stimuli, decoded."""
    from veridical.media.decode import decode

    return decode(io.BytesIO(clip()).getvalue(), "clip.mp4")
