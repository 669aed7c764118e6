"""Rows of numbers on their way from a model to a folder: one for each trial, or pair of trials, in parts."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import polars as pl
import torch

from veridical.ask.local.requests import LocalPrompt, PromptRefused
from veridical.ask.redact import one_line
from veridical.base.files import read_json, replace_atomically, require_format, write_whole
from veridical.errors import InputError
from veridical.media.decode import medium_of
from veridical.media.pictures import pooled_colors
from veridical.records import ChatTurn, Json, Text, Trial, columns_of
from veridical.whitebox.inside import Inside
from veridical.whitebox.local_trials import LocalTrials, ReadingCost, ReadingOptions, pictures_of
from veridical.whitebox.map_table import MapTable
from veridical.whitebox.places import TokenMap, passes
from veridical.whitebox.states import FORMAT, PIXELS

Item = TypeVar("Item")
_PART = 64
"""Rows in a part."""
_TIMED = 3
"""Runs of the first item; the first of them allocates what later ones have."""


class ModelReading(ABC, Generic[Item]):
    """The rows of some items, in the parts `NAME/*.parquet` of a folder; `NAME.json` says what they are of.

    A row without numbers has its `problem`. `opening` begins each reply.
    """

    name: ClassVar[str]

    def __init__(
        self, inside: Inside, shown: LocalTrials, folder: Path, items: Sequence[Item], opening: str = ""
    ) -> None:
        self._inside, self._shown, self._folder, self._items, self._opening = inside, shown, folder, items, opening

    @property
    @abstractmethod
    def schema(self) -> Mapping[str, Any]:
        """The columns of a row and their types; `problem` is among them."""

    @abstractmethod
    def facts(self, item: Item) -> dict[str, Json]:
        """What a row says of its item, whether it can be read or not; `trial` is its name."""

    @abstractmethod
    def numbers(self, item: Item) -> Mapping[str, Any]:
        """What is read; raises `InputError` or `PromptRefused` where it cannot be."""

    def passes(self) -> int:
        """How many passes of the tower are taken beside the rows."""
        return 0

    def begin(self, options: ReadingOptions, **stated: Json) -> None:
        """Writes what a folder is of, with what is `stated` beside it, and has its cost agreed to.

        Raises `InputError` if the folder is of other things, or if the first item cannot be read.
        """
        self._require_same(stated)
        seconds = []
        for _ in range(_TIMED):
            start = perf_counter()
            row = self._row(self._items[0])
            seconds.append(perf_counter() - start)
        if row["problem"] is not None:
            raise InputError(f"trial {row['trial']}: {row['problem']}")
        size = sum(4 * len(value) for value in row.values() if not isinstance(value, str | float | None))
        left, more = sum(len(part) for _, part in self._parts()), self.passes()
        if agree := options.get("agree"):
            agree(ReadingCost(left, min(seconds) * (left + more), size * left, more))

    def read(self, options: ReadingOptions) -> dict[str, int]:
        """Writes what is missing, part by part; the reasons why items have no numbers, with how many."""
        done, progress = len(self._items) - sum(len(part) for _, part in self._parts()), options.get("progress")
        for path, part in self._parts():
            rows = []
            for item in part:
                rows.append(self._row(item))
                done += 1
                if progress:
                    progress(done, len(self._items))
            with replace_atomically(path) as temporary:
                pl.DataFrame(rows, schema=self.schema).write_parquet(temporary)
        problems = pl.scan_parquet(self._folder / self.name / "*.parquet").select("problem").collect()["problem"]
        return dict(Counter(problems.drop_nulls().to_list()).most_common())

    def prompt(self, trial: Trial) -> LocalPrompt:
        """What the model gets of a trial, with the beginning of its reply."""
        read = self._shown.setup.read
        turns = [
            ChatTurn(each.role, tuple(p.text if isinstance(p, Text) else read(p.file) for p in each.parts))
            for each in trial.messages
        ]
        if self._opening:
            begun = turns.pop().parts if turns[-1].role == "assistant" else ()
            turns.append(ChatTurn("assistant", (*begun, self._opening)))
        return LocalPrompt.of(turns)

    def _require_same(self, more: Mapping[str, Json]) -> None:
        ids = "\n".join(f"{trial.id} {trial.prompt}" for trial in self._shown.trials)
        stated = self._shown.setup.stated()
        identity = {name: stated[name] for name in ("suite", "stage", "set", "settings")}
        identity |= {"model": self._shown.model, "model_args": dict(self._shown.model_args)}
        identity |= {"revision": self._inside.loaded.facts["revision"], "trials": sha256(ids.encode()).hexdigest()}
        identity |= {"opening": self._opening} if self._opening else {}
        identity |= {} if self._shown.random_weights is None else {"random_weights": self._shown.random_weights}
        identity |= more
        path = self._folder / f"{self.name}.json"
        if path.exists():
            before = read_json(path)
            require_format(path, before, FORMAT, what=self.name, again=f"veridical whitebox {self.name}")
            was = before.get("identity", {})
            if other := [name for name in {**identity, **was} if was.get(name) != identity.get(name)]:
                raise InputError(f"{self._folder} has {self.name} that differ in {', '.join(other)}: name a new folder")
        elif any(self._folder.iterdir()):
            raise InputError(f"{self._folder} holds other files: name a new folder")
        else:
            facts = {"format": FORMAT, "identity": identity, "loaded": dict(self._inside.loaded.facts)}
            write_whole(path, json.dumps(facts, indent=2, ensure_ascii=False).encode())

    def _parts(self) -> Iterator[tuple[Path, Sequence[Item]]]:
        """The parts that are not written yet, each with its file."""
        for start in range(0, len(self._items), _PART):
            path = self._folder / self.name / f"{start // _PART:06d}.parquet"
            if not path.exists():
                yield path, self._items[start : start + _PART]

    def _row(self, item: Item) -> dict[str, Any]:
        facts = {**self.facts(item), "problem": None}
        try:
            return {**facts, **self.numbers(item)}
        except (InputError, PromptRefused) as error:
            return {**facts, "problem": one_line(str(error), longest=160)}
        except torch.OutOfMemoryError:
            what = f"trial {facts['trial']} does not fit into the device's memory"
            raise InputError(f"{what}; what is written in {self._folder} stays") from None
        except Exception as error:  # noqa: BLE001 - a model may raise anything
            return {**facts, "problem": one_line(f"{type(error).__name__}: {error}", longest=160)}


def facts_of(trial: Trial) -> dict[str, Json]:
    """What a row says of its trial."""
    return {"trial": trial.id, "stimulus": trial.stimulus, "unit": trial.unit}


_FACTS = ("trial", "stimulus", "unit", "variant", "category", "gold")


class StatesReading(ModelReading[Trial]):
    """The states of trials beside their facts and pooled pictures, and the maps of their picture tokens."""

    name = "states"

    def __init__(self, inside: Inside, shown: LocalTrials, folder: Path, *, places: bool) -> None:
        super().__init__(inside, shown, folder, shown.trials)
        self._places, self._mapped = MapTable(folder / "places.parquet"), places
        media = (medium for each in shown.setup.stimuli.stimuli for medium in each.media)
        sizes = {medium.file: (medium.width, medium.height) for medium in media}
        files = dict.fromkeys(medium.file for trial in shown.trials for medium in pictures_of(trial))
        self._sizes = list(dict.fromkeys(sizes.get(file) or self._size(file) for file in files))
        self._labels = {each.id: each.label for each in shown.setup.stimuli.stimuli}
        suite = shown.setup.suite
        factors = columns_of(suite.design.factors)
        own: dict[str, Any] = dict.fromkeys((*_FACTS, "label", "problem"), pl.String())
        own |= dict.fromkeys((PIXELS, *inside.state_names), pl.List(pl.Float32()))
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
        found = self._inside.states(self._inside.inputs(self.prompt(item)))
        read = self._shown.setup.read
        pixels = np.concatenate([pooled_colors(read(each.file), each.file) for each in pictures_of(item)])
        return {PIXELS: pixels, **found.states}

    def passes(self) -> int:
        return passes(self._places.missing(self._sizes)) if self._mapped else 0

    def maps(self) -> tuple[list[TokenMap], dict[tuple[int, int], str]]:
        """The maps of picture tokens, and by size of picture why there is none; raises `InputError` without any map."""
        maps, unmapped = [], dict[tuple[int, int], str]()
        for size in self._sizes:
            try:
                maps.append(self._places.map_of(self._inside, *size))
            except (InputError, PromptRefused) as error:
                unmapped[size] = one_line(str(error), longest=160)
        if not maps:
            raise InputError(next(iter(unmapped.values())))
        return maps, unmapped

    def _size(self, file: str) -> tuple[int, int]:
        medium = medium_of(file, self._shown.setup.read(file))
        return medium.width, medium.height
