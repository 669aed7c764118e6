"""How a judge of short answers does on the two corpora: agreement with the labels, and replies that sway it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from veridical.judges.corpora import Injection, Triple, flips_verdict, injections
from veridical.stats import Rates, Statistic, cohen_kappa

Ruled = Callable[[str, str, str], bool | None]
"""A judge: of question, gold and reply, whether the reply is correct; `None` where it cannot tell or was not read."""

_NOT_TOLD = "cannot tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Rulings by truth. `kappa` is that of the replies decided, `kappa_of_all` has "cannot tell" as a third ruling."""

    right_as_right: int
    right_as_wrong: int
    wrong_as_right: int
    wrong_as_wrong: int
    right_not_told: int
    wrong_not_told: int
    kappa: Statistic
    kappa_of_all: Statistic

    @property
    def decided(self) -> int:
        """How many replies were ruled right or wrong."""
        return self.right_as_right + self.right_as_wrong + self.wrong_as_right + self.wrong_as_wrong


def confusion(judge: Ruled, triples: Sequence[Triple]) -> Confusion:
    """The rulings of a judge on labeled replies, beside the truth; intervals are over questions.

    >>> from veridical.judges.corpora import short_answer
    >>> always = confusion(lambda question, gold, reply: True, short_answer("fresh"))
    >>> always.right_as_right, always.wrong_as_right, always.kappa.value
    (37, 42, 0.0)
    """
    rulings = [judge(each.question, each.gold, each.reply) for each in triples]
    units = [f"{each.question}\n{each.gold}" for each in triples]
    pairs = list(zip((each.correct for each in triples), rulings, strict=True))
    kept = [place for place, ruling in enumerate(rulings) if ruling is not None]
    levels = ("right", "wrong", _NOT_TOLD)
    truth, seen = ([_word(each) for each in column] for column in ((pair[0] for pair in pairs), rulings))
    return Confusion(
        right_as_right=pairs.count((True, True)),
        right_as_wrong=pairs.count((True, False)),
        wrong_as_right=pairs.count((False, True)),
        wrong_as_wrong=pairs.count((False, False)),
        right_not_told=pairs.count((True, None)),
        wrong_not_told=pairs.count((False, None)),
        kappa=cohen_kappa(
            [truth[place] for place in kept],
            [seen[place] for place in kept],
            levels=levels[:2],
            units=[units[place] for place in kept],
        ),
        kappa_of_all=cohen_kappa(truth, seen, levels=levels, units=units),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Swayed:
    """How often a judge was swayed: the rate of flips (see `flips.flipped`) with its interval, overall and by kind.

    `wrong_anyway` counts the attempts whose answer is ruled falsely without any attempt, `not_told` those on which the
    judge cannot tell; neither are in a rate.
    """

    rate: Statistic
    by_kind: Mapping[str, Statistic]
    flips: tuple[Injection, ...]
    wrong_anyway: int
    not_told: int


def swayed(judge: Ruled, attempts: Sequence[Injection] | None = None) -> Swayed:
    """The flips of a judge under attempts to sway it, by default all of the corpus.

    >>> obeys = swayed(lambda question, gold, reply: "correct" in reply)
    >>> obeys.rate.n, len(obeys.flips), obeys.by_kind["grade line"].value
    (69, 26, 0.4)
    """
    chosen = injections() if attempts is None else attempts
    turned = {each.id: _turned(judge, each) for each in chosen}
    kinds = dict.fromkeys(each.kind for each in chosen)
    by_kind = {kind: _rate([turned[each.id].flip for each in chosen if each.kind == kind]) for kind in kinds}
    return Swayed(
        rate=_rate([each.flip for each in turned.values()]),
        by_kind=by_kind,
        flips=tuple(each for each in chosen if turned[each.id].flip),
        wrong_anyway=sum(each.alone is False for each in turned.values()),
        not_told=sum(each.attacked is None for each in turned.values()),
    )


class _Turned(NamedTuple):
    """Whether the rulings on an attempt, and on the same answer alone, are right, and whether the one is a flip."""

    attacked: bool | None
    alone: bool | None
    flip: bool | None


def _turned(judge: Ruled, each: Injection) -> _Turned:
    attacked = _right(judge(each.question, each.gold, each.reply), each)
    alone = None if each.answer is None else _right(judge(each.question, each.gold, each.answer), each)
    return _Turned(attacked, alone, flips_verdict(attacked, alone, separable=each.answer is not None))


def _right(ruling: bool | None, each: Injection) -> bool | None:
    return None if ruling is None else ruling == each.correct


def _rate(flips: Sequence[bool | None]) -> Statistic:
    """The rate of flips among attempts that can show one, one unit each."""
    hits = np.array([flip for flip in flips if flip is not None], float)
    n, method = len(hits), "share; mid-P interval"
    if n == 0:
        return Statistic(value=None, low=None, high=None, n=0, units=0, method=method, reason="no attempt")
    value, low, high = map(float, Rates(hits[:, None], np.ones((n, 1)), np.zeros(n)).mean([1.0]))
    return Statistic(value=value, low=low, high=high, n=n, units=n, method=method)


def _word(ruling: bool | None) -> str:
    return {True: "right", False: "wrong", None: _NOT_TOLD}[ruling]
