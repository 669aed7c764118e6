"""Stimulus sets by suite: make, open, check, describe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from veridical.errors import InputError, unknown
from veridical.records import Json
from veridical.stimulus_set import Check, Design, StimulusSet, checked_alphas, strengths, write_set
from veridical.stimulus_set.describe import describe as description
from veridical.stimulus_set.describe import write_card
from veridical.suite import registry

Progress = Callable[[int, int], None]
_SCRATCH: list[TemporaryDirectory[str]] = []


def make(
    suite: str,
    *,
    out: Path | str | None = None,
    recipe: str = "balanced",
    cases: Sequence[str] | None = None,
    variants: Sequence[str] | None = None,
    units: int | None = None,
    levels: int | None = None,
    alphas: Sequence[float] | None = None,
    size: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> StimulusSet:
    """A stimulus set of that suite, written to the folder `out` (default: a temporary one, kept while Python runs).

    The recipe gives what is not given: `units` base items per case; perturbed pictures at `levels` signed strengths, or
    at those in `alphas`; `size`, the longer side in pixels; the picture types in `variants`. `cases` names cases or
    groups of them. Drawn on all cores; stopped, it is taken up by the same call. Raises `InputError` for anything that
    is not allowed.
    """
    chosen = registry.get(suite)
    asked = design(
        suite,
        recipe=recipe,
        cases=cases,
        variants=variants,
        units=units,
        levels=levels,
        alphas=alphas,
        size=size,
        seed=seed,
    )
    return write_set(folder_for(out), asked, chosen.chunks(asked), chosen.make, title=chosen.title, progress=progress)


def open_set(place: StimulusSet | Path | str, suite: str | None = None) -> StimulusSet:
    """The stimulus set in a folder; raises `InputError` where there is none, or one of another suite."""
    whole = place if isinstance(place, StimulusSet) else StimulusSet.open(Path(place))
    if suite is not None and suite_of(whole) != suite:
        raise InputError(f"{whole.folder} is a set of {suite_of(whole)}, not of {suite}")
    return whole


def check(stimuli: StimulusSet | Path | str, *, progress: Progress | None = None) -> Check:
    """What measuring and hashing everything in a set again finds; `failed` is empty for a sound one."""
    whole = open_set(stimuli)
    return whole.verify(registry.get(suite_of(whole)).verify, progress=progress)


def describe(stimuli: StimulusSet | Path | str) -> dict[str, Json]:
    """The description of a set (see `stimulus_set.describe`), which is also written into its data set card."""
    whole = open_set(stimuli)
    whole.require_intact_table()
    facts = description(whole)
    write_card(whole, facts, registry.get(suite_of(whole)).title)
    return facts


def suite_of(stimuli: StimulusSet) -> str:
    """The name of the suite that a set belongs to."""
    arguments = stimuli.manifest.get("arguments")
    if not isinstance(arguments, dict) or "suite" not in arguments:
        raise InputError(f"{stimuli.folder / 'manifest.json'} names no suite")
    return str(arguments["suite"])


def folder_for(out: Path | str | None) -> Path:
    """The folder named, or a temporary one that is kept while Python runs."""
    if out is not None:
        return Path(out)
    scratch = TemporaryDirectory(prefix="veridical-")
    _SCRATCH.append(scratch)
    return Path(scratch.name)


def design(
    suite: str,
    *,
    recipe: str = "balanced",
    cases: Sequence[str] | None = None,
    variants: Sequence[str] | None = None,
    units: int | None = None,
    levels: int | None = None,
    alphas: Sequence[float] | None = None,
    size: int | None = None,
    seed: int = 0,
) -> Design:
    """The design of the set that `make` with the same arguments draws; nothing is drawn."""
    chosen = registry.get(suite)
    if recipe not in chosen.recipes:
        raise unknown("recipe", recipe, chosen.recipes)
    given = chosen.recipes[recipe]
    asked = {"units": units, "levels": levels, "alphas": alphas, "size": size}
    numbers = [name for name, value in asked.items() if value is not None]
    if given.fixed and numbers:
        raise InputError(f"the recipe '{recipe}' sets {', '.join(numbers)} itself: leave it out, or choose another")
    return Design(
        suite=chosen.name,
        recipe=recipe,
        cases=tuple(dict.fromkeys(cases)) if cases else None,
        variants=tuple(dict.fromkeys(variants)) if variants else given.variants,
        alphas=strengths(given.levels if levels is None else levels) if alphas is None else checked_alphas(alphas),
        units=given.units if units is None else units,
        size=given.size if size is None else size,
        seed=seed,
    )
