"""Media that are derived for a run, or ahead of runs: frames of clips, pictures marked, once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from veridical.errors import InputError
from veridical.media.derive import Rule
from veridical.records import Media, Stimulus
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.derive import Derived, derive, home_of, place_of

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Made:
    """References to media that are made, by the digest of their rule."""

    derived: Mapping[str, Derived]

    def of(self, stimulus: Stimulus, rule: Rule) -> tuple[Media, ...]:
        rule.count(stimulus)
        return self.derived[rule.digest].references[stimulus.id]

    def read(self, file: str) -> bytes | None:
        """The bytes of a derived medium, or `None` for a file that is none."""
        derived = self.home(file)
        return None if derived is None else derived.read(file)

    def home(self, file: str) -> Derived | None:
        """The derived media that a file is one of, or `None`."""
        return next((each for digest, each in self.derived.items() if file.startswith(f"{place_of(digest)}/")), None)


def make_derived(
    whole: StimulusSet, rules: Sequence[Rule], run: Path, progress: Progress | None = None
) -> dict[str, Derived]:
    """The media of each rule, by its digest, derived from all stimuli of a set that it applies to.

    They are made in the set, or in the folder `run` where the set cannot be written to, unless they are there.
    """
    made: dict[str, Derived] = {}
    for rule in rules:
        stimuli = [stimulus for stimulus in whole.stimuli if _applies(rule, stimulus)]
        home = home_of(rule, whole.folder, run)
        made[rule.digest] = derive(stimuli, whole.read, rule, home, source=whole.folder, progress=progress)
    return made


def reader_of(whole: StimulusSet, runs: Sequence[Path]) -> Callable[[str], bytes]:
    """What reads the media of a set, and those that were derived from it, in the set or in one of the run folders."""

    @cache
    def opened(digest: str) -> Derived:
        for folder in (whole.folder, *runs):
            with suppress(InputError):
                return Derived.open(folder, digest)
        raise InputError(f"the media of the rule {digest} are neither in {whole.folder} nor in the run")

    def read(file: str) -> bytes:
        parts = PurePosixPath(file).parts
        return opened(parts[1]).read(file) if parts[:1] == ("derived",) and len(parts) > 2 else whole.read(file)

    return read


def _applies(rule: Rule, stimulus: Stimulus) -> bool:
    try:
        rule.count(stimulus)
    except InputError:
        return False
    return True
