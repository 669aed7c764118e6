"""Which of several people's votes about one item decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Literal, TypeVar

from veridical.suite.people_tasks import StudyVote

T = TypeVar("T", bound=Hashable)
Rule = Literal["single", "agreed", "third", "majority", "open"]
"""How votes decide: the only one, all alike, the third's, that of more than half; or they do not."""


def deciding_value(values: Sequence[T], of_thirds: Collection[T]) -> tuple[T | None, Rule]:
    """Which of the values that people stated decides, and how; `of_thirds` are those that thirds stated.

    Thirds who differ are counted like others.

    >>> deciding_value("nyy", ""), deciding_value("nyn", "y"), deciding_value("ny", "")
    (('y', 'majority'), ('y', 'third'), (None, 'open'))
    """
    if not values:
        return None, "open"
    most, count = Counter(values).most_common(1)[0]
    if count == len(values):
        return most, "agreed" if count > 1 else "single"
    if len(set(of_thirds)) == 1:
        return next(iter(of_thirds)), "third"
    return (most, "majority") if 2 * count > len(values) else (None, "open")


def deciding_votes(votes: Sequence[StudyVote], value: Callable[[StudyVote], Hashable]) -> list[StudyVote]:
    """The votes about an item whose value decides (see `deciding_value`), first given first; none where it is open.

    >>> votes = [StudyVote("a", f"p{k}", {"x": x}, None, f"{k}", {}) for k, x in enumerate("nyy")]
    >>> [vote.person for vote in deciding_votes(votes, lambda vote: vote.answer["x"])]
    ['p1', 'p2']
    """
    values = list(map(value, votes))
    most, rule = deciding_value(values, [each for each, vote in zip(values, votes, strict=True) if vote.third])
    if rule == "open":
        return []
    return sorted((vote for vote in votes if value(vote) == most), key=lambda vote: vote.at)


def valid_votes(votes: Sequence[StudyVote]) -> list[StudyVote]:
    """The votes of people who did not flag their item as a bad question."""
    return [vote for vote in votes if not vote.answer.get("flag")]


def votes_of_items(votes: Sequence[StudyVote]) -> dict[str, list[StudyVote]]:
    """The valid votes about each item."""
    items: dict[str, list[StudyVote]] = {}
    for vote in valid_votes(votes):
        items.setdefault(vote.item, []).append(vote)
    return items
