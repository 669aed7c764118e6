"""What an export of training prompts is asked for: recipes by suite, how many examples, and families held out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from veridical.base.options import TRAINING_SEEDS
from veridical.base.shards import Shard
from veridical.errors import InputError, unknown
from veridical.records import Json, canonical
from veridical.rewards.parts import RecipeSource, units_in_turn
from veridical.stimulus_set.write import versions
from veridical.suite import registry
from veridical.suite.record import Suite


@dataclass(frozen=True, kw_only=True)
class TrainingRequest:
    """What is exported: recipes by suite, how many examples of all together, for whom, and what is left out."""

    sources: tuple[RecipeSource, ...]
    examples: int
    trainer: str
    objective: str
    held_out: tuple[str, ...]
    shard: str | None
    test_fraction: float
    apart_from: Mapping[str, str]

    def arguments(self) -> dict[str, Json]:
        """The request as JSON: two exports with the same one hold the same bytes."""
        plain = {**asdict(self), "sources": [asdict(each) for each in self.sources], "versions": versions()}
        arguments: dict[str, Json] = json.loads(canonical(plain))
        return arguments

    def held_of(self, suite: str) -> list[str]:
        """The families of a suite that are held out."""
        return [name.partition("/")[2] for name in self.held_out if name.partition("/")[0] == suite]

    def share(self, place: int) -> int:
        """How many examples of the source at this place there are to be, in this shard."""
        share = _even_share(self.examples, len(self.sources), place)
        if self.shard is None:
            return share
        shard = Shard.parse(self.shard)
        return _even_share(share, shard.of, shard.number - 1)


def recipe_sources(suites: Sequence[str], recipe: str | Sequence[str] | None, seed: int) -> tuple[RecipeSource, ...]:
    """The recipe of each suite: the one that is named for it or for all, or its first.

    Raises `InputError` for a suite without recipes, a suite that stands twice, and a recipe that it does not have.
    """
    named = [] if recipe is None else [recipe] if isinstance(recipe, str) else list(recipe)
    for_all = [name for name in named if "/" not in name]
    by_suite = dict(name.split("/", 1) for name in named if "/" in name)
    if len(for_all) > 1 or len(by_suite) + len(for_all) < len(named):
        raise InputError(f"recipe {', '.join(named)}: one name, or one SUITE/NAME for each suite, is allowed")
    records = [registry.get(suite) for suite in suites]
    names = [record.name for record in records]
    if len(set(names)) < len(names) or not names:
        raise InputError(f"suites {', '.join(names) or 'none'}: at least one, each once, is needed")
    for suite in by_suite:
        if suite not in names:
            raise unknown("suite of a recipe", suite, names)
    return tuple(
        RecipeSource(record.name, _recipe_of(record, by_suite.get(record.name, *for_all[:1])), seed)
        for record in records
    )


def _recipe_of(suite: Suite, name: str | None = None) -> str:
    if not suite.training:
        offering = [each.name for each in registry.all_suites() if "training" in each.parts]
        raise InputError(f"the suite {suite.name} has no training recipes: {', '.join(offering)} have")
    if name is None:
        return next(iter(suite.training))
    if name not in suite.training:
        raise unknown(f"training recipe of {suite.name}", name, suite.training)
    return name


def require_numbers(examples: int, seed: int, test_fraction: float) -> None:
    if examples < 1:
        raise InputError(f"{examples} examples: at least 1 is needed")
    if not 0 <= test_fraction < 1:
        raise InputError(f"test fraction {test_fraction}: 0 to below 1 is allowed")
    if not 0 <= seed < TRAINING_SEEDS:
        raise InputError(f"seed {seed}: 0 to 2^63 - 1 is allowed")


def families_held_out(names: Sequence[str], sources: Sequence[RecipeSource]) -> tuple[str, ...]:
    """The families that are held out, sorted; raises `InputError`, with the nearest, for one that there is not."""
    families = [
        f"{source.suite}/{family}"
        for source in sources
        for family in dict.fromkeys(family for family, _ in units_in_turn(source, 1, (), None))
    ]
    for name in names:
        if name not in families:
            raise unknown("family to hold out", name, families, listing="veridical suites")
    return tuple(sorted(set(names)))


def _even_share(count: int, of: int, place: int) -> int:
    return count // of + (place < count % of)
