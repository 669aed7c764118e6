"""The paper's way of asking."""

from __future__ import annotations

from dataclasses import replace

from veridical.ask import Sampling
from veridical.published.judges import PAPER_JUDGES
from veridical.suite.asking import JUDGE, Preset

_JUDGE = replace(PAPER_JUDGES["magicbench"], sampling=Sampling(temperature=0.0, max_tokens=500))

PRESETS = {
    "paper": Preset(
        source="the paper, 4.1: temperature 0.6; the judge as in the published code, at temperature 0 with 500 tokens",
        sampling=Sampling(temperature=0.6),
        roles={JUDGE: _JUDGE},
    )
}
