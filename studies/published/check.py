"""Verdicts on claims: each relation is computed for each of its labels and readings; nothing is typed in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from studies.published.claims import Claim, Relation, Source, source
from studies.published.expressions import Scope, compute, fact_of, ranged
from studies.published.functions import FUNCTIONS
from studies.published.operators import EVALUATORS, Outcome, Verdict, shown_by_n
from studies.published.ranges import shown
from veridical.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A relation for one label: as stated, and the outcome of each reading; `by_n`, where a test by n was made."""

    subject: str
    stated: str
    outcomes: Mapping[str, Outcome]
    by_n: Outcome | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict of this item alone."""
        first, *_ = self.outcomes.values()
        if not any(outcome.fits for outcome in self.outcomes.values()):
            return first.failed
        if not first.fits:
            return "only if"
        return "holds" if self.by_n is None or self.by_n.fits else "not shown by n"

    @property
    def computed(self) -> str:
        """What the cells give, by reading."""
        parts = [f"{name}: {each.computed}" if name else each.computed for name, each in self.outcomes.items()]
        return "; ".join(parts + ([f"by n: {self.by_n.computed}"] if self.by_n is not None else []))


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A claim with its verdict; `condition` is what it holds under, `failing` the items that made the verdict."""

    claim: Claim
    verdict: Verdict
    condition: str
    items: tuple[Item, ...]
    failing: tuple[Item, ...]
    compares: str
    cause: str
    doubt: str
    cells: frozenset[tuple[str, str, str, str, str]]

    @property
    def example(self) -> Item:
        """The failing item that is furthest off; of a claim that holds, the first item."""
        return max(self.failing, key=lambda item: _worst(item, self.verdict).size) if self.failing else self.items[0]

    @property
    def gap(self) -> str:
        """How far the example is off."""
        return _worst(self.example, self.verdict).gap if self.failing else ""


_ORDER: Sequence[Verdict] = ("impossible", "contradicts", "only if", "not shown by n", "holds")


def results(paper: str) -> list[Result]:
    """The verdict on each claim of a paper, in the order of its table of claims."""
    return [checked(claim, source(paper)) for claim in source(paper).claims]


def checked(claim: Claim, of: Source) -> Result:
    """The verdict on a claim: the worst of its relations. Raises `InputError` where no comparison of it can fail."""
    scope = Scope(claim.paper, FUNCTIONS, dict(of.lists), dict(of.define))
    judged = [_judged(relation, list(_items(relation, scope))) for relation in claim.relations]
    verdict: Verdict = min((each[0] for each in judged), key=_ORDER.index)
    condition = "; ".join(dict.fromkeys(each[1] for each in judged if each[0] == "only if"))
    failing = tuple(item for each in judged if each[0] == verdict != "holds" for item in each[2])
    items = tuple(item for each in judged for item in each[3])
    if not items:
        raise InputError(f"{claim.id}: no comparison can fail, so it says nothing")
    result = Result(
        claim=claim, verdict=verdict, condition=condition if verdict == "only if" else "", items=items,
        failing=failing, compares=filled(claim.compares, scope), cause="", doubt="", cells=frozenset(scope.cells),
    )  # fmt: skip
    words = scope.having(_words(result))
    doubt = filled(claim.doubt, words)
    return replace(result, cause="" if verdict == "holds" else filled(claim.cause, words), doubt=doubt)


def filled(template: str, scope: Scope) -> str:
    """A template with each `{expression}` replaced by its value, `{expression:2}` with two decimals."""

    def value(match: re.Match[str]) -> str:
        quantity = compute(match[1], scope)
        if isinstance(quantity, list):
            return ", ".join(map(str, quantity))
        if isinstance(quantity, str):
            return quantity
        middle = ranged(quantity)
        return f"{float(middle.low + middle.high) / 2:.{match[2]}f}" if match[2] else shown(middle)

    return re.sub(r"\{([^{}]+?)(?::(\d))?\}", value, template)


def _words(result: Result) -> Mapping[str, Any]:
    """What templates may name beside cells: the failing items and the one that is furthest off."""
    example = result.example
    return {
        "failing": len(result.failing),
        "total": len(result.items),
        "names": [item.subject for item in result.failing],
        "example": example.subject,
        "stated": example.stated,
        "computed": _worst(example, result.verdict).computed,
        "gap": result.gap,
    }


def _worst(item: Item, verdict: Verdict) -> Outcome:
    first, *_ = item.outcomes.values()
    return item.by_n if verdict == "not shown by n" and item.by_n is not None else first


def _judged(relation: Relation, items: list[Item]) -> tuple[Verdict, str, list[Item], list[Item]]:
    """Verdict, condition, failing items and all items of a relation: one reading must fit all items."""
    names = list(relation.readings)
    whole = next((name for name in names if all(item.outcomes[name].fits for item in items)), None)
    lost = [item for item in items if not any(outcome.fits for outcome in item.outcomes.values())]
    if lost:
        return lost[0].verdict, "", lost, items
    first_fails = [item for item in items if not item.outcomes[names[0]].fits]
    if whole is None:
        mixed = {name: sum(item.outcomes[name].fits for item in items) for name in names}
        parts = [f"{name} ({number} of {len(items)})" for name, number in mixed.items() if number]
        return "only if", "readings are mixed: " + ", ".join(parts), first_fails, items
    if whole != names[0]:
        return "only if", whole, first_fails, items
    unshown = [item for item in items if item.by_n is not None and not item.by_n.fits]
    return ("not shown by n", "", unshown, items) if unshown else ("holds", "", [], items)


def _items(relation: Relation, scope: Scope) -> Iterator[Item]:
    for inner in _repeated(list(relation.each.items()), scope):
        local = inner.having({}, relation.let)
        if relation.when and not fact_of(compute(relation.when, local)):
            continue
        labels = {name: local.values[name] for name in relation.each}
        plain = ", ".join(str(label) for label in labels.values())
        subject = filled(relation.subject, local) if relation.subject else plain
        judge = EVALUATORS[relation.operator]
        stated = compute(relation.stated, local) if relation.stated else None
        outcomes = {name: judge(relation, stated, compute(text, local)) for name, text in relation.readings.items()}
        if all(outcome is None for outcome in outcomes.values()):
            continue
        kept = {name: outcome or Outcome(True, "every number is possible") for name, outcome in outcomes.items()}
        by_n = shown_by_n(relation, None, compute(relation.by_n, local)) if relation.by_n else None
        yield Item(subject=subject, stated=_stated(relation, stated), outcomes=kept, by_n=by_n)


def _repeated(each: list[tuple[str, str | list[Any]]], scope: Scope) -> Iterator[Scope]:
    if not each:
        yield scope
        return
    (name, values), *rest = each
    for value in compute(values, scope) if isinstance(values, str) else values:
        yield from _repeated(rest, scope.having({name: value}))


def _stated(relation: Relation, stated: Any) -> str:  # noqa: ANN401 (a quantity or words)
    if stated is None:
        return "all" if relation.operator == "all" else ""
    return stated if isinstance(stated, str) else shown(ranged(stated))
