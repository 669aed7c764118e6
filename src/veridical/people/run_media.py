"""The pictures and clips that the trials of a run show, as blocks of a screen."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache

from veridical.base.path_checks import derived_rule
from veridical.errors import InputError
from veridical.records import Media, Trial
from veridical.stimulus_set.derived_media import DerivedMedia
from veridical.suite.people_tasks import MediumBlock
from veridical.verbs.exchange.line_files import place_of
from veridical.verbs.results.result import RunResult
from veridical.verbs.sets import set_of


class RunMedia:
    """The media of a run by their paths: those of its set, and those that were derived in the set or in the run."""

    def __init__(self, run: RunResult) -> None:
        whole = set_of(run.run)
        self.stimuli = {stimulus.id: stimulus for stimulus in whole.stimuli}
        self._folders = (whole.folder, run.folder)
        self._own = {medium.file: medium for stimulus in whole.stimuli for medium in stimulus.media}
        self._derived = cache(self._opened)

    def blocks(self, files: Iterable[str]) -> list[MediumBlock]:
        """A block for each path, in order; raises `InputError` for one that is neither in the set nor derived."""
        return [self._block(file) for file in files]

    def _block(self, file: str) -> MediumBlock:
        if file in self._own:
            return MediumBlock(medium=self._own[file], path=place_of(file, self._folders[0]))
        digest = derived_rule(file)
        if digest is None:
            raise InputError(f"'{file}' is no medium of {self._folders[0]}")
        derived = self._derived(digest)
        if file not in derived.media:
            raise InputError(f"'{file}' is not among the derived media of {derived.place}")
        return MediumBlock(medium=derived.media[file], path=place_of(file, derived.folder))

    def _opened(self, digest: str) -> DerivedMedia:
        for folder in self._folders:
            with suppress(InputError):
                return DerivedMedia.open(folder, digest)
        raise InputError(f"the media of the rule {digest} are neither in {self._folders[0]} nor in the run")


def files_of(trial: Trial) -> list[str]:
    """The paths of the media that a trial shows, in order."""
    return [part.file for message in trial.messages for part in message.parts if isinstance(part, Media)]
