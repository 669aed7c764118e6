"""How a study stands, for who runs it: progress, time, attention, agreement, and where people differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

import sqlalchemy as sa

from veridical.people.decisions import decided_votes, is_disputed, votes_by_item
from veridical.people.invitations import Person, people_of
from veridical.people.rater_agreement import FieldAgreement, agreement_of
from veridical.people.resolution import Rule
from veridical.people.store import ITEMS, QUEUE, VOTES
from veridical.people.study import LastVote, Study
from veridical.records import Json

DISCUSSED = 100
"""After so many items with two votes or more, people talk about those where they differ."""
_FAST, _CONSTANT, _FEWEST = 1 / 3, 0.95, 20


class PersonStatus(NamedTuple):
    """How far a person is.

    `done` and `total` are of all screens, `votes` are those about items that count, `seconds` is their median time (no
    value before the first), `checks` are attention checks passed and answered. `fast` is a median below a third of the
    group's, `constant` a value that stands in at least 95 % of at least 20 answers of one field.
    """

    name: str
    third: bool
    revoked: bool
    done: int
    total: int
    votes: int
    seconds: float | None
    checks_passed: int
    checks: int
    fast: bool
    constant: str | None


class DisputedItem(NamedTuple):
    """An item about which people differ, by its blind name, with what they state, by nobody's name."""

    item: str
    answers: Sequence[Mapping[str, Json]]


class Discussion(NamedTuple):
    """Which of so many items, from the `first` to the `last` that two people answered, they differ about."""

    first: int
    last: int
    items: Sequence[DisputedItem]


@dataclass(frozen=True, kw_only=True)
class StudyStatus:
    """How a study stands: of `items`, `complete` have all their votes; `rules` says how many are decided how."""

    items: int
    complete: int
    rules: Mapping[Rule, int]
    people: Sequence[PersonStatus]
    agreement: Sequence[FieldAgreement]
    discussions: Sequence[Discussion]


class StatusCache:
    """How a study stands, made anew only after a vote, an invitation or its end.

    Votes and queues are only ever added to, so their numbers tell whether they are the same.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._last: tuple[Sequence[object], StudyStatus] | None = None

    def status(self) -> StudyStatus:
        """How the study stands now."""
        counts = [sa.select(sa.func.count()).select_from(table).scalar_subquery() for table in (VOTES, QUEUE)]
        with self._study.store.reading() as connection:
            numbers = connection.execute(sa.select(*counts)).one()
        stamp = (*numbers, people_of(self._study))
        if self._last is None or self._last[0] != stamp:
            self._last = stamp, status_of(self._study)
        return self._last[1]


def status_of(study: Study) -> StudyStatus:
    """How a study stands now."""
    votes = study.last_votes()
    by_item = list(votes_by_item(votes))
    agreed = study.task.agreed
    with study.store.reading() as connection:
        items = connection.execute(sa.select(sa.func.count()).where(ITEMS.c.kind == "item")).scalar_one()
    complete = sum(len(_of_first(each)) >= study.design.per_item for each in by_item)
    return StudyStatus(
        items=items,
        complete=complete,
        rules=Counter(each.rule for each in decided_votes(study, votes)),
        people=_people(study, votes),
        agreement=agreement_of(agreed, by_item),
        discussions=_discussions(study, by_item, whole=complete == items),
    )


def _of_first(votes: Sequence[LastVote]) -> list[LastVote]:
    """The votes of those who were not invited to decide."""
    return [vote for vote in votes if not vote.third]


def _people(study: Study, votes: Sequence[LastVote]) -> list[PersonStatus]:
    own: dict[str, list[LastVote]] = {}
    for vote in votes:
        own.setdefault(vote.person, []).append(vote)
    counted = sa.select(QUEUE.c.person, sa.func.count(), sa.func.count().filter(QUEUE.c.done)).group_by(QUEUE.c.person)
    with study.store.reading() as connection:
        queues = {person: (total, done) for person, total, done in connection.execute(counted)}
    medians = {person: seconds for person, each in own.items() if (seconds := _median_seconds(each)) is not None}
    group = median(medians.values()) if len(medians) > 1 else 0.0
    return [
        _person(person, own.get(person.name, []), queues.get(person.name, (0, 0)), medians.get(person.name), group)
        for person in people_of(study)
    ]


def _median_seconds(votes: Sequence[LastVote]) -> float | None:
    seconds = [vote.seconds for vote in votes if vote.kind == "item" and vote.seconds is not None]
    return median(seconds) if seconds else None


def _person(
    person: Person, votes: Sequence[LastVote], queue: tuple[int, int], seconds: float | None, group: float
) -> PersonStatus:
    checks = [vote for vote in votes if vote.kind == "check"]
    items = [vote for vote in votes if vote.kind == "item"]
    return PersonStatus(
        name=person.name,
        third=person.third,
        revoked=person.revoked is not None,
        done=queue[1],
        total=queue[0],
        votes=len(items),
        seconds=seconds,
        checks_passed=sum(_is_passed(vote) for vote in checks),
        checks=len(checks),
        fast=seconds is not None and seconds < _FAST * group,
        constant=_constant(items),
    )


def _is_passed(vote: LastVote) -> bool:
    return all(vote.answer.get(name) == right for name, right in vote.hidden["right"].items())


def _constant(votes: Sequence[LastVote]) -> str | None:
    """The value that a person takes nearly always, with its field."""
    fields: dict[str, Counter[str]] = {}
    for vote in votes:
        for name in vote.hidden["choices"]:
            if vote.answer.get(name) is not None:
                fields.setdefault(name, Counter())[str(vote.answer[name])] += 1
    for name, values in fields.items():
        value, most = values.most_common(1)[0]
        if values.total() >= _FEWEST and most >= _CONSTANT * values.total():
            return f"{name}: {value}"
    return None


def _discussions(study: Study, by_item: Sequence[Sequence[LastVote]], *, whole: bool) -> list[Discussion]:
    """A list for each hundred of items that two people answered, in their order, and for the rest once all are done."""
    compared = [votes for each in by_item if len(votes := _of_first(each)) > 1]
    compared.sort(key=lambda votes: sorted(vote.at for vote in votes)[1])
    listed = len(compared) if whole else len(compared) // DISCUSSED * DISCUSSED
    return [
        Discussion(
            first=start + 1,
            last=min(start + DISCUSSED, listed),
            items=[
                DisputedItem(votes[0].item, _without_order([vote.answer for vote in votes]))
                for votes in compared[start : start + DISCUSSED]
                if is_disputed(study.task.agreed, votes)
            ],
        )
        for start in range(0, listed, DISCUSSED)
    ]


def _without_order(answers: Sequence[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
    """Answers in an order that does not tell whose is which."""
    return sorted(answers, key=str)
