"""Which cells of task, stance and words exist for a clip, and what levels each has.

| task    | stance                                       | patter      | hush         | video, frames | until | reply |
|---------|----------------------------------------------|-------------|--------------|---------------|-------|-------|
| explain | vision-only                                  | none        | none         | yes           | yes   | yes   |
| explain | neutral, skeptic, forensic, image-of-thought | each it has | where silent | yes           | none  | yes   |
| explain | text-only                                    | each it has | where silent | none          | none  | yes   |
| probe   | vision-only                                  | none        | none         | yes           | none  | none  |
| probe   | forensic                                     | each it has | where silent | yes           | none  | none  |

A cell of the task probe has one trial for each probe of the clip; one of the task explain has one trial. Our clips have
all patters but `own`, released clips have `own` alone. A clip is silent under the patter `silence`, and under its own
words where there are none. A clip shown as a video has no level of `frames`, and is not cut. A clip is cut before its
outcome only where it has one, as no released clip has. So by default, with P probes, a clip of ours has 2 + 4 + 4
trials of the task explain and P + 4 P of the task probe; its trick and its control have the same cells, and a released
clip without probes has 1 + 1 + 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import get_args

from veridical.records import Stimulus
from veridical.suite.frames import FRAMES, NATIVE, VIDEO
from veridical.suite.reply import FORMS, FREE, REPLY
from veridical.suite.stages import Levels
from veridical.suites.magicbench.stimuli import OWN, TYPES, Patter, PatterType

EXPLAIN, PROBE = "explain", "probe"
VISION_ONLY, NEUTRAL, SKEPTIC, FORENSIC = "vision-only", "neutral", "skeptic", "forensic"
THOUGHT, TEXT_ONLY = "image-of-thought", "text-only"
STANCES = (VISION_ONLY, NEUTRAL, SKEPTIC, FORENSIC, THOUGHT, TEXT_ONLY)
"""How the model is told to look, each with a system prompt of its own: `forensic` is to `vision-only` as it can be."""
PROBED = (VISION_ONLY, FORENSIC)
"""The stances in which probes are asked."""
UNWARNED, WARNED = "unwarned", "warned"
END, REVEAL = "end", "reveal"

SETTINGS: Levels = {
    "task": (EXPLAIN, PROBE),
    "stance": STANCES,
    "patter": get_args(PatterType),
    "hush": (UNWARNED, WARNED),
    "video": VIDEO,
    "frames": (
        *("4fps", "uniform-4", "uniform-8", "uniform-16", "uniform-32", "uniform-64"),
        *("uniform-16-ends", "uniform-64-ends", "adaptive-20", "adaptive-50", "adaptive"),
    ),
    "until": (END, REVEAL),
    REPLY: FORMS,
}
"""What is asked (`task`), how the model is told to look (`stance`), what is said over the clip (`patter`), whether the
user turn of a silent clip warns of lies (`hush`), whether and with which frames the clip is shown, up to where (all of
it, or cut before its outcome shows: `until`), and whether the JSON of an explanation is free or held to its schema
(`reply`)."""
DEFAULTS: Levels = {
    "stance": (VISION_ONLY, NEUTRAL, FORENSIC),
    "patter": (*TYPES, OWN),
    "hush": (UNWARNED,),
    "video": (FRAMES,),
    "frames": ("4fps",),
    "until": (END, REVEAL),
    REPLY: (FREE,),
}

Cell = Mapping[str, str]
"""The level of each setting that applies."""


def cells(stimulus: Stimulus, levels: Levels) -> Iterator[Cell]:
    """The cells of a clip for levels of all settings, each once, in the order of the settings.

    A cell without a transcript has no level of `patter`.
    """
    for task, stance in product(levels["task"], levels["stance"]):
        if task == PROBE and stance not in PROBED:
            continue
        forms = [{REPLY: form} for form in levels[REPLY]] if task == EXPLAIN else [{}]
        for words, shown, form in product(_words(stimulus, stance, levels), _shown(stance, levels), forms):
            for until in _cuts(stimulus, task, levels) if stance == VISION_ONLY and "frames" in shown else ({},):
                yield {"task": task, "stance": stance, **words, **shown, **until, **form}


def _cuts(stimulus: Stimulus, task: str, levels: Levels) -> Iterator[Cell]:
    """The levels of where the clip ends; none for probes, which may be about its end."""
    if task == PROBE:
        yield {}
        return
    for until in levels["until"]:
        if until == END or stimulus.truth.get("outcome") is not None:
            yield {"until": until}


def is_silent(patter: Patter) -> bool:
    """Whether nothing is said."""
    return not patter["text"].strip() and not patter["timeline"]


def _words(stimulus: Stimulus, stance: str, levels: Levels) -> Iterator[Cell]:
    """The levels that are about words: none where there is no transcript."""
    if stance == VISION_ONLY:
        yield {}
        return
    held: Mapping[str, Patter] = stimulus.truth["patter"]
    for name in levels["patter"]:
        if name in held and not is_silent(held[name]):
            yield {"patter": name}
        elif name in held:
            yield from ({"patter": name, "hush": hush} for hush in levels["hush"])


def _shown(stance: str, levels: Levels) -> Iterator[Cell]:
    """The levels that are about pictures: none where nothing is shown."""
    if stance == TEXT_ONLY:
        yield {}
        return
    for video in levels["video"]:
        if video == NATIVE:
            yield {"video": video}
        else:
            yield from ({"video": video, "frames": frames} for frames in levels["frames"])
