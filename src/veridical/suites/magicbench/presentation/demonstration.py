"""The demonstration: three observers on tricks; one sees for itself, one is led by words, one believes."""

from __future__ import annotations

from veridical.records import Json
from veridical.suites.magicbench.analysis.probes import BY_WORDS
from veridical.suites.magicbench.options import DEMO
from veridical.verbs.results.demonstration import Demonstration

_MARKS: dict[str, Json] = {"score": "cpa", "stance": "forensic"}
demonstration = Demonstration(
    suite="magicbench",
    # Small clips of the families that the judge by rule can mark; from so many the verdict names all three observers.
    drawn=DEMO,
    asked={"settings": {"stance": ["vision-only", "forensic"]}, "judge": "rule"},
    observers={
        "autonomous": ("simulated", {"mechanism": "autonomous", "sees": 0.9}),
        "language-led": ("simulated", {"mechanism": "language-led", "sees": 0.7, "vacuum": -0.4}),
        "believer": ("simulated", {"mechanism": "believer", "sees": 0.9}),
    },
    counted="clips",
    opening=lambda clips, folder: f"{clips:,} clips of tricks and honest controls in {folder}",
    columns={
        "no words": ("probe accuracy", {"under": "vision-only"}),
        "lie": ("probe accuracy", {"under": "lie"}),
        "silence": ("probe accuracy", {"under": "silence"}),
        "unseen": ("probe chance", {"chance": BY_WORDS}),
        "effect": ("effect of a lie", {"against": "vision-only"}),
        "if false": ("effect of a lie", {"against": "vision-only", "lie": "false"}),
        "takes it": ("takes the lie", {"under": "lie"}),
        "gain A": ("spotlight gain", {"type": "lie", **_MARKS}),
        "loss D": ("agency loss", _MARKS),
    },
    width=9,
    legend="""\
Percent of right answers to questions about what is where in a trick, without words, under a lie, and in silence;
unseen: of one that knows how tricks go and sees nothing; what the lie changes, in points, over all questions and where
it is false; and how often its word is taken there. Gain A: CPA, marks for how it is done, under a lie − without words;
loss D: without words − in silence; by rule. The autonomous observer hears nothing, the language-led one is lost in
silence, the believer takes every lie.""",
)
