"""A study: a folder that says what people are asked to do with which sets or runs, and its database."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from veridical.base.files import folder_lock, read_json, require_format, write_whole
from veridical.base.path_checks import STUDY as MANIFEST
from veridical.errors import InputError
from veridical.people.blinding import fill_study
from veridical.people.file_stamps import FileStamps
from veridical.people.store import ITEMS, PEOPLE, VOTES, StudyStore, file_database, served_database, utc_now
from veridical.people.tasks import identity_of, task_of
from veridical.records import Json
from veridical.suite.people_tasks import PeopleTask, StudyVote, TaskChoices

FORMAT = 1
DATABASE = "study.db"
MOST_PEOPLE = 1000


@dataclass(frozen=True, kw_only=True)
class StudyDesign:
    """What whoever starts a study chose, as `study.json` has it.

    `places` are the sets or runs with the identity that each had, `people` how many are asked, `per_item` how many of
    them each item. `check_every` and `break_every` are numbers of items (0: never), `consent` a text that people agree
    to first (none: "").
    """

    task: str
    suite: str
    places: Sequence[Mapping[str, str]]
    items: int | None = None
    seed: int = 0
    stage: str | None = None
    settings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    people: int = 1
    per_item: int = 1
    check_every: int = 0
    break_every: int = 0
    consent: str = ""
    title: str = ""

    @property
    def choices(self) -> TaskChoices:
        return TaskChoices(self.items, self.seed, self.stage, self.settings)

    @property
    def paths(self) -> list[Path]:
        return [Path(each["path"]) for each in self.places]


class LastVote(NamedTuple):
    """What one person stated last about one item, with what is hidden of the item and what is known of the person."""

    person: str
    third: bool
    item: str
    kind: str
    hidden: Mapping[str, Json]
    answer: Mapping[str, Json]
    seconds: float | None
    at: str


@dataclass(frozen=True, repr=False)
class Study:
    """A study on disk: its folder, its design, and its database. `secret` blinds the names of its items and media."""

    folder: Path
    design: StudyDesign
    store: StudyStore
    secret: str
    _same: FileStamps[bool] = field(default_factory=FileStamps, compare=False)

    def __repr__(self) -> str:
        return f"<Study {self.design.task} of {self.design.suite}: {self.folder}>"

    @property
    def task(self) -> PeopleTask:
        return task_of(self.design.suite, self.design.task)

    @property
    def dashboard_token(self) -> str:
        """What the address of the dashboard ends in; only who can read the study's folder can know it."""
        return sha256(f"{self.secret}/dashboard".encode()).hexdigest()[:24]

    def changed(self) -> str | None:
        """A sentence where a set or run is no longer what the study was made from; `None` where all are.

        A place is read again only when one of its files was written since.
        """
        for place in self.design.places:
            path, identity = Path(place["path"]), place["identity"]
            try:
                same = self._same.result(path, partial(_has_identity, path, identity))
            except InputError as error:
                return f"{error}"
            if not same:
                return f"{path} has changed since the study was made: restore it, or make a new study"
        return None

    def last_votes(self) -> list[LastVote]:
        """The last vote of each person about each item, practice and checks as well, in the order of the items."""
        latest = sa.select(
            VOTES, sa.func.max(VOTES.c.revision).over(partition_by=(VOTES.c.person, VOTES.c.item)).label("last")
        ).subquery()
        columns = (PEOPLE.c.third, latest.c.item, latest.c.answer, latest.c.seconds, latest.c.at)
        chosen = (
            sa.select(latest.c.person, *columns)
            .join(ITEMS, ITEMS.c.id == latest.c.item)
            .join(PEOPLE, PEOPLE.c.name == latest.c.person)
            .where(latest.c.revision == latest.c.last)
            .order_by(ITEMS.c.place, latest.c.person)
        )
        with self.store.reading() as connection:
            # What is hidden of an item is decoded once, not for each of its votes.
            items = {row.id: row for row in connection.execute(sa.select(ITEMS.c.id, ITEMS.c.kind, ITEMS.c.hidden))}
            return [
                LastVote(person, third, item, items[item].kind, items[item].hidden, *rest)
                for person, third, item, *rest in connection.execute(chosen)
            ]

    def votes(self) -> list[StudyVote]:
        """The last vote of each person about each item that counts, in the order of the items."""
        return [
            StudyVote(
                vote.hidden["id"], vote.person, vote.answer, vote.seconds, vote.at, vote.hidden["key"], vote.third
            )
            for vote in self.last_votes()
            if vote.kind == "item"
        ]

    def audit(self) -> Iterator[dict[str, Json]]:
        """Every vote that was ever stored, in order of time: who, what, when, and what stood there before."""
        chosen = (
            sa.select(VOTES, ITEMS.c.hidden, ITEMS.c.kind)
            .join(ITEMS, ITEMS.c.id == VOTES.c.item)
            .order_by(VOTES.c.at, VOTES.c.key)
        )
        before: dict[tuple[str, str], Json] = {}
        with self.store.reading() as connection:
            for row in connection.execute(chosen).mappings():
                about = row["person"], row["item"]
                yield {
                    "who": row["person"],
                    "what": row["hidden"]["id"],
                    "kind": row["kind"],
                    "when": row["at"],
                    "seconds": row["seconds"],
                    "answer": row["answer"],
                    "before": before.get(about),
                }
                before[about] = row["answer"]


