"""Patched runs of pairs of trials on their way to a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from veridical.ask.local.loader import LoadedModel
from veridical.ask.local.spellings import Spellings
from veridical.errors import InputError
from veridical.internals.patch_curve import FACTS
from veridical.records import Json
from veridical.suite.trial_pairs import TrialPair
from veridical.verbs.exchange.local_trials import LocalTrials
from veridical.whitebox.patches import depth_names, patched_runs
from veridical.whitebox.reading import ModelReading, facts_of


class PatchReading(ModelReading[TrialPair]):
    """The answers of patched runs; `clean` is the first trial of a pair, `donor` the second."""

    name = "patch"

    def __init__(self, loaded: LoadedModel, shown: LocalTrials, pairs: Sequence[TrialPair], opening: str) -> None:
        super().__init__(loaded, shown, pairs, opening)
        self._spellings = Spellings(loaded)

    @property
    def schema(self) -> Mapping[str, Any]:
        runs = ("clean", "donor", *depth_names(self._inside))
        return {**dict.fromkeys(FACTS, pl.String()), "answers": pl.List(pl.String())} | dict.fromkeys(
            runs, pl.List(pl.Float64())
        )

    def facts(self, item: TrialPair) -> dict[str, Json]:
        pair = {"clean_trial": item.first.id, "family": item.second.family, "group": item.group}
        return {**facts_of(item.second), **pair}

    def numbers(self, item: TrialPair) -> Mapping[str, Any]:
        forms = self._shown.forms(item.second)
        clean, donor = (self._inside.inputs(self.prompt(trial)) for trial in (item.first, item.second))
        runs = patched_runs(self._inside, clean, donor)
        rows: dict[str, Any] = {"answers": list(forms.words)}
        for name, logits in {"clean": runs.clean, "donor": runs.donor, **runs.depths}.items():
            options = self._spellings.probabilities(logits, forms).options
            if silent := [answer for answer, chance in options.items() if chance <= 0]:
                raise InputError(f"no token states the answer {silent[0]}")
            rows[name] = np.log(list(options.values())).tolist()
        return rows
