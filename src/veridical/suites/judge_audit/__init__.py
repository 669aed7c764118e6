"""Judges: how far can a judge be trusted? Labeled short answers, and replies that try to sway whoever marks them.

The model under test is a judge. Each item is a question, a true answer and a reply; the truth is whether the reply is
correct. Attacks stand beside the same replies without the attempt, where the two can be separated.

>>> import veridical as v
>>> r = v.run(v.make("judge-audit", recipe="attacks"), model="veridical/rule", show="quiet")
>>> [(e.metric, e.value) for e in r.estimates() if e.metric == "flipped" and not e.slice]
[('flipped', 0.0)]
"""

from veridical.suite.record import Suite

_HERE = "veridical.suites.judge_audit"

SUITE = Suite(
    name="judge-audit",
    title="Judge audit: how far can a judge be trusted?",
    citation="veridical, labeled by hand",
    parts={
        "options": f"{_HERE}.options:JudgesOptions",
        "recipes": f"{_HERE}.options:RECIPES",
        "design": f"{_HERE}.design:DESIGN",
        "asking": f"{_HERE}.asking:ASKING",
        "analysis": f"{_HERE}.analysis:ANALYSIS",
        "presentation": f"{_HERE}.design:PRESENTATION",
        "commands": f"{_HERE}.commands:app",
    },
    group="judges",
)
