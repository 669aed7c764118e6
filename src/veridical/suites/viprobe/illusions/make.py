"""From a design to stimuli: which pictures a base item has, drawn, measured, and refused where they are unsound."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from veridical.errors import InputError, unknown
from veridical.media.draw import encode_png, pixel_hash, rasterise, same_length
from veridical.records import Chunk, Json, Medium, Stimulus
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.illusions.case import Case, Context, Measurement, Pixels, nuisances, shuffled
from veridical.suites.viprobe.options import VIProbeOptions

NAME = "viprobe"
VARIANTS: dict[str, Context] = {
    "O": "figure",
    "P": "figure",
    "OC": "control",
    "PC": "control",
    "OH": "hint",
    "PH": "hint",
    "I": "inducers",
}
"""Original and perturbed; the controls of both, with the same targets and no inducers; both with a hint; inducers."""

CHANGED = ("P", "PC", "PH")
_LEGIBLE = 0.6
_ALL_CHECKED = 200


def chunks(options: VIProbeOptions) -> list[Chunk]:
    """The units of a set, in the order of the registry; raises `InputError` where it cannot be sound."""
    cases = illusions.chosen(options.cases)
    variants(options)
    faint = [_too_faint(case, options, range(min(_units(case, options), _ALL_CHECKED))) for case in cases]
    worst = max(filter(None, faint), default=None)
    if worst:
        raise InputError(worst.said)
    return [Chunk(case.name, index) for case in cases for index in range(_units(case, options))]


def variants(options: VIProbeOptions) -> tuple[str, ...]:
    """The variants asked for, in the fixed order."""
    for name in options.variants or ():
        if name not in VARIANTS:
            raise unknown("variant", name, VARIANTS)
    return tuple(name for name in VARIANTS if name in (options.variants or VARIANTS))


def make(options: VIProbeOptions, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The stimuli of one unit with their PNG bytes, in an order that tells nothing of the variant.

    Raises ValueError for a picture whose measured truth disagrees with its label: it is never written.
    """
    case = illusions.get(chunk.family)
    _require_visible(case, options, [chunk.index])
    unit = f"{chunk.family}/{chunk.index:04d}"
    item = _Item(case, case.base(options.size, options.seed, chunk.index, grades(case, options)), options, unit)
    planned = [
        (variant, alpha)
        for variant in variants(options)
        for alpha in (options.alphas if variant in CHANGED else (0.0,))
        if variant != "I" or not case.inseparable
    ]
    drawn: list[tuple[Stimulus, bytes]] = []
    for variant, alpha in shuffled(planned, options.seed, unit):
        pixels = rasterise(case.geometry(item.base, alpha).scene(VARIANTS[variant]))
        measured = None if variant == "I" else case.measure(pixels)
        stimulus = item.stimulus(variant, alpha, pixels, measured)
        problem = None if variant == "I" else disagreement(case, stimulus, measured)
        if problem:
            raise ValueError(f"{stimulus.id}: {problem}")
        drawn.append((stimulus, encode_png(pixels)))
    yield from _with_one_length(drawn)


