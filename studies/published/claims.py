"""The tables of claims: what each paper says, in its words, and the relation of printed cells that it asserts.

One TOML file per paper: `lists` (literal lists of labels), `define` (expressions computed where they are used), and
`claim`, one table per claim. A claim has one relation or several (`also`); a relation is repeated for `each` label.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from veridical.errors import InputError

Operator = Literal[
    "equals", "mean", "difference", "ratio", "rank", "copy", "whole", "part", "count", "all", "order", "correlation",
    "interval",
]  # fmt: skip
Certainty = Literal["certain", "depends on reading", "judgment of ours"]
Consequence = Literal[1, 2, 3, 4]
"""What depends on a number: 1 a main result, 2 another conclusion, 3 a quoted figure, 4 a cell or a label."""

LONGEST_QUOTE = 25
"""Words of a quote, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """What must hold between cells: the stated number and what the cells give, by each way to read the sentence.

    The first of `readings` is the plain one. `by_n` is a test of ours by the number of items behind the cells. `each`
    has the labels to repeat the relation for, `when` leaves some out, `subject` names one.
    """

    operator: Operator
    readings: Mapping[str, str]
    stated: str = ""
    each: Mapping[str, str | list[Any]] = field(default_factory=dict)
    when: str = ""
    let: Mapping[str, str] = field(default_factory=dict)
    subject: str = ""
    by_n: str = ""
    tolerance: str = ""
    scale: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement of a paper: a verbatim quote with its place, its relations, and what can be said of a failure.

    `cause` (a guess at the cause) and `doubt` (what is debatable in the check) are templates: `{expression}` is filled
    from the cells, `{expression:2}` with two decimals. `lesson` names what to take from it,
    `answer` is that of the authors, where they gave one.
    """

    id: str
    paper: str
    place: str
    quote: str
    compares: str
    consequence: Consequence
    certainty: Certainty
    relations: tuple[Relation, ...]
    cause: str = ""
    doubt: str = ""
    lesson: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A paper's claims in the order of the file, and the names that their expressions share."""

    paper: str
    lists: Mapping[str, Any]
    define: Mapping[str, str]
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """The reference of a paper: what of it was read, and when. A part that the text does not state says so."""

    name: str
    title: str
    full_title: str
    authors: str
    arxiv: str
    version: str
    read: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What to take from claims that fail in one way, and what this library does instead."""

    name: str
    lesson: str
    instead: str


@cache
def source(paper: str) -> Source:
    """The claims of a paper. Raises `InputError` where its file has an unknown key, or a quote is too long."""
    content = _file(f"{paper}/claims")
    claims = tuple(_claim(paper, dict(each)) for each in content.get("claim", []))
    return Source(paper=paper, lists=content.get("lists", {}), define=content.get("define", {}), claims=claims)


@cache
def papers() -> Mapping[str, Paper]:
    """The papers by name, in the order of the page.

    >>> papers()["viprobe"].arxiv
    '2601.22150'
    """
    return {name: Paper(name=name, **entry) for name, entry in _file("papers")["paper"].items()}


@cache
def lessons() -> Mapping[str, Lesson]:
    """The lessons by name, in the order of the page."""
    return {name: Lesson(name=name, **entry) for name, entry in _file("papers")["lesson"].items()}


def _claim(paper: str, entry: dict[str, Any]) -> Claim:
    also = entry.pop("also", [])
    own = {key: entry.pop(key) for key in list(entry) if key in _RELATION or key == "gives"}
    claim_id = entry.get("id", "a claim without id")
    try:
        relations = tuple(_relation(_merged(own, more)) for more in ({}, *also))
        claim = Claim(paper=paper, relations=relations, **entry)
    except (TypeError, ValueError) as error:
        raise InputError(f"{paper}, {claim_id}: {error}") from None
    if len(claim.quote.split()) > LONGEST_QUOTE:
        raise InputError(f"{paper}, {claim_id}: a quote of {len(claim.quote.split())} words; allowed: {LONGEST_QUOTE}")
    if claim.certainty not in get_args(Certainty):
        raise InputError(f"{paper}, {claim_id}: certainty '{claim.certainty}'; known: {', '.join(get_args(Certainty))}")
    return claim


def _merged(own: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a claim's further relation: its own, and else those of the first one."""
    merged = {**own, **more}
    for one, other in (("gives", "readings"), ("readings", "gives")):
        if one in more:
            merged.pop(other, None)
    return merged


def _relation(entry: Mapping[str, Any]) -> Relation:
    content = dict(entry)
    if "gives" in content:
        content["readings"] = {"": content.pop("gives")}
    if content["operator"] not in get_args(Operator):
        raise ValueError(f"operator '{content['operator']}'; known: {', '.join(get_args(Operator))}")
    return Relation(**content)


def _file(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files("studies.published") / "data" / f"{name}.toml").read_text("utf-8"))


_RELATION: Sequence[str] = [each.name for each in fields(Relation)]
