"""Dataclasses of a unit's nuisances whose fields say how each is drawn, for suites whose units are records.

The fields of one `sample` that take turns are crossed with each other, see `Nuisances.in_turn`; all other values are
drawn in the order of the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, fields
from functools import partial
from typing import Any, TypeVar, cast

from veridical.suite.nuisances import Nuisances

T = TypeVar("T")
_HOW, _TURNS = "how", "turns"


def draw(how: Callable[[Nuisances, Mapping[str, Any]], T]) -> T:
    """A field whose value is that of a function of the nuisances and of the fields drawn before, by name."""
    return cast(T, field(metadata={_HOW: how}))


def uniform(low: float, high: float) -> float:
    """A field drawn evenly from an interval."""
    return draw(lambda nuisances, _: nuisances.between(low, high))


def point(xs: tuple[float, float], ys: tuple[float, float]) -> tuple[float, float]:
    """A field with a point, drawn evenly from two intervals."""
    return draw(lambda nuisances, _: (nuisances.between(*xs), nuisances.between(*ys)))


def one_of(options: Iterable[T], but: Collection[object] = (), unlike: Sequence[str] = ()) -> T:
    """A field drawn evenly from the options, without those in `but` and the values of the fields named in `unlike`."""
    kept = [each for each in options if each not in but]

    def how(nuisances: Nuisances, drawn: Mapping[str, Any]) -> T:
        used = [drawn[name] for name in unlike]
        return nuisances.one_of([each for each in kept if each not in used])

    return draw(how)


def take_turns(options: Sequence[T]) -> T:
    """A field whose options take turns from unit to unit."""
    return cast(T, field(metadata={_TURNS: options}))


def sampler(kind: type[T]) -> Callable[[Nuisances], T]:
    """The function that draws a record of this dataclass.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Ball:
    ...     color: str = take_turns(("red", "blue"))
    ...     other: str = one_of(("red", "blue"), unlike=["color"])
    >>> balls = [sampler(Ball)(Nuisances("balls", 512, seed=0, index=k)) for k in range(4)]
    >>> [ball.color != ball.other for ball in balls], len({ball.color for ball in balls})
    ([True, True, True, True], 2)
    """
    return partial(_sample, kind)


def _sample(kind: type[T], nuisances: Nuisances) -> T:
    own = fields(cast(Any, kind))
    turns = {each.name: each.metadata[_TURNS] for each in own if _TURNS in each.metadata}
    drawn: dict[str, Any] = dict(zip(turns, nuisances.in_turn(*turns.values()), strict=True)) if turns else {}
    for each in own:
        if _HOW in each.metadata:
            drawn[each.name] = each.metadata[_HOW](nuisances, drawn)
    return kind(**drawn)
