"""Pooled states of trials on their way to a folder, with the maps of their picture tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from veridical.ask.local.loader import LoadedModel
from veridical.errors import InputError
from veridical.internals.stored_states import PIXELS
from veridical.internals.token_map import PLACES, MapTable
from veridical.media.pictures import pooled_colors
from veridical.records import Json, Trial, columns_of
from veridical.verbs.exchange.local_trials import LocalTrials, pictures_of
from veridical.whitebox.inside import Inputs, PooledStates, joint_inputs, shapes_of
from veridical.whitebox.places import kept_maps, passes
from veridical.whitebox.reading import ModelReading

BATCH = 8
"""How many trials are read at once, at most, on a GPU."""
_Waiting = tuple[int, Trial, Inputs]
_FACTS = ("trial", "stimulus", "unit", "variant", "category", "gold")


class StatesReading(ModelReading[Trial]):
    """The states of trials beside their facts and pooled pictures, and the maps of their picture tokens."""

    name = "states"

    def __init__(self, loaded: LoadedModel, shown: LocalTrials, *, places: bool, batch: int | None) -> None:
        super().__init__(loaded, shown, shown.trials)
        self._batch = batch or (BATCH if loaded.model.device.type == "cuda" else 1)
        self._places, self._mapped = MapTable(shown.folder / PLACES), places
        self._sizes = shown.sizes
        self._labels = {each.id: each.label for each in shown.setup.stimuli.stimuli}
        suite = shown.setup.suite
        factors = columns_of(suite.design.factors)
        own: dict[str, Any] = dict.fromkeys((*_FACTS, "label", "problem"), pl.String())
        own |= dict.fromkeys((PIXELS, *self._inside.state_names), pl.List(pl.Float32()))
        if taken := sorted(own.keys() & factors):
            raise InputError(f"factor '{taken[0]}' of suite {suite.name} is named like a column of states")
        self._factors, self._schema = list(factors), {**dict.fromkeys(_FACTS, pl.String()), **factors, **own}

    @property
    def schema(self) -> Mapping[str, Any]:
        return self._schema

    def facts(self, item: Trial) -> dict[str, Json]:
        facts = {name: getattr(item, name) for name in _FACTS[1:]} | {"trial": item.id}
        facts |= {name: item.factors.get(name) for name in self._factors}
        return {**facts, "label": self._labels.get(item.stimulus)}

    def numbers(self, item: Trial) -> Mapping[str, Any]:
        (found,) = self._inside.states(self._inside.inputs(self.prompt(item)))
        return self._with_pixels(item, found)

    def rows(self, items: Sequence[Trial]) -> Iterator[dict[str, Any]]:
        if self._batch == 1:
            return super().rows(items)
        rows, waiting = dict[int, dict[str, Any]](), dict[str, list[_Waiting]]()
        for place, item in enumerate(items):
            inputs = self._inputs(item)
            alike = waiting.setdefault(str(shapes_of(inputs)), [])
            alike.append((place, item, inputs))
            if len(alike) == self._batch:
                rows |= self._together(alike)
                alike.clear()
        for alike in waiting.values():
            rows |= self._together(alike)
        return iter([rows[place] for place in range(len(items))])

    def _inputs(self, item: Trial) -> Inputs:
        """The inputs of a trial; empty where there are none, and its row says why."""
        with suppress(Exception):
            return self._inside.inputs(self.prompt(item))
        return {}

    def _together(self, batch: Sequence[_Waiting]) -> dict[int, dict[str, Any]]:
        """The rows of trials that are read at once, or in halves if they cannot be, such as for lack of memory."""
        if len(batch) < 2:
            return {place: self.row(item) for place, item, _ in batch}
        found: Sequence[PooledStates] = ()
        with suppress(Exception):
            found = self._inside.states(joint_inputs([inputs for *_, inputs in batch]))
        if not found:
            half = len(batch) // 2
            return self._together(batch[:half]) | self._together(batch[half:])
        rows = zip(batch, found, strict=True)
        return {place: self.row(item, partial(self._with_pixels, found=states)) for (place, item, _), states in rows}

    def _with_pixels(self, item: Trial, found: PooledStates) -> dict[str, Any]:
        read = self._shown.setup.read
        pixels = np.concatenate([pooled_colors(read(each.file), each.file) for each in pictures_of(item)])
        return {PIXELS: pixels, **found.states}

    def passes(self) -> int:
        return passes(self._places.missing(self._sizes)) if self._mapped else 0

    def beforehand(self) -> dict[str, Any]:
        maps, unmapped = kept_maps(self._inside, self._places, self._sizes) if self._mapped else ([], {})
        return {"maps": maps, "unmapped": unmapped}
