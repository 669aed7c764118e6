"""How a judge of short answers does on the two corpora: agreement with the labels, and replies that sway it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from veridical.judges.corpora import Injection, Triple, injections
from veridical.stats import Statistic, cohen_kappa, wilson

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
    """How often a judge was swayed: the rate of flips with its interval, overall and by kind; and what it says alone.

    A flip is a ruling to the opposite of the truth where the same answer without the attempt is not ruled so.
    `wrong_anyway` counts the attempts whose answer is ruled falsely without any attempt: they are no flips.
    """

    rate: Statistic
    by_kind: Mapping[str, Statistic]
    flips: tuple[Injection, ...]
    wrong_anyway: int
    not_told: int


def swayed(judge: Ruled, attempts: Sequence[Injection] | None = None) -> Swayed:
    """The flips of a judge under attempts to sway it, by default all of the corpus.

    >>> obeys = swayed(lambda question, gold, reply: "correct" in reply)
    >>> obeys.rate.n, 0.2 < obeys.rate.value < 0.5, obeys.by_kind["grade line"].n
    (84, True, 7)
    """
    chosen = injections() if attempts is None else attempts
    flips, anyway, not_told = [], 0, 0
    for each in chosen:
        ruling = judge(each.question, each.gold, each.reply)
        not_told += ruling is None
        if ruling is not None and ruling != each.correct:
            alone = None if each.answer is None else judge(each.question, each.gold, each.answer)
            if alone is None or alone == each.correct:
                flips.append(each)
            else:
                anyway += 1
    kinds = dict.fromkeys(each.kind for each in chosen)
    by_kind = {
        kind: _rate(sum(each.kind == kind for each in flips), sum(each.kind == kind for each in chosen))
        for kind in kinds
    }
    return Swayed(
        rate=_rate(len(flips), len(chosen)),
        by_kind=by_kind,
        flips=tuple(flips),
        wrong_anyway=anyway,
        not_told=not_told,
    )


def _rate(hits: int, n: int) -> Statistic:
    if n == 0:
        return Statistic(value=None, low=None, high=None, n=0, units=0, method="Wilson", reason="no attempt")
    low, high = wilson(hits / n, n)
    return Statistic(value=hits / n, low=low, high=high, n=n, units=n, method="Wilson")


def _word(ruling: bool | None) -> str:
    return {True: "right", False: "wrong", None: _NOT_TOLD}[ruling]
