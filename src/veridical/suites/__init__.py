"""The Suite record and the registry through which everything else knows suites.

A suite is one frozen record. The command line, the report and every adapter work from the record alone, so a suite
that somebody registers from a folder of their own goes through make, check, run, metrics and report like the built-in
ones. Packages offer theirs under the entry point group `veridical.suites`.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.answers import Reader
from veridical.ask import UNSTATED, Sampling
from veridical.errors import InputError, unknown
from veridical.records import Counts, Estimate, Json, Stimulus, Trial
from veridical.stimulus_set import Design, Recipe

Levels = Mapping[str, tuple[str, ...]]
Cell = str | int | float | Estimate | Counts | None

PEOPLE = "people/"
"""How the names of observers that are people begin."""

_BUILT_IN = {"viprobe": "veridical.suites.viprobe"}
_REGISTERED: dict[str, Suite] = {}


@dataclass(frozen=True)
class Asking:
    """How stimuli are asked about: the levels of each setting, and the folder of the user's own wordings, if any."""

    levels: Levels = field(default_factory=dict)
    prompts: Path | None = None


@dataclass(frozen=True)
class Stage:
    """A step of a suite: trials from stimuli, how to ask, and the outcomes of earlier stages (`None` in the first)."""

    name: str
    trials: Callable[[Iterable[Stimulus], Asking, pl.DataFrame | None], Iterator[Trial]]


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A published way of asking: the sampling and repeats that `source` states, `None` where it leaves them open."""

    source: str
    sampling: Sampling = Sampling()  # noqa: RUF009 - frozen
    repeats: int | None = None

    def stated(self) -> dict[str, Json]:
        """Everything that a preset can set, with its value, or "unstated" where the source leaves it open."""
        return {**self.sampling.stated(), "repeats": UNSTATED if self.repeats is None else self.repeats}


@dataclass(frozen=True, kw_only=True)
class About:
    """What a user states about a model, `None` where nothing is stated; `size` is in billions of parameters."""

    group: str | None = None
    family: str | None = None
    generation: str | None = None
    size: float | None = None
    thinking: bool | None = None
    date: datetime.date | None = None

    def facts(self) -> dict[str, Json]:
        """What is stated, as JSON values; the date as YYYY-MM-DD.

        >>> About(size=7.0, date=datetime.date(2025, 2, 19)).facts()
        {'size': 7.0, 'date': '2025-02-19'}
        """
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        given["date"] = self.date.isoformat() if self.date else None
        return {name: value for name, value in given.items() if value is not None}

    def __str__(self) -> str:
        thinks = {None: None, True: "thinking", False: "not thinking"}[self.thinking]
        size = None if self.size is None else f"{self.size:g} B"
        parts = (self.group, self.family, self.generation, size, thinks, self.facts().get("date"))
        return ", ".join(part for part in parts if part is not None)


@dataclass(frozen=True)
class Result:
    """One run, ready for analysis: the model's name, its outcome table, the suite's estimates, and what it is."""

    model: str
    outcomes: pl.DataFrame
    estimates: Sequence[Estimate]
    about: About | None = None

    @cached_property
    def by_slice(self) -> dict[tuple[str, frozenset[tuple[str, Json]]], Estimate]:
        """The estimates by their metric and slice; of several, the first."""
        return {(each.metric, frozenset(each.slice.items())): each for each in reversed(self.estimates)}


@dataclass(frozen=True)
class Table:
    """A table for people and for CSV: a file stem, a title, a note on what was averaged over what, columns and rows."""

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Figure:
    """A figure: a file stem, a title, a note on what it shows, and the SVG document."""

    name: str
    title: str
    note: str
    svg: str


@dataclass(frozen=True)
class Suite:
    """Everything that the library knows of a diagnostic.

    `chunks` lists the independent pieces of a design and `make` draws one of them: stimuli with the bytes of their
    media, in order. `verify` measures a stimulus again from its decoded pixels (height, width, 3; uint8) and returns
    what contradicts its record, or `None`. `settings` has the levels that each setting may take, `defaults` those that
    it takes if nobody says otherwise (all, where it names none), and `prompts` the folder of the suite's own wordings,
    where a user may put others in their place. `headline` names the metrics that open a report, most important first;
    `names` gives metrics, and `variants` gives picture types, the names that people read. `presets` has published
    ways of asking; `contrast`, the two picture types whose difference a design is to find, and `reply_tokens`, the
    length of a usual reply, are for plans.
    """

    name: str
    title: str
    citation: str
    settings: Levels
    chunks: Callable[[Design], Sequence[str]]
    make: Callable[[Design, str], Iterator[tuple[Stimulus, tuple[bytes, ...]]]]
    verify: Callable[[Stimulus, NDArray[np.uint8]], str | None]
    stages: tuple[Stage, ...]
    readers: Mapping[str, Reader]
    estimates: Callable[[pl.DataFrame], list[Estimate]]
    headline: tuple[str, ...]
    families: tuple[str, ...] = ()
    defaults: Levels = field(default_factory=dict)
    prompts: Path | None = None
    recipes: Mapping[str, Recipe] = field(default_factory=lambda: {"balanced": Recipe()})
    names: Mapping[str, str] = field(default_factory=dict)
    variants: Mapping[str, str] = field(default_factory=dict)
    presets: Mapping[str, Preset] = field(default_factory=dict)
    contrast: tuple[str, str] | None = None
    reply_tokens: int = 200
    differences: Callable[[pl.DataFrame, pl.DataFrame], list[Estimate]] | None = None
    tables: Callable[[Sequence[Result]], list[Table]] = field(default=lambda _: [])
    figures: Callable[[Sequence[Result]], list[Figure]] = field(default=lambda _: [])

    def asking(
        self, chosen: Mapping[str, str | Sequence[str]] | None = None, prompts: Path | str | None = None
    ) -> Asking:
        """How to ask with the chosen levels, each setting's in the suite's own order, and defaults for the others.

        Raises `InputError` for a setting or level that the suite does not know, and for wordings that it cannot take.
        """
        if prompts is not None and self.prompts is None:
            raise InputError(f"the suite {self.name} takes no other prompts")
        levels = {name: self.defaults.get(name, allowed) for name, allowed in self.settings.items()}
        for name, asked in (chosen or {}).items():
            if name not in self.settings:
                raise unknown("setting", name, self.settings)
            wanted = [asked] if isinstance(asked, str) else [str(level) for level in asked]
            for level in wanted:
                if level not in self.settings[name]:
                    raise unknown(f"level of {name}", level, self.settings[name])
            if not wanted:
                raise InputError(f"setting {name} has no level: allowed are {', '.join(self.settings[name])}")
            levels[name] = tuple(level for level in self.settings[name] if level in wanted)
        return Asking(levels, None if prompts is None else Path(prompts))


def register(suite: Suite) -> Suite:
    """Makes a suite known under its name for this process, in place of one of the same name, and returns it."""
    _REGISTERED[suite.name] = suite
    return suite


def names() -> tuple[str, ...]:
    """The names of all known suites, sorted."""
    return tuple(sorted({*_BUILT_IN, *_REGISTERED, *(point.name for point in entry_points(group="veridical.suites"))}))


def get(name: str) -> Suite:
    """The suite of that name; raises `InputError` with the nearest name where there is none."""
    if name in _REGISTERED:
        return _REGISTERED[name]
    if name in _BUILT_IN:
        return register(import_module(_BUILT_IN[name]).SUITE)
    for point in entry_points(group="veridical.suites", name=name):
        return register(point.load())
    raise unknown("suite", name, names())
