"""Saliency maps on their way to a folder: a row for each stimulus and presentation, its arrays in files beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from veridical.ask.local.loader import LoadedModel
from veridical.ask.local.requests import PromptRefused
from veridical.ask.local.spellings import Spellings
from veridical.ask.redact import one_line
from veridical.base.files import replace_atomically
from veridical.errors import InputError
from veridical.internals.token_map import PLACES, MapTable
from veridical.media.pictures import cell_grid
from veridical.records import Json, Trial
from veridical.suite.presentations import Presentation, presentations
from veridical.verbs.exchange.local_trials import LocalTrials, pictures_of
from veridical.whitebox.inside import Tensor
from veridical.whitebox.places import kept_map, passes
from veridical.whitebox.reading import ModelReading, facts_of
from veridical.whitebox.saliency import ATTENTION, GRAD_CAM, GRADIENT, ROLLOUT
from veridical.whitebox.token_saliency import rolled_attention, tower_saliency, weighted_attention

_COUNTS = ("trials", "pictures", "width", "height")


class SaliencyReading(ModelReading[Presentation]):
    """The saliency maps of presentations."""

    name = "saliency"

    def __init__(self, loaded: LoadedModel, shown: LocalTrials, kinds: Sequence[str], opening: str) -> None:
        items = presentations(shown.trials)
        super().__init__(loaded, shown, items, opening)
        self._kinds, self._layer = kinds, 0
        self._spellings = Spellings(loaded) if {GRADIENT, GRAD_CAM} & {*kinds} else None
        for item in items:
            inner, name = (shown.folder / kinds[0] / item.name).resolve(), item.trials[0].stimulus
            if "\0" in name or not (inner / f"{name}.npz").resolve().is_relative_to(inner):
                raise InputError(f"stimulus {name!r} cannot be the name of a file")

    @property
    def schema(self) -> Mapping[str, Any]:
        texts = ("trial", "stimulus", "unit", "presentation", "problem", "answer")
        numbers = {**dict.fromkeys(_COUNTS, pl.Int64()), **dict.fromkeys(("log_odds", "unseen"), pl.Float64())}
        return {**dict.fromkeys(texts, pl.String()), **numbers}

    def facts(self, item: Presentation) -> dict[str, Json]:
        return {**facts_of(item.trials[0]), "presentation": item.name, "trials": len(item.trials)}

    def numbers(self, item: Presentation) -> Mapping[str, Any]:
        pictures = pictures_of(item.trials[0])
        if any(pictures_of(trial) != pictures for trial in item.trials):
            raise InputError("its trials under the same settings show other pictures")
        frames = [self._shown.frame(each.file) for each in pictures]
        if len({frame[:2] for frame in frames}) > 1:
            raise InputError("its pictures have several sizes, so that they have no common map")
        each_trial = [self._values(trial) for trial in item.trials]
        facts = {name: each_trial[0][name] for name in ("answer", "log_odds")}
        values = {kind: np.mean([each[kind] for each in each_trial], 0) for kind in self._kinds}
        if not all(np.isfinite(each).all() for each in values.values()):
            raise InputError("its saliency is not finite: a wider dtype is needed")
        if any(len(each) % len(frames) for each in values.values()):
            raise InputError("its pictures have several numbers of tokens")
        arrays = {kind: each.reshape(len(frames), -1) for kind, each in values.items()}
        size = {"pictures": len(frames), "width": frames[0].width, "height": frames[0].height}
        return {**facts, **size, "times": np.array([each.time for each in frames]), **arrays}

    def kept(self, row: dict[str, Any]) -> dict[str, Any]:
        arrays = {kind: row.pop(kind, None) for kind in ("times", *self._kinds)}
        if row["problem"] is None:
            try:
                row["unseen"] = self._write(row, arrays)
            except (InputError, PromptRefused) as error:
                row["problem"] = one_line(str(error), longest=160)
        return row

    def size(self, row: Mapping[str, Any]) -> int:
        columns, rows = cell_grid(row["width"], row["height"])
        return 4 * columns * rows * int(row["pictures"]) * len(self._kinds)

    def passes(self) -> int:
        shown = (picture for item in self._items for picture in pictures_of(item.trials[0]))
        sizes = list(dict.fromkeys(self._shown.frame(picture.file)[:2] for picture in shown))
        return sum(passes(table.missing(sizes)) for table in {self._maps_of(kind) for kind in self._kinds})

    def pictures(self) -> int:
        return sum(len(pictures_of(trial)) for trial in self._items[0].trials)

    def _values(self, trial: Trial) -> dict[str, Any]:
        """The saliency of the picture tokens of a trial, or of those of the tower, by kind."""
        inputs, found = self._inside.inputs(self.prompt(trial)), dict[str, Any](answer=None, log_odds=None)
        if ATTENTION in self._kinds:
            found[ATTENTION] = self._inside.attention(inputs).mean((0, 1))
        if ROLLOUT in self._kinds:
            found[ROLLOUT] = rolled_attention(self._inside, inputs)
        if self._spellings is None:
            return found
        spellings, forms = self._spellings, self._shown.forms(trial)

        def log_odds(logits: Tensor) -> Tensor:
            found["answer"], odds = spellings.log_odds(logits, forms)
            found["log_odds"] = float(odds.detach())
            return odds

        if GRADIENT in self._kinds:
            found[GRADIENT] = weighted_attention(self._inside.gradients(inputs, log_odds))
        if GRAD_CAM in self._kinds:
            self._layer, found[GRAD_CAM] = tower_saliency(self._inside, inputs, log_odds)
        return found

    def _write(self, row: Mapping[str, Any], arrays: Mapping[str, Any]) -> float:
        """Writes the maps of a row; the part of its pictures that no picture token sees."""
        size = row["width"], row["height"]
        grid = cell_grid(*size)
        maps = {kind: kept_map(self._inside, self._maps_of(kind), *size) for kind in self._kinds}
        for kind, each in maps.items():
            if (tokens := arrays[kind].shape[1]) != len(each.boxes):
                raise InputError(f"a picture has {len(each.boxes)} tokens alone, and {tokens} among {row['pictures']}")
        for kind, each in maps.items():
            saliency = np.stack([each.spread(values, grid) for values in arrays[kind]]).astype(np.float32)
            file = self._shown.folder / kind / row["presentation"] / f"{row['stimulus']}.npz"
            with replace_atomically(file) as temporary, temporary.open("wb") as stream:
                seen = each.seen_on(grid).astype(np.float32)
                np.savez_compressed(stream, times=arrays["times"], saliency=saliency, seen=seen)
        return next(iter(maps.values())).unseen

    def _maps_of(self, kind: str) -> MapTable:
        return self._tower_maps if kind == GRAD_CAM else self._token_maps

    @cached_property
    def _token_maps(self) -> MapTable:
        return MapTable(self._shown.folder / PLACES)

    @cached_property
    def _tower_maps(self) -> MapTable:
        return MapTable(self._shown.folder / "tower-places.parquet", self._layer)
