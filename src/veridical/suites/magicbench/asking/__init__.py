"""The asking part of MagicBench: clips explained and probed under words of every kind."""

from dataclasses import replace

from veridical.suite.asking import Stage
from veridical.suite.parts import AskingPart
from veridical.suites.magicbench.asking.cells import DEFAULTS, SETTINGS
from veridical.suites.magicbench.asking.presets import PRESETS
from veridical.suites.magicbench.asking.readers import READERS
from veridical.suites.magicbench.asking.trials import FOLDER, bare_question, stratum, trials

ASK = Stage(name="ask", settings=tuple(SETTINGS), trials=trials)

ASKING = AskingPart(
    stages=(ASK,),
    readers=READERS,
    settings=SETTINGS,
    defaults=DEFAULTS,
    prompts=FOLDER,
    # The role of the judge comes with the stage that marks.
    presets={name: replace(preset, roles={}) for name, preset in PRESETS.items()},
    contrast=("trick", "honest"),
    reply_tokens=350,
    repeats=1,
    stratum=stratum,
    bare_question=bare_question,
)
