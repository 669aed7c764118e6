"""VIA-Bench: visual illusions and anomalies as multiple choice, where a model that does not look is at chance.

Six categories of puzzles, drawn with exact truth. Each unit has one picture per possible answer, so that neither the
question nor its options give the answer away, and each puzzle has an ordinary counterpart.
"Seeing Is Believing? A Benchmark for Multimodal Large Language Models on Visual Illusions and Anomalies".
"""

from veridical.suite.record import Suite

_HERE = "veridical.suites.viabench"

SUITE = Suite(
    name="viabench",
    title="VIA-Bench: illusions and anomalies, seen or recalled",
    citation="Seeing Is Believing? A Benchmark for MLLMs on Visual Illusions and Anomalies",
    parts={
        "options": f"{_HERE}.options:VIABenchOptions",
        "recipes": f"{_HERE}.options:RECIPES",
        "design": f"{_HERE}.design:DESIGN",
        "asking": f"{_HERE}.asking:ASKING",
        "analysis": f"{_HERE}.analysis:ANALYSIS",
        "presentation": f"{_HERE}.presentation:PRESENTATION",
        "evaluation": f"{_HERE}.evaluation:EVALUATION",
        "observers": f"{_HERE}.observers:OBSERVERS",
        "people": f"{_HERE}.people:PEOPLE",
        "releases": f"{_HERE}.releases:RELEASES",
        "training": f"{_HERE}.training:TRAINING",
    },
    later_stages=("grade",),
)
