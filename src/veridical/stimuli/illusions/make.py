"""From a design to stimuli: which pictures a base item has, drawn, measured, and refused where they are unsound."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from veridical.draw import encode_png, pixel_hash, rasterise
from veridical.errors import InputError, unknown
from veridical.records import Stimulus
from veridical.stimuli import illusions
from veridical.stimuli.illusions.case import Case, Measurement, Pixels, nuisances
from veridical.stimulus_set import Design

VARIANTS = ("O", "P", "OC", "PC")
"""Original, perturbed, and the matched controls of both: the same targets without the inducers."""

_CHANGED, _CONTROL = {"P", "PC"}, {"OC", "PC"}


def chunks(design: Design) -> list[str]:
    """The units of a design, `case/index`, in the order of the registry; raises `InputError` where it is not sound."""
    cases = [illusions.get(name) for name in design.cases or illusions.CASES]
    cases.sort(key=lambda case: case.number)
    variants(design)
    for case in cases:
        _require_visible(case, design)
    return [f"{case.name}/{index:04d}" for case in cases for index in range(design.units)]


def variants(design: Design) -> tuple[str, ...]:
    """The variants asked for, in the fixed order."""
    for name in design.variants or ():
        if name not in VARIANTS:
            raise unknown("variant", name, VARIANTS)
    return tuple(name for name in VARIANTS if name in (design.variants or VARIANTS))


def make(design: Design, chunk: str) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The stimuli of one unit with their PNG bytes: O, P over the strengths, OC, PC over the strengths.

    Raises ValueError for a picture whose measured truth disagrees with its label: it is never written.
    """
    name, index = chunk.split("/")
    case = illusions.get(name)
    base = case.base(design.size, design.seed, int(index))
    for variant in variants(design):
        for alpha in design.alphas if variant in _CHANGED else (0.0,):
            pixels = rasterise(case.geometry(base, alpha).scene(inducers=variant not in _CONTROL))
            measured = case.measure(pixels)
            stimulus = _describe(case, base, design, chunk, variant, alpha, pixels, measured)
            problem = disagreement(case, stimulus, measured)
            if problem:
                raise ValueError(f"{stimulus.id}: {problem}")
            yield stimulus, (encode_png(pixels),)


def disagreement(case: Case, stimulus: Stimulus, measured: Measurement | None) -> str | None:
    """What the pixels say against the record, or `None`: the label, the intended value, the stored measurement."""
    if measured is None:
        return f"no {case.title} figure can be read from the pixels"
    label = str(int(case.is_same(measured)))
    if label != stimulus.label:
        return f"the label is {stimulus.label}, the pixels say {label} ({measured.value:+.3f} {case.factor.unit})"
    if abs(measured.value - stimulus.truth["value"]) > case.factor.visible / 4:
        return f"{measured.value:+.3f} {case.factor.unit} measured, {stimulus.truth['value']:+.3f} intended"
    if abs(measured.value - stimulus.measured["value"]) > 1e-3:
        return f"{measured.value:+.4f} measured now, {stimulus.measured['value']:+.4f} stored"
    return None


def verify(stimulus: Stimulus, pixels: Pixels) -> str | None:
    """What a picture that was read back says against its record, or `None`."""
    if stimulus.family not in illusions.CASES:
        return f"no case is called '{stimulus.family}'"
    case = illusions.CASES[stimulus.family]
    if (stimulus.alpha == 0) != (stimulus.label == "1"):
        return f"the label is {stimulus.label} at strength {stimulus.alpha}"
    return disagreement(case, stimulus, case.measure(pixels))


def strength_text(alpha: float) -> str:
    """A strength as it stands in an id: signed, two decimals, more only where they are needed.

    >>> strength_text(0.4), strength_text(-0.3333)
    ('+0.40', '-0.3333')
    """
    return f"{alpha:+.2f}" if round(alpha, 2) == alpha else f"{alpha:+.4f}".rstrip("0")


def _describe(
    case: Case,
    base: Any,  # noqa: ANN401
    design: Design,
    unit: str,
    variant: str,
    alpha: float,
    pixels: Pixels,
    measured: Measurement | None,
) -> Stimulus:
    name = f"{unit}/{variant}{strength_text(alpha) if variant in _CHANGED else ''}"
    question, question_reversed = case.questions(base)
    height, width, _ = pixels.shape
    return Stimulus(
        id=name,
        suite=design.suite,
        family=case.name,
        unit=unit,
        variant=variant,
        category=case.category,
        media=(f"media/{name}.png",),
        question=question,
        question_reversed=question_reversed,
        label=str(int(alpha == 0)),
        width=width,
        height=height,
        seed=design.seed,
        sha256=pixel_hash(pixels),
        alpha=alpha,
        congruent=alpha > 0 if alpha else None,
        side=base.changed,
        factors=nuisances(base),
        truth={
            "value": round(case.value(base, alpha), 6),
            "unit": case.factor.unit,
            "factor": case.factor.name,
            "regions": [list(box) for box in case.regions(base)],
        },
        measured={"value": round(measured.value, 6) if measured else None, "unit": case.factor.unit},
    )


def _require_visible(case: Case, design: Design) -> None:
    """Refuses a design whose smallest change would not be visible, with what would be."""
    if design.size < case.smallest_size:
        raise InputError(f"size {design.size}: {case.name} needs at least {case.smallest_size} px on the longer side")
    alphas = design.alphas if _CHANGED & set(variants(design)) else ()
    changes = [
        (abs(case.value(base, alpha)), alpha)
        for base in (case.base(design.size, design.seed, index) for index in range(design.units))
        for alpha in alphas
    ]
    smallest, alpha = min(changes, default=(math.inf, 0.0))
    visible = case.factor.visible
    if smallest >= visible:
        return
    said = f"{case.name} at strength {strength_text(alpha)} changes by {smallest:.2f} {case.factor.unit}"
    way_out = (
        f"make it at size {math.ceil(design.size * visible / smallest)} or larger"
        if case.factor.grows
        else f"use strengths of at least {math.ceil(abs(alpha) * visible / smallest * 100) / 100:.2f}"
    )
    raise InputError(f"{said}, less than the visible {visible:g}: {way_out}")
