"""What stands beside a picture in a report: its truth as intended and as measured."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json, Stimulus

_NO_FACTS = ("question_reversed", "measurable")


def facts(stimulus: Stimulus) -> Sequence[tuple[str, Json, Json]]:
    """Name, intended value and measured value of each fact; questions stand elsewhere."""
    both = [*stimulus.truth.items(), *stimulus.measured.items()]
    keys = dict.fromkeys(key for key, value in both if key not in _NO_FACTS and not isinstance(value, list | dict))
    return [(key, stimulus.truth.get(key), stimulus.measured.get(key)) for key in keys]
