"""Runs of Self-Heal on small sets: each scene's five questions, their chains, and one annotated chain."""

from __future__ import annotations

import veridical
from tests.suites.magic.stimuli import make_stimulus, picture, released
from veridical.base.workers import Workers
from veridical.records import Chunk
from veridical.stimulus_set.write import write_set
from veridical.suites.magic.options import MagicOptions
from veridical.suites.magic.stimuli import FACTORS

QUIET = {"show": "quiet", "analyze": False}


def written(folder, units=2, kinds=("query", "verify"), releases=1):
    """A set with so many scenes, questions of these kinds about each, and so many annotated questions."""

    def make(options, chunk):
        own = [released(chunk.index)] if chunk.family == "photo" else [make_stimulus(k, chunk.index) for k in kinds]
        for stimulus in own:
            colors = tuple(thing["color"] for thing in make_stimulus("query", chunk.index).truth["graph"]["things"])
            yield stimulus, (picture(colors),)

    chunks = [*(Chunk("room", k) for k in range(units)), *(Chunk("photo", k) for k in range(releases))]
    return write_set(folder, "magic", MagicOptions(), chunks, make, factors=FACTORS, workers=Workers(1))


def run(whole, folder, mechanism="perfect", rounds=1, **more):
    """A run of an observer with a mechanism, judged by rule; own prefixes are asked and judged in a second round."""
    args, settings = {"mechanism": mechanism, **more.pop("args", {})}, more.pop("settings", {})
    options = {"model": "veridical/simulated", "model_args": args, "settings": settings, "repeats": 1, **QUIET, **more}
    for _ in range(rounds):
        veridical.run(whole, out=folder, **options)
        made = veridical.judge(folder, judge="veridical/rule", **QUIET)
    return made


REASONED = {"settings": {"view": "all-boxes", "shots": "none", "prefix": "region"}, "repeats": 1, **QUIET}


def reasoned_runs(folder):
    """Runs of two observers: one states something false in every step about a box and answers wrong, one does not."""
    whole = written(folder / "set", units=3)
    args = ({"mechanism": "distracted", "false_steps": 1.0}, {"mechanism": "perfect"})
    made = [
        veridical.run(whole, model="veridical/simulated", model_args=each, out=folder / str(place), **REASONED)
        for place, each in enumerate(args)
    ]
    return [run.folder for run in made]
