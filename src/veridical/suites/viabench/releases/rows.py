"""A record of a release, normalized: question, options in their order, true option, category."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_uppercase

from veridical.records import Json
from veridical.stimulus_set.imported.write_import import NOT_OPENED
from veridical.suites.viabench.options import CATEGORIES, CODES, Category
from veridical.suites.viabench.puzzles.puzzle import is_not_sure
from veridical.suites.viabench.releases.tables import Record

NO_INDEX, SAME_INDEX = "no index", "an index that is repeated"
NO_QUESTION, CATEGORY = "an empty question", "an unknown category"
NO_ANSWER, ONE_OPTION = "an answer that is not among the options", "fewer than two options"
MANY_OPTIONS, EQUAL_OPTIONS = "more than ten options", "two equal options"
TEXT = "text that cannot be read"
MISSING, BROKEN = "a missing picture", NOT_OPENED
REPEATED, CONTRADICTED = "a repeated question about the same picture", "a repeated question with another answer"


class UnusableError(Exception):
    """An item that is left out: the kind of reason, and the reason in a line that names the place."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


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


def family_of(category: Category) -> str:
    """The family of the released items of a category.

    >>> family_of("color")
    'release-color'
    """
    return f"release-{category}"


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


MOST_OPTIONS = 10
RIGHTS = ("source", "license", "attribution")
_LONGEST, _LONGEST_INDEX, _SHOWN = 10_000, 100, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An item of a release without its picture; `label` is one of `options`, which stand in the release's order."""

    place: str
    index: str
    question: str
    options: tuple[str, ...]
    label: str
    category: Category
    capability: str | None
    rights: Mapping[str, str]

    @property
    def live(self) -> tuple[str, ...]:
        """The options that can be right: all but "Not Sure"."""
        return tuple(option for option in self.options if option == self.label or not is_not_sure(option))


def row_of(record: Record, index: str) -> Row:
    """The row of a record; raises `UnusableError` for one that cannot be asked or whose true answer is not clear."""
    place, cells = record.place, {name: value for name, value in record.cells.items() if name != "options"}
    texts = {name: text_of(value, name, place) for name, value in cells.items()}
    if not texts["question"]:
        raise UnusableError(NO_QUESTION, f"{place}: the question is empty")
    category = category_of(texts["category"])
    if category is None:
        known = ", ".join(CODES.values())
        raise UnusableError(CATEGORY, f"{place}: category '{texts['category'][:_SHOWN]}': {known} are known")
    options = _options(record, texts)
    label = _label(texts["answer"], options, place)
    return Row(
        place=place,
        index=index,
        question=texts["question"],
        options=tuple(options.values()),
        label=label,
        category=category,
        capability=texts.get("capability") or None,
        rights={name: texts[name] for name in RIGHTS if texts.get(name)},
    )


def index_of(record: Record, number: int) -> str:
    """The index of a record, or `number` in a table that has none; raises `UnusableError` for one that is no name."""
    if not record.indexed:
        return str(number)
    text = text_of(record.cells["index"], "index", record.place)
    if not text or len(text) > _LONGEST_INDEX or not text.isprintable() or set("/?&") & set(text):
        allowed = f"1 to {_LONGEST_INDEX} characters without / ? & are allowed"
        raise UnusableError(NO_INDEX, f"{record.place}: index {text[:_SHOWN]!r}: {allowed}")
    return text


def text_of(value: Json, what: str, place: str) -> str:
    """The text of a cell, stripped: "" for an empty one, numbers as they are written.

    >>> text_of(4.0, "A", "row 1"), text_of(None, "B", "row 1"), text_of(" six ", "C", "row 1")
    ('4', '', 'six')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, str | int | float):
        raise UnusableError(TEXT, f"{place}: {what} is no text")
    text = str(value).strip()
    if len(text) > _LONGEST:
        raise UnusableError(TEXT, f"{place}: {what} has {len(text):,} characters: at most {_LONGEST:,} are read")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UnusableError(TEXT, f"{place}: {what} holds half of a character") from None
    return text


def _options(record: Record, texts: Mapping[str, str]) -> dict[str, str]:
    """The options by the release's own letters."""
    place = record.place
    options = {letter: texts[letter] for letter in ascii_uppercase if texts.get(letter)}
    options = options or _listed(record.cells.get("options"), place)
    if len(options) > MOST_OPTIONS:
        raise UnusableError(MANY_OPTIONS, f"{place}: {len(options)} options: at most {MOST_OPTIONS} are allowed")
    normal: dict[str, str] = {}
    for letter, text in options.items():
        alike = " ".join(text.split())
        if alike in normal:
            raise UnusableError(
                EQUAL_OPTIONS, f"{place}: options {normal[alike]} and {letter} are both '{alike[:_SHOWN]}'"
            )
        normal[alike] = letter
    if sum(not is_not_sure(text) for text in options.values()) < 2:
        raise UnusableError(ONE_OPTION, f"{place}: fewer than two options beside 'Not Sure'")
    return options


def _listed(value: Json, place: str) -> dict[str, str]:
    """Options that stand in one cell: a list, an object by letter, or either as JSON text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise UnusableError(TEXT, f"{place}: options are no list") from None
    if isinstance(value, dict):
        pairs = [(str(key).strip().upper(), each) for key, each in value.items()]
    else:
        pairs = list(zip(ascii_uppercase, value, strict=False)) if isinstance(value, list) else []
    texts = {key: text_of(each, f"option {key}", place) for key, each in pairs if key in set(ascii_uppercase)}
    options = {key: text for key, text in texts.items() if text}
    lettered = {key: re.fullmatch(rf"\(?{key}[.):]\s*(.+)", text, re.DOTALL) for key, text in options.items()}
    if options and all(lettered.values()):
        return {key: match[1] for key, match in lettered.items() if match}
    return options


def _label(answer: str, options: Mapping[str, str], place: str) -> str:
    """The true option, by its letter (in brackets or not), or by its text."""
    stated = re.fullmatch(r"[(\[]?([A-Za-z])[)\].]?", answer)
    if stated and stated[1].upper() in options:
        return options[stated[1].upper()]
    if answer in options.values():
        return answer
    raise UnusableError(
        NO_ANSWER, f"{place}: answer '{answer[:_SHOWN]}': {', '.join(options)}, or the text of an option, is needed"
    )
