"""MagicBench: who believes the magician?

Clips of magic tricks, each with an honest control, under words that lie, mislead, fill or fall silent. "MagicBench:
Diagnosing Visual Agency Loss and Semantic Dependency in Multimodal LLMs".
"""

from veridical.suite.record import Suite

_HERE = "veridical.suites.magicbench"

SUITE = Suite(
    name="magicbench",
    title="MagicBench: who believes the magician?",
    citation="MagicBench: Diagnosing Visual Agency Loss and Semantic Dependency in Multimodal LLMs",
    parts={
        "options": f"{_HERE}.options:MagicBenchOptions",
        "recipes": f"{_HERE}.options:RECIPES",
        "design": f"{_HERE}.make:DESIGN",
        "asking": f"{_HERE}.asking:ASKING",
        "analysis": f"{_HERE}.analysis:ANALYSIS",
        "presentation": f"{_HERE}.presentation:PRESENTATION",
        "evaluation": f"{_HERE}.evaluation:EVALUATION",
        "observers": f"{_HERE}.observers:OBSERVERS",
        "people": f"{_HERE}.people:PEOPLE",
        "releases": f"{_HERE}.releases:RELEASES",
        "training": f"{_HERE}.training:TRAINING",
        "commands": f"{_HERE}.commands:app",
    },
    later_stages=("grade", "ring", "ring-grade"),
)

_AUTHORING = f"{_HERE}.annotate"

ANNOTATE = Suite(
    name="magic-annotate",
    title="MagicBench authoring: constraints and types of words for real clips",
    citation="MagicBench: Diagnosing Visual Agency Loss and Semantic Dependency in Multimodal LLMs, 3.2",
    parts={
        "options": f"{_HERE}.options:MagicAnnotateOptions",
        "recipes": f"{_HERE}.options:ANNOTATE_RECIPES",
        "design": f"{_AUTHORING}.design:DESIGN",
        "asking": f"{_AUTHORING}.asking:ASKING",
        "analysis": f"{_AUTHORING}.analysis:ANALYSIS",
        "releases": f"{_HERE}.releases:TO_AUTHOR",
    },
    later_stages=("draft",),
)
