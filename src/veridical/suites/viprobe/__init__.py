"""VI-Probe: does a model see what changed in a classic illusion, or recall what the figure is known for?

Original and perturbed figures and the matched control of each, asked in both polarities.
Sun et al. 2026, "Do VLMs Perceive or Recall? Probing Visual Perception vs. Memory with Classic Visual Illusions",
arXiv:2601.22150.
"""

from veridical.stimuli.illusions import CASES
from veridical.stimuli.illusions.make import chunks, make
from veridical.stimuli.illusions.verify import verify
from veridical.suites import Stage, Suite
from veridical.suites.viprobe.differences import differences
from veridical.suites.viprobe.estimates import estimates
from veridical.suites.viprobe.figures import figures
from veridical.suites.viprobe.tables import tables
from veridical.suites.viprobe.trials import POLARITIES, READER, trials

SUITE = Suite(
    name="viprobe",
    title="VI-Probe: classic illusions, perceived or recalled",
    citation="Sun et al. 2026, arXiv:2601.22150",
    settings={"polarity": POLARITIES},
    chunks=chunks,
    make=make,
    verify=verify,
    stages=(Stage("ask", trials),),
    readers={READER.name: READER},
    estimates=estimates,
    headline=("PFA", "CbW", "TFI", "no_pair", "I", "R"),
    families=tuple(CASES),
    names={
        "O": "original",
        "P": "perturbed",
        "OC": "original, control",
        "PC": "perturbed, control",
        "no_pair": "no pair",
        "I": "interaction I",
        "R": "multiplier R",
    },
    differences=differences,
    tables=tables,
    figures=figures,
)
