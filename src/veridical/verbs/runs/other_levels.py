"""The level of a setting with which a model that cannot continue its own turn can be asked a stage after all."""

from __future__ import annotations

from veridical.ask import opens_reply
from veridical.suite.stages import AskingOptions
from veridical.verbs.runs.setup import Setup
from veridical.verbs.runs.stage_trials import trials_of


def level_without_continuation(setup: Setup) -> str | None:
    """The setting and level, as NAME=LEVEL, in which no trial of a stage begins the model's turn.

    The first one in the suite's order, with the other settings as chosen. It is `None` if there is none, and if no
    trial of the stage begins the model's turn.
    """
    if not any(map(opens_reply, setup.trials)):
        return None
    for name, chosen in setup.asking.levels.items():
        for level in setup.suite.asking.settings[name]:
            if level in chosen:
                continue
            asking = AskingOptions({**setup.asking.levels, name: (level,)}, setup.asking.prompts)
            trials = trials_of(setup.suite, setup.stimuli, asking, setup.options.get("limit"), setup.state)
            if trials and not any(map(opens_reply, trials)):
                return f"{name}={level}"
    return None
