"""The asking part of VIA-Bench: one question per item, and two marking passes."""

from veridical.ask import Sampling
from veridical.judges import readers as verdict_readers
from veridical.published.judges import PAPER_JUDGES
from veridical.suite.parts import AskingPart
from veridical.suite.stages import JUDGE, Preset, Stage
from veridical.suites.viabench.asking.marking import GRADE, RUBRICS
from veridical.suites.viabench.asking.readers import READERS
from veridical.suites.viabench.asking.trials import DEFAULTS, FOLDER, SETTINGS, answer_form, bare_question, trials

REPEATS = 5
_SOURCE = (
    "the paper, section 4.2: five runs, averaged; one temperature wherever it can be set, else the model's own. The "
    "number is lost in the text that we have; 0 is our reading. It states no other sampling."
)
_ABLATION = "the paper, Table 3: the temperature ablation on two categories, five runs"


def _preset(temperature: float, source: str) -> Preset:
    sampling = Sampling(temperature=temperature)
    return Preset(source=source, sampling=sampling, repeats=REPEATS, roles={JUDGE: PAPER_JUDGES["viabench"]})


PRESETS = {
    "paper": _preset(0.0, _SOURCE),
    "paper-gemini-2.5-pro": _preset(0.8, f"{_SOURCE} Gemini-2.5-Pro has 0.8."),
    "paper-internvl3.5": _preset(0.6, f"{_SOURCE} InternVL3.5 has 0.6."),
    **{f"paper-temperature-{value}": _preset(value, _ABLATION) for value in (0.1, 0.6, 0.8, 1.5)},
}
ASKING = AskingPart(
    stages=(Stage(name="ask", settings=tuple(SETTINGS), trials=trials), GRADE),
    readers={**READERS, **verdict_readers(RUBRICS)},
    settings={**SETTINGS, GRADE.setting: tuple(rubric.name for rubric in RUBRICS)},
    defaults=DEFAULTS,
    prompts=FOLDER,
    presets=PRESETS,
    contrast=("unusual", "ordinary"),
    reply_tokens=150,
    repeats=REPEATS,
    bare_question=bare_question,
    answer_form=answer_form,
)
