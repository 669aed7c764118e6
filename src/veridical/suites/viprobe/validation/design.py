"""The outcomes that a run on a design would have before anything is asked, without a picture drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.ask.outcomes import outcome_table
from veridical.records import Json, Stimulus
from veridical.stimulus_set import Design
from veridical.suite import Asking, registry
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.illusions.case import Case, nuisances
from veridical.suites.viprobe.illusions.make import CHANGED, strength_text
from veridical.suites.viprobe.pairs import TYPES
from veridical.verbs import sets

MODEL = "veridical/simulated"


def design_frame(units: int = 10, levels: int = 10, cases: Sequence[str] | None = None) -> pl.DataFrame:
    """The planned trials of VI-Probe's default design, as outcomes not yet asked (schema `OUTCOMES`).

    O, P, OC and PC of `units` base items per case, P and PC at `levels` strengths, each picture asked in both
    polarities; `cases` as in `sets.make`, by default all classic ones. Base items and values of the factor are those
    of the set with seed 0. Raises `InputError` for a number or a case that is not allowed.

    >>> design_frame(units=1, levels=2, cases=["muller_lyer"]).shape
    (12, 32)
    """
    suite = registry.get("viprobe")
    design = sets.design("viprobe", variants=TYPES, units=units, levels=levels, cases=cases)
    asking = Asking(suite.defaults)
    trials = list(suite.stages[0].trials(_stimuli(design), asking, None))
    return outcome_table(MODEL, trials, {}, suite.readers)


def _stimuli(design: Design) -> Iterator[Stimulus]:
    """The stimuli of a design as far as trials know them; hashes and measurements are left empty."""
    for case in illusions.chosen(design.cases):
        for index in range(design.units):
            base = case.base(design.size, design.seed, index)
            for variant in TYPES:
                for alpha in design.alphas if variant in CHANGED else (0.0,):
                    yield _stimulus(design, case, base, f"{case.name}/{index:04d}", variant, alpha)


def _stimulus(design: Design, case: Case, base: Json, unit: str, variant: str, alpha: float) -> Stimulus:
    name = f"{unit}/{variant}{strength_text(alpha) if variant in CHANGED else ''}"
    truth = {
        "value": round(case.value(base, alpha), 6),
        "unit": case.factor.unit,
        "answer_if_unchanged": case.answer(same=True),
    }
    return Stimulus(
        id=name,
        suite=design.suite,
        family=case.name,
        unit=unit,
        variant=variant,
        category=case.category,
        media=(f"media/{name}.png",),
        question=case.fill(base, case.question),
        question_reversed=case.fill(base, case.question_reversed),
        label=case.answer(same=alpha == 0),
        width=base.width,
        height=base.height,
        seed=design.seed,
        sha256="",
        alpha=alpha,
        congruent=alpha > 0 if alpha and case.directed else None,
        side=base.changed,
        factors=nuisances(base),
        truth=truth,
    )
