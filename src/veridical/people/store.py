"""The database of a study: items, people, who is asked what, and every vote that was ever given.

One SQLite file, or a PostgreSQL database. A vote is never changed: another of the same person about the same item is a
revision, and the highest counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, OperationalError

from veridical.errors import InputError
from veridical.records import Json

METADATA = sa.MetaData()
ITEMS = sa.Table(
    "items",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("place", sa.Integer, nullable=False, unique=True),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("shown", sa.JSON, nullable=False),
    sa.Column("hidden", sa.JSON, nullable=False),
)
"""`kind` is item, practice or check; `shown` goes to the page, `hidden` (name, key, right answers) never does."""
MEDIA = sa.Table(
    "media",
    METADATA,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
)
"""`sha256` is of the file's bytes when the study was made."""
PEOPLE = sa.Table(
    "people",
    METADATA,
    sa.Column("name", sa.String(16), primary_key=True),
    sa.Column("token_sha256", sa.String(64), nullable=False, unique=True),
    sa.Column("third", sa.Boolean, nullable=False, default=False),
    sa.Column("invited", sa.String(32), nullable=False),
    sa.Column("consented", sa.String(32)),
    sa.Column("revoked", sa.String(32)),
)
QUEUE = sa.Table(
    "queue",
    METADATA,
    sa.Column("person", sa.String(16), sa.ForeignKey("people.name"), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("item", sa.String(32), sa.ForeignKey("items.id"), nullable=False),
    sa.Column("done", sa.Boolean, nullable=False, default=False),
    sa.UniqueConstraint("person", "item"),
    sa.Index("queue_next", "person", "done", "place"),
)
"""In which order each person is asked."""
VOTES = sa.Table(
    "votes",
    METADATA,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(16), sa.ForeignKey("people.name"), nullable=False),
    sa.Column("item", sa.String(32), sa.ForeignKey("items.id"), nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("answer", sa.JSON, nullable=False),
    sa.Column("seconds", sa.Float),
    sa.Column("at", sa.String(32), nullable=False),
    sa.UniqueConstraint("person", "item", "revision"),
    sa.Index("votes_item", "item"),
)
"""`key` is made by the page, so that a vote that is sent twice is stored once."""

_BATCH = 5_000


class Vote(NamedTuple):
    """A vote as it arrives."""

    key: str
    person: str
    item: str
    revision: int
    answer: Json
    seconds: float | None


class StudyStore:
    """The database of one study."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        with _available(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """One transaction: all of it is stored, or nothing."""
        with _available(), self.engine.begin() as connection:
            yield connection

    def create(self) -> None:
        with _available():
            METADATA.create_all(self.engine)

    def insert(self, table: sa.Table, rows: Sequence[dict[str, Any]], connection: sa.Connection) -> None:
        for start in range(0, len(rows), _BATCH):
            connection.execute(table.insert(), list(rows[start : start + _BATCH]))

    def close(self) -> None:
        self.engine.dispose()

    def put(self, vote: Vote) -> str:
        """Stores a vote: "stored", "known" for one that was sent before, or "overtaken" by another of this person."""
        try:
            with self.writing() as connection:
                connection.execute(VOTES.insert(), [{**vote._asdict(), "at": now()}])
                own = (QUEUE.c.person == vote.person) & (QUEUE.c.item == vote.item)
                connection.execute(QUEUE.update().where(own).values(done=True))
        except IntegrityError:
            with self.reading() as connection:
                known = connection.execute(sa.select(VOTES.c.key).where(VOTES.c.key == vote.key)).first()
            return "known" if known else "overtaken"
        return "stored"


def now() -> str:
    """The time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _engine(url: str) -> sa.Engine:
    try:
        engine = sa.create_engine(url, pool_pre_ping=True)
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError) as error:
        raise InputError(f"--database: {str(error).splitlines()[0]}; such as postgresql+psycopg://HOST/NAME") from None
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _sqlite_pragmas)
    return engine


def _sqlite_pragmas(connection: Any, _: object) -> None:  # noqa: ANN401 (of the driver)
    for line in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=20000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {line}")


class AwayError(Exception):
    """The database does not answer."""


@contextmanager
def _available() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        raise AwayError(str(error.orig).splitlines()[0]) from error
