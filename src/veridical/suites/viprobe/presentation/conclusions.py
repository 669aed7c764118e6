"""The verdicts on a run, found once for all that shows them; what they mean, and how sure they are, in plain words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import polars as pl

from veridical.records import CRITICAL_SEEN
from veridical.suite.opening import FoldedRuns
from veridical.suite.unseen_regions import UNSEEN
from veridical.suites.viprobe.analysis.replies import CONTEXTS
from veridical.suites.viprobe.asking.settings import POLARITIES, with_settings
from veridical.suites.viprobe.presentation.terms import CASE_TITLES
from veridical.suites.viprobe.verdicts import ObserverVerdict, comparison_verdicts, names, verdicts
from veridical.suites.viprobe.verdicts.names import DECIDED, kind

_COLUMNS = (
    "stimulus", "unit", "family", "category", "variant", "repeat", "settings", "factors", "expects",
    "gold", "status", "answer", "correct", "attempt", "requests", "alpha", "congruent", "side",
)  # fmt: skip
"""All that verdicts are made from, with `CRITICAL_SEEN` where there is any."""

_KEPT = 64
_by_digest: OrderedDict[bytes, Conclusions] = OrderedDict()


class Conclusions(NamedTuple):
    """The verdicts on the yes-no questions and on the comparisons, each over all cases first, then by case.

    The cases are in the run's own order. Either is empty where no such question about figures and controls was asked.
    """

    yes_no: Sequence[ObserverVerdict]
    comparison: Sequence[ObserverVerdict]

    @property
    def differ(self) -> bool:
        """Whether the two kinds of questions decidedly say different things over all cases."""
        if not self.yes_no or not self.comparison:
            return False
        names = (self.yes_no[0].name, self.comparison[0].name)
        return DECIDED.issuperset(names) and kind(names[0]) != kind(names[1])


def conclusions_of(outcomes: pl.DataFrame) -> Conclusions:
    """The verdicts on the outcomes of a run; the same outcomes are not fitted again."""
    rows = outcomes.select(*_COLUMNS, pl.col(f"^{CRITICAL_SEEN}$"))
    digest = sha256()
    for column in rows.iter_columns():  # all at once would copy the table
        digest.update(column.hash().to_numpy().tobytes())
    key = digest.digest()
    if key not in _by_digest:
        _by_digest[key] = _concluded(rows)
        if len(_by_digest) > _KEPT:
            _by_digest.popitem(last=False)
    _by_digest.move_to_end(key)
    return _by_digest[key]


def _concluded(rows: pl.DataFrame) -> Conclusions:
    if not _paired(rows):
        return Conclusions((), ())
    order = {name: place for place, name in enumerate(rows["family"].unique(maintain_order=True))}
    both = (verdicts(rows), comparison_verdicts(rows))
    return Conclusions(*(sorted(each, key=lambda one: order.get(one.where.get("case"), -1)) for each in both))


def _paired(rows: pl.DataFrame) -> bool:
    """Whether pairs of yes-no questions about figures and about controls were planned."""
    yes_no = with_settings(rows.select("family", "variant", "settings").unique()).filter(pl.col("task") == "yes-no")
    pairs = set(yes_no.select("variant", "polarity").iter_rows())
    return all(
        any((variant, polarity) in pairs for variant in CONTEXTS[context])
        for context in ("figure", "control")
        for polarity in POLARITIES
    )


EXPLANATIONS: Mapping[str, str] = {
    "nothing": "figures are seen as controls are",
    "loss": "changes in figures are missed",
    "shift": "figures shift what looks unchanged",
    "inverted": "answers are inverted",
    "flat": "answers do not depend on the change",
}
"""What each kind of explanation is called, in the order in which weights are drawn."""

_RESTS_ON = {
    **dict.fromkeys((names.LOSS, names.EVERYWHERE, names.MEMORY), "loss"),
    names.ILLUSION: "shift",
    names.INVERTED: "inverted",
}
"""The explanation whose weight decides a verdict, where one does."""
_PLENTY = 0.995

UNITS_BY_CASE = 10
"""Base items that a case needs, about, for a verdict of its own.

