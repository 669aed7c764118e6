"""The asking part of HOCA-Bench: six tasks about clips, and a marking pass of explanations."""

from veridical.suite.asking import Stage
from veridical.suite.parts import AskingPart
from veridical.suites.hocabench.asking.marking import GRADE, RUBRICS, VERDICTS
from veridical.suites.hocabench.asking.presets import PRESETS
from veridical.suites.hocabench.asking.readers import READERS
from veridical.suites.hocabench.asking.trials import DEFAULTS, FOLDER, SETTINGS, bare_question, stratum, trials

ASKING = AskingPart(
    stages=(Stage(name="ask", settings=tuple(SETTINGS), trials=trials), GRADE),
    readers={**READERS, **VERDICTS},
    settings={**SETTINGS, GRADE.setting: tuple(rubric.name for rubric in RUBRICS)},
    defaults=DEFAULTS,
    prompts=FOLDER,
    presets=PRESETS,
    contrast=("violating", "plausible"),
    reply_tokens=150,
    repeats=1,
    stratum=stratum,
    bare_question=bare_question,
)
