"""The asking part of MagiC: reasoning about marked pictures, its answers marked, and mistakes to be healed."""

from veridical.suite.asking import Stage
from veridical.suite.parts import AskingPart
from veridical.suites.magic.asking import healing
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
    stages=(Stage(name="reason", settings=tuple(SETTINGS), trials=trials), GRADE, *healing.STAGES),
    readers={**READERS, **VERDICTS, **healing.READERS},
    settings={
        **SETTINGS,
        GRADING: tuple(rubric.name for rubric in RUBRICS),
        **healing.SETTINGS,
        **healing.JUDGING,
    },
    defaults={**DEFAULTS, **healing.DEFAULTS},
    defaults_for=defaults_for,
    prompts=FOLDER,
    presets=PRESETS,
    contrast=None,
    reply_tokens=400,
    stratum=stratum,
    bare_question=bare_question,
)
