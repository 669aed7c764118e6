"""The paper's way of asking."""

from __future__ import annotations

from veridical.published.judges import PAPER_JUDGES
from veridical.suite.asking import JUDGE, Preset

PRESETS = {
    "paper": Preset(
        source="the paper, 5.1 and appendix C: each model's own default temperature, in-context examples except for "
        "the thinking model, all boxes shown; the judge greedy",
        repeats=1,
        roles={JUDGE: PAPER_JUDGES["magic"]},
    )
}
