"""The asking part of MagiC: reasoning about marked pictures, its answers marked, and mistakes to be healed."""

from veridical.published.judges import PAPER_JUDGES
from veridical.suite.parts import AskingPart
from veridical.suite.stages import JUDGE, Preset, Stage
from veridical.suites.magic.asking import healing
from veridical.suites.magic.asking.grading import GRADE, GRADING, RUBRICS, VERDICTS
from veridical.suites.magic.asking.readers import READERS
from veridical.suites.magic.asking.trials import (
    DEFAULTS,
    FOLDER,
    SETTINGS,
    answer_form,
    bare_question,
    defaults_for,
    stratum,
    trials,
)

PRESETS = {
    "paper": Preset(
        source="the paper, 5.1 and appendix C: each model's own default temperature, in-context examples except for "
        "the thinking model, all boxes shown; the judge greedy",
        repeats=1,
        roles={JUDGE: PAPER_JUDGES["magic"]},
    )
}


ASKING = AskingPart(
    stages=(Stage(name="reason", settings=tuple(SETTINGS), trials=trials), GRADE, *healing.STAGES),
    readers={**READERS, **VERDICTS, **healing.READERS},
    settings={**SETTINGS, GRADING: tuple(rubric.name for rubric in RUBRICS), **healing.SETTINGS, **healing.JUDGING},
    defaults={**DEFAULTS, **healing.DEFAULTS},
    defaults_for=defaults_for,
    prompts=FOLDER,
    presets=PRESETS,
    contrast=None,
    reply_tokens=400,
    stratum=stratum,
    bare_question=bare_question,
    answer_form=answer_form,
)
