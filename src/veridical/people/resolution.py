"""Which of several people's votes about one item decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from veridical.suite.people_tasks import StudyVote


def deciding_votes(votes: Sequence[StudyVote], value: Callable[[StudyVote], Hashable]) -> list[StudyVote]:
    """The votes about an item whose value more than half of its people share, first given first; none without one.

    >>> votes = [StudyVote("a", f"p{k}", {"x": x}, None, f"{k}", {}) for k, x in enumerate("nyy")]
    >>> [vote.person for vote in deciding_votes(votes, lambda vote: vote.answer["x"])]
    ['p1', 'p2']
    """
    if not votes:
        return []
    most, count = Counter(map(value, votes)).most_common(1)[0]
    own = [vote for vote in votes if value(vote) == most]
    return sorted(own, key=lambda vote: vote.at) if 2 * count > len(votes) else []


def by_item(votes: Sequence[StudyVote]) -> dict[str, list[StudyVote]]:
    """The votes about each item, of those who did not flag it as a bad question."""
    items: dict[str, list[StudyVote]] = {}
    for vote in votes:
        if not vote.answer.get("flag"):
            items.setdefault(vote.item, []).append(vote)
    return items