So many has each case in the validation, which promises the right verdict in at least 80 % of the cases of a clear
observer; with fewer nothing is promised, and most cases stay undetermined.
"""


def certainty_sentence(verdict: ObserverVerdict) -> str:
    """How sure a verdict is, in a sentence.

    >>> weights = {"nothing": 0.61, "loss": 0.38, "flat": 0.01}
    >>> certainty_sentence(ObserverVerdict(where={}, name="undetermined", evidence=(), weights=weights))
    'Likeliest: figures are seen as controls are (61 %), changes in figures are missed (38 %); a verdict needs 95 %.'

    Where controls are not shown to be seen, nothing that supposes sight is called likeliest.
    """
    unseen = [] if verdict.unseen is None or verdict.name == UNSEEN else [str(verdict.unseen)]
    return sentence("; ".join([*_sure(verdict), *unseen]))


def _sure(verdict: ObserverVerdict) -> Sequence[str]:
    evidence = verdict.evidence
    if verdict.name == names.OPEN and not verdict.controls_seen:
        return ["cannot tell yet whether controls are seen, and until then nothing speaks for any explanation"]
    if verdict.name == names.OPEN and verdict.weights:
        likely = sorted(verdict.weights.items(), key=lambda each: -each[1])[:2]
        shares = ", ".join(f"{EXPLANATIONS[name]} ({percent(weight)})" for name, weight in likely)
        return [f"likeliest: {shares}", "a verdict needs 95 %"]
    if verdict.name == names.MISSING:
        alone = [f"the answered ones alone would say {verdict.at_random}"] if verdict.at_random else []
        return [*evidence[:1], *alone]
    if verdict.name in (names.VERIDICAL, names.WEAK):
        words = [*evidence[1:2], "no other explanation does better"]
    elif verdict.name in _RESTS_ON:
        weight = verdict.weights[_RESTS_ON[verdict.name]]
        words = [*evidence[1:2], f"{percent(weight)} of the weight is on this explanation"]
    else:
        words = list(evidence[: 2 if verdict.name in (names.BLIND, names.LANGUAGE) else 1])
    return [*words, *([names.STANDS] if names.STANDS in evidence else [])]


def percent(share: float) -> str:
    """A share in percent, never quite all or nothing.

    >>> percent(0.874), percent(0.9999), percent(0.0001)
    ('87 %', 'over 99 %', 'under 1 %')
    """
    if share >= _PLENTY:
        return "over 99 %"
    return "under 1 %" if share < 1 - _PLENTY else f"{100 * share:.0f} %"


def sentence(text: str) -> str:
    """The text as a sentence; empty stays empty."""
    return f"{text[0].upper()}{text[1:]}." if text else ""


def split_cases(
    cases: Sequence[ObserverVerdict], units: Mapping[str, int]
) -> tuple[list[ObserverVerdict], list[FoldedRuns]]:
    """The verdicts of cases that have a row each, and the others, which are named in a line for each reason.

    Undetermined cases with fewer base items than a verdict takes have no row, nor have those whose answers are missing,
    or whose changes the model does not see.
    `units` says how many base items each case has.
    """
    few = [each for each in cases if each.name == names.OPEN and _units(each, units) < UNITS_BY_CASE]
    missing = [each for each in cases if each.name == names.MISSING]
    unseen = [each for each in cases if each.name == UNSEEN]
    rest = [each for each in cases if each not in few and each not in missing and each not in unseen]
    folded = []
    if few:
        folded.append(FoldedRuns(names.OPEN, _too_few(few, cases, units), _titles(few)))
    if missing:
        line = f"{_many(missing, cases)} without a verdict: answers are missing"
        folded.append(FoldedRuns(names.MISSING, line, _titles(missing)))
    if unseen:
        line = f"{_many(unseen, cases)} without a verdict: the changes are outside what the model sees"
        folded.append(FoldedRuns(UNSEEN, line, _titles(unseen)))
    return rest, folded


def units_by_case(outcomes: pl.DataFrame) -> dict[str, int]:
    """How many base items of each case were asked about."""
    sent = outcomes.filter(pl.col("status").is_not_null())
    return {str(name): count for name, count in sent.group_by("family").agg(pl.col("unit").n_unique()).iter_rows()}


def _too_few(few: Sequence[ObserverVerdict], cases: Sequence[ObserverVerdict], units: Mapping[str, int]) -> str:
    sizes = sorted({_units(each, units) for each in few})
    size = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    items = "base item" if size == "1" else "base items"
    return f"{_many(few, cases)} undetermined with {size} {items}: a verdict by case needs about {UNITS_BY_CASE}"


def _many(some: Sequence[ObserverVerdict], cases: Sequence[ObserverVerdict]) -> str:
    return f"{len(some)} of {len(cases)} cases {'is' if len(some) == 1 else 'are'}"


def _units(verdict: ObserverVerdict, units: Mapping[str, int]) -> int:
    return units.get(str(verdict.where.get("case")), 0)


def _titles(verdicts: Sequence[ObserverVerdict]) -> tuple[str, ...]:
    return tuple(CASE_TITLES.get(str(each.where["case"]), str(each.where["case"])) for each in verdicts)
