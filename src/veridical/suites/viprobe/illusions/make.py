"""From a design to stimuli: which pictures a base item has, drawn, measured, and refused where they are unsound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from veridical.errors import InputError
from veridical.media.draw import encode_png, pixel_hash, same_length
from veridical.records import Chunk, Json, Medium, Stimulus
from veridical.suite.nuisances import shuffle_items
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.illusions.case import Case, Measurement, nuisances
from veridical.suites.viprobe.illusions.drawing import CHANGED, VARIANTS, Drawing, strength_text, variants
from veridical.suites.viprobe.illusions.legible import alphas_of, grades, min_side, too_faint, units
from veridical.suites.viprobe.illusions.verify import unsound
from veridical.suites.viprobe.illusions.view import View
from veridical.suites.viprobe.options import VIProbeOptions

NAME = "viprobe"
_ALL_CHECKED = 200


def chunks(options: VIProbeOptions) -> list[Chunk]:
    """The units of a set, in the order of the registry; raises `InputError` where it cannot be sound."""
    cases = illusions.selection(options.cases)
    variants(options)
    faint = [too_faint(case, options, range(min(units(case, options), _ALL_CHECKED))) for case in cases]
    worst = max(filter(None, faint), default=None)
    if worst:
        raise InputError(worst.problem)
    return [Chunk(case.name, index) for case in cases for index in range(units(case, options))]


def make(options: VIProbeOptions, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The stimuli of one unit with their PNG bytes, in an order that tells nothing of the variant.

    Each is verified as `veridical check` does it, before it is encoded. Raises `InputError` for one that is not sound.
    """
    item, planned = _planned(options, chunk)
    drawing = Drawing(item.case, item.base)
    drawn: dict[tuple[str, float], tuple[Stimulus, bytes]] = {}
    for variant, alpha in sorted(planned, key=lambda picture: picture[1]):
        pixels = drawing.pixels(VARIANTS[variant], alpha)
        readings = drawing.readings(View(pixels), alpha)
        stimulus = item.stimulus(variant, alpha, pixels.shape, pixel_hash(pixels), readings.at(readings.side))
        if problem := unsound(stimulus, readings):
            raise InputError(
                f"{stimulus.id} would not be sound and is not written: {problem}; another size, seed or strength may do"
            )
        drawn[variant, alpha] = stimulus, encode_png(pixels)
    yield from _with_one_length([drawn[picture] for picture in shuffle_items(planned, options.seed, item.unit)])


def outline(options: VIProbeOptions, chunk: Chunk) -> Iterator[Stimulus]:
    """The stimuli of one unit, neither drawn nor measured."""
    item, planned = _planned(options, chunk)
    for variant, alpha in planned:
        yield item.stimulus(variant, alpha, (options.size, options.size), "", None)


def _planned(options: VIProbeOptions, chunk: Chunk) -> tuple[_Item, list[tuple[str, float]]]:
    """A base item and its pictures, each by its type and strength; raises `InputError` where one would be too faint."""
    case = illusions.get(chunk.family)
    if refused := too_faint(case, options, [chunk.index]):
        raise InputError(refused.problem)
    base = case.base(options.size, options.seed, chunk.index, grades(case, options))
    return _Item(case, base, options, f"{chunk.family}/{chunk.index:04d}"), [
        (variant, alpha)
        for variant in variants(options)
        for alpha in (alphas_of(case, options) if variant in CHANGED else (0.0,))
        if case.shows(VARIANTS[variant])
    ]


def _with_one_length(drawn: list[tuple[Stimulus, bytes]]) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """The same files, those of one context at one length: equal targets compress better than unequal ones."""
    files: dict[str, bytes] = {}
    for context in set(VARIANTS.values()):
        group = {stimulus.id: file for stimulus, file in drawn if VARIANTS[stimulus.variant] == context}
        files |= zip(group, same_length(list(group.values())), strict=True) if group else ()
    for stimulus, _ in drawn:
        yield stimulus, (files[stimulus.id],)


@dataclass(frozen=True)
class _Item:
    """A base item, and how its pictures are described."""

    case: Case
    base: Any
    options: VIProbeOptions
    unit: str

    def stimulus(
        self, variant: str, alpha: float, shape: tuple[int, ...], digest: str, measured: Measurement | None
    ) -> Stimulus:
        case, base = self.case, self.base
        name = f"{self.unit}/{variant}{strength_text(alpha) if variant in CHANGED else ''}"
        height, width = shape[:2]
        return Stimulus(
            id=name,
            suite=NAME,
            family=case.name,
            unit=self.unit,
            variant=variant,
            category=case.category,
            media=(Medium(file=f"media/{name}.png", kind="image", width=width, height=height, sha256=digest),),
            question=self.question,
            label=None if variant == "I" else case.answer(same=alpha == 0),
            seed=self.options.seed,
            factors={
                **self.nuisances,
                "alpha": None if variant == "I" else alpha,
                "congruent": alpha > 0 if alpha and case.directed else None,
                "side": base.changed,
            },
            truth=self._truth(variant, alpha),
            measured={"value": round(measured.value, 6), "unit": case.factor.unit} if measured else {},
        )

    def _truth(self, variant: str, alpha: float) -> dict[str, Json]:
        value = None if variant == "I" else round(self.case.value(self.base, alpha), 6)
        return {
            "value": value,
            **self.truth,
            "comparison": comparison(self.case, self.base, value),
            "min_side": min_side(self.case, value, self.options.size) if value else None,
        }

    @cached_property
    def question(self) -> str:
        return self.case.fill(self.base, self.case.question)

    @cached_property
    def nuisances(self) -> dict[str, Json]:
        return nuisances(self.base)

    @cached_property
    def truth(self) -> dict[str, Json]:
        """What is true of all pictures."""
        case, base = self.case, self.base
        return {
            "unit": case.factor.unit,
            "factor": case.factor.name,
            "question_reversed": case.fill(base, case.question_reversed),
            "answer_if_unchanged": case.answer(same=True),
            "state": case.state,
            "measurand": case.fill(base, case.measurand),
            "regions": [list(box) for box in case.regions(base)],
        }


def comparison(case: Case, base: Any, value: float | None) -> dict[str, Json] | None:  # noqa: ANN401
    """The question which target has more, its options and their answer (`None` without a difference), as JSON."""
    if case.comparison is None:
        return None
    question, positive, negative = case.comparison
    answer = (positive if value > 0 else negative) if value else None
    return {"question": case.fill(base, question), "options": [positive, negative], "answer": answer}
