"""Making derived media ahead of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.derived import Derived
from veridical.verbs.derivations import make_derived
from veridical.verbs.setup import prepare


def derive_media(
    stimuli: StimulusSet | Path | str,
    *,
    settings: Mapping[str, str | Sequence[str]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Derived]:
    """The media that runs on a set with these settings derive from it, made in the set, one entry a rule.

    What is there is not made again. Raises `InputError` where nothing is to be derived, and where the set cannot be
    written to: a run then makes them in its own folder.
    """
    setup = prepare(stimuli, "", settings=settings)
    if not setup.rules:
        raise InputError(f"{setup.stimuli.folder}: no media are derived for runs of {setup.suite.name} in this way")
    made = make_derived(setup.stimuli, list(setup.rules.values()), setup.stimuli.folder, progress)
    return list(made.values())
