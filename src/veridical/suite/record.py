"""The Suite record, through which everything else knows a suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.answers import Reader
from veridical.errors import InputError, unknown
from veridical.records import Estimate, Stimulus
from veridical.stimulus_set import Design, Recipe
from veridical.suite.asking import Asking, Levels, Preset, Stage
from veridical.suite.results import Figure, Result, Table


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
