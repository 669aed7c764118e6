"""VI-Probe: does a model see what changed in a classic illusion, or recall what the figure is known for?

Original and perturbed figures and the matched control of each, asked in both polarities; with and without a hint, with
and without an instruction; inducers alone; and which target has more, where the targets have places.
Sun et al. 2026, "Do VLMs Perceive or Recall? Probing Visual Perception vs. Memory with Classic Visual Illusions",
arXiv:2601.22150.

>>> import veridical as v
>>> s = v.make("viprobe", cases=["zollner"], units=2, levels=2)
>>> r = v.run(s, model="veridical/pixel", show="quiet")
>>> [(e.metric, e.value) for e in r.estimates() if e.metric == "PFA" and not e.slice]
[('PFA', 1.0)]
"""

from veridical.suite.record import Suite

_HERE = "veridical.suites.viprobe"

SUITE = Suite(
    name="viprobe",
    title="VI-Probe: classic illusions, perceived or recalled",
    citation="Sun et al. 2026, arXiv:2601.22150",
    parts={
        "options": f"{_HERE}.options:VIProbeOptions",
        "recipes": f"{_HERE}.options:RECIPES",
        "design": f"{_HERE}.design:DESIGN",
        "asking": f"{_HERE}.asking:ASKING",
        "analysis": f"{_HERE}.analysis:ANALYSIS",
        "presentation": f"{_HERE}.presentation:PRESENTATION",
        "evaluation": f"{_HERE}.evaluation:EVALUATION",
        "observers": f"{_HERE}.observers:OBSERVERS",
        "releases": f"{_HERE}.releases:RELEASES",
        "training": f"{_HERE}.training:TRAINING",
        "sequential": f"{_HERE}.sequential.part:SEQUENTIAL",
        "commands": f"{_HERE}.commands:app",
    },
)
