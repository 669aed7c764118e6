"""The states of trials on their way from a model to a folder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

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
from veridical.verbs.runs.setup import Setup
from veridical.whitebox.inside import Inside
from veridical.whitebox.map_table import MapTable
from veridical.whitebox.places import TokenMap, passes
from veridical.whitebox.states import FORMAT, IDENTITY, MAPS, PARTS, PIXELS, StatesCost, pictures_of

_PART = 64
"""Trials in a part."""
_FACTS = ("trial", "stimulus", "unit", "variant", "category", "gold")
_TIMED = 3
"""Runs of the first trial; the first of them allocates what later ones have."""


class StatesReading:
    """The states of some trials, on their way from a model to a folder."""

    def __init__(self, inside: Inside, setup: Setup, trials: Sequence[Trial], folder: Path) -> None:
        self._inside, self._setup, self._trials, self._folder = inside, setup, trials, folder
        self._places = MapTable(folder / MAPS)
        sizes = {medium.file: (medium.width, medium.height) for each in setup.stimuli.stimuli for medium in each.media}
        files = dict.fromkeys(medium.file for trial in trials for medium in pictures_of(trial))
        self._sizes = list(dict.fromkeys(sizes.get(file) or self._size(file) for file in files))
        self._labels = {each.id: each.label for each in setup.stimuli.stimuli}
        factors = columns_of(setup.suite.design.factors)
        own: dict[str, Any] = dict.fromkeys((*_FACTS, "label", "problem"), pl.String())
        own |= dict.fromkeys((PIXELS, *inside.state_names), pl.List(pl.Float32()))
        if taken := sorted(own.keys() & factors):
            raise InputError(f"factor '{taken[0]}' of suite {setup.suite.name} is named like a column of states")
        self._factors, self._schema = list(factors), {**dict.fromkeys(_FACTS, pl.String()), **factors, **own}

    def require_same(self, model: str, model_args: Mapping[str, Json], random_weights: int | None) -> None:
        """Writes whose states a folder has; raises `InputError` if it has others."""
        ids = "\n".join(f"{trial.id} {trial.prompt}" for trial in self._trials)
        stated = self._setup.stated()
        identity = {name: stated[name] for name in ("suite", "stage", "set", "settings")}
        identity |= {"model": model, "model_args": dict(model_args), "revision": self._inside.loaded.facts["revision"]}
        identity |= {"random_weights": random_weights, "trials": sha256(ids.encode()).hexdigest()}
        path = self._folder / IDENTITY
        if path.exists():
            before = read_json(path)
            require_format(path, before, FORMAT, what="states", again="veridical whitebox states")
            if other := [name for name in identity if before.get("identity", {}).get(name) != identity[name]]:
                raise InputError(f"{self._folder} has states that differ in {', '.join(other)}: name a new folder")
        elif any(self._folder.iterdir()):
            raise InputError(f"{self._folder} holds other files: name a new folder")
        else:
            facts = {"format": FORMAT, "identity": identity, "loaded": dict(self._inside.loaded.facts)}
            write_whole(path, json.dumps(facts, indent=2, ensure_ascii=False).encode())

    def cost(self, *, places: bool) -> StatesCost:
        """The cost of what is not written yet; raises `InputError` if the first trial cannot be read."""
        seconds = []
        for _ in range(_TIMED):
            start = perf_counter()
            row = self._row(self._trials[0])
            seconds.append(perf_counter() - start)
        if row["problem"] is not None:
            raise InputError(f"trial {self._trials[0].id}: {row['problem']}")
        size = sum(len(row[name]) for name in (PIXELS, *self._inside.state_names)) * 4
        maps = passes(self._places.missing(self._sizes)) if places else 0
        left = sum(len(part) for _, part in self._parts())
        return StatesCost(left, min(seconds) * (left + maps), size * left, maps)

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

    def read(self, progress: Callable[[int, int], None]) -> dict[str, int]:
        """Writes what is missing, part by part; the reasons why trials have no states, with how many."""
        done = len(self._trials) - sum(len(part) for _, part in self._parts())
        for path, part in self._parts():
            rows = []
            for trial in part:
                rows.append(self._row(trial))
                progress(done := done + 1, len(self._trials))
            with replace_atomically(path) as temporary:
                pl.DataFrame(rows, schema=self._schema).write_parquet(temporary)
        problems = pl.scan_parquet(self._folder / PARTS).select("problem").collect()["problem"]
        return dict(Counter(problems.drop_nulls().to_list()).most_common())

    def _parts(self) -> Iterator[tuple[Path, Sequence[Trial]]]:
        """The parts that are not written yet, each with its file."""
        for start in range(0, len(self._trials), _PART):
            path = (self._folder / PARTS).with_name(f"{start // _PART:06d}.parquet")
            if not path.exists():
                yield path, self._trials[start : start + _PART]

    def _row(self, trial: Trial) -> dict[str, Any]:
        facts = {name: getattr(trial, name) for name in _FACTS[1:]} | {"trial": trial.id, "problem": None}
        facts |= {"label": self._labels.get(trial.stimulus)}
        facts |= {name: trial.factors.get(name) for name in self._factors}
        try:
            found = self._inside.states(self._inside.inputs(self._prompt(trial)))
            pixels = np.concatenate(
                [pooled_colors(self._setup.read(each.file), each.file) for each in pictures_of(trial)]
            )
        except (InputError, PromptRefused) as error:
            return {**facts, "problem": one_line(str(error), longest=160)}
        except torch.OutOfMemoryError:
            what = f"trial {trial.id} does not fit into the device's memory"
            raise InputError(f"{what}; what is written in {self._folder} stays") from None
        except Exception as error:  # noqa: BLE001 - a model may raise anything
            return {**facts, "problem": one_line(f"{type(error).__name__}: {error}", longest=160)}
        return {**facts, PIXELS: pixels, **found.states}

    def _prompt(self, trial: Trial) -> LocalPrompt:
        read = self._setup.read
        return LocalPrompt.of(
            [
                ChatTurn(each.role, tuple(p.text if isinstance(p, Text) else read(p.file) for p in each.parts))
                for each in trial.messages
            ]
        )

    def _size(self, file: str) -> tuple[int, int]:
        medium = medium_of(file, self._setup.read(file))
        return medium.width, medium.height
