"""What policies without sight earn by each recipe, and the best of them beside what the recipe says of chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from statistics import fmean

from studies.rewards.policies import policies, read_replies
from studies.rewards.words import word_classifier
from veridical.records import Chunk
from veridical.rewards.examples import TrainingExample
from veridical.rewards.parts import RecipeSource, split_of, units_in_turn
from veridical.rewards.scores import accuracy
from veridical.rewards.trainers import reward
from veridical.suite import registry

ALLOWED = 0.02
"""How much more than chance a policy without sight may earn."""
_MOST = 60


@dataclass(frozen=True)
class AttackedRecipe:
    """A recipe under attack: its prompts, its stated chance, and what each policy earns on average."""

    suite: str
    recipe: str
    examples: int
    chance: float
    earned: dict[str, float]
    seeing: float

    @property
    def best(self) -> tuple[str, float]:
        """The policy that earns most, and what it earns."""
        return max(self.earned.items(), key=lambda each: each[1])


def recipes() -> Iterator[RecipeSource]:
    """Every recipe of every suite."""
    for suite in registry.all_suites():
        for recipe in suite.training:
            yield RecipeSource(suite.name, recipe, 0)


def attack(source: RecipeSource, units: int, replies: int, classified: int, seed: int = 0) -> AttackedRecipe:
    """What every policy earns on the prompts of so many units of each family, which no one draws.

    Policies that learn learn from one half of the units and are paid on the other half. What is paid is the larger of
    the accuracy and the reward with its usual share for the form. So many `replies` of the corpora that readers face
    are policies as well: each is given to every prompt of the first units, with few different solutions. A
    classifier of words answers so many prompts (`classified`; 0: it is left out), each by what it learned of others.
    """
    source = RecipeSource(source.suite, source.recipe, seed)
    examples: list[TrainingExample] = []
    for family, index in units_in_turn(source, units, (), None):
        examples += source.outlined(units, Chunk(family, index))
    halves: dict[str, list[TrainingExample]] = {"train": [], "test": []}
    for example in examples:
        halves[split_of(example.item.trials[0].unit, 0.5)].append(example)
    paid, blind = halves["test"], policies(halves["train"])
    earned = {name: fmean(_earned(policy(each), each.solution) for each in paid) for name, policy in blind.items()}
    few = _few_solutions(paid)
    earned |= {
        name: fmean(_earned(policy(each), each.solution) for each in few) for name, policy in read_replies(replies)
    }
    if classified:
        learned, asked = examples[:classified], word_classifier(examples[:classified])
        earned["classifier of words"] = fmean(_earned(asked(each), each.solution) for each in learned)
    return AttackedRecipe(
        suite=source.suite,
        recipe=source.recipe,
        examples=len(paid),
        chance=registry.get(source.suite).training[source.recipe].chance,
        earned=earned,
        seeing=fmean(reward(each.chosen, each.solution) for each in paid),
    )


def _few_solutions(examples: Sequence[TrainingExample]) -> list[TrainingExample]:
    """The examples of the first units, as long as they have few solutions; of one unit at least."""
    kept: list[TrainingExample] = []
    for _, unit in groupby(examples, key=lambda each: each.item.trials[0].unit):
        own = list(unit)
        if kept and len({each.solution for each in [*kept, *own]}) > _MOST:
            break
        kept += own
    return kept


@lru_cache(maxsize=100_000)
def _earned(reply: str, solution: str) -> float:
    """The most that a reply earns, whatever share its form has."""
    right = accuracy(reply, solution)
    return max(right, reward(reply, solution)) if right else 0.0  # the form of a wrong reply earns nothing


def table(results: Sequence[AttackedRecipe]) -> list[str]:
    """The results as a Markdown table."""
    lines = ["| recipe | prompts | chance | best without sight | earns | who looks |", "|---|---:|---:|---|---:|---:|"]
    for each in results:
        name, earned = each.best
        lines.append(
            f"| `{each.suite}/{each.recipe}` | {each.examples:,} | {each.chance:.3f} | {name} | {earned:.3f} "
            f"| {each.seeing:.3f} |"
        )
    return lines
