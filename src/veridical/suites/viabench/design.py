"""What VIA-Bench draws."""

from __future__ import annotations

from veridical.stimulus_set.describe import PublishedCounts
from veridical.suite.parts import DesignPart
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.make import chunks, make, outline, verify

DESIGN = DesignPart(
    families=tuple(PUZZLES),
    factors={
        "capability": str,
        "difficulty": int,
        "polarity": str,
        "usual": str,
        "live_options": int,
        "provable": bool,
        "name_written": bool,
        "taken_from": str,
    },
    chunks=chunks,
    make=make,
    verify=verify,
    outline=outline,
    published=PublishedCounts(
        source="the paper's Figure 3 and Table 2: shares and accuracies in percent, from which the counts follow",
        counts={
            "category": {
                "anomalies": 239,
                "color": 201,
                "motion": 156,
                "gestalt": 117,
                "geometric": 162,
                "general": 129,
            }
        },
    ),
)
"""`capability` is what a puzzle asks for, `difficulty` its grade (1 to 3), `polarity` how a yes-no question is turned.

`usual` is the option that common sense or the illusion suggests, null where there is none; `live_options` the number of
options that can be right; `provable` whether the question alone gives nothing away; `taken_from` where an item is from.
`name_written` is whether the name of what is shown stands below it, null where there is no strip for a name.
"""
