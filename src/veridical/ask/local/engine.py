"""Generating replies of a loaded model to several prompts at once, in the calling thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from threading import Lock

import torch

from veridical.ask.local.generation import Generator
from veridical.ask.local.loading import Loaded
from veridical.ask.local.place import quiet
from veridical.ask.local.prompts import PromptRefused
from veridical.ask.local.replies import Wanted, Written, overflow
from veridical.ask.local.reuse import NotCutBackError, Reuse
from veridical.errors import InputError


class Engine:
    """Generates replies; with `reuse`, shared beginnings of prompts are encoded once if the model's cache allows it.

    `encoded` counts the `tokens` and `pictures` of prompts that the model encoded, and the `reused` tokens.
    """

    def __init__(self, loaded: Loaded, *, reuse: bool = True) -> None:
        self.loaded, self.encoded = loaded, Counter[str]()
        self._generator, self._lock = Generator(loaded), Lock()
        possible = reuse and Reuse.possible(self._generator)
        self._reuse = Reuse(self._generator, self.encoded) if possible else None

    def replies(self, wanted: Sequence[Wanted], kept: int = 8) -> list[Written | Exception]:
        """The reply to each prompt, generated together; an exception takes the place of a missing reply.

        A batch that fails, for example because it does not fit into the device's memory, is retried in two halves.
        `kept` is the number of prompts to keep.
        """
        with self._lock, quiet(self.loaded.name):
            if self._reuse is not None:
                self._reuse.keeper.most = kept
            return self._halved(wanted)

    def _halved(self, wanted: Sequence[Wanted]) -> list[Written | Exception]:
        try:
            return self._together(wanted)
        except Exception as error:  # noqa: BLE001 - any exception of a model fails the prompts of its batch
            if self._reuse is not None:
                self._reuse.keeper.clear()
            if len(wanted) == 1:
                return [error]
        torch.cuda.empty_cache()
        half = len(wanted) // 2
        return [*self._halved(wanted[:half]), *self._halved(wanted[half:])]

    def _together(self, wanted: Sequence[Wanted]) -> list[Written | Exception]:
        if self._reuse is not None:
            try:
                return self._reuse.replies(wanted)
            except NotCutBackError:
                self._reuse = None
        return self._anew(wanted)

    def _anew(self, wanted: Sequence[Wanted]) -> list[Written | Exception]:
        """Replies to prompts that are encoded in full, in groups that the template and processor accept together."""
        replies: dict[int, Written | Exception] = {}
        kinds: dict[tuple[bool, bool], list[int]] = {}
        for index, each in enumerate(wanted):
            kinds.setdefault((each.prompt.continues, bool(each.prompt.pictures)), []).append(index)
        for indices in kinds.values():
            replies |= zip(indices, self._alike([wanted[index] for index in indices]), strict=True)
        return [replies[index] for index in range(len(wanted))]

    def _alike(self, wanted: Sequence[Wanted]) -> list[Written | Exception]:
        try:
            inputs = self._generator.inputs([each.prompt for each in wanted])
            lengths = inputs["attention_mask"].sum(-1).tolist()
        except (PromptRefused, InputError) as error:
            return [error] if len(wanted) == 1 else self._one_by_one(wanted)
        if any(map(self._generator.too_long, lengths)):
            return [overflow(lengths[0])] if len(wanted) == 1 else self._one_by_one(wanted)
        self.encoded.update(tokens=sum(lengths), pictures=sum(len(each.prompt.pictures) for each in wanted))
        rows, _ = self._generator.generated(inputs, wanted, lengths)
        each_row = zip(rows.tolist(), wanted, lengths, strict=True)
        return [self._generator.written(row, each, length) for row, each, length in each_row]

    def _one_by_one(self, wanted: Sequence[Wanted]) -> list[Written | Exception]:
        return [self._alike([each])[0] for each in wanted]
