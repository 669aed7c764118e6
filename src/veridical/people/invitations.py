"""Who may answer: invitations by token, and the items that each person is asked, in an order of their own.

Of a person a study knows the name that it gave them and a hash of their token, and nothing else.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np
import sqlalchemy as sa

from veridical.errors import InputError, unknown
from veridical.people.store import ITEMS, PEOPLE, QUEUE, VOTES, now
from veridical.people.study import MOST_PEOPLE, Study


class Invitation(NamedTuple):
    """A person's name in the study, and the token of their address, which is stored nowhere."""

    name: str
    token: str


class Person(NamedTuple):
    """Somebody who was invited."""

    name: str
    third: bool
    consented: str | None
    revoked: str | None


def digest_of(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def invite(study: Study, count: int, *, third: bool = False) -> list[Invitation]:
    """New people of a study with what each is asked; their tokens are given here alone.

    The first of a study, as many as its design says, share its items so that each is asked of `per_item` of them. Who
    comes later gets the items that have fewest votes, and a `third` those where two people differ. Raises `InputError`
    for a number that is not allowed.
    """
    with study.store.writing() as connection:
        before = connection.execute(sa.select(sa.func.count()).select_from(PEOPLE)).scalar_one()
        if not 1 <= count <= MOST_PEOPLE - before:
            raise InputError(f"people {count}: 1 to {MOST_PEOPLE - before} more are allowed")
        made = []
        for index in range(before, before + count):
            invitation = Invitation(f"p{index + 1:02}", secrets.token_urlsafe(18))
            row = {"name": invitation.name, "token_sha256": digest_of(invitation.token), "third": third}
            connection.execute(PEOPLE.insert(), [{**row, "invited": now()}])
            order = [] if third else _order(study, index, connection)
            rows = [{"person": invitation.name, "place": place, "item": item} for place, item in enumerate(order)]
            study.store.insert(QUEUE, [{**row, "done": False} for row in rows], connection)
            made.append(invitation)
    return made


def person_of(study: Study, token: str) -> Person | None:
    """Who has a token; `None` if nobody."""
    columns = (PEOPLE.c.name, PEOPLE.c.third, PEOPLE.c.consented, PEOPLE.c.revoked)
    with study.store.reading() as connection:
        row = connection.execute(sa.select(*columns).where(PEOPLE.c.token_sha256 == digest_of(token))).first()
    return None if row is None else Person(*row)


def revoke(study: Study, name: str) -> None:
    """Ends an invitation; what the person stated stays. Raises `InputError` for a name that is not known."""
    with study.store.writing() as connection:
        names = connection.execute(sa.select(PEOPLE.c.name)).scalars().all()
        if name not in names:
            raise unknown("person of this study", name, names)
        connection.execute(PEOPLE.update().where(PEOPLE.c.name == name).values(revoked=now()))


def _order(study: Study, index: int, connection: sa.Connection) -> list[str]:
    """The items of the person with this place among the invited: practice, then their own with checks between."""
    rows = connection.execute(sa.select(ITEMS.c.id, ITEMS.c.kind, ITEMS.c.hidden).order_by(ITEMS.c.place)).all()
    practice = [row.id for row in rows if row.kind == "practice"]
    checks = [row.id for row in rows if row.kind == "check"]
    groups: dict[int, list[str]] = {}
    for row in rows:
        if row.kind == "item":
            groups.setdefault(row.hidden["share"], []).append(row.id)
    design = study.design
    if index < design.people:
        turns = range(design.per_item)
        mine = {(index - turn) % design.people for turn in turns}
        own = [items for share, items in groups.items() if share % design.people in mine]
    else:
        own = _fewest(list(groups.values()), design.per_item, connection)
    shuffled = [own[place] for place in np.random.default_rng([design.seed, index]).permutation(len(own))]
    return practice + _with_checks([item for group in shuffled for item in group], checks, design.check_every)


def _fewest(groups: Sequence[list[str]], enough: int, connection: sa.Connection) -> list[list[str]]:
    """The groups in which an item has fewer votes than are wanted."""
    counted = sa.select(VOTES.c.item, sa.func.count(sa.distinct(VOTES.c.person))).group_by(VOTES.c.item)
    votes = {item: int(count) for item, count in connection.execute(counted)}
    return [group for group in groups if min(votes.get(item, 0) for item in group) < enough]


def _with_checks(items: Sequence[str], checks: Sequence[str], every: int) -> list[str]:
    if not every:
        return list(items)
    order: list[str] = []
    for number, item in enumerate(items, start=1):
        order.append(item)
        if number % every == 0 and number // every <= len(checks):
            order.append(checks[number // every - 1])
    return order
