"""A small release as HOCA-Bench's could be: tiny clips, and their annotations written in each form."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from functools import cache

import numpy as np

from veridical.media.clips.write import encode_clip

KEYS = (
    "type",
    "category",
    "sub_category",
    "scene_description",
    "anomaly_phenomenon",
    "interaction_judgment",
    "normal_phenomenon",
)
GRAVITY = ("Causal Anomaly", "Mechanical Anomaly", "Gravity Anomaly")
MUTATION = ("Ontological Anomaly", "State Anomaly", "Attribute Mutation Anomaly")
RIGIDITY = ("Causal Anomaly", "Physical Material Anomaly", "Rigidity/Strength Anomaly")
INTERACTION, ALONE = "This is an interaction process.", "This is a spontaneous process."
SECONDS = 2


@cache
def clip(k, height=32, width=48, rate=Fraction(8), frames=SECONDS * 8):
    """The bytes of a clip of its own for each number: a square that moves over a gray ground."""
    pictures = []
    for at in range(frames):
        pixels = np.full((height, width, 3), 90 + 7 * (k % 20), np.uint8)
        x = (k + at) % (width - 8)
        pixels[4:12, x : x + 8] = (200, 40, 40)
        pictures.append(pixels)
    return encode_clip(pictures, rate)


def high(k):
    """A real clip that is high enough."""
    return clip(k, height=720, width=16, frames=3, rate=Fraction(4))


def labels(names, anomaly="The mug lifts off.", interaction=INTERACTION):
    """The seven keys of an annotation."""
    scene, normal = "A table with a mug on it.", "Gravity holds it down. Normally, the mug stays."
    return dict(zip(KEYS, (*names, scene, anomaly, interaction, normal), strict=True))


def items():
    """Six annotations: three single anomalies, several at a time, intervals to be found, and a real clip."""
    made = [
        {"id": "g1", "video": "g1.mp4", **labels(GRAVITY), "source_model": "Wan 2.1", "theme": "kitchen"},
        {"id": "m1", "video": "m1.mp4", **labels(MUTATION, "The shirt turns red.", ALONE), "scene_type": "indoor"},
        {"id": "r1", "video": "r1.mp4", **labels(RIGIDITY, "The rod bends."), "prompt": "A rod, held."},
        {"id": "p1", "video": "p1.mp4", "sub_category": ["Gravity Anomaly", "Collision Anomaly"]},
        {"id": "s1", "video": "s1.mp4", "sub_category": "Inertia Anomaly", "intervals": [[0.5, 1.0], [1.25, 1.75]]},
        {"id": "v1", "video": "v1.mp4", "real": True, "description": "A person cuts bread."},
    ]
    made[0] |= {"distractors": ["The mug melts.", "The mug turns blue.", "The mug has no shadow, at noon."]}
    made[2] |= {"start": 0.5, "end": 1.5}
    return made


def write_clips(folder, listed):
    """The clips of a release, in its folder of videos."""
    place = folder / "videos"
    place.mkdir(parents=True, exist_ok=True)
    for k, item in enumerate(listed):
        name = item.get("video", "")
        if name and "/" not in name:
            (place / name).write_bytes(high(k) if item.get("real") else clip(k))
    return folder


def as_json(folder, listed):
    write_clips(folder, listed)
    (folder / "annotations.json").write_text(json.dumps(listed))
    return folder


def as_object(folder, listed):
    """One object with an annotation by the name of each clip."""
    write_clips(folder, listed)
    by_clip = {item["video"]: {key: value for key, value in item.items() if key != "video"} for item in listed}
    (folder / "annotations.json").write_text(json.dumps(by_clip))
    return folder


def as_lines(folder, listed):
    write_clips(folder, listed)
    (folder / "data").mkdir()
    (folder / "data" / "items.jsonl").write_text("".join(json.dumps(item) + "\n\n" for item in listed))
    return folder


def as_csv(folder, listed):
    write_clips(folder, listed)
    columns = list(dict.fromkeys(key for item in listed for key in item))
    with (folder / "items.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for item in listed:
            cells = [item.get(key, "") for key in columns]
            writer.writerow([json.dumps(cell) if isinstance(cell, list) else cell for cell in cells])
    return folder
