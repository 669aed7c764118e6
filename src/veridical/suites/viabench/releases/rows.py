"""A record of a release, normalized: question, options in their order, true option, category."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_uppercase

from veridical.records import Json
from veridical.suite.releases import SHOWN, TEXT, UnusableItemError, text_of, without_letters
from veridical.suites.viabench.options import CATEGORIES, CODES, Category
from veridical.suites.viabench.puzzles.puzzle import is_not_sure
from veridical.suites.viabench.releases.tables import ItemRecord

FAMILIES: dict[str, Category] = {f"release-{category}": category for category in CATEGORIES}
"""The family of the released items of each category."""
TITLES = {family: f"released items: {CATEGORIES[category]}" for family, category in FAMILIES.items()}
RELEASE = "release"
"""The level of `taken_from` for released items."""

_FILLING = {"and", "illusion", "illusions", "visual"}
_BY_CODE = {code.casefold(): category for category, code in CODES.items()}
_BY_WORDS: dict[str, Category] = {
    **{category: category for category in CATEGORIES},
    "anomaly": "anomalies",
    "geometric spatial": "geometric",
    "spatial geometric": "geometric",
    "geometrical spatial": "geometric",
    "geometrical": "geometric",
}


def category_of(text: str) -> Category | None:
    """The category that a release calls so, by its name or abbreviation in any case; `None` for another.

    >>> category_of("Geometric & Spatial Illusions (GSI)"), category_of("va"), category_of("memes")
    ('geometric', 'anomalies', None)
    """
    lowered = text.casefold().replace("colour", "color")
    code = re.search(r"\(\s*([a-z]{2,3})\s*\)", lowered)
    words = re.findall(r"[a-z]+", re.sub(r"\([^)]*\)", " ", lowered))
    name = " ".join(word for word in words if word not in _FILLING)
    if not name and set(words) in ({"visual", "illusion"}, {"visual", "illusions"}):
        name = "general"
    stated = {_BY_WORDS.get(name) or _BY_CODE.get(name), _BY_CODE.get(code[1]) if code else None} - {None}
    return stated.pop() if len(stated) == 1 else None


_MOST_OPTIONS = 10
RIGHTS = ("source", "license", "attribution")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseQuestion:
    """An item of a release without its picture; `label` is one of `options`, which stand in the release's order."""

    place: str
    index: str
    text: str
    options: tuple[str, ...]
    label: str
    category: Category
    capability: str | None
    rights: Mapping[str, str]

    @property
    def live(self) -> tuple[str, ...]:
        """The options that can be right: all but "Not Sure"."""
        return tuple(option for option in self.options if option == self.label or not is_not_sure(option))


def question_of(record: ItemRecord, index: str) -> ReleaseQuestion:
    """The question of a record; raises `UnusableItemError` for one whose true answer or category is not clear."""
    texts = {name: text_of(value, name) for name, value in record.cells.items() if name != "options"}
    if not texts["question"]:
        raise UnusableItemError("an empty question", "the question is empty")
    category = category_of(texts["category"])
    if category is None:
        known = ", ".join(CODES.values())
        raise UnusableItemError("an unknown category", f"category '{texts['category'][:SHOWN]}': {known} are known")
    options = {letter: texts[letter] for letter in ascii_uppercase if texts.get(letter)}
    options = options or _listed(record.cells.get("options"))
    _require_distinct(options)
    return ReleaseQuestion(
        place=record.place,
        index=index,
        text=texts["question"],
        options=tuple(options.values()),
        label=_label(texts["answer"], options),
        category=category,
        capability=texts.get("capability") or None,
        rights={name: texts[name] for name in RIGHTS if texts.get(name)},
    )


def _require_distinct(options: Mapping[str, str]) -> None:
    """Raises `UnusableItemError` for options, by the release's own letters, that are too many, too few or alike."""
    if len(options) > _MOST_OPTIONS:
        raise UnusableItemError("more than ten options", f"{len(options)} options: at most {_MOST_OPTIONS} are allowed")
    normal: dict[str, str] = {}
    for letter, text in options.items():
        alike = " ".join(text.split())
        first = normal.setdefault(alike, letter)
        if first != letter:
            raise UnusableItemError("two equal options", f"options {first} and {letter} are both '{alike[:SHOWN]}'")
    if sum(not is_not_sure(text) for text in options.values()) < 2:
        raise UnusableItemError("fewer than two options", "fewer than two options beside 'Not Sure'")


def _listed(value: Json) -> dict[str, str]:
    """Options that stand in one cell: a list, an object by letter, or either as JSON text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise UnusableItemError(TEXT, "options are no list") from None
    if isinstance(value, dict):
        pairs = [(str(key).strip().upper(), each) for key, each in value.items()]
    else:
        pairs = list(zip(ascii_uppercase, value, strict=False)) if isinstance(value, list) else []
    texts = {key: text_of(each, f"option {key}") for key, each in pairs if key in set(ascii_uppercase)}
    return without_letters({key: text for key, text in texts.items() if text})


def _label(answer: str, options: Mapping[str, str]) -> str:
    """The true option, by its letter (in brackets or not), or by its text."""
    stated = re.fullmatch(r"[(\[]?([A-Za-z])[)\].]?", answer)
    if stated and stated[1].upper() in options:
        return options[stated[1].upper()]
    if answer in options.values():
        return answer
    detail = f"answer '{answer[:SHOWN]}': {', '.join(options)}, or the text of an option, is needed"
    raise UnusableItemError("an answer that is not among the options", detail)
