"""Sets of sub-types, by letter or by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from veridical.answers import Marks, Read, Reader, last_object
from veridical.answers.dressing import folded, undressed
from veridical.answers.settle import NOTHING, read_by_rule
from veridical.answers.thinking import spoken
from veridical.records import Json, Trial
from veridical.suites.hocabench.taxonomy import SUB_TYPES

NONE = "none"
_LAST = re.compile(r"\banswer(?: is)?\W{0,4}[:=]\s{0,9}", re.IGNORECASE)
_JOINED = re.compile(r"\s{0,2}(?:[.):\]]\s{0,2}|[-\u2013\u2014=]\s{0,2}|\s)?[(\[]?\s{0,2}")
_NONE = re.compile(
    r"\W{0,5}(?:none(?: of (?:them|these|the above|the kinds))?|no (?:anomal(?:y|ies)|kinds?)|keine|aucune|ninguna"
    r"|\[\s{0,2}\])\W{0,5}",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^[ \t]*(?:[-*\u2022+][ \t]+|[0-9]{1,2}[.)][ \t]+)", re.MULTILINE)
_LEAD = re.compile(
    r"\W{0,3}(?:(?:the|these|all) )?"
    r"(?:(?:correct |right |occurring )?(?:anomal(?:y|ies)|kinds?|sub-?types?|violations?|options?|letters?|answers?)\b"
    r"[^.:,\n]{0,40}?(?:\b(?:are|is|include)\b|:)"
    r"|(?:clip|video) (?:shows|has|contains)|i (?:think|see|notice|would say))\s{1,3}",
    re.IGNORECASE,
)
_SMALL_LETTERS = re.compile(r"[\W_]*[a-z](?:(?:[\W_]|\b(?:and|und|et|y)\b)+[a-z])*[\W_]*")
_RUN = re.compile(r"\W*(?P<letters>[A-Z]{2,6})\W*")
_DRESSED = str.maketrans("", "", "*`_\"'")


class _Token(NamedTuple):
    kind: str
    name: str
    start: int
    end: int


@lru_cache(maxsize=8)
def _tokens(names: tuple[str, ...]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """The pattern of everything that may stand in an answer, and the names by what they are called."""
    called: dict[str, str] = {}
    for name in names:
        own = SUB_TYPES[name]
        for each in (own.title, name.replace("_", " "), name.replace("_", ""), *own.aliases):
            called[each.casefold()] = name
    titles = "|".join(re.escape(each) for each in sorted(called, key=len, reverse=True))
    last = chr(ord("A") + len(names) - 1)
    pattern = (
        rf"(?P<title>\b(?:{titles})\b)(?:\s(?:anomal(?:y|ies)|violations?)\b)?"
        rf"|(?P<letter>(?-i:(?<![A-Za-z])[A-{last}](?![A-Za-z])))"
        r"|(?P<either>\b(?:or|oder|ou|o)\b)"
        r"|(?P<small>\b(?:and|und|et|y|e|both|only|the|options?|letters?|appl(?:y|ies)|occurs?|are|present)\b|[和与及、]|[^\w]+|_+)"
    )
    return re.compile(pattern, re.IGNORECASE), called


def read_set(text: str, names: tuple[str, ...]) -> Read:
    """The sub-types that a reply answers with, as "collision,gravity": sorted, or the reason why none can be read.

    They stand where an answer is stated: by letter ("A" for the first of `names`), by title or by name, also in a list
    or in the JSON object `{"sub_types": […]}`. A letter beside another title, a choice, and other words among them are
    not resolved. "none" is an answer, too.

    >>> names = ("gravity", "collision", "mass_volume")
    >>> read_set("Answer: A, C", names).answer, read_set("Mass and volume; Gravity", names).answer
    ('gravity,mass_volume', 'gravity,mass_volume')
    >>> read_set("Answer: A. Collision", names).reason
    'the letter A stands beside the title of B'
    """
    heard = spoken(text)
    last = last_object(heard) if '"sub_types"' in heard else None
    if last is not None and isinstance(last.value.get("sub_types"), list):
        return _listed(", ".join(str(each) for each in last.value["sub_types"]) or NONE, names, alone=False)
    plain = undressed(folded(heard))
    stated = list(_LAST.finditer(plain))
    if stated and "\n" in plain[stated[-1].end() :].strip():
        read = _listed(plain[stated[-1].end() :], names, alone=True)
        if read.answer is not None:
            return read
    whole = _listed(_ITEM.sub("", plain), names, alone=True)
    if whole.answer is not None:
        return whole
    return read_by_rule(
        text,
        lambda content, alone: _listed(content, names, alone=alone),
        lambda whole: _listed(whole, names, alone=True),
        "list of sub-types",
    )


def _listed(content: str, names: tuple[str, ...], *, alone: bool) -> Read:
    """The sub-types in a place that holds nothing else."""
    if _NONE.fullmatch(content):
        return Read(NONE)
    pattern, called = _tokens(names)
    text = _spelled(content.translate(_DRESSED))
    tokens: list[_Token] = []
    place = 0
    while place < len(text):
        token = pattern.match(text, place)
        if token is None:
            return NOTHING if alone else Read(None, "the answer has words that name no sub-type")
        if token["either"]:
            return Read(None, "a choice of sub-types is left open")
        if token["title"]:
            tokens.append(_Token("title", called[token["title"].casefold()], *token.span()))
        elif token["letter"]:
            tokens.append(_Token("letter", names[ord(token["letter"]) - ord("A")], *token.span()))
        place = token.end()
    for one, other in pairwise(tokens):
        beside = one.kind != other.kind and _JOINED.fullmatch(text, one.end, other.start)
        if beside and (one.kind == "letter" or "(" in text[one.end : other.start]) and one.name != other.name:
            letters = {each.kind: chr(ord("A") + names.index(each.name)) for each in (one, other)}
            return Read(None, f"the letter {letters['letter']} stands beside the title of {letters['title']}")
    return Read(canonical_set(token.name for token in tokens)) if tokens else NOTHING


def _spelled(content: str) -> str:
    """The content without a lead, with small letters as capitals and letters in a row ("DG") apart."""
    lead = _LEAD.match(content)
    content = content[lead.end() :] if lead else content
    run = _RUN.fullmatch(content)
    if run and list(run["letters"]) == sorted(set(run["letters"])):
        return " ".join(run["letters"])
    small = _SMALL_LETTERS.fullmatch(content)
    return re.sub(r"\b[a-z]\b", lambda letter: letter[0].upper(), content) if small else content


def canonical_set(names: Iterable[str]) -> str:
    """The canonical text of a set of sub-types; "none" for none.

    >>> canonical_set(["gravity", "collision", "gravity"])
    'collision,gravity'
    """
    return ",".join(sorted(set(names))) or NONE


def members(answer: str) -> frozenset[str]:
    """The sub-types of a canonical text.

    >>> sorted(members("collision,gravity")), members("none")
    (['collision', 'gravity'], frozenset())
    """
    return frozenset() if answer == NONE else frozenset(answer.split(","))


def overlap(answer: str, gold: str) -> dict[str, float]:
    """Precision, recall and F1 of a set of sub-types, each 0 to 1. The precision of an empty answer is 0.

    >>> overlap("collision,gravity", "gravity,optics")
    {'set_precision': 0.5, 'set_recall': 0.5, 'set_f1': 0.5}
    """
    one, other = members(answer), members(gold)
    both = len(one & other)
    precision = both / len(one) if one else 0.0
    recall = both / len(other) if other else 0.0
    f1 = 2 * both / (len(one) + len(other)) if both else 0.0
    return {"set_precision": precision, "set_recall": recall, "set_f1": f1}


def _parse(text: str, expects: Mapping[str, Json]) -> Read:
    return read_set(text, tuple(expects["names"]))


def _mark(answer: str, trial: Trial) -> Marks:
    return Marks(None) if trial.gold is None else Marks(answer == trial.gold, overlap(answer, trial.gold))


SET = Reader(
    name="sub-types",
    version="2",
    parse=_parse,
    mark=_mark,
    scores=dict.fromkeys(("set_precision", "set_recall", "set_f1"), (0.0, 1.0)),
)
"""Reads sub-types by letter or title, as a sorted list with commas."""
