"""The planned outcomes of a run on a design, before any request and without drawing pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.ask.outcomes import outcome_table
from veridical.base.options import parse_options
from veridical.records import Json, Medium, Stimulus
from veridical.suite.nuisances import shuffle_items
from veridical.suite.stages import AskingOptions
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.asking.settings import DEFAULTS
from veridical.suites.viprobe.asking.trials import READERS, trials
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.illusions.case import Case, nuisances
from veridical.suites.viprobe.illusions.drawing import CHANGED, VARIANTS, strength_text
from veridical.suites.viprobe.illusions.drawing import variants as chosen_variants
from veridical.suites.viprobe.illusions.legible import alphas_of
from veridical.suites.viprobe.illusions.make import NAME, comparison
from veridical.suites.viprobe.options import VIProbeOptions

MODEL = "veridical/simulated"


def design_frame(
    units: int = 10,
    levels: int | None = 10,
    cases: Sequence[str] | None = None,
    *,
    variants: Sequence[str] = TYPES,
    tasks: Sequence[str] = DEFAULTS["task"],
    as_made: bool = False,
) -> pl.DataFrame:
    """The planned trials of a VI-Probe design, as unanswered outcomes; by default those of the default design.

    Each case has `units` base items in those of the picture types `variants` that it supports, perturbed ones at
    `levels` strengths (`None`: those of `GRID` that the case supports); `cases` as in `sets.make`, by default all
    classic ones. `tasks` selects yes-no questions in both polarities, comparisons (which target has more), or both.
    Base items and factor values are those of the set with seed 0; `as_made` also takes the order of its pictures.
    Raises `InputError` for an invalid number, case or picture type.

    >>> design_frame(units=1, levels=2, cases=["muller_lyer"]).shape
    (12, 42)
    """
    options = parse_options(
        VIProbeOptions, {"variants": tuple(variants), "units": units, "levels": levels, "cases": cases}
    )
    planned = list(trials(planned_stimuli(options, as_made=as_made), AskingOptions({**DEFAULTS, "task": tuple(tasks)})))
    return outcome_table(MODEL, planned, {}, READERS, factors=DESIGN.factors)


def planned_stimuli(design: VIProbeOptions, *, as_made: bool) -> Iterator[Stimulus]:
    """The stimuli of a design, with what trials need; hashes and measurements are empty."""
    for case in illusions.selection(design.cases):
        for index in range(design.units):
            base, unit = case.base(design.size, design.seed, index), f"{case.name}/{index:04d}"
            planned = [
                (variant, alpha)
                for variant in chosen_variants(design)
                for alpha in (alphas_of(case, design) if variant in CHANGED else (0.0,))
                if case.shows(VARIANTS[variant])
            ]
            for variant, alpha in shuffle_items(planned, design.seed, unit) if as_made else planned:
                yield _stimulus(design, case, base, unit, variant, alpha)


def _stimulus(design: VIProbeOptions, case: Case, base: Json, unit: str, variant: str, alpha: float) -> Stimulus:
    name = f"{unit}/{variant}{strength_text(alpha) if variant in CHANGED else ''}"
    value = None if variant == "I" else round(case.value(base, alpha), 6)
    truth = {
        "value": value,
        "unit": case.factor.unit,
        "comparison": comparison(case, base, value),
        "question_reversed": case.fill(base, case.question_reversed),
        "answer_if_unchanged": case.answer(same=True),
    }
    return Stimulus(
        id=name,
        suite=NAME,
        family=case.name,
        unit=unit,
        variant=variant,
        category=case.category,
        media=(Medium(file=f"media/{name}.png", kind="image", width=base.width, height=base.height, sha256=""),),
        question=case.fill(base, case.question),
        label=None if variant == "I" else case.answer(same=alpha == 0),
        seed=design.seed,
        factors={
            **nuisances(base),
            "alpha": None if variant == "I" else alpha,
            "congruent": alpha > 0 if alpha and case.directed else None,
            "side": base.changed,
        },
        truth=truth,
    )
