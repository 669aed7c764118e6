"""The asking part of VI-Probe: stages, readers, settings, prompts, presets."""

from veridical.suite.parts import AskingPart
from veridical.suite.stages import Preset, Stage
from veridical.suites.viprobe.asking.settings import DEFAULTS, SETTINGS
from veridical.suites.viprobe.asking.trials import READERS, answer_form, bare_question, stratum, trials
from veridical.suites.viprobe.asking.wording import FOLDER

ASKING = AskingPart(
    stages=(Stage(name="ask", trials=trials),),
    readers=READERS,
    settings=SETTINGS,
    defaults=DEFAULTS,
    prompts=FOLDER,
    presets={
        "paper": Preset(
            source=(
                "Sun et al. 2026, section 4.1: zero-shot, through OpenRouter; models without a control of temperature "
                "at their defaults. It states no temperature, no other sampling, no limit of length, no repeats."
            )
        )
    },
    contrast=("P", "PC"),
    stratum=stratum,
    bare_question=bare_question,
    answer_form=answer_form,
)
