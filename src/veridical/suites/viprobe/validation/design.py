"""The outcomes that a run on a design would have before anything is asked, without a picture drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.ask.outcomes import outcome_table
from veridical.base.options import parsed
from veridical.records import Json, Medium, Stimulus
from veridical.suite.asking import Asking
from veridical.suites.viprobe import illusions
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.asking.settings import DEFAULTS
from veridical.suites.viprobe.asking.trials import READERS, trials
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.illusions.case import Case, nuisances
from veridical.suites.viprobe.illusions.legible import alphas_of
from veridical.suites.viprobe.illusions.make import NAME
from veridical.suites.viprobe.illusions.variants import CHANGED, strength_text
from veridical.suites.viprobe.options import VIProbeOptions

MODEL = "veridical/simulated"


def design_frame(units: int = 10, levels: int = 10, cases: Sequence[str] | None = None) -> pl.DataFrame:
    """The planned trials of VI-Probe's default design, as outcomes not yet asked.

    O, P, OC and PC of `units` base items per case, P and PC at `levels` strengths, each picture asked in both
    polarities; `cases` as in `sets.make`, by default all classic ones. Base items and values of the factor are those
    of the set with seed 0. Raises `InputError` for a number or a case that is not allowed.

    >>> design_frame(units=1, levels=2, cases=["muller_lyer"]).shape
    (12, 42)
    """
    options = parsed(VIProbeOptions, {"variants": TYPES, "units": units, "levels": levels, "cases": cases})
    planned = list(trials(_stimuli(options), Asking(DEFAULTS)))
    return outcome_table(MODEL, planned, {}, READERS, factors=DESIGN.factors)


def _stimuli(design: VIProbeOptions) -> Iterator[Stimulus]:
    """The stimuli of a design as far as trials know them; hashes and measurements are left empty."""
    for case in illusions.chosen(design.cases):
        for index in range(design.units):
            base = case.base(design.size, design.seed, index)
            for variant in TYPES:
                for alpha in alphas_of(case, design) if variant in CHANGED else (0.0,):
                    yield _stimulus(design, case, base, f"{case.name}/{index:04d}", variant, alpha)


def _stimulus(design: VIProbeOptions, case: Case, base: Json, unit: str, variant: str, alpha: float) -> Stimulus:
    name = f"{unit}/{variant}{strength_text(alpha) if variant in CHANGED else ''}"
    truth = {
        "value": round(case.value(base, alpha), 6),
        "unit": case.factor.unit,
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
        label=case.answer(same=alpha == 0),
        seed=design.seed,
        factors={
            **nuisances(base),
            "alpha": alpha,
            "congruent": alpha > 0 if alpha and case.directed else None,
            "side": base.changed,
        },
        truth=truth,
    )
