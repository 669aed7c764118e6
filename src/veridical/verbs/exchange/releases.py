"""Stimulus sets from elsewhere: of media on disk, and of what a run came to, on the media of the run's own set."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path, PurePosixPath

from veridical.errors import InputError, unknown
from veridical.records import Json, Stimulus
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.imports import ExcludedItem, Import, ImportItem, write_import
from veridical.suite import registry
from veridical.suite.parts import Release
from veridical.suite.releases import Adopt
from veridical.verbs.exchange.line_files import place_of
from veridical.verbs.results.result import RunResult, open_run
from veridical.verbs.sets import folder_for, set_of

_LONGEST = 1_000
_OF_DRAWN = {
    "source": "stimuli drawn by veridical, labels from a run",
    "license": "as for veridical",
    "attribution": "veridical",
    "may_be_passed_on": True,
}


def releases() -> dict[str, Release]:
    """What can be imported, by name, over all suites; of two suites with one name, the first has it."""
    by_name: dict[str, Release] = {}
    for suite in registry.all_suites():
        try:
            offered = suite.releases
        except InputError as error:
            warnings.warn(str(error), registry.BrokenSuiteWarning, stacklevel=2)
            continue
        for name, release in offered.items():
            by_name.setdefault(name, release)
    return by_name


def import_release(
    name: str,
    place: Path | str,
    out: Path | str | None = None,
    *,
    source: str | None = None,
    license_name: str | None = None,
    attribution: str | None = None,
    may_be_passed_on: bool | None = None,
    strict: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> StimulusSet:
    """The stimulus set of media on disk, written to the folder `out` (default: a temporary one).

    `name` is one of `releases`. What was found on the way stands in the manifest under `import`, items that cannot be
    used with the reason; `strict` refuses an import that leaves anything out. `source`, `license_name` (such as
    CC-BY-4.0), `attribution` and `may_be_passed_on` are stored in the place of what the importer says. Raises
    `InputError` for what a user can put right.
    """
    offered = releases()
    if name not in offered:
        raise unknown("import", name, offered)
    stated = {"source": source, "license": license_name, "attribution": attribution}
    for key, text in stated.items():
        if text is not None and not (0 < len(text) <= _LONGEST and text.isprintable()):
            raise InputError(f"{key} {text[:40]!r}: 1 to {_LONGEST} characters in one line are allowed")
    rights = {
        key: value for key, value in {**stated, "may_be_passed_on": may_be_passed_on}.items() if value is not None
    }
    what = offered[name].read(Path(place))
    return write_import(replace(what, about={**what.about, **rights}), folder_for(out), progress, strict=strict)


def adopt(
    run: RunResult | Path | str,
    out: Path | str,
    *,
    stimuli: StimulusSet | Path | str | None = None,
    by: Adopt | None = None,
) -> StimulusSet:
    """The stimulus set, in the folder `out`, that a suite makes of the outcomes of a run.

    `stimuli` is the run's set (default: where it was when the run was made); its media are copied byte for byte, and
    what the manifest says of their source and rights stands in the new one, with what is left out and why. `by` takes
    the place of the suite's own way from outcomes to stimuli. Raises `InputError` for a suite that does not say how
    outcomes become stimuli, where none come of them, and for media that are not the set's.
    """
    result = open_run(run)
    make = by or result.suite.design.adopt
    if make is None:
        raise InputError(f"the suite {result.suite.name} does not say how outcomes become stimuli")
    whole = set_of(result.run, stimuli)
    outcomes = list(make(whole.stimuli, result.evidence()))
    adopted = [each for each in outcomes if isinstance(each, Stimulus)]
    left_out = [each for each in outcomes if isinstance(each, ExcludedItem)]
    if not adopted:
        first = f"; the first is left out: {left_out[0].detail}" if left_out else ""
        waits = "".join(f"; {each}" for each in result.waiting)
        raise InputError(f"no stimulus comes of {result.folder}{first}{waits}")
    facts = {
        "stimuli_of_the_run": len(whole.stimuli),
        "adopted": len(adopted),
        "set": whole.digest,
        "asked": [{"stage": each.stage, "role": each.role, "model": each.model} for each in result.staged],
    }
    return remake(whole, adopted, Path(out), name="adopt", title="adopted from a run", facts=facts, left_out=left_out)


def remake(
    whole: StimulusSet,
    stimuli: Sequence[Stimulus],
    out: Path,
    *,
    name: str,
    title: str,
    facts: Mapping[str, Json],
    left_out: Sequence[ExcludedItem] = (),
) -> StimulusSet:
    """The set, in the folder `out`, of stimuli that were made from those of a set, with its media and its rights.

    `name` and `title` say by what. Raises `InputError` for stimuli of several suites, and for media that are not the
    set's.
    """
    names = sorted({stimulus.suite for stimulus in stimuli})
    if len(names) > 1:
        raise InputError(f"the adopted stimuli are of the suites {' and '.join(names)}: a set has one")
    suite = registry.get(names[0])
    files = {medium.file for each in whole.stimuli for medium in each.media}
    what = Import(
        name=name,
        title=f"{suite.title}: {title}",
        suite=suite.name,
        items=[_item(whole, stimulus, files) for stimulus in stimuli],
        about={key: whole.manifest.get(key, usual) for key, usual in _OF_DRAWN.items()},
        facts=facts,
        left_out=left_out or None,
        factors=suite.design.factors,
    )
    return write_import(what, out)


def _item(whole: StimulusSet, stimulus: Stimulus, set_files: Set[str]) -> ImportItem:
    for medium in stimulus.media:
        if medium.file not in set_files:
            raise InputError(
                f"the adopted stimulus '{stimulus.id}' shows {medium.file}, which is not in {whole.folder}"
            )
        whole.read(medium.file)  # the import copies the file as it is
    files = tuple(place_of(medium.file, whole.folder) for medium in stimulus.media)
    places = tuple(str(PurePosixPath(medium.file).with_suffix("")) for medium in stimulus.media)
    return ImportItem(record=stimulus, files=files, places=places)
