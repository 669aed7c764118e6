"""Rows of numbers on their way from a model to a folder: one for each trial, or pair of trials, in parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Generic, TypeVar

import polars as pl
import torch

from veridical.ask.local.loader import LoadedModel
from veridical.ask.local.requests import LocalPrompt, PromptRefused
from veridical.ask.redact import one_line
from veridical.base.files import replace_atomically
from veridical.errors import InputError
from veridical.internals.stored_states import intact_parts
from veridical.records import ChatTurn, Json, Text, Trial
from veridical.verbs.exchange.local_trials import LocalTrials, ReadingCost
from veridical.whitebox.inside import Inside

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

    def __init__(self, loaded: LoadedModel, shown: LocalTrials, items: Sequence[Item], opening: str = "") -> None:
        self._inside, self._shown, self._items, self._opening = Inside(loaded), shown, items, opening

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

    def kept(self, row: dict[str, Any]) -> dict[str, Any]:
        """What of a row goes into the table; what else it has is written elsewhere, once the cost is agreed to."""
        return row

    def size(self, row: Mapping[str, Any]) -> int:
        """How many bytes of numbers a row takes."""
        return sum(4 * len(value) for value in row.values() if not isinstance(value, str | int | float | None))

    def passes(self) -> int:
        """How many passes of the tower are taken beside the rows, of one picture each."""
        return 0

    def pictures(self) -> int:
        """How many pictures the first row takes through the tower."""
        return 1

    def beforehand(self) -> dict[str, Any]:
        """Does what is done once, before rows are read; the further fields of the table."""
        return {}

    def read(self, **stated: Json) -> dict[str, Any]:
        """Writes the rows that are missing, once their cost is agreed to; the fields of a table of the folder.

        The folder is of what is `stated`, too. Raises `InputError` if it is of other things, and if the first item
        cannot be read.
        """
        self._require_same(stated)
        self._agree()
        more = self.beforehand()
        done, progress = len(self._items) - self._missing(), self._shown.options.get("progress")
        for path, part in self._parts():
            rows = []
            for row in self.rows(part):
                rows.append(self.kept(row))
                done += 1
                if progress:
                    progress(done, len(self._items))
            with replace_atomically(path) as temporary:
                pl.DataFrame(rows, schema=self.schema).write_parquet(temporary)
        folder = self._shown.folder
        with intact_parts(parts := folder / self.name):
            problems = pl.scan_parquet(parts / "*.parquet").select("problem").collect()["problem"]
        counts = dict(Counter(problems.drop_nulls().to_list()).most_common())
        left_out = self._shown.without_picture
        return {"folder": folder, "rows": len(self._items), "left_out": left_out, "problems": counts, **more}

    def _agree(self) -> None:
        """Has the cost agreed to, by the time of the first row."""
        seconds = []
        for _ in range(_TIMED):
            start = perf_counter()
            row = self.row(self._items[0])
            seconds.append(perf_counter() - start)
        if row["problem"] is not None:
            raise InputError(f"trial {row['trial']}: {row['problem']}")
        left, more = self._missing(), self.passes()
        if agree := self._shown.options.get("agree"):
            agree(ReadingCost(left, min(seconds) * (left + more / self.pictures()), self.size(row) * left, more))

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
        own = {"trials": sha256(ids.encode()).hexdigest(), **({"opening": self._opening} if self._opening else {})}
        folder = self._shown.folder
        if not (folder / f"{self.name}.json").exists() and any(folder.iterdir()):
            raise InputError(f"{folder} holds other files: name a new folder")
        self._shown.require_same(self.name, self._inside.loaded, {**own, **more})

    def _missing(self) -> int:
        return sum(len(part) for _, part in self._parts())

    def _parts(self) -> Iterator[tuple[Path, Sequence[Item]]]:
        """The parts that are not written yet, each with its file."""
        for start in range(0, len(self._items), _PART):
            path = self._shown.folder / self.name / f"{start // _PART:06d}.parquet"
            if not path.exists():
                yield path, self._items[start : start + _PART]

    def rows(self, items: Sequence[Item]) -> Iterator[dict[str, Any]]:
        """A row for each item, in their order."""
        return map(self.row, items)

    def row(self, item: Item, numbers: Callable[[Item], Mapping[str, Any]] | None = None) -> dict[str, Any]:
        """The row of an item, with what `numbers` reads, or with why that cannot be read."""
        facts = {**self.facts(item), "problem": None}
        try:
            return {**facts, **(numbers or self.numbers)(item)}
        except (InputError, PromptRefused) as error:
            return {**facts, "problem": one_line(str(error), longest=160)}
        except torch.OutOfMemoryError:
            what = f"trial {facts['trial']} does not fit into the device's memory"
            raise InputError(f"{what}; what is written in {self._shown.folder} stays") from None
        except Exception as error:  # noqa: BLE001 - a model may raise anything
            return {**facts, "problem": one_line(f"{type(error).__name__}: {error}", longest=160)}


def facts_of(trial: Trial) -> dict[str, Json]:
    """What a row says of its trial."""
    return {"trial": trial.id, "stimulus": trial.stimulus, "unit": trial.unit}
