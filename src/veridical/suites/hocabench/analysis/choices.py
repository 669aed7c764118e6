"""Tasks II and III: domains and descriptions out of several, by layer and below, and the gap of the layers."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from veridical.records import PROPORTION, Estimate
from veridical.stats import Interval
from veridical.suites.hocabench.analysis.figures import OF_ALL, layer_gap
from veridical.suites.hocabench.analysis.rows import both_kinds, keys_of, pieces, plain
from veridical.suites.hocabench.asking.readers import DESCRIPTION, DOMAIN, PLAUSIBILITY
from veridical.suites.hocabench.asking.trials import SETTINGS

CHOICES = {DOMAIN: 9, DESCRIPTION: 4}
"""How many options each task has."""
COMPARED = ("frames", "sight", "video", "resolution", "domains", "attribution_rule")
"""The settings whose levels are compared on the same clips."""


def choices(rows: pl.DataFrame) -> Iterator[Estimate]:
    """Accuracies of Tasks II and III, and what chance gives."""
    for task, options in CHOICES.items():
        chosen, note = plain(rows, task)
        if chosen.is_empty():
            continue
        for keys in keys_of(chosen):
            for piece in pieces(chosen, keys, {"task": task}, note):
                yield piece.rate("accuracy", "right", OF_ALL)
        for piece in pieces(chosen, (), {"task": task}):
            guess = 1 / options
            yield piece.estimate("chance", PROPORTION, f"1 of {options} options", guess, Interval(guess, guess))


def gaps(rows: pl.DataFrame) -> list[Estimate]:
    """`layer gap` of Tasks II and III, as tested; p is not yet corrected."""
    return [
        layer_gap(piece, "layer gap", "right")
        for task in CHOICES
        for chosen, note in (plain(rows, task),)
        if not chosen.is_empty()
        for piece in pieces(chosen, (), {"task": task}, note)
    ]


def by_level(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`accuracy` of Tasks I to III at each level of the settings of which a run has more than one."""
    for task in (PLAUSIBILITY, *CHOICES):
        for name in COMPARED:
            chosen, note = plain(rows, task, (name,))
            chosen = both_kinds(chosen)
            present = set(chosen[name].drop_nulls().unique())
            if len(present) > 1:
                order = pl.Enum([each for each in SETTINGS[name] if each in present])
                ordered = chosen.with_columns(chosen[name].cast(order)).sort(name).with_columns(pl.col(name).cast(str))
                for piece in pieces(ordered, (name,), {"task": task}, note):
                    yield piece.rate("accuracy", "right", OF_ALL)
