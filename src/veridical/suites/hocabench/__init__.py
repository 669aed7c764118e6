"""HOCA-Bench: clips in which something cannot be, and their plausible controls.

Two layers, nine domains, eighteen sub-types of physical anomalies. A violating clip and its control are one simulation,
identical until the event. "HOCA-Bench: Beyond Semantic Perception to Predictive World Modeling via Hegelian
Ontological-Causal Anomalies".
"""

from veridical.suite.record import Suite

_HERE = "veridical.suites.hocabench"

SUITE = Suite(
    name="hocabench",
    title="HOCA-Bench: does it notice the impossible?",
    citation="HOCA-Bench: Beyond Semantic Perception to Predictive World Modeling",
    parts={
        "options": f"{_HERE}.options:HOCABenchOptions",
        "recipes": f"{_HERE}.options:RECIPES",
        "design": f"{_HERE}.physics.make:DESIGN",
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
    later_stages=("grade",),
)

_PIPELINE = f"{_HERE}.annotate"

ANNOTATE = Suite(
    name="hoca-annotate",
    title="HOCA-Bench annotation: from raw clips to a labeled set",
    citation="HOCA-Bench: Beyond Semantic Perception to Predictive World Modeling, B.7",
    parts={
        "options": f"{_HERE}.options:HocaAnnotateOptions",
        "recipes": f"{_HERE}.options:ANNOTATE_RECIPES",
        "design": f"{_PIPELINE}.design:DESIGN",
        "asking": f"{_PIPELINE}.asking:ASKING",
        "analysis": f"{_PIPELINE}.analysis:ANALYSIS",
        "people": f"{_PIPELINE}.review:PEOPLE",
        "releases": f"{_HERE}.releases:RAW_CLIPS",
    },
    later_stages=("captions", "aggregate", "attribute", "distract"),
)
