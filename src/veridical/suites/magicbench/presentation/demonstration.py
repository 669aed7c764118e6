"""The demonstration: three observers on tricks; one sees for itself, one is led by words, one believes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from veridical.records import Json
from veridical.verbs import sets
from veridical.verbs.results.demonstration import Column, demonstrated

SET: dict[str, Json] = {"units": 2, "height": 180, "rate": 12, "tricks": ["cups", "coin", "lapping", "levitation"]}
"""Small clips of the families that the judge by rule can mark."""
SETTINGS = {"stance": ["vision-only", "forensic"]}
OBSERVERS: dict[str, tuple[str, dict[str, Json]]] = {
    "autonomous": ("simulated", {"mechanism": "autonomous"}),
    "language-led": ("simulated", {"mechanism": "language-led"}),
    "believer": ("simulated", {"mechanism": "believer"}),
}
_MARKS: dict[str, Json] = {"score": "cpa", "stance": "forensic"}
_COLUMNS: dict[str, Column] = {
    "no words": ("probe accuracy", {"under": "vision-only"}),
    "lie": ("probe accuracy", {"under": "lie"}),
    "silence": ("probe accuracy", {"under": "silence"}),
    "effect": ("effect of a lie", {"against": "vision-only"}),
    "if false": ("effect of a lie", {"against": "vision-only", "lie": "false"}),
    "takes it": ("takes the lie", {"under": "lie"}),
    "gain A": ("spotlight gain", {"type": "lie", **_MARKS}),
    "loss D": ("agency loss", _MARKS),
}
_LEGEND = """\
Percent of right answers to questions about what is where in a trick, without words, under a lie, and in silence; what
the lie changes, in points, over all questions and where it is false; and how often its word is taken there. Gain A:
CPA, marks for how it is done, under a lie − without words; loss D: without words − in silence; by rule. The autonomous
observer hears nothing, the language-led one is lost in silence, the believer takes every lie."""


def demonstration(out: Path, progress: Callable[[int, int], None] | None = None) -> tuple[list[str], dict[str, Json]]:
    """Writes the demonstration to a folder: `set`, a run per observer, and `report.html`.

    Returns the results, as lines for people and as facts for machines. A folder that already holds a demonstration is
    reused. `progress` is called with the number of observers asked, and their total.
    """
    stimuli = sets.make("magicbench", out=out / "set", **SET)
    asked = demonstrated(stimuli, OBSERVERS, out, progress, settings=SETTINGS, judge="rule")
    clips = len(stimuli.stimuli)
    opening = f"{clips:,} clips of tricks and honest controls in {stimuli.folder}"
    return asked.told(opening, {"clips": clips}, _COLUMNS, _LEGEND, width=10)
