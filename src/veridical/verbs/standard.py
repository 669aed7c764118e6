"""Standard sets: the sets of evaluations with seed 0, which everybody draws alike, known by hashes of their units."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from textwrap import shorten
from typing import Any, NamedTuple

from pydantic import ValidationError

from veridical.base.files import Shape
from veridical.errors import InputError
from veridical.records import FactorTypes, Json, Stimulus, canonical
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.stimulus_table import to_row
from veridical.suite import registry
from veridical.suite.evaluation import EvaluationPart
from veridical.suite.record import Suite
from veridical.verbs.sets import design, suite_of

FILE = "standard.json"
SEED = 0
_SHORT = 16
_NAMED = 3
_TEXT = 60


class UnitHash(NamedTuple):
    """What is known of a unit: hashes of its rows without what depends on pixels, and of its pixels."""

    rows: str
    pixels: str


class StandardFile(Shape):
    """A file of the package: what a suite's standard set is called, and both hashes of each of its units."""

    name: str
    matplotlib: str
    units: dict[str, str]

    def hashes(self) -> dict[str, UnitHash]:
        """The hashes by unit, in the order of the set."""
        return {unit: UnitHash(*value.split()) for unit, value in self.units.items()}


@dataclass(frozen=True)
class StandardComparison:
    """What a set is beside the standard one: its name where it is that one or a part of it, and that in words.

    `redrawn` counts the units whose pixels are not those of the standard set.
    """

    name: str
    words: str
    redrawn: int = 0

    def facts(self) -> dict[str, Json]:
        """The same as plain values."""
        return {"name": self.name, "standard": self.words}


def unit_hashes(stimuli: Iterable[Stimulus], factors: FactorTypes) -> dict[str, UnitHash]:
    """The hashes of each unit of a set, in its order: 16 hexadecimal digits each.

    The first is over the canonical rows without the hashes of media and what was measured on them: it is the same on
    every machine. The second is over the hashes of the decoded pixels, which may differ between Matplotlib's versions.
    """
    rows: dict[str, Any] = {}
    pixels: dict[str, Any] = {}
    for each in stimuli:
        row = to_row(each, factors)
        row["media"] = [[medium.file, medium.kind, medium.width, medium.height, medium.frames] for medium in each.media]
        del row["measured"]
        rows.setdefault(each.unit, sha256()).update(canonical(row).encode() + b"\n")
        seen = pixels.setdefault(each.unit, sha256())
        seen.update(canonical([medium.sha256 for medium in each.media]).encode() + b"\n")
    return {unit: UnitHash(rows[unit].hexdigest()[:_SHORT], pixels[unit].hexdigest()[:_SHORT]) for unit in rows}


def standard_file(part: EvaluationPart) -> StandardFile | None:
    """The hashes of a suite's standard set; `None` where the suite has none."""
    return None if part.standard is None else _read(part.standard)


@cache
def _read(package: str) -> StandardFile:
    try:
        return StandardFile.model_validate_json(files(package).joinpath(FILE).read_bytes())
    except (OSError, ValidationError) as error:
        raise InputError(f"{package}: {FILE} cannot be read: {' '.join(str(error).split())[:_TEXT]}") from error


def standard_comparison(whole: StimulusSet) -> StandardComparison | None:
    """What a set is beside its suite's standard set; `None` for a suite without one, and for what was not drawn here.

    A set is compared unit by unit, so that its first units, or those of some families, are known as well.
    """
    arguments = whole.manifest.get("arguments", {})
    if "import" in arguments or "suite_file" in arguments:
        return None
    suite = registry.get(suite_of(whole))
    part = suite.evaluation
    standard = None if part is None else standard_file(part)
    if part is None or standard is None:
        return None
    own, known = unit_hashes(whole.stimuli, whole.factors), standard.hashes()
    others = [unit for unit, each in own.items() if unit not in known or known[unit].rows != each.rows]
    if others:
        options = _options(suite, part, arguments) if len(others) == len(own) else ""
        differing = f"other options, {options}" if options else f"units {_listed(others)} of {len(own):,} differ"
        return StandardComparison("", f"another set than the standard one, {standard.name}: {differing}")
    redrawn = [unit for unit, each in own.items() if known[unit].pixels != each.pixels]
    return _part_of_it(standard, _share(own, known), redrawn, whole)


def _part_of_it(standard: StandardFile, share: str, redrawn: Sequence[str], whole: StimulusSet) -> StandardComparison:
    """A set all of whose rows are in the standard one, of which it is a share; some of its pixels may differ."""
    name, which = standard.name, f"the standard set {standard.name}"
    if share:
        name = f"{name}, {share} units"
        which = f"{'the ' if share.startswith('first') else ''}{share} of {len(standard.units):,} units of {which}"
    if redrawn:
        name = f"{name}, other pixels in {len(redrawn):,}"
        which = f"{which}, but the pixels of units {_listed(redrawn)} differ: {_cause(standard, whole)}"
    return StandardComparison(name, which, len(redrawn))


def _share(own: Collection[str], known: Collection[str]) -> str:
    """How many units of the standard set are there, the `first` if equally many of each family; nothing for all."""
    if len(own) == len(known):
        return ""
    by_family: dict[str, list[str]] = {}
    for unit in known:
        by_family.setdefault(unit.rpartition("/")[0], []).append(unit)
    each, rest = divmod(len(own), len(by_family))
    first = not rest and all(unit in own for units in by_family.values() for unit in units[:each])
    return f"first {len(own):,}" if first else f"{len(own):,}"


def _options(suite: Suite, part: EvaluationPart, arguments: Mapping[str, Json]) -> str:
    """The options of a set that are not those of the standard one, in words; of a seed, which may be secret, only that.

    Which design an option is from, and how many units there are, makes no difference to a unit.
    """
    own = part.designs["standard"]
    wanted = design(suite.name, recipe=own.recipe, seed=SEED, **own.values).options.model_dump(mode="json")
    differing = [
        "seed" if name == "seed" else f"{name} {shorten(canonical(arguments[name]), _TEXT)}"
        for name, value in wanted.items()
        if name not in ("units", "recipe") and name in arguments and arguments[name] != value
    ]
    return _listed(differing)


def _listed(names: Sequence[str]) -> str:
    """The first few, and how many more there are."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _cause(standard: StandardFile, whole: StimulusSet) -> str:
    """Why pixels differ where rows do not."""
    own = (whole.manifest.get("versions") or {}).get("matplotlib")
    if own != standard.matplotlib:
        return f"drawn with Matplotlib {own}, the standard set with {standard.matplotlib}"
    return "drawn with other versions of libraries, or on another kind of processor"
