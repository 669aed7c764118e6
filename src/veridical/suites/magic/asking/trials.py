"""The trials of the first stage: a question about a picture with numbered boxes, to be reasoned about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from veridical.records import Media, Message, Stimulus, Text, Trial
from veridical.suite.asking import Asking, Levels
from veridical.suite.evidence import Evidence
from veridical.suites.magic.asking.readers import RATIONALE

FOLDER = Path(__file__).parent.parent / "prompts"
VIEWS = ("all-boxes", "relevant-boxes", "relevant-masked", "adversarial-masked", "renumbered", "blind")
SETTINGS: Levels = {"view": VIEWS}
DEFAULTS: Levels = {"view": ("all-boxes",)}


def trials(stimuli: Sequence[Stimulus], asking: Asking, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    """One trial per question and view."""
    for stimulus in stimuli:
        for view in asking.levels["view"]:
            shown = Message("user", (Media.of(stimulus.media[0]), Text(stimulus.question)))
            yield Trial.about(
                stimulus,
                view,
                stage="reason",
                messages=(shown,),
                gold=stimulus.label,
                reader=RATIONALE,
                prompt="",
                settings={"view": view},
            )
