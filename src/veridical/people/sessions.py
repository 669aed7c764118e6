"""What a person of a study is shown next, and what becomes of a vote; no web here."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from veridical.errors import InputError
from veridical.people.decisions import add_disputed
from veridical.people.form_checks import checked_answer
from veridical.people.invitations import Person
from veridical.people.store import ITEMS, PEOPLE, QUEUE, VOTES, Vote, utc_now
from veridical.people.study import Study
from veridical.records import Json

Screen = dict[str, Json]


def screen_of(study: Study, person: Person) -> Screen:
    """The screen that a person is at: `state` is consent, item or done; `done` of `total` items are answered.

    An item comes with `id`, `kind`, `blocks`, `fields`, the `revision` of the next vote about it, and in `then` the
    names and kinds of the media of the item after it, for the page to load in advance. `previous` is the item that
    was answered last. A third is given more as it arises.
    """
    if person.third:
        add_disputed(study, person.name)
    with study.store.reading() as connection:
        counted = sa.select(sa.func.count(), sa.func.count().filter(QUEUE.c.done)).where(QUEUE.c.person == person.name)
        total, done = connection.execute(counted).one()
        screen: Screen = {"total": total, "done": done, "break_every": study.design.break_every}
        if study.design.consent and person.consented is None:
            return {**screen, "state": "consent", "consent": study.design.consent}
        ahead = (
            sa.select(ITEMS.c.id, ITEMS.c.kind, ITEMS.c.shown)
            .join(QUEUE, QUEUE.c.item == ITEMS.c.id)
            .where(QUEUE.c.person == person.name, ~QUEUE.c.done)
            .order_by(QUEUE.c.place)
            .limit(2)
        )
        rows = connection.execute(ahead).all()
        screen["previous"] = connection.execute(
            sa.select(QUEUE.c.item)
            .where(QUEUE.c.person == person.name, QUEUE.c.done)
            .order_by(QUEUE.c.place.desc())
            .limit(1)
        ).scalar()
    if not rows:
        return {**screen, "state": "done"}
    first, *after = rows
    media = [block for row in after for block in row.shown["blocks"] if "medium" in block]
    then = [{"medium": block["medium"], "kind": block["kind"]} for block in media]
    return {**screen, "state": "item", "then": then, "revision": 0, **_item(first)}


def earlier_screen(study: Study, person: Person, item: str) -> Screen:
    """An item that a person has answered, with their own last answer, to be looked at again.

    Raises `InputError` for an item that they have not answered.
    """
    with study.store.reading() as connection:
        own = (VOTES.c.person == person.name) & (VOTES.c.item == item)
        last = connection.execute(sa.select(VOTES).where(own).order_by(VOTES.c.revision.desc()).limit(1)).first()
        row = connection.execute(sa.select(ITEMS.c.id, ITEMS.c.kind, ITEMS.c.shown).where(ITEMS.c.id == item)).first()
        if last is None or row is None:
            raise InputError("You have not answered this question yet.")
        place = sa.select(QUEUE.c.place).where(QUEUE.c.person == person.name, QUEUE.c.item == item).scalar_subquery()
        before = connection.execute(
            sa.select(QUEUE.c.item)
            .where(QUEUE.c.person == person.name, QUEUE.c.done, QUEUE.c.place < place)
            .order_by(QUEUE.c.place.desc())
            .limit(1)
        ).scalar()
    again = {"answer": last.answer, "revision": last.revision + 1, "previous": before, "again": True}
    return {**screen_of(study, person), "state": "item", **_item(row), **again}


def _item(row: Any) -> Screen:  # noqa: ANN401 (a row of the database)
    kind = "item" if row.kind == "check" else row.kind  # nobody is to know a check by anything but reading it
    return {"id": row.id, "kind": kind, "blocks": row.shown["blocks"], "fields": row.shown["fields"]}


def consent(study: Study, person: Person) -> None:
    """Notes that a person agrees to the study's text."""
    with study.store.writing() as connection:
        own = (PEOPLE.c.name == person.name) & PEOPLE.c.consented.is_(None)
        connection.execute(PEOPLE.update().where(own).values(consented=utc_now()))


def store_vote(study: Study, person: Person, vote: Vote) -> Screen:
    """Stores a vote; `stored` is what became of it, `right` the answers of a practice item, `reason` why not.

    Raises `InputError` for an item that the person is not asked, for an answer that its fields do not allow, and before
    the person agreed to the study's text.
    """
    if study.design.consent and person.consented is None:
        raise InputError("Please agree to the text of this study first.")
    with study.store.reading() as connection:
        row = connection.execute(
            sa.select(ITEMS)
            .join(QUEUE, QUEUE.c.item == ITEMS.c.id)
            .where(QUEUE.c.person == person.name, ITEMS.c.id == vote.item)
        ).first()
    if row is None:
        raise InputError("This question is not one of yours.")
    answer = checked_answer(row.shown, vote.answer)
    became = study.store.put(vote._replace(answer=answer))
    screen: Screen = {"stored": became}
    if row.kind == "practice":
        screen["right"] = row.hidden["right"]
    return screen
