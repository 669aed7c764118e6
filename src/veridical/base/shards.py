"""Shards of a run: which base items each one asks about, and which one a process of a cluster's job is."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from veridical.errors import InputError

AUTO = "auto"
_STATED = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")
_TASK = "SLURM_ARRAY_TASK_"


class Shard(NamedTuple):
    """Shard `number`, from 1, `of` so many; each base item falls to one of them by the hash of its name.

    So the shards share out the base items whatever a set's order or size, and all pictures of an item stay together.
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """The shard of a text: K/N, or "auto" for that of this process in a Slurm array or among ranks.

        Raises `InputError` for any other text, and for "auto" where the environment names no shard.

        >>> Shard.parse("2/4")
        Shard(number=2, of=4)
        """
        if text == AUTO:
            return _of_process(os.environ)
        stated = _STATED.fullmatch(text)
        shard = cls(int(stated[1]), int(stated[2])) if stated else cls(0, 0)
        if not 1 <= shard.number <= shard.of:
            raise InputError(f"shard '{text}': K/N, with K from 1 to N, or {AUTO} is allowed")
        return shard

    def holds(self, unit: str) -> bool:
        """Whether the base item of that name falls to this shard.

        >>> [Shard(number, 3).holds("length/0001") for number in (1, 2, 3)]
        [False, False, True]
        """
        return int(sha256(unit.encode()).hexdigest(), 16) % self.of == self.number - 1

    def folder(self, out: Path) -> Path:
        """The folder of this shard's run, by that of all shards; a folder that is already named so stays.

        >>> Shard(2, 4).folder(Path("runs/a")).as_posix(), Shard(2, 4).folder(Path("a-2-of-4")).as_posix()
        ('runs/a-2-of-4', 'a-2-of-4')
        """
        place = out if out.name not in ("", "..") else out.resolve()
        return place if place.name.endswith(self.ending) else place.with_name(f"{place.name}{self.ending}")

    @property
    def ending(self) -> str:
        """How the name of this shard's folder ends."""
        return f"-{self.number}-of-{self.of}"

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def shard_folder(out: Path, shard: str | None) -> Path:
    """The folder of a run that asks a shard, in words, or everything (`None`); raises `InputError` as `parse` does."""
    return out if shard is None else Shard.parse(shard).folder(out)


def _of_process(environment: Mapping[str, str]) -> Shard:
    """The shard that a scheduler's variables name; raises `InputError` where they name none."""
    if f"{_TASK}ID" in environment:
        return _of_array(environment)
    if "RANK" in environment and "WORLD_SIZE" in environment:
        rank, size = (_number(environment, name) for name in ("RANK", "WORLD_SIZE"))
        if not 0 <= rank < size:
            raise InputError(f"shard {AUTO}: RANK={rank} is none of WORLD_SIZE={size}: give K/N")
        return Shard(rank + 1, size)
    raise InputError(f"shard {AUTO}: neither {_TASK}ID nor RANK and WORLD_SIZE is set: give K/N")


def _of_array(environment: Mapping[str, str]) -> Shard:
    task, least, most = (_number(environment, f"{_TASK}{name}") for name in ("ID", "MIN", "MAX"))
    step = _number(environment, f"{_TASK}STEP") if f"{_TASK}STEP" in environment else 1
    tasks = range(least, most + 1, step or most + 1)
    of = len(tasks)
    count = _number(environment, f"{_TASK}COUNT") if f"{_TASK}COUNT" in environment else of
    if of != count or task not in tasks or not step:
        stated = f"task {task} of {least} to {most} by {step}, {count} in all"
        raise InputError(f"shard {AUTO}: the array has gaps ({stated}): use one such as 1-8, or give K/N")
    return Shard(tasks.index(task) + 1, of)


def _number(environment: Mapping[str, str], name: str) -> int:
    text = environment.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise InputError(f"shard {AUTO}: {name} is '{text[:20]}', and a number is needed: give K/N")
    return int(text)
