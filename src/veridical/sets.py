"""Stimulus sets by suite: make, open, check, describe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from veridical import suites
from veridical.errors import InputError, unknown
from veridical.records import Json
from veridical.stimulus_set import Check, Design, StimulusSet, checked_alphas, strengths, write_set
from veridical.stimulus_set.describe import describe as description
from veridical.stimulus_set.describe import write_card
from veridical.suites import Suite

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
    chosen = suites.get(suite)
    asked = {"units": units, "levels": levels, "alphas": alphas, "size": size}
    design = _design(chosen, recipe, asked, cases, variants, seed)
    return write_set(folder_for(out), design, chosen.chunks(design), chosen.make, title=chosen.title, progress=progress)


def open_set(place: StimulusSet | Path | str, suite: str | None = None) -> StimulusSet:
    """The stimulus set in a folder; raises `InputError` where there is none, or one of another suite."""
    whole = place if isinstance(place, StimulusSet) else StimulusSet.open(Path(place))
    if suite is not None and suite_of(whole) != suite:
        raise InputError(f"{whole.folder} is a set of {suite_of(whole)}, not of {suite}")
    return whole


def check(stimuli: StimulusSet | Path | str, *, progress: Progress | None = None) -> Check:
    """What measuring and hashing everything in a set again finds; `failed` is empty for a sound one."""
    whole = open_set(stimuli)
    return whole.verify(suites.get(suite_of(whole)).verify, progress=progress)


def describe(stimuli: StimulusSet | Path | str) -> dict[str, Json]:
    """The description of a set (see `stimulus_set.describe`), which is also written into its data set card."""
    whole = open_set(stimuli)
    whole.require_intact_table()
    facts = description(whole)
    write_card(whole, facts, suites.get(suite_of(whole)).title)
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


def _design(
    suite: Suite,
    recipe: str,
    asked: dict[str, Json],
    cases: Sequence[str] | None,
    variants: Sequence[str] | None,
    seed: int,
) -> Design:
    if recipe not in suite.recipes:
        raise unknown("recipe", recipe, suite.recipes)
    given = suite.recipes[recipe]
    numbers = [name for name, value in asked.items() if value is not None]
    if given.fixed and numbers:
        raise InputError(f"the recipe '{recipe}' sets {', '.join(numbers)} itself: leave it out, or choose another")
    alphas = asked["alphas"]
    levels = given.levels if asked["levels"] is None else asked["levels"]
    return Design(
        suite=suite.name,
        recipe=recipe,
        cases=tuple(dict.fromkeys(cases)) if cases else None,
        variants=tuple(dict.fromkeys(variants)) if variants else given.variants,
        alphas=strengths(levels) if alphas is None else checked_alphas(alphas),
        units=given.units if asked["units"] is None else asked["units"],
        size=given.size if asked["size"] is None else asked["size"],
        seed=seed,
    )
