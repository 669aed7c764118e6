"""The asking part of MagiC."""

from veridical.suite.asking import Stage
from veridical.suite.parts import AskingPart
from veridical.suites.magic.asking.readers import READERS
from veridical.suites.magic.asking.trials import DEFAULTS, FOLDER, SETTINGS, trials

ASKING = AskingPart(
    stages=(Stage(name="reason", settings=("view",), trials=trials),),
    readers=READERS,
    settings=SETTINGS,
    defaults=DEFAULTS,
    prompts=FOLDER,
    reply_tokens=400,
)
