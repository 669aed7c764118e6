"""Measuring stimuli again: at their own size, and at the sizes to which models reduce pictures."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.media.decode import Decoded, Picture
from veridical.records import Stimulus
from veridical.stimulus_set import NotMeasurable
from veridical.stimulus_set.imports import MeasuredMedia
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.illusions.case import Case, Measurement
from veridical.suites.viprobe.illusions.drawing import VARIANTS, Readings
from veridical.suites.viprobe.illusions.view import Pixels, View

REDUCED = (448, 336, 224)
"""Longer sides, in px, at which a picture must still show its truth, down to its own `min_side`."""


def verify(stimulus: Stimulus, media: Sequence[Decoded]) -> str | NotMeasurable | None:
    """What a picture that was read back says against its record, or `None`."""
    if len(media) != 1 or not isinstance(media[0], Picture):
        return "one picture is needed"
    pixels = media[0].pixels
    if stimulus.truth.get("imported"):
        return _imported(stimulus, pixels)
    if stimulus.family not in illusions.CASES:
        return f"no case is called '{stimulus.family}'"
    if stimulus.variant not in VARIANTS:
        return f"no variant is called '{stimulus.variant}'"
    return unsound(stimulus, Readings(illusions.CASES[stimulus.family], View(pixels)))


def unsound(stimulus: Stimulus, readings: Readings) -> str | None:
    """What a picture says against its record at its own size and reduced, or `None`."""
    case, measured = readings.case, readings.at(readings.side)
    if stimulus.variant == "I":
        return _without_targets(case, stimulus, measured)
    if case.answer(same=stimulus.factors["alpha"] == 0) != stimulus.label:
        return f"the label is {stimulus.label} at strength {stimulus.factors['alpha']}"
    return _disagreement(case, stimulus, measured) or _reduced(stimulus, readings)


def measure_imported(stimulus: Stimulus, media: Sequence[Decoded]) -> MeasuredMedia | None:
    """What a picture of others says of its case, or `None` where it cannot be measured."""
    if not stimulus.truth.get("measurable") or not isinstance(media[0], Picture):
        return None
    read = read_back(stimulus.family, media[0].pixels)
    if read is None:
        return None
    answer, value, unit = read
    return MeasuredMedia(answer, {"value": round(value, 6), "unit": unit})


def _imported(stimulus: Stimulus, pixels: Pixels) -> str | NotMeasurable | None:
    """Pictures of others are measured again where they were measured when they came in."""
    if not stimulus.measured:
        return NotMeasurable("a picture of others that no case's reading fits")
    read = read_back(stimulus.family, pixels)
    if read is None or abs(read[1] - stimulus.measured["value"]) > 1e-3:
        return f"{read[1] if read else None} measured now, {stimulus.measured['value']} stored"
    label, value, unit = read
    if stimulus.label not in (None, label):
        return f"the label is {stimulus.label}, the pixels say {label} ({value:+.3f} {unit})"
    return None


def read_back(name: str, pixels: Pixels) -> tuple[str, float, str] | None:
    """What pixels say of the case of that name: the true answer to its question, the measured value and its unit.

    `None` where no figure of the case can be read, and for a name that no case has.
    """
    case = illusions.CASES.get(name)
    measured = case.measure(pixels) if case else None
    if case is None or measured is None:
        return None
    return case.answer(same=case.is_same(measured)), float(measured.value), case.factor.unit


def _without_targets(case: Case, stimulus: Stimulus, measured: Measurement | None) -> str | None:
    if stimulus.label is not None:
        return f"the label is {stimulus.label}, and inducers alone have none"
    if measured is not None:
        return f"targets of {case.title} can be read from a picture of inducers alone"
    return None


def _disagreement(case: Case, stimulus: Stimulus, measured: Measurement | None) -> str | None:
    """What the pixels say against the record, or `None`: the label, the intended value, the stored measurement."""
    if measured is None:
        return f"no {case.title} figure can be read from the pixels"
    label = case.answer(same=case.is_same(measured))
    if label != stimulus.label:
        return f"the label is {stimulus.label}, the pixels say {label} ({measured.value:+.3f} {case.factor.unit})"
    if abs(measured.value - stimulus.truth["value"]) > case.factor.least / 4:
        return f"{measured.value:+.3f} {case.factor.unit} measured, {stimulus.truth['value']:+.3f} intended"
    if abs(measured.value - stimulus.measured["value"]) > 1e-3:
        return f"{measured.value:+.4f} measured now, {stimulus.measured['value']:+.4f} stored"
    return None


def _reduced(stimulus: Stimulus, readings: Readings) -> str | None:
    case, smallest = readings.case, stimulus.truth.get("min_side") or REDUCED[-1]
    for side in sorted({side for side in (*REDUCED, smallest) if smallest <= side < readings.side}, reverse=True):
        measured = readings.at(side)
        if measured is None:
            return f"reduced to {side} px, no {case.title} figure can be read"
        if case.answer(same=case.is_same(measured)) != stimulus.label:
            return f"reduced to {side} px, {measured.value:+.3f} {case.factor.unit} is read, against the label"
    return None
