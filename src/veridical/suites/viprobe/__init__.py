"""VI-Probe: does a model see what changed in a classic illusion, or recall what the figure is known for?

Original and perturbed figures and the matched control of each, asked in both polarities; with and without a hint, with
and without an instruction; inducers alone; and which target has more, where the targets have places.
Sun et al. 2026, "Do VLMs Perceive or Recall? Probing Visual Perception vs. Memory with Classic Visual Illusions",
arXiv:2601.22150.
"""

from veridical.suite import Preset, Stage, Suite
from veridical.suites.viprobe.differences import differences
from veridical.suites.viprobe.estimates import estimates
from veridical.suites.viprobe.figures import figures
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.illusions.make import chunks, make
from veridical.suites.viprobe.illusions.recipes import RECIPES
from veridical.suites.viprobe.illusions.verify import verify
from veridical.suites.viprobe.settings import DEFAULTS, SETTINGS
from veridical.suites.viprobe.tables import tables
from veridical.suites.viprobe.trials import READERS, trials
from veridical.suites.viprobe.wording import FOLDER

SUITE = Suite(
    name="viprobe",
    title="VI-Probe: classic illusions, perceived or recalled",
    citation="Sun et al. 2026, arXiv:2601.22150",
    settings=SETTINGS,
    defaults=DEFAULTS,
    prompts=FOLDER,
    recipes=RECIPES,
    chunks=chunks,
    make=make,
    verify=verify,
    stages=(Stage("ask", trials),),
    readers=READERS,
    estimates=estimates,
    headline=("PFA", "CbW", "TFI", "no_pair", "I", "R", "choice_accuracy"),
    families=tuple(CASES),
    names={"no_pair": "no pair", "I": "interaction I", "R": "multiplier R", "choice_accuracy": "choice accuracy"},
    variants={
        "O": "original",
        "P": "perturbed",
        "OC": "original, control",
        "PC": "perturbed, control",
        "OH": "original, hint",
        "PH": "perturbed, hint",
        "I": "inducers alone",
    },
    presets={
        "paper": Preset(
            source=(
                "Sun et al. 2026, section 4.1: zero-shot, through OpenRouter; models without a control of temperature "
                "at their defaults. It states no temperature, no other sampling, no limit of length, no repeats."
            )
        )
    },
    contrast=("P", "PC"),
    differences=differences,
    tables=tables,
    figures=figures,
)
