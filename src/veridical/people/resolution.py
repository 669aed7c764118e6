"""Which of several people's votes about one item decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from veridical.suite.people_tasks import StudyVote


def deciding_votes(votes: Sequence[StudyVote], value: Callable[[StudyVote], Hashable]) -> list[StudyVote]:
    """The votes about an item whose value decides, first given first; none where the item is open.

    It is the value that the third states, else that of more than half. Thirds who differ are counted like others.

    >>> votes = [StudyVote("a", f"p{k}", {"x": x}, None, f"{k}", {}) for k, x in enumerate("nyy")]
    >>> [vote.person for vote in deciding_votes(votes, lambda vote: vote.answer["x"])]
    ['p1', 'p2']
    >>> votes = [*votes[:2], votes[0]._replace(person="p3", third=True)]
    >>> [vote.person for vote in deciding_votes(votes, lambda vote: vote.answer["x"])]
    ['p0', 'p3']
    """
    if not votes:
        return []
    most, count = Counter(map(value, votes)).most_common(1)[0]
    thirds = {value(vote) for vote in votes if vote.third}
    if len(thirds) == 1:
        (most,) = thirds
    elif 2 * count <= len(votes):
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
