"""Tables of the verdicts on the catalogue: how often they are right, and the confusion between them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from studies.viprobe.validation.observers import CATALOGUE, NAMES
from studies.viprobe.validation.verdict_counts import LEAST_RIGHT, MARKS, Named
from studies.viprobe.validation.words import percent, promise
from veridical.base.markdown import table

WEAK, NO_MODEL, UNDETERMINED = "weak vision", "no model fits", "undetermined"


def per_observer(tallies: Sequence[Named]) -> str:
    """A row per observer and kind of question: shares right, acceptable and wrong, overall and by case."""
    rows: dict[str, dict[str, Named]] = defaultdict(dict)
    for each in tallies:
        rows[each.title][each.scope] = each
    lines, last = [], ""
    for title, scopes in rows.items():
        group = _group(next(iter(scopes.values())))
        lines.append([group if group != last else "", title, *_scope(scopes, "overall"), *_scope(scopes, "by case")])
        last = group
    heads = [f"{head}{of}" for of in (" overall, %", " by case, %") for head in ("right", "acceptable", "wrong")]
    return table(["group", "observer", *heads[:3], "n", "promise", *heads[3:], "n", "promise"], lines)


def _scope(scopes: dict[str, Named], scope: str) -> list[str]:
    each = scopes.get(scope)
    if each is None:
        return [""] * 5
    right = percent(*each.right)
    return [
        right if each.clear else f"({right})",
        f"{100 * each.hits['acceptable'] / each.n:.1f}",
        percent(*each.wrong),
        f"{each.n:,}",
        promise(each.kept),
    ]


def confusion(tallies: Sequence[Named], scope: str) -> str:
    """Verdicts on each group of observers, by the verdicts that are right overall, in percent."""
    groups: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for each in tallies:
        if each.scope == scope:
            observer = CATALOGUE[each.observer]
            may = observer.expects({"task": each.task})
            groups[_group(each), ", or ".join(sorted(may.right))].update(each.names)
    rows, last = [], ""
    for (group, right), counts in groups.items():
        shares = [f"{100 * counts[name] / counts.total():.0f}" if counts[name] else "" for name in NAMES]
        rows.append([group if group != last else "", right, *shares, f"{counts.total():,}"])
        last = group
    return table(["group", "right overall", *NAMES, "n"], rows)


def weak_by_case(tallies: Sequence[Named]) -> str:
    """How often cases that are seen weakly get the verdict "weak vision"."""
    rows = []
    for each in tallies:
        if each.scope == "by case" and CATALOGUE[each.observer].by_case.right == {WEAK}:
            counts = [each.names.get(name, 0) for name in (WEAK, UNDETERMINED)]
            shares = [f"{100 * n / each.n:.1f}" for n in (counts[1], each.n - sum(counts))]
            rows.append([each.title, percent(*each.right), *shares, f"{each.n:,}"])
    return table(["observer", "weak vision, %", "undetermined, %", "another, %", "n"], rows)


def totals(tallies: Sequence[Named]) -> str:
    """A row per scope: the shares over all observers."""
    rows = []
    for scope in LEAST_RIGHT:
        of = [each for each in tallies if each.scope == scope]
        n = sum(each.n for each in of)
        shares = [f"{100 * sum(each.hits[mark] for each in of) / n:.1f}" if n else "" for mark in MARKS]
        rows.append([scope, *shares, f"{n:,}"])
    return table(["verdicts", "right, %", "acceptable, %", "confidently wrong, %", "n"], rows)


def unfitted(tallies: Sequence[Named]) -> str:
    """How many of the verdicts with a goodness-of-fit test are "no model fits", and for which observers, in words."""
    parts = []
    for scope in LEAST_RIGHT:
        of = [each for each in tallies if each.scope == scope]
        hits, tested = sum(each.names.get(NO_MODEL, 0) for each in of), sum(each.tested for each in of)
        parts.append(f"{hits:,} of {tested:,} {scope}")
    most = sorted(tallies, key=lambda each: -each.names.get(NO_MODEL, 0) / max(each.tested, 1))
    whom = [
        f"{each.title} ({each.names[NO_MODEL]:,} of {each.tested:,} {each.scope})"
        for each in most[:3]
        if each.names.get(NO_MODEL)
    ]
    return " and ".join(parts) + (f", most often for {', '.join(whom)}" if whom else "")


def _group(each: Named) -> str:
    return CATALOGUE[each.observer].group.partition(":")[0]


def missed(each: Named) -> str:
    """An observer whose promise is missed, with its shares."""
    right = f"right {100 * each.right[0]:.1f} %, " if each.clear else ""
    return f"{each.title} ({right}wrong {100 * each.wrong[0]:.1f} %)"
