"""Stimulus sets by suite: make, open, check, describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from veridical.base.options import Options, chosen_options
from veridical.errors import InputError
from veridical.records import Json
from veridical.stimulus_set import Check, StimulusSet, write_set
from veridical.stimulus_set.describe import describe as general_description
from veridical.stimulus_set.describe import lines, write_card
from veridical.suite import registry

Progress = Callable[[int, int], None]
_SCRATCH: list[TemporaryDirectory[str]] = []


@dataclass(frozen=True)
class SetDesign:
    """A set that could be made: its suite and its options."""

    suite: str
    options: Options


def design(suite: str, **options: Any) -> SetDesign:  # noqa: ANN401 (each suite has its own options)
    """The design of the set that `make` with the same arguments draws; nothing is drawn.

    Raises `InputError` for an option that the suite does not have, and a value that is not allowed.
    """
    chosen = registry.get(suite)
    return SetDesign(chosen.name, chosen_options(chosen.options, chosen.recipes, options))


def make(
    suite: str,
    *,
    out: Path | str | None = None,
    progress: Progress | None = None,
    **options: Any,  # noqa: ANN401 (each suite has its own options)
) -> StimulusSet:
    """A stimulus set of that suite, written to the folder `out` (default: a temporary one, kept while Python runs).

    Every suite takes `recipe`, a named design, `units`, base items per family, and `seed`; `veridical make SUITE
    --help` lists its others. The recipe gives what is not given. Drawn on all cores; stopped, it is taken up by the
    same call. Raises `InputError` for anything that is not allowed.
    """
    chosen, checked = registry.get(suite), design(suite, **options).options
    part = chosen.design
    return write_set(
        folder_for(out),
        chosen.name,
        checked,
        part.chunks(checked),
        part.make,
        factors=part.factors,
        title=chosen.title,
        progress=progress,
    )


def open_set(place: StimulusSet | Path | str, suite: str | None = None) -> StimulusSet:
    """The stimulus set in a folder; raises `InputError` where there is none, or one of another suite."""
    whole = place if isinstance(place, StimulusSet) else StimulusSet.open(Path(place))
    if suite is not None and suite_of(whole) != suite:
        raise InputError(f"{whole.folder} is a set of {suite_of(whole)}, not of {suite}")
    return whole


def check(stimuli: StimulusSet | Path | str, *, progress: Progress | None = None) -> Check:
    """What measuring and hashing everything in a set again finds; `failed` is empty for a sound one."""
    whole = open_set(stimuli)
    return whole.verify(registry.get(suite_of(whole)).design.verify, progress=progress)


class Description(dict[str, Json]):
    """Facts about a set by name (see `stimulus_set.describe`), and the same as Markdown `lines`."""

    def __init__(self, facts: Mapping[str, Json], lines: Sequence[str]) -> None:
        super().__init__(facts)
        self.lines = list(lines)

    def frame(self) -> pl.DataFrame:
        """One row per level of each factor: how many stimuli have it."""
        rows = [(name, level, number) for name, counts in self["factors"].items() for level, number in counts.items()]
        schema = {"factor": pl.String, "level": pl.String, "stimuli": pl.Int64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        return f"<Description: {self['stimuli']:,} stimuli of {self['units']:,} units>"


def describe(stimuli: StimulusSet | Path | str) -> Description:
    """The description of a set, its suite's own facts included, which is also written into its data set card."""
    whole = open_set(stimuli)
    whole.require_intact_table()
    design = registry.get(suite_of(whole)).design
    facts = general_description(whole, design.published)
    more_of = design.describe
    more, more_lines = more_of(whole) if more_of is not None else ({}, [])
    description = Description({**facts, **more}, [*lines(facts), *more_lines])
    write_card(whole, description.lines, registry.get(suite_of(whole)).title)
    return description


def suite_of(stimuli: StimulusSet) -> str:
    """The name of the suite that a set belongs to."""
    arguments = stimuli.manifest.get("arguments")
    if not isinstance(arguments, dict) or "suite" not in arguments:
        raise InputError(f"{stimuli.folder / 'manifest.json'} names no suite")
    return str(arguments["suite"])


def folder_for(out: Path | str | None) -> Path:
    """The folder named, or a temporary one that is kept while Python runs."""
    if out is not None:
        return Path(out)
    scratch = TemporaryDirectory(prefix="veridical-", ignore_cleanup_errors=True)
    _SCRATCH.append(scratch)
    return Path(scratch.name)