def _with_one_length(drawn: list[tuple[Stimulus, bytes]]) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The same files, those of one context at one length: equal targets compress better than unequal ones."""
    files: dict[str, bytes] = {}
    for context in set(VARIANTS.values()):
        group = {stimulus.id: file for stimulus, file in drawn if VARIANTS[stimulus.variant] == context}
        files |= zip(group, same_length(list(group.values())), strict=True) if group else ()
    for stimulus, _ in drawn:
        yield stimulus, (files[stimulus.id],)


def grades(case: Case, options: VIProbeOptions) -> int | None:
    """The steps of the base scale where the design grades it (the paper's: 11, of hues 10), else `None`."""
    return _units(case, options) if options.recipe == "paper" else None


def _units(case: Case, options: VIProbeOptions) -> int:
    return PAPER_UNITS[case.category] if options.recipe == "paper" else options.units


PAPER_UNITS = {"size": 11, "color": 10, "orientation": 11}


def disagreement(case: Case, stimulus: Stimulus, measured: Measurement | None) -> str | None:
    """What the pixels say against the record, or `None`: the label, the intended value, the stored measurement."""
    if measured is None:
        return f"no {case.title} figure can be read from the pixels"
    label = case.answer(same=case.is_same(measured))
    if label != stimulus.label:
        return f"the label is {stimulus.label}, the pixels say {label} ({measured.value:+.3f} {case.factor.unit})"
    if abs(measured.value - stimulus.truth["value"]) > case.factor.visible / 4:
        return f"{measured.value:+.3f} {case.factor.unit} measured, {stimulus.truth['value']:+.3f} intended"
    if abs(measured.value - stimulus.measured["value"]) > 1e-3:
        return f"{measured.value:+.4f} measured now, {stimulus.measured['value']:+.4f} stored"
    return None


def strength_text(alpha: float) -> str:
    """A strength as it stands in an id: signed, two decimals, more only where they are needed.

    >>> strength_text(0.4), strength_text(-0.3333)
    ('+0.40', '-0.3333')
    """
    return f"{alpha:+.2f}" if round(alpha, 2) == alpha else f"{alpha:+.4f}".rstrip("0")


@dataclass(frozen=True)
class _Item:
    """A base item, and how its pictures are described."""

    case: Case
    base: Any
    options: VIProbeOptions
    unit: str

    def stimulus(self, variant: str, alpha: float, pixels: Pixels, measured: Measurement | None) -> Stimulus:
        case, base = self.case, self.base
        name = f"{self.unit}/{variant}{strength_text(alpha) if variant in CHANGED else ''}"
        height, width, _ = pixels.shape
        return Stimulus(
            id=name,
            suite=NAME,
            family=case.name,
            unit=self.unit,
            variant=variant,
            category=case.category,
            media=(
                Medium(file=f"media/{name}.png", kind="image", width=width, height=height, sha256=pixel_hash(pixels)),
            ),
            question=case.fill(base, case.question),
            label=None if variant == "I" else case.answer(same=alpha == 0),
            seed=self.options.seed,
            factors={
                **nuisances(base),
                "alpha": None if variant == "I" else alpha,
                "congruent": alpha > 0 if alpha and case.directed else None,
                "side": base.changed,
            },
            truth=self._truth(variant, alpha),
            measured={"value": round(measured.value, 6), "unit": case.factor.unit} if measured else {},
        )

    def _truth(self, variant: str, alpha: float) -> dict[str, Json]:
        case, base = self.case, self.base
        there = variant != "I"
        value = round(case.value(base, alpha), 6) if there else None
        return {
            "value": value,
            "unit": case.factor.unit,
            "factor": case.factor.name,
            "question_reversed": case.fill(base, case.question_reversed),
            "answer_if_unchanged": case.answer(same=True),
            "comparison": self._comparison(value),
            "state": case.state,
            "measurand": case.fill(base, case.measurand),
            "regions": [list(box) for box in case.regions(base)],
            "min_side": min_side(case, value, self.options.size) if value else None,
        }

    def _comparison(self, value: float | None) -> dict[str, Json] | None:
        if self.case.comparison is None:
            return None
        question, positive, negative = self.case.comparison
        answer = (positive if value > 0 else negative) if value else None
        return {
            "question": self.case.fill(self.base, question),
            "options": [positive, negative],
            "answer": answer,
        }


def min_side(case: Case, value: float, size: int) -> int | None:
    """The smallest longer side, in px, to which the picture may be reduced before its change can be missed.

    `None` where that is 224 px or less, or where reducing leaves the factor as it is.
    """
    if not case.factor.grows:
        return None
    side = math.ceil(size * _LEGIBLE / abs(value))
    return side if side > 224 else None


def _require_visible(case: Case, options: VIProbeOptions, indices: range | list[int]) -> None:
    found = _too_faint(case, options, indices)
    if found:
        raise InputError(found.said)


class _TooFaint(NamedTuple):
    """Why a design cannot be drawn, and the size from which it could be (0: no size helps)."""

    size: int
    said: str


def _too_faint(case: Case, options: VIProbeOptions, indices: range | list[int]) -> _TooFaint | None:
    """What is wrong where the smallest change would not be visible, or the figure not legible; else `None`."""
    least = case.smallest_size
    if options.size < least:
        return _TooFaint(least, f"size {options.size}: {case.name} needs at least {least} px on the longer side")
    if not set(CHANGED) & set(variants(options)):
        return None
    weakest = min(map(abs, options.alphas), default=0.0)
    alphas = [alpha for alpha in options.alphas if abs(alpha) == weakest]
    bases = (case.base(options.size, options.seed, index, grades(case, options)) for index in indices)
    changes = [(abs(case.value(base, alpha)), alpha) for base in bases for alpha in alphas]
    smallest, alpha = min(changes, default=(math.inf, 0.0))
    visible = case.factor.visible
    if smallest >= visible:
        return None
    said = f"{case.name} at strength {strength_text(alpha)} changes by {smallest:.2f} {case.factor.unit}"
    if case.factor.grows:
        size = math.ceil(options.size * visible / smallest)
        return _TooFaint(size, f"{said}, less than the visible {visible:g}: make it at size {size} or larger")
    enough = math.ceil(abs(alpha) * visible / smallest * 100) / 100
    return _TooFaint(0, f"{said}, less than the visible {visible:g}: use strengths of at least {enough:.2f}")
