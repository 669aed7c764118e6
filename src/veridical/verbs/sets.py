"""Stimulus sets by suite: make, open, check, describe; and the media that runs derive from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from veridical.ask import Run
from veridical.base.options import Options, chosen_options
from veridical.base.path_checks import derived_rule
from veridical.base.remote_access import stored_folder
from veridical.base.run_options import require_allowed
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.media.derive import Rule
from veridical.records import Json, Media, Stimulus
from veridical.stimulus_set import Check, StimulusSet, write_set
from veridical.stimulus_set.derive import derive
from veridical.stimulus_set.derived_media import DerivedMedia, home_of, place_of
from veridical.stimulus_set.describe import describe as general_description
from veridical.stimulus_set.describe import lines, write_card
from veridical.suite import registry
from veridical.suite.record import Suite

Progress = Callable[[int, int], None]
_SCRATCH: list[TemporaryDirectory[str]] = []


@dataclass(frozen=True)
class SetDesign:
    """A set that could be made: its suite and its options."""

    suite: str
    options: Options


def design(suite: str, **options: Any) -> SetDesign:  # noqa: ANN401 (each suite has its own options)
    """The design of the set that `make` with the same arguments draws; nothing is drawn.

    Raises `InputError` for an option that the suite does not have, and a value that is not allowed.
    """
    chosen = registry.get(suite)
    for name, value in options.items():
        if isinstance(value, list | tuple) and not value:
            raise InputError(f"{name} []: at least one is needed{_allowed(chosen, name)}")
    return SetDesign(chosen.name, chosen_options(chosen.options, chosen.recipes, options))


def _allowed(suite: Suite, name: str) -> str:
    """What an option that is a list may hold, in the words in which the suite refuses a name that it does not know."""
    try:
        suite.design.chunks(chosen_options(suite.options, suite.recipes, {name: ("",)}))
    except InputError as error:
        words = str(error).partition(": ")[2] or str(error)
        return f": {words.partition(', unable')[0]}"
    return ""


def make(
    suite: str,
    *,
    out: Path | str | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    **options: Any,  # noqa: ANN401 (each suite has its own options)
) -> StimulusSet:
    """A stimulus set of that suite, written to the folder `out` (default: a temporary one, kept while Python runs).

    Every suite takes `recipe`, a named design, `units`, base items per family, and `seed`; `veridical make SUITE
    --help` lists its others. `suite` may be the path of a file with a suite, too. The recipe gives what is not given.
    Drawn on all cores, by so many `workers`, or on a Ray `cluster`; stopped, it is taken up by the same call. Raises
    `InputError` for anything that is not allowed.
    """
    crew = Workers.stated(workers, cluster)
    chosen, checked = registry.get(suite), design(suite, **options).options
    part = chosen.design
    return write_set(
        folder_for(out),
        chosen.name,
        checked,
        part.chunks(checked),
        part.make,
        factors=part.factors,
        title=chosen.title,
        origin=chosen.origin(),
        engine=part.engine(checked),
        progress=progress,
        workers=crew,
    )


def open_set(place: StimulusSet | Path | str, suite: str | None = None) -> StimulusSet:
    """The stimulus set in a folder; raises `InputError` where there is none, or one of another suite."""
    whole = place if isinstance(place, StimulusSet) else StimulusSet.open(Path(place))
    if suite is not None and suite_of(whole) != suite:
        raise InputError(f"{whole.folder} is a set of {suite_of(whole)}, not of {suite}")
    return whole


def open_with_suite(place: StimulusSet | Path | str) -> tuple[StimulusSet, Suite]:
    """The stimulus set in a folder and its suite; raises `InputError` where its table was changed as well."""
    whole = open_set(place)
    whole.require_intact_table()
    return whole, record_of(whole)


def set_of(run: Run, stimuli: StimulusSet | Path | str | None = None) -> StimulusSet:
    """The set that a run was asked about, by default where it was then; raises `InputError` where it is another."""
    stored = run.executions[-1] if run.executions else {}
    place = stored_folder(str(stored.get("set", ""))) if stimuli is None else stimuli
    whole = open_set(place, str(run.identity["suite"]))
    whole.require_intact_table()
    if whole.key != run.identity["set"]:
        raise InputError(f"{whole.folder} is another set than the one that {run.folder} was asked about")
    return whole


def check(
    stimuli: StimulusSet | Path | str,
    *,
    progress: Progress | None = None,
    workers: int | None = None,
    cluster: str | None = None,
) -> Check:
    """What measuring and hashing everything in a set again finds; `failed` is empty for a sound one.

    It is done on all cores, by so many `workers`, or on a Ray `cluster`.
    """
    crew, whole = Workers.stated(workers, cluster), open_set(stimuli)
    return whole.verify(record_of(whole).design.verify, progress=progress, workers=crew)


class Description(dict[str, Json]):
    """Facts about a set by name (see `stimulus_set.describe`), and the same as Markdown `lines`."""

    def __init__(self, facts: Mapping[str, Json], lines: Sequence[str]) -> None:
        super().__init__(facts)
        self.lines = list(lines)

    def frame(self) -> pl.DataFrame:
        """One row per level of each factor: how many stimuli have it."""
        rows = [(name, level, number) for name, counts in self["factors"].items() for level, number in counts.items()]
        schema = {"factor": pl.String, "level": pl.String, "stimuli": pl.Int64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        return f"<Description: {self['stimuli']:,} stimuli of {self['units']:,} units>"


def describe(stimuli: StimulusSet | Path | str) -> Description:
    """The description of a set, its suite's own facts included, which is also written into its data set card."""
    whole, suite = open_with_suite(stimuli)
    design = suite.design
    facts = general_description(whole, design.published)
    more_of = design.describe
    more, more_lines = more_of(whole) if more_of is not None else ({}, [])
    description = Description({**facts, **more}, [*lines(facts), *more_lines])
    write_card(whole, description.lines, suite.title)
    return description


