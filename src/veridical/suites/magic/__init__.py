"""MagiC: is the reasoning grounded in the right regions of a picture, and does it correct its mistakes?

Numbered boxes are drawn into a picture; a model reasons about a question box by box, and continues reasoning that has
gone wrong. "MagiC: Evaluating Multimodal Cognition Toward Grounded Visual Reasoning".
"""

from veridical.suite.record import Suite

_HERE = "veridical.suites.magic"

SUITE = Suite(
    name="magic",
    title="MagiC: is the reasoning grounded, and does it correct its mistakes?",
    citation="MagiC: Evaluating Multimodal Cognition Toward Grounded Visual Reasoning",
    parts={
        "options": f"{_HERE}.options:MagicOptions",
        "recipes": f"{_HERE}.options:RECIPES",
        "design": f"{_HERE}.design:DESIGN",
        "asking": f"{_HERE}.asking:ASKING",
        "analysis": f"{_HERE}.analysis:ANALYSIS",
        "presentation": f"{_HERE}.presentation:PRESENTATION",
        "evaluation": f"{_HERE}.evaluation:EVALUATION",
        "observers": f"{_HERE}.observers:OBSERVERS",
        "people": f"{_HERE}.people.tasks:PEOPLE",
        "releases": f"{_HERE}.releases:RELEASES",
        "training": f"{_HERE}.training:TRAINING",
        "commands": f"{_HERE}.commands:app",
    },
    later_stages=("grade", "heal", "heal-grade", "steps", "heal-own", "heal-own-grade"),
)
