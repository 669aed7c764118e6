"""What a study's votes decide about each item: what people agree on, what a third said, what most said, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from veridical.people.form_checks import FLAG, NOTE
from veridical.people.invitations import add_to_queue
from veridical.people.resolution import Rule, deciding_value
from veridical.people.store import QUEUE
from veridical.people.study import LastVote, Study
from veridical.records import Json, canonical

_AT_ONCE = 20
"""So many items a third is given at a time."""


class DecidedVote(NamedTuple):
    """What the votes about one item decide.

    `item` and `key` are the library's, `answer` is by field (`None` where the item is open), `people` are those whose
    vote it is, and `votes` is how many voted. `rule` says how it was decided: by the only vote, by all alike, by the
    third, or by more than half.
    """

    item: str
    key: Mapping[str, Json]
    answer: Mapping[str, Json] | None
    people: tuple[str, ...]
    votes: int
    rule: Rule


def decided_votes(study: Study, votes: Iterable[LastVote] | None = None) -> list[DecidedVote]:
    """What is decided about each item that has a vote, in the order of the items; practice and checks are left out.

    Two votes are equal where the fields on which people should agree are: those that the task names, else those of
    which one option is taken, else all. Of equal votes the first one given is taken whole. `votes` are those of
    `Study.last_votes`, where they were read already.
    """
    last = study.last_votes() if votes is None else votes
    return [_item_decision(study.task.agreed, each) for each in votes_by_item(last)]


def votes_by_item(votes: Iterable[LastVote]) -> Iterator[list[LastVote]]:
    """The votes about each item that counts, as they stand in order of the items."""
    counted = (vote for vote in votes if vote.kind == "item")
    for _, group in groupby(counted, key=lambda vote: vote.item):
        yield list(group)


def agreed_value(agreed: Iterable[str], vote: LastVote) -> str:
    """What two votes about an item must have in common to be equal, as text."""
    names = [name for name in agreed if name in vote.answer] or vote.hidden["choices"]
    names = names or [name for name in vote.answer if name not in (FLAG, NOTE)]
    return canonical({name: vote.answer.get(name) for name in names})


def is_disputed(agreed: Iterable[str], votes: Sequence[LastVote]) -> bool:
    """Whether two people or more, no third among them, differ about an item."""
    return len({agreed_value(agreed, vote) for vote in votes if not vote.third}) > 1


def _item_decision(agreed: Iterable[str], votes: Sequence[LastVote]) -> DecidedVote:
    values = {vote.person: agreed_value(agreed, vote) for vote in votes}
    value, rule = deciding_value([*values.values()], [values[vote.person] for vote in votes if vote.third])
    item, key = votes[0].hidden["id"], votes[0].hidden["key"]
    if rule == "open":
        return DecidedVote(item, key, None, (), len(votes), rule)
    same = sorted((vote for vote in votes if values[vote.person] == value), key=lambda vote: vote.at)
    return DecidedVote(item, key, same[0].answer, tuple(vote.person for vote in same), len(votes), rule)


def add_disputed(study: Study, third: str) -> None:
    """Gives a third who has nothing to do some of the items about which others differ and no third has voted.

    Two thirds may be given the same item: nothing is locked, and their votes count alike.
    """
    with study.store.reading() as connection:
        rows = connection.execute(sa.select(QUEUE.c.item, QUEUE.c.done).where(QUEUE.c.person == third)).all()
    if not all(row.done for row in rows):
        return
    agreed, own = study.task.agreed, {row.item for row in rows}
    disputed = [
        votes[0].item
        for votes in votes_by_item(study.last_votes())
        if is_disputed(agreed, votes) and not any(vote.third for vote in votes) and votes[0].item not in own
    ]
    # In an order of their own, so that two thirds seldom decide the same.
    disputed.sort(key=lambda item: sha256(f"{third}/{item}".encode()).digest())
    with suppress(IntegrityError), study.store.writing() as connection:  # another tab of the third was faster
        add_to_queue(study, third, disputed[:_AT_ONCE], connection)