def suite_of(stimuli: StimulusSet) -> str:
    """The name of the suite that a set belongs to."""
    arguments = stimuli.manifest.get("arguments")
    if not isinstance(arguments, dict) or "suite" not in arguments:
        raise InputError(f"{stimuli.folder / 'manifest.json'} names no suite")
    return str(arguments["suite"])


def record_of(stimuli: StimulusSet) -> Suite:
    """The suite that a set belongs to; raises `InputError` if it is not available."""
    name = suite_of(stimuli)
    return registry.get(name, stimuli.manifest["arguments"].get("suite_file"))


def folder_for(out: Path | str | None) -> Path:
    """The folder named, or a temporary one that is kept while Python runs."""
    if out is not None:
        return Path(out)
    scratch = TemporaryDirectory(prefix="veridical-", ignore_cleanup_errors=True)
    _SCRATCH.append(scratch)
    return Path(scratch.name)


def limited_units(stimuli: Sequence[Stimulus], limit: int | None) -> Sequence[Stimulus]:
    """The stimuli of the first units of each family in turn, until there are `limit` units, in the set's own order."""
    if limit is None:
        return stimuli
    require_allowed({"limit": limit})
    rank: dict[str, int] = {}
    seen: dict[str, int] = {}
    for stimulus in stimuli:
        if stimulus.unit not in rank:
            rank[stimulus.unit] = seen.get(stimulus.family, 0)
            seen[stimulus.family] = rank[stimulus.unit] + 1
    kept = set(sorted(rank, key=lambda unit: rank[unit])[:limit])
    return [stimulus for stimulus in stimuli if stimulus.unit in kept]


@dataclass(frozen=True)
class MadeMedia:
    """References to media that are made, by the digest of their rule."""

    derived: Mapping[str, DerivedMedia]

    def of(self, stimulus: Stimulus, rule: Rule) -> tuple[Media, ...]:
        rule.count(stimulus)
        return self.derived[rule.digest].references[stimulus.id]

    def read(self, file: str) -> bytes | None:
        """The bytes of a derived medium, or `None` for a file that is none."""
        derived = self.home(file)
        return None if derived is None else derived.read(file)

    def home(self, file: str) -> DerivedMedia | None:
        """The derived media that a file is one of, or `None`."""
        return next((each for digest, each in self.derived.items() if file.startswith(f"{place_of(digest)}/")), None)


def make_derived(
    whole: StimulusSet,
    rules: Sequence[Rule],
    run: Path,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> dict[str, DerivedMedia]:
    """The media of each rule, by its digest, derived from all stimuli of a set that it applies to.

    They are made in the set, or in the folder `run` where the set cannot be written to, unless they are there.
    """
    made: dict[str, DerivedMedia] = {}
    for rule in rules:
        stimuli = [stimulus for stimulus in whole.stimuli if _applies(rule, stimulus)]
        home = home_of(rule, whole.folder, run)
        how: dict[str, Any] = {"source": whole.folder, "progress": progress, "workers": workers}
        made[rule.digest] = derive(stimuli, whole.read, rule, home, **how)
    return made


def reader_of(whole: StimulusSet, runs: Sequence[Path]) -> Callable[[str], bytes]:
    """What reads the media of a set, and those that were derived from it, in the set or in one of the run folders."""

    @cache
    def opened(digest: str) -> DerivedMedia:
        for folder in (whole.folder, *runs):
            with suppress(InputError):
                return DerivedMedia.open(folder, digest)
        raise InputError(f"the media of the rule {digest} are neither in {whole.folder} nor in the run")

    def read(file: str) -> bytes:
        digest = derived_rule(file)
        return whole.read(file) if digest is None else opened(digest).read(file)

    return read


def _applies(rule: Rule, stimulus: Stimulus) -> bool:
    try:
        rule.count(stimulus)
    except InputError:
        return False
    return True