def _has_identity(place: Path, identity: str) -> bool:
    return identity_of(place) == identity


def is_study(place: Path) -> bool:
    """Whether a folder holds a study."""
    return (place / MANIFEST).is_file()


def open_study(folder: Path, database: str | None = None) -> Study:
    """The study in a folder; raises `InputError` where there is none, or where its database is not there.

    A study whose database is not its own file needs the address each time: it may hold a password, so it is not kept.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise InputError(f"{folder} holds no study: `veridical people serve SET --out {folder}` makes one")
    manifest = read_json(path)
    require_format(folder, manifest, FORMAT, what="study", again="make it again in a new folder")
    own = manifest["database"] == DATABASE
    if own == (database is not None):
        advice = "leave out --database" if own else "name it with --database"
        raise InputError(f"{folder}: its votes are in {DATABASE if own else 'a database elsewhere'}: {advice}")
    if own and not (folder / DATABASE).is_file():
        raise InputError(f"{folder / DATABASE} cannot be read: No such file or directory")
    store = _store_of(folder, database)
    store.require(manifest["secret"])
    return Study(folder, StudyDesign(**manifest["design"]), store, manifest["secret"])


def _store_of(folder: Path, database: str | None) -> StudyStore:
    return StudyStore(file_database(folder / DATABASE) if database is None else served_database(database))


def make_study(folder: Path, design: StudyDesign, database: str | None = None) -> Study:
    """A new study in a folder: its items are made, blinded and put in order, once for all.

    Raises `InputError` for a folder that is not new or empty, numbers that are not allowed, a task without items, and
    a database that does not answer or holds a study; nothing is left behind then.
    """
    require_design(design)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is no new or empty folder: choose another, or go on with the study that is there")
    task = task_of(design.suite, design.task)
    design = replace(design, places=[{"path": str(p.resolve()), "identity": identity_of(p)} for p in design.paths])
    items = list(task.items(design.paths, design.choices))
    if not items:
        raise InputError(f"{', '.join(map(str, design.paths))}: nothing to do for the task '{design.task}'")
    with folder_lock(folder), _removed_on_failure(folder):
        study = Study(folder, design, _store_of(folder, database), secrets.token_hex(16))
        checks = len(items) // design.check_every if design.check_every else 0
        fill_study(study.store, study.secret, items, task.practice, design.seed, checks)
        stated = {"format": FORMAT, "design": asdict(design), "secret": study.secret, "made": utc_now()}
        stated["database"] = DATABASE if database is None else "elsewhere"
        write_whole(folder / MANIFEST, json.dumps(stated, indent=2, ensure_ascii=False).encode())
    return study


@contextmanager
def _removed_on_failure(folder: Path) -> Iterator[None]:
    """Removes the files of a database that was begun in a folder where its block fails."""
    try:
        yield
    except BaseException:
        for path in folder.glob(f"{DATABASE}*"):
            path.unlink()
        raise


def require_design(design: StudyDesign) -> None:
    """Raises `InputError` for numbers of a design that are not allowed."""
    for name, value, least, most in (
        ("people", design.people, 1, MOST_PEOPLE),
        ("per item", design.per_item, 1, design.people),
        ("check every", design.check_every, 0, None),
        ("break every", design.break_every, 0, None),
        ("items", 1 if design.items is None else design.items, 1, None),
    ):
        if value < least or (most is not None and value > most):
            allowed = f"{least} or more are" if most is None else f"{least} to {most} are"
            raise InputError(f"{name} {value}: {allowed} allowed")
