"""The asking part of MagicBench: clips explained and probed under words of every kind, and explanations marked."""

from dataclasses import replace

from veridical.ask import Sampling
from veridical.published.judges import PAPER_JUDGES
from veridical.suite.parts import AskingPart
from veridical.suite.stages import JUDGE, Preset, Stage
from veridical.suites.magicbench.asking.cells import DEFAULTS, SETTINGS
from veridical.suites.magicbench.asking.marking import GRADE, JUDGED_BY_DEFAULT, JUDGING
from veridical.suites.magicbench.asking.people import answer_form, captions
from veridical.suites.magicbench.asking.readers import READERS
from veridical.suites.magicbench.asking.ring import RING_GRADE, RING_STAGE, RINGED, RINGED_BY_DEFAULT
from veridical.suites.magicbench.asking.trials import FOLDER, bare_question, stratum, trials
from veridical.suites.magicbench.judging.rubrics import VERDICTS

_JUDGE = replace(PAPER_JUDGES["magicbench"], sampling=Sampling(temperature=0.0, max_tokens=500))

PRESETS = {
    "paper": Preset(
        source="the paper, 4.1: temperature 0.6; the judge as in the published code, at temperature 0 with 500 tokens",
        sampling=Sampling(temperature=0.6),
        roles={JUDGE: _JUDGE},
    )
}


ASK = Stage(name="ask", settings=tuple(SETTINGS), trials=trials)

ASKING = AskingPart(
    stages=(ASK, GRADE, RING_STAGE, RING_GRADE),
    readers={**READERS, **VERDICTS},
    settings={**SETTINGS, **JUDGING, **RINGED},
    defaults={**DEFAULTS, **JUDGED_BY_DEFAULT, **RINGED_BY_DEFAULT},
    prompts=FOLDER,
    presets=PRESETS,
    contrast=("trick", "honest"),
    reply_tokens=350,
    repeats=1,
    stratum=stratum,
    bare_question=bare_question,
    answer_form=answer_form,
    captions=captions,
)
