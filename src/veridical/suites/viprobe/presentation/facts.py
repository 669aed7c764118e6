"""What stands beside a picture in a report: what it shows as intended and as measured."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json, Stimulus


def facts(stimulus: Stimulus) -> Sequence[tuple[str, Json, Json]]:
    """Name, intended and measured value: of what varies, in its unit; and what is true of the unchanged figure."""
    factor = stimulus.truth.get("factor")
    rows = [(str(factor), _value(stimulus.truth), _value(stimulus.measured))] if factor else []
    state = stimulus.truth.get("state")
    return [*rows, ("unchanged", state, None)] if state else rows


def _value(values: Json) -> Json:
    value, unit = values.get("value"), values.get("unit")
    return None if value is None else f"{round(value, 3) + 0.0:.6g} {unit or ''}".strip().replace("-", "−")
