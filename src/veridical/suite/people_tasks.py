"""What people are asked to do in an app: items of a task, each one screen, and how what they say comes back.

A suite's part `people` maps names to tasks; the app shows their blocks and fields and knows no suite.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from veridical.records import Json, Medium

FieldKind = Literal["choice", "codes", "tree", "number", "text", "intervals", "boxes"]


class FieldOption(NamedTuple):
    """An option of a field: the value that is stored, what people read, a longer help, and the branch of a tree."""

    value: str
    title: str
    help: str = ""
    branch: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FormField:
    """One thing that a person states about an item.

    `choice` and `tree` take one option, `codes` any number of them; `number` is from `low` to `high` in steps of
    `step`; `text` may begin with a `value` to correct; `intervals` are up to `most` pairs of seconds on the item's
    clip; `boxes` are, for each of `names`, [left, top, right, bottom] as shares of the width and height on the item's
    picture, or on frames of its clip, by frame. `value` is what stands there at first. A field that is not `required`
    may stay empty. With `when`, a field is asked only where another has one of these values. `options` are chosen by
    the keys 1 to 9, or by the letter that each begins with where that is unique.
    """

    name: str
    kind: FieldKind
    title: str = ""
    options: Sequence[FieldOption] = ()
    value: Json = None
    required: bool = True
    low: float | None = None
    high: float | None = None
    step: float | None = None
    unit: str = ""
    most: int = 1
    names: Sequence[str] = ()
    when: tuple[str, Sequence[str]] | None = None


class Caption(NamedTuple):
    """Words over a clip, from and to a second."""

    start: float
    end: float
    text: str


@dataclass(frozen=True, kw_only=True)
class TextBlock:
    """A paragraph of an item's screen; `title` stands over it. Its line breaks are kept."""

    text: str
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class MediumBlock:
    """A picture or clip of an item's screen, its file on disk, and the words that are spoken over it.

    A clip on which times or boxes are marked is shown by its frames.
    """

    medium: Medium
    path: Path
    captions: Sequence[Caption] = ()


@dataclass(frozen=True, kw_only=True)
class TaskItem:
    """One screen of a task.

    `id` is its name in the library, and `key` what it is about there: people see neither. `stratum` is what the order
    is balanced over; items of one `group` stay together in their order. Of an item with `right` answers by field,
    people are told after their own (see `PeopleTask.practice`).
    """

    id: str
    blocks: Sequence[TextBlock | MediumBlock]
    fields: Sequence[FormField]
    key: Mapping[str, Json] = field(default_factory=dict)
    stratum: Hashable = None
    group: str | None = None
    right: Mapping[str, Json] = field(default_factory=dict)


class TaskChoices(NamedTuple):
    """What whoever starts a study chose: how many items (default: all), by which seed, and the levels of settings."""

    items: int | None = None
    seed: int = 0
    stage: str | None = None
    settings: Mapping[str, str | Sequence[str]] = {}


class StudyVote(NamedTuple):
    """What one person stated last about one item; `key` is the item's, `answer` by field, `at` an ISO time in UTC.

    A `third` is asked where others differ.
    """

    item: str
    person: str
    answer: Mapping[str, Json]
    seconds: float | None
    at: str
    key: Mapping[str, Json]
    third: bool = False


class ReadVotes(NamedTuple):
    """What the votes of a study became: where it was written, and lines that say what."""

    place: Path
    lines: Sequence[str]
    facts: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True, repr=False)
class PeopleTask:
    """Something that people do with the items of sets or runs.

    `items` makes them from places on disk, `practice` those that come first, whose right answers are shown afterwards
    and which count nowhere. `read` brings votes back: from the places, the votes, a place to write to (or none, where
    it goes into the run), and the levels of `TaskChoices`. `sheet` are the rows of votes, with names of its columns, as
    the suite's own readers of tables take them. `agreed` names the fields whose agreement is shown, "nominal" or
    "interval".
    """

    title: str
    help: str
    instructions: str
    items: Callable[[Sequence[Path], TaskChoices], Iterable[TaskItem]]
    read: Callable[[Sequence[Path], Sequence[StudyVote], Path | None, TaskChoices], ReadVotes]
    practice: Sequence[TaskItem] = ()
    sheet: Callable[[Sequence[StudyVote]], Sequence[Mapping[str, Any]]] | None = None
    agreed: Mapping[str, Literal["nominal", "interval"]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<PeopleTask: {self.title}>"
