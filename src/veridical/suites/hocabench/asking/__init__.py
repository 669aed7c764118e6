"""The asking part of HOCA-Bench: six tasks about clips, and a marking pass of explanations."""

from veridical.ask import Sampling
from veridical.published.judges import PAPER_JUDGES
from veridical.suite.parts import AskingPart
from veridical.suite.stages import JUDGE, Preset, Stage
from veridical.suites.hocabench.asking.marking import GRADE, RUBRICS, VERDICTS
from veridical.suites.hocabench.asking.people import answer_form, bare_question
from veridical.suites.hocabench.asking.readers import READERS
from veridical.suites.hocabench.asking.trials import DEFAULTS, FOLDER, SETTINGS, stratum, trials

_INSTRUCT, _THINKING = 1024, 8192
"""Tokens of a reply in each mode."""
_SOURCE = "the paper, 4.1 and B.1: zero-shot, native resolution, 16 frames (64 for several anomalies at a time)"


def _preset(mode: str, sampling: Sampling) -> Preset:
    return Preset(source=f"{_SOURCE}; {mode}", sampling=sampling, roles={JUDGE: PAPER_JUDGES["hocabench"]})


PRESETS = {
    "paper": _preset("instruct mode", Sampling(temperature=0.0, max_tokens=_INSTRUCT)),
    "paper-thinking-glm": _preset(
        "thinking mode of the GLM-V series", Sampling(temperature=0.8, top_p=0.6, max_tokens=_THINKING)
    ),
    "paper-thinking-internvl": _preset(
        "thinking mode of the InternVL series", Sampling(temperature=0.6, max_tokens=_THINKING)
    ),
    "paper-thinking-qwen": _preset(
        "thinking mode of the Qwen-VL series", Sampling(temperature=1.0, top_p=0.95, top_k=20, max_tokens=_THINKING)
    ),
}


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
    answer_form=answer_form,
)
