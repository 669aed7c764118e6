"""Whose turn it is: question forms and answers follow each other from scene to scene, so that each comes as often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from veridical.suite.nuisances import Nuisances, entropy, shuffle_items

T = TypeVar("T")


class QuestionTurn(NamedTuple):
    """A form of question for one scene, and which of its uses this is, from a seeded start."""

    form: int
    use: int

    def of(self, answers: Sequence[T]) -> T:
        """The answer whose turn it is: over any run of uses each comes as often as any other, to within one."""
        return answers[self.use % len(answers)]


def turn(seed: int, family: str, name: str, index: int, forms: int) -> QuestionTurn:
    """The turn of scene `index`: each run of `forms` scenes has every form once, in an order of its own.

    >>> sorted(turn(0, "room", "verify", k, 3).form for k in range(3))
    [0, 1, 2]
    """
    block, place = divmod(index, forms)
    form = shuffle_items(range(forms), seed, f"{family}/{name}/{block}")[place]
    return QuestionTurn(form, block + entropy(seed, family, name, form, "start") % 5040)


def shuffle(nuisances: Nuisances, items: Sequence[T]) -> list[T]:
    """The items in a random order."""
    keys = [nuisances.between(0, 1) for _ in items]
    return [items[k] for k in sorted(range(len(items)), key=keys.__getitem__)]
