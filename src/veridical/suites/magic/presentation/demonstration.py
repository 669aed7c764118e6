"""The demonstration: three observers on a few scenes, one perfect, one that lists every box, one that never heals."""

from __future__ import annotations

from veridical.records import Json
from veridical.suites.magic.analysis.views import ACCURACY, MASKED
from veridical.suites.magic.options import DEMO
from veridical.verbs.results.demonstration import Demonstration

_ASKED: dict[str, Json] = {"injection": "prefill", "correcting": "prompted", "chain_by": "generator"}
_UNASKED = {**_ASKED, "correcting": "unprompted"}
demonstration = Demonstration(
    suite="magic",
    drawn=DEMO,
    asked={"settings": {"view": ["all-boxes", *reversed(MASKED)]}, "judge": "rule"},
    observers={
        "perfect": ("simulated", {}),
        "lists every box": ("simulated", {"mechanism": "exhaustive"}),
        "never heals": ("simulated", {"mechanism": "stubborn"}),
    },
    counted="questions",
    opening=lambda questions, folder: f"{questions:,} questions about {questions // 5:,} scenes in {folder}",
    columns={
        "precision": ("magiscore precision", {}),
        "recall": ("magiscore recall", {}),
        "answers": ("accuracy", {}),
        "covering": ("view effect", {"view": MASKED[0], "against": MASKED[1], "of": ACCURACY, "by": "reader"}),
        "itself": ("heals", _UNASKED),
        "asked": ("heals", _ASKED),
        "denies": ("over-correction", _ASKED),
    },
    width=11,
    legend="""\
Percent: precision and recall of the boxes that the reasoning mentions, right answers, mistakes in given reasoning that
are named and corrected, unasked (itself) and when asked, and right reasoning called wrong. Covering: points of answers
lost if what the relevant boxes show is covered, beyond those lost with the others covered. Judged by rule.""",
)
