"""Writes `standard.json` of each suite: the hashes of the units of its standard set. About 15 minutes on one core.

python -m studies.standard            # all suites
python -m studies.standard viprobe    # one
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import veridical
from veridical.base.files import write_whole
from veridical.suite.evaluation import EvaluationPart
from veridical.suite.record import Suite
from veridical.verbs.evaluation.choices import evaluated_suites
from veridical.verbs.sets import make
from veridical.verbs.standard import FILE, SEED, unit_hashes

NAME = "veridical-1"
"""The name of the standard sets; sets that differ from it in any row need another."""


def write(suite: Suite, part: EvaluationPart) -> Path:
    """The path of the file, after the suite's standard set was drawn and its hashes written, a line per unit."""
    design = part.designs["standard"]
    with TemporaryDirectory() as folder:
        drawn = make(suite.name, out=Path(folder) / "set", recipe=design.recipe, seed=SEED, **design.values)
        hashes = unit_hashes(drawn.stimuli, drawn.factors)
    facts = {
        "name": NAME,
        "matplotlib": ".".join(version("matplotlib").split(".")[:2]),
        "units": {unit: " ".join(each) for unit, each in hashes.items()},
    }
    path = Path(veridical.__file__).parent / "suites" / str(part.standard).rpartition(".")[2] / FILE
    return write_whole(path, (json.dumps(facts, indent=0) + "\n").encode())


if __name__ == "__main__":
    for suite, part in evaluated_suites():
        if part.standard is not None and (len(sys.argv) < 2 or suite.name in sys.argv[1:]):
            sys.stdout.write(f"{write(suite, part)}\n")
