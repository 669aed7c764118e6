"""Ranks of models within the groups that a user states in `models.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.viabench.options import CATEGORIES, CODES

_UNGROUPED = "no group stated"
_PLACES = {1: "best", 2: "second"}


def ranking(results: Sequence[Result]) -> Iterator[Table]:
    """The rank by average within each group, and who is best and second in each category; nothing for one model."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.about.group if result.about and result.about.group else _UNGROUPED, []).append(result)
    rows: list[tuple[Cell, ...]] = []
    for group, members in groups.items():
        ranks = _places(members, None)
        columns = {category: _places(members, category) for category in CATEGORIES}
        for result in sorted(members, key=lambda each: ranks.get(each.model, len(members) + 1)):
            marks = [_PLACES.get(places.get(result.model, 0)) for places in columns.values()]
            rows.append((group, ranks.get(result.model), result.model, find(result, "average", {}), *marks))
    if len(results) > 1:
        note = (
            "By the average over categories under Match, within the group that models.toml states; best and second by "
            "value alone. Equal values share a rank. `veridical compare` tests two models."
        )
        heads = ("Group", "Rank", "Model", "Average", *CODES.values())
        yield Table("viabench-ranks", "Ranks within groups", note, heads, tuple(rows))


def _places(members: Sequence[Result], category: str | None) -> dict[str, int]:
    """The rank of each model by its average, or by its accuracy in a category."""
    metric, where = ("average", {}) if category is None else ("accuracy", {"category": category})
    values = {
        each.model: round(estimate.value, 9)
        for each in members
        if (estimate := find(each, metric, where)) is not None and estimate.value is not None
    }
    return {model: 1 + sum(other > value for other in values.values()) for model, value in values.items()}
