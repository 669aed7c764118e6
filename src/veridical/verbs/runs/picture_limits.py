"""Requests that are larger than a provider takes: told by plans, refused before anything is sent, with what fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.ask.request_limits import Excess, MediumSize, SizeOf, excesses, limits_of, pictures_in
from veridical.ask.stop import TooManyPicturesError
from veridical.base.remote_folders import fetch_missing
from veridical.errors import InputError
from veridical.records import Media, Stimulus, Trial
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.derived_media import DerivedMedia
from veridical.suite.evidence import Evidence
from veridical.suite.record import Suite
from veridical.suite.stages import AskingOptions, PlannedMedia, Stage

if TYPE_CHECKING:
    from veridical.verbs.runs.roles import RoleModel
    from veridical.verbs.runs.setup import Setup


def require_within_limits(setup: Setup) -> None:
    """Raises `InputError`, with a level that fits, for trials over a limit of the model's provider that is known.

    Derived media that are not made yet are counted, and have no size.
    """
    limits = limits_of(setup.model, setup.role.base_url)
    if limits is None:
        return
    made = setup.made.derived if setup.made else {}
    over = excesses(((trial, 1) for trial in setup.trials), limits, sizes_in(setup.stimuli, made))
    if over:
        most = fewer_pictures(over, setup.trials)
        fits = None if most is None else fitting_level_of(setup, most)
        remedy = "use smaller pictures or another model" if fits is None else f"{fits}, or use another model"
        raise InputError(
            f"model '{setup.model}' does not take such requests: of {len(setup.trials):,} trials "
            f"{', '.join(map(str, over))} ({limits.source}): {remedy}"
        )


def told_limits(
    suite: Suite,
    role: RoleModel,
    asking: AskingOptions,
    pieces: Iterable[tuple[Sequence[Trial], int, Sequence[Stimulus]]],
    size_of: SizeOf,
) -> tuple[str, ...]:
    """A line for each limit of a model's provider that trials of the first stage are over, with a level that fits."""
    limits = limits_of(role.model, role.base_url)
    if limits is None:
        return ()
    every = list(pieces)
    over = excesses(((trial, times) for trials, times, _ in every for trial in trials), limits, size_of)
    trials = [trial for trials, _, _ in every for trial in trials]
    most = fewer_pictures(over, trials)
    stimuli = [stimulus for _, _, stimuli in every for stimulus in stimuli]
    stage = suite.asking.ordered[0]
    fits = None if most is None else fitting_level(suite, stage, asking, stimuli, trials, Evidence({}), most)
    planned = sum(len(trials) * times for trials, times, _ in every)
    return tuple(f"of {planned:,} trials {each} ({limits.source}){f'; {fits}' if fits else ''}" for each in over)


def no_sizes(medium: Media) -> None:
    """Knows the size of no medium: for sets that are only designed."""


def sizes_in(whole: StimulusSet, derived: Mapping[str, DerivedMedia]) -> SizeOf:
    """The sizes of a set's own pictures and of the media derived from them; of no other medium one is known."""
    sides = {medium.file: (medium.width, medium.height) for each in whole.stimuli for medium in each.media}
    folders = dict.fromkeys(sides, whole.folder)
    for made in derived.values():
        sides |= {row["file"]: (row["width"], row["height"]) for row in made.rows}
        folders |= dict.fromkeys((row["file"] for row in made.rows), made.folder)

    @cache
    def size_of(medium: Media) -> MediumSize | None:
        if medium.file not in sides:
            return None
        return MediumSize(_bytes_in(folders[medium.file] / medium.file), *sides[medium.file])

    return size_of


def _bytes_in(file: Path) -> int:
    fetch_missing(file)
    try:
        return file.stat().st_size
    except OSError:
        return 0  # reading the file tells what is wrong with it


def fewer_pictures(over: Sequence[Excess], trials: Sequence[Trial]) -> int | None:
    """How many pictures a trial may show at most, by the limits that trials are over; `None` where fewer do not help.

    Where the pictures of a trial are too many bytes, it is as many of mean size as fit.
    """
    shown = max((len(pictures_in(trial)) for trial in trials), default=0)
    allowed = [each.limit if each.is_count else shown * each.limit // each.most for each in over if each.is_total]
    return min(allowed) if len(allowed) == len(over) and allowed else None


@contextmanager
def with_fitting_level(planned: Callable[[], Setup]) -> Iterator[None]:
    """Adds to the error of a server that takes fewer pictures in one request which level of a setting shows as few.

    `planned` gives the stage with all of its trials, which are planned only then if they are stored.
    """
    try:
        yield
    except TooManyPicturesError as error:
        fits = fitting_level_of(planned(), error.most)
        raise InputError(f"{error}; {fits}" if fits else str(error)) from None


def fitting_level_of(setup: Setup, most: int) -> str | None:
    """The level of a setting with which no trial of a stage shows more pictures, in words; `None` if there is none."""
    stimuli = setup.stimuli.stimuli
    return fitting_level(setup.suite, setup.stage, setup.asking, stimuli, setup.trials, setup.state.evidence, most)


def fitting_level(
    suite: Suite,
    stage: Stage,
    asking: AskingOptions,
    stimuli: Sequence[Stimulus],
    trials: Sequence[Trial],
    evidence: Evidence,
    most: int,
) -> str | None:
    """The one level of a setting with which the stimulus that shows most shows at most so many pictures, in words.

    Of several it is the one that shows most of them. `None` if there is none that shows any.
    """
    largest = max(trials, key=lambda trial: len(pictures_in(trial))).stimulus
    shown = [stimulus for stimulus in stimuli if stimulus.id == largest]
    best, words = 0, None
    for name in asking.of_stage(stage).levels:
        for level in suite.asking.settings[name]:
            levels = {**asking.levels, name: (level,)}
            other = replace(asking, levels=levels, derivations=PlannedMedia()).of_stage(stage)
            try:
                counts = [len(pictures_in(trial)) for trial in stage.trials(shown, other, evidence)]
            except InputError:
                continue
            if best < max(counts, default=0) <= most:
                best, words = max(counts), f"-S {name}={level} fits ({max(counts):,} of at most {most:,} pictures)"
    return words
