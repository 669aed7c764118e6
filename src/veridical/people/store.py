"""The database of a study: items, people, who is asked what, and every vote that was ever given.

One SQLite file, or a PostgreSQL database. A vote is never changed: another of the same person about the same item is a
revision, and the highest counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError

from veridical.base.requirements import extra_needed
from veridical.errors import InputError
from veridical.records import Json

METADATA = sa.MetaData()
STUDY = sa.Table("study", METADATA, sa.Column("digest", sa.String(64), primary_key=True))
"""One row: the hash of the study's secret, so that a folder is never opened with the database of another."""
ITEMS = sa.Table(
    "items",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("place", sa.Integer, nullable=False, unique=True),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("share", sa.Integer, nullable=False),
    sa.Column("shown", sa.JSON, nullable=False),
    sa.Column("hidden", sa.JSON, nullable=False),
)
"""`kind` is item, practice or check, `share` the number of the group by which people share the items; `shown` goes to
the page, `hidden` (name, key, right answers) never does."""
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
_CONNECTIONS = 40
"""As many as the server has threads."""
_SECONDS = 5
"""So long a database may take to answer a first call."""


class Vote(NamedTuple):
    """A vote as it arrives."""

    key: str
    person: str
    item: str
    revision: int
    answer: Json
    seconds: float | None


class StudyStore:
    """The database of one study: the SQLite file of a folder, or a PostgreSQL database by its address."""

    def __init__(self, url: sa.URL) -> None:
        self.engine = _engine(url)
        # SQLite lets one write at a time, and who waits for its lock polls: threads take turns before.
        self._turn = Lock() if self.engine.dialect.name == "sqlite" else nullcontext()

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        with _available(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """One transaction: all of it is stored, or nothing."""
        with self._turn, _available(), self.engine.begin() as connection:
            yield connection

    def create(self, secret: str, connection: sa.Connection) -> None:
        """Makes the tables for the study with this secret; raises `InputError` where the database has a study."""
        if sa.inspect(connection).has_table(ITEMS.name):
            raise InputError("--database: it holds a study already: name an empty database")
        METADATA.create_all(connection)
        connection.execute(STUDY.insert(), [{"digest": _digest(secret)}])

    def require(self, secret: str) -> None:
        """Raises `InputError` for a database that is not that of the study with this secret."""
        with self.reading() as connection:
            known = sa.inspect(connection).has_table(STUDY.name)
            digest = connection.execute(sa.select(STUDY.c.digest)).scalar() if known else None
        if digest != _digest(secret):
            raise InputError("the database is not that of this study: name the one it was made with by --database")

    def insert(self, table: sa.Table, rows: Sequence[dict[str, Any]], connection: sa.Connection) -> None:
        for start in range(0, len(rows), _BATCH):
            connection.execute(table.insert(), list(rows[start : start + _BATCH]))

    def close(self) -> None:
        self.engine.dispose()

    def put(self, vote: Vote) -> str:
        """Stores a vote: "stored", "known" for one that was sent before, or "overtaken" by another of this person.

        Raises `InputError` for a key that was used for another item or by another person.
        """
        try:
            with self.writing() as connection:
                connection.execute(VOTES.insert(), [{**vote._asdict(), "at": utc_now()}])
                own = (QUEUE.c.person == vote.person) & (QUEUE.c.item == vote.item)
                connection.execute(QUEUE.update().where(own).values(done=True))
        except IntegrityError:
            about = sa.select(VOTES.c.person, VOTES.c.item).where(VOTES.c.key == vote.key)
            with self.reading() as connection:
                earlier = connection.execute(about).first()
            if earlier is None:
                return "overtaken"
            if tuple(earlier) != (vote.person, vote.item):
                raise InputError("This key belongs to another answer: load the page again.") from None
            return "known"
        return "stored"


def utc_now() -> str:
    """The time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def file_database(path: Path) -> sa.URL:
    """The address of the SQLite database in a file."""
    return sa.URL.create("sqlite", database=str(path.resolve()))


def served_database(address: str) -> sa.URL:
    """The address of a PostgreSQL database; raises `InputError`, which does not repeat it, for any other.

    It may hold a password: that is neither kept nor printed.
    """
    try:
        url = sa.make_url(address)
        if url.get_backend_name() == "postgresql":
            return url.set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError):
        pass
    raise InputError("--database: postgresql+psycopg://USER@HOST:PORT/NAME is allowed")


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _engine(url: sa.URL) -> sa.Engine:
    if url.get_backend_name() == "sqlite":
        engine = sa.create_engine(url, pool_size=_CONNECTIONS)
        sa.event.listen(engine, "connect", _sqlite_pragmas)
        return engine
    seconds = {"connect_timeout": _SECONDS}
    with extra_needed("postgres", "--database"):
        return sa.create_engine(url, pool_pre_ping=True, pool_size=_CONNECTIONS, connect_args=seconds)


def _sqlite_pragmas(connection: Any, _: object) -> None:  # noqa: ANN401 (of the driver)
    for line in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=20000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {line}")


class AwayError(InputError):
    """The database does not answer."""


@contextmanager
def _available() -> Iterator[None]:
    try:
        yield
    except IntegrityError:
        raise
    except (DBAPIError, sa.exc.TimeoutError) as error:
        reason = str(getattr(error, "orig", None) or error).partition("\n")[0]
        raise AwayError(f"the database does not answer: {reason}") from error
