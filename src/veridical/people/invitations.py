"""Who may answer: invitations by token, and the items that each person is asked, in an order of their own.

Of a person a study knows the name that it gave them and a hash of their token, and nothing else.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa

from veridical.base.files import folder_lock
from veridical.errors import InputError, unknown
from veridical.people.store import ITEMS, PEOPLE, QUEUE, VOTES, utc_now
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


_PERSON = (PEOPLE.c.name, PEOPLE.c.third, PEOPLE.c.consented, PEOPLE.c.revoked)


def digest_of(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def invite(study: Study, count: int, *, third: bool = False) -> list[Invitation]:
    """New people of a study with what each is asked; their tokens are given here alone.

    The first of a study, as many as its design says, share its items so that each is asked of `per_item` of them. Who
    comes later gets the items that still have fewer votes, and a `third`, as they arise, those about which others
    differ. Raises `InputError` for a number that is not allowed, and where every item has its votes.
    """
    with folder_lock(study.folder), study.store.writing() as connection:
        thirds = connection.execute(sa.select(PEOPLE.c.third)).scalars().all()
        if not 1 <= count <= MOST_PEOPLE - len(thirds):
            raise InputError(f"people {count}: 1 to {MOST_PEOPLE - len(thirds)} more are allowed")
        rows = connection.execute(sa.select(ITEMS.c.id, ITEMS.c.kind, ITEMS.c.share).order_by(ITEMS.c.place)).all()
        practice = [row.id for row in rows if row.kind == "practice"]
        made = []
        for number in range(count):
            invitation = Invitation(f"p{len(thirds) + number + 1:02}", _token())
            row = {"name": invitation.name, "token_sha256": digest_of(invitation.token), "third": third}
            connection.execute(PEOPLE.insert(), [{**row, "invited": utc_now()}])
            own = [] if third else _order(study, thirds.count(False) + number, rows, connection)
            add_to_queue(study, invitation.name, practice + own, connection)
            made.append(invitation)
    return made


def _token() -> str:
    return secrets.token_urlsafe(18)


def add_to_queue(study: Study, person: str, items: Sequence[str], connection: sa.Connection) -> None:
    """Puts items at the end of what a person is asked."""
    last = sa.select(sa.func.max(QUEUE.c.place)).where(QUEUE.c.person == person)
    held = connection.execute(last).scalar()
    start = 0 if held is None else held + 1
    rows = [{"person": person, "place": place, "item": item} for place, item in enumerate(items, start=start)]
    study.store.insert(QUEUE, [{**row, "done": False} for row in rows], connection)


def invite_again(study: Study, name: str) -> Invitation:
    """A new token for somebody who was invited: the address that they had ends, their answers and place stay.

    Who was revoked may answer again. Raises `InputError` for a name that is not known.
    """
    invitation = Invitation(name, _token())
    _change(study, name, {"token_sha256": digest_of(invitation.token), "revoked": None})
    return invitation


def people_of(study: Study) -> list[Person]:
    """Everybody who was invited, in order of invitation."""
    with study.store.reading() as connection:
        rows = connection.execute(sa.select(*_PERSON).order_by(PEOPLE.c.invited, PEOPLE.c.name))
        return [Person(*row) for row in rows]


def person_of(study: Study, token: str) -> Person | None:
    """Who has a token; `None` if nobody."""
    with study.store.reading() as connection:
        row = connection.execute(sa.select(*_PERSON).where(PEOPLE.c.token_sha256 == digest_of(token))).first()
    return None if row is None else Person(*row)


def revoke(study: Study, name: str) -> None:
    """Ends an invitation; what the person stated stays. Raises `InputError` for a name that is not known."""
    _change(study, name, {"revoked": utc_now()})


def _change(study: Study, name: str, values: Mapping[str, str | None]) -> None:
    with study.store.writing() as connection:
        changed = connection.execute(PEOPLE.update().where(PEOPLE.c.name == name).values(**values))
        if not changed.rowcount:
            raise unknown("person of this study", name, connection.execute(sa.select(PEOPLE.c.name)).scalars())


def _order(study: Study, index: int, rows: Sequence[Any], connection: sa.Connection) -> list[str]:
    """The items of the person with this place among the invited, in an order of their own, with checks between."""
    groups: dict[int, list[str]] = {}
    for row in rows:
        if row.kind == "item":
            groups.setdefault(row.share, []).append(row.id)
    design = study.design
    if index < design.people:
        mine = {(index - turn) % design.people for turn in range(design.per_item)}
        own = [items for share, items in groups.items() if share % design.people in mine]
    else:
        own = _fewest(list(groups.values()), design.per_item, connection)
        if not own:
            raise InputError(f"every item has its {design.per_item} votes: nobody more is needed (--third decides)")
    shuffled = [own[place] for place in np.random.default_rng([design.seed, index]).permutation(len(own))]
    checks = [row.id for row in rows if row.kind == "check"]
    return _with_checks([item for group in shuffled for item in group], checks, design.check_every)


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
