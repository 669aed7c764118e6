"""The demonstration: three embedded observers on every puzzle. One measures, one recalls, one reads the words alone."""

from __future__ import annotations

from veridical.suites.viabench.options import DEMO
from veridical.verbs.results.demonstration import Demonstration

demonstration = Demonstration(
    suite="viabench",
    drawn=DEMO,
    asked={"repeats": 1},
    observers={
        "measures": ("pixel", {}),
        "recalls": ("simulated", {"mechanism": "recalls", "sees": 0.4}),
        "reads the words": ("text", {}),
    },
    counted="pictures",
    opening=lambda pictures, folder: f"{pictures:,} items of {DEMO['units']} units per puzzle in {folder}",
    columns={
        "unusual": ("accuracy", {"variant": "unusual"}),
        "ordinary": ("accuracy", {"variant": "ordinary"}),
        "chance": ("chance", {}),
        "pull": ("pull of the usual", {}),
    },
    width=10,
    legend="""\
Percent right on illusions and anomalies, and on their ordinary counterparts. Pull of the usual: accuracy where the
usual answer is right − where it is wrong, in points. The observer that measures declines the puzzles whose answer is
not in the pixels; the one that recalls sees 40 % of the pictures and gives the usual answer to the others.""",
)
