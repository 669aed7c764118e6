"""What of an item people see, under names that tell nothing, and in which order items stand."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from veridical.base.files import os_errors
from veridical.errors import InputError
from veridical.media.clips.read import Clip
from veridical.people.store import ITEMS, MEDIA, StudyStore
from veridical.records import Json
from veridical.suite.people_tasks import FieldOption, FormField, MediumBlock, TaskItem, TextBlock

CHOICES = ("choice", "tree")
"""Kinds of fields of which one option is taken."""
_NAME = 20
_MEDIUM = {"image": "picture", "video": "clip"}


def is_blind(name: str) -> bool:
    """Whether a text could be the name that blinding gives; any other is nobody's."""
    return re.fullmatch(rf"[0-9a-f]{{{_NAME}}}", name) is not None


class Blinding:
    """Names that tell nothing, from a study's secret, and the media that they stand for."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self.media: dict[str, dict[str, str]] = {}
        self._clips: dict[str, dict[str, Json]] = {}

    def name(self, plain: str) -> str:
        return sha256(f"{self._secret}/{plain}".encode("utf-8", "surrogatepass")).hexdigest()[:_NAME]

    def shown(self, item: TaskItem) -> dict[str, Json]:
        """What the page gets of an item: nothing of its name, its key, its files' names, or what is right."""
        return {
            "blocks": [self._block(block) for block in item.blocks],
            "fields": [_field(each) for each in item.fields],
        }

    def _block(self, block: TextBlock | MediumBlock) -> dict[str, Json]:
        if isinstance(block, TextBlock):
            return {"kind": "text", "title": block.title, "text": block.text}
        medium, kind = block.medium, _MEDIUM[block.medium.kind]
        name = self._medium(block.path, kind)
        own = {"kind": kind, "medium": name, "width": medium.width, "height": medium.height}
        return (
            own
            if kind == "picture"
            else own | self._clips[name] | {"captions": [each._asdict() for each in block.captions]}
        )

    def _medium(self, path: Path, kind: str) -> str:
        name = self.name(str(path))
        if name not in self.media:
            with os_errors(path, "read"):
                content = path.read_bytes()
            digest = sha256(content).hexdigest()
            self.media[name] = {"name": name, "path": str(path.resolve()), "kind": kind, "sha256": digest}
            if kind == "clip":
                clip = Clip.open(content, path.name)
                times = [float(time) for time in clip.times]
                self._clips[name] = {"frames": clip.count, "times": times, "seconds": float(clip.span.duration)}
        return name


def _field(each: FormField) -> dict[str, Json]:
    stated: dict[str, Any] = {name: getattr(each, name) for name in FormField.__dataclass_fields__}
    options = [option._asdict() for option in each.options]
    return {**stated, "options": options, "names": list(each.names)}


def fill_study(
    store: StudyStore, secret: str, items: Sequence[TaskItem], practice: Sequence[TaskItem], seed: int, checks: int
) -> None:
    """Makes a study's tables and stores its items, all or none: practice, then items in random order, then checks.

    The order is balanced over strata. Raises `InputError` for two items of one name, for media that cannot be read,
    and for a database that holds a study.
    """
    twice = [name for name, count in Counter(item.id for item in (*practice, *items)).items() if count > 1]
    if twice:
        raise InputError(f"item '{twice[0]}' occurs twice: each needs a name of its own")
    blinding, shares = Blinding(secret), _shares(items)
    every = [
        *((item, "practice") for item in practice),
        *((item, "item") for item in balanced_order(items, np.random.default_rng(seed))),
        *((attention_check(number), "check") for number in range(checks)),
    ]
    rows = [
        {
            "id": blinding.name(f"{kind}/{item.id}"),
            "place": place,
            "kind": kind,
            "share": shares.get(item.group or item.id, 0),
            "shown": blinding.shown(item),
            "hidden": _hidden(item),
        }
        for place, (item, kind) in enumerate(every)
    ]
    with store.writing() as connection:
        store.create(secret, connection)
        store.insert(MEDIA, list(blinding.media.values()), connection)
        store.insert(ITEMS, json.loads(json.dumps(rows)), connection)


def _hidden(item: TaskItem) -> dict[str, Json]:
    choices: list[Json] = [each.name for each in item.fields if each.kind in CHOICES]
    group = item.group or item.id
    return {"id": item.id, "key": dict(item.key), "group": group, "right": dict(item.right), "choices": choices}


def balanced_order(items: Sequence[TaskItem], rng: np.random.Generator) -> Iterator[TaskItem]:
    """The items in random order, strata taking turns; those of one group stay together, in their own order."""
    groups: dict[str, list[TaskItem]] = {}
    for item in items:
        groups.setdefault(item.group or item.id, []).append(item)
    members = list(groups.values())
    strata: dict[Hashable, list[list[TaskItem]]] = {}
    for index in rng.permutation(len(members)):
        strata.setdefault(members[index][0].stratum, []).append(members[index])
    for turn in zip_longest(*strata.values()):
        for group in turn:
            yield from group or ()


def _shares(items: Sequence[TaskItem]) -> dict[str, int]:
    """A number for each group by which people share them; those of a stratum follow each other, so all get of each."""
    strata: dict[Hashable, dict[str, None]] = {}
    for item in items:
        strata.setdefault(item.stratum, {})[item.group or item.id] = None
    groups = dict.fromkeys(group for own in strata.values() for group in own)
    return {group: number for number, group in enumerate(groups)}


def attention_check(number: int) -> TaskItem:
    """An item that asks for a stated option, in a place that its number gives."""
    names = ("circle", "square", "triangle", "star")
    right = names[number % len(names)]
    text = f"This question checks that somebody is reading. Please choose “{right}”."
    options = [FieldOption(name, name) for name in names]
    return TaskItem(
        id=f"check-{number}",
        blocks=[TextBlock(text=text)],
        fields=[FormField(name="choice", kind="choice", options=options)],
        right={"choice": right},
    )
