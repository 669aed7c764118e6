"""The asking part of MagiC: reasoning about marked pictures, and its answers marked in short and in full."""

from veridical.suite.asking import Stage
from veridical.suite.parts import AskingPart
from veridical.suites.magic.asking.grading import GRADE, GRADING, RUBRICS, VERDICTS
from veridical.suites.magic.asking.presets import PRESETS
from veridical.suites.magic.asking.readers import READERS
from veridical.suites.magic.asking.trials import (
    DEFAULTS,
    FOLDER,
    SETTINGS,
    bare_question,
    defaults_for,
    stratum,
    trials,
)

ASKING = AskingPart(
    stages=(Stage(name="reason", settings=tuple(SETTINGS), trials=trials), GRADE),
    readers={**READERS, **VERDICTS},
    settings={**SETTINGS, GRADING: tuple(rubric.name for rubric in RUBRICS)},
    defaults=DEFAULTS,
    defaults_for=defaults_for,
    prompts=FOLDER,
    presets=PRESETS,
    contrast=None,
    reply_tokens=400,
    stratum=stratum,
    bare_question=bare_question,
)
