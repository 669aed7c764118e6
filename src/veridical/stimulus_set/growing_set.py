"""A stimulus set that grows with a run: chunk by chunk, in the order in which the run asks about them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from veridical.base.files import folder_lock, os_errors
from veridical.base.options import Options
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Chunk, FactorTypes, Json, canonical
from veridical.stimulus_set.read import DESIGN_KEY, StimulusSet
from veridical.stimulus_set.write import Make, begin_set, draw_chunks, join_set, part_of, versions


@dataclass(repr=False)
class GrowingSet:
    """A set in a folder that holds the chunks asked about so far; after each growth it is whole.

    `key` is the hash of its design, by which runs know it, whatever it holds. Its parts stay in the folder, so that
    a run that goes on can let it grow further.
    """

    folder: Path
    suite: str
    options: Options
    make: Make
    factors: FactorTypes
    title: str = ""
    origin: Mapping[str, str] = field(default_factory=dict)
    chunks: list[Chunk] = field(default_factory=list)

    @property
    def arguments(self) -> dict[str, Json]:
        """What it is made from, as in the manifest."""
        stated = {"suite": self.suite, **self.origin, **self.options.model_dump(mode="json")}
        arguments: dict[str, Json] = json.loads(canonical(stated))
        return arguments

    @property
    def key(self) -> str:
        facts = {"arguments": self.arguments, "versions": versions()}
        return sha256(canonical(facts).encode()).hexdigest()

    def grown(self, chunks: Sequence[Chunk], crew: Workers) -> StimulusSet:
        """The set with these chunks, after drawing those that it has not.

        Raises `InputError` for a folder that holds another set, or that cannot be written to.
        """
        held = set(self.chunks)
        self.chunks += [chunk for chunk in dict.fromkeys(chunks) if chunk not in held]
        with folder_lock(self.folder):
            self._require_own()
            begin_set(self.folder, self.arguments)
            numbered = list(enumerate(self.chunks))
            todo = [(place, chunk) for place, chunk in numbered if not part_of(self.folder, place).exists()]
            for _ in draw_chunks(self.folder, self.options, self.factors, todo, self.make, crew):
                pass
            with os_errors(self.folder, "written", "; the same call goes on"):
                parts = [part_of(self.folder, place) for place, _ in numbered]
                origin = {"arguments": self.arguments, "seed": self.options.seed, DESIGN_KEY: self.key}
                facts = {"source": "made by a user's own file" if self.origin else "generated; no third-party data"}
                join_set(self.folder, parts, origin, facts, self.factors, self.title)
        return StimulusSet.open(self.folder)

    def _require_own(self) -> None:
        """Raises `InputError` where the folder holds a set that is not this one."""
        manifest = self.folder / "manifest.json"
        if manifest.exists() and StimulusSet.open(self.folder).key != self.key:
            raise InputError(f"{self.folder} holds another set: choose another folder for the run")
