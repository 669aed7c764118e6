"""Sets of sub-types, by letter or by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from itertools import pairwise
from string import ascii_uppercase
from typing import NamedTuple

from veridical.answers import Marks, ParsedAnswer, Reader, last_object
from veridical.answers.markers import CUE
from veridical.answers.plain_text import fold_signs, strip_dressing
from veridical.answers.settle import NOTHING, read_by_rule
from veridical.answers.thinking import spoken_text
from veridical.answers.truncation import list_complete
from veridical.records import Trial
from veridical.suite.reply import object_of
from veridical.suites.hocabench.asking import set_words as words
from veridical.suites.hocabench.taxonomy import SUB_TYPES

NONE = "none"


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
        r"|(?P<either>\b(?:or|oder|ou|o)\b)|(?P<small>\b(?:and|also|alone|as well as|und|et|y|e|both|only|the"
        r"|options?|letters?|appl(?:y|ies)|occurs?|are|present)\b|[和与及、と]|[^\w✓✔✅☑✗✘❌✕]+|_+)"
    )
    return re.compile(pattern, re.IGNORECASE), called


def read_set(text: str, names: tuple[str, ...]) -> ParsedAnswer:
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
    heard = spoken_text(text)
    read = _of_json(heard, names)
    if read != NOTHING:
        return read
    full = strip_dressing(fold_signs(heard))
    plain = _without_echo(full, names)
    *_, last = plain, *(plain[stated.end() :] for stated in words.LAST.finditer(plain))
    read = _listed(last, names, alone=True) if "\n" in last.strip() else NOTHING
    read = _listed(words.ITEM.sub("", plain), names, alone=True) if read.answer is None else read
    read = _rows(_lettered(plain, names), names) if read.answer is None else read
    if read.answer is None:
        said = text if plain == full else plain
        slot, whole = partial(_slot, names), partial(_said, names)
        read = read_by_rule(said, slot, whole, "list of sub-types")
    if read.answer is None and (redone := [*words.REDONE.finditer(plain)]):
        return read_set(plain[redone[-1].end() :], names)
    if read.answer not in (None, NONE) and words.NONE_SAID.search(plain):
        return ParsedAnswer(None, "none is said to occur, and one is named")
    if read.answer and {*_mentioned(" ".join(words.APPLIES.findall(plain)), names)} - members(read.answer):
        return read if CUE.search(plain) else ParsedAnswer(None, "one is said to occur that the answer lacks")
    return read


def _of_json(heard: str, names: tuple[str, ...]) -> ParsedAnswer:
    """The sub-types of the last JSON object: under a key such as "answer", or the letters that are true."""
    if (last := last_object(heard, repair=True) if "{" in heard else None) is None:
        return NOTHING
    holds = {True: True, False: False, "yes": True, "no": False}
    titles = {SUB_TYPES[name].title.casefold(): chr(ord("A") + place) for place, name in enumerate(names)}
    keys = {key: key if len(key) == 1 else titles.get(key.casefold(), "") for key in last.value}
    letters = {keys[key]: holds[each] for key, each in last.value.items() if keys[key] and each in (*holds,)}
    value = next((value for key, value in last.value.items() if words.KEYS.fullmatch(key)), None)
    if letters and len(letters) == len(last.value):
        value = [key for key, each in letters.items() if each]
    if isinstance(value, list):
        value = ", ".join(str(each) for each in value) or NONE
    return _listed(value, names, alone=False) if isinstance(value, str) and value.strip() else NOTHING


def _without_echo(plain: str, names: tuple[str, ...]) -> str:
    """A reply without the lines that only repeat the options, where they repeat all of them."""
    lines = plain.splitlines(keepends=True)
    pairs = [_listed(words.ITEM.sub("", line), names, alone=True).answer for line in lines]
    shown = [line.casefold() for pair, line in zip(pairs, lines, strict=True) if pair in names]
    titled = all(SUB_TYPES[name].title.casefold() in line for name, line in zip(names, shown, strict=False))
    if titled and len(shown) == len(names) and not words.YES.search(plain):
        return "".join(line for pair, line in zip(pairs, lines, strict=True) if pair not in names)
    return plain


def _rows(plain: str, names: tuple[str, ...]) -> ParsedAnswer:
    """The sub-types of a list with one to each line: those that are ticked or called so, or all if none is judged."""
    plain = words.LEFT_OUT.split(plain, maxsplit=1)[0]
    rows = [row for row in words.MARKED.finditer(plain) if ord(row["letter"]) - ord("A") < len(names)]
    signs = {row["letter"]: (words.YES.search(row[0]) is not None, words.NO.search(row[0]) is not None) for row in rows}
    judged = {names[ord(letter) - ord("A")]: yes if yes != no else None for letter, (yes, no) in signs.items()}
    unjudged = [*judged.values()].count(None)
    beside = [
        _listed(f"{row['letter']}. {re.split('[:–—]', row['rest'].lstrip(').]:| '))[0]}", names, alone=False)
        for row in rows
    ]
    others = any(_mentioned(line, names) for line in words.MARKED.sub("", plain).splitlines())
    if others or 0 < unjudged < len(judged) or any("title of" in (each.reason or "") for each in beside):
        return NOTHING
    if not rows or (unjudged and (len(judged) == len(names) or len(rows) < 2)):
        return NOTHING
    return ParsedAnswer(canonical_set(name for name, yes in judged.items() if yes is not False))


def _lettered(plain: str, names: tuple[str, ...]) -> str:
    """A reply in which each option that is marked has a line of its own, with its letter: "Gravity ✔ Size ✖"."""
    _, called = _tokens(names)
    titles = "|".join(re.escape(each) for each in sorted(called, key=len, reverse=True))
    lines = words.BETWEEN_MARKS.sub("\n", plain)
    own, count = re.subn(
        rf"(?im)^(?P<tick>[^\w\n]{{0,8}}(?:\[[ x]\] ?)?)(?P<title>{titles})\b"
        r"(?=\W{1,3}(?:[✓✔✅☑✗✘❌✕✖☐]|(?:yes|no)\b)|$|(?<=\] ))",
        lambda row: f"{row['tick']}{chr(ord('A') + names.index(called[row['title'].casefold()]))}) {row['title']}",
        lines,
    )
    return own if count == len(words.JUDGED.findall(lines)) else plain


def _said(names: tuple[str, ...], plain: str) -> ParsedAnswer:
    """The sub-types that sentences name as occurring, where every sentence that names one says whether it does."""
    found: set[str] = set()
    aside: set[str] = set()
    for sentence in words.SENTENCE.finditer(plain):
        for part in words.TURN.split(sentence[0]):
            named = _mentioned(part, names)
            read = _bare(part, names)
            if named and words.OPEN.search(part):
                return ParsedAnswer(None, "a choice of sub-types is left open")
            if read.answer is not None and read.answer != NONE:
                found |= members(read.answer)
            elif named and not words.ASIDE.search(part):
                return NOTHING
            else:
                aside |= named
    if found & aside:
        return ParsedAnswer(None, "a sub-type is named and denied")
    return (
        ParsedAnswer(canonical_set(found))
        if found
        else ParsedAnswer(NONE)
        if words.NONE_SAID.search(plain)
        else NOTHING
    )


def _bare(sentence: str, names: tuple[str, ...]) -> ParsedAnswer:
    """The sub-types of a sentence that lists them and says nothing else, but for why."""
    sentence = words.DENIED.sub("", sentence)
    tail = words.TAIL.search(sentence)
    while tail and _mentioned(tail[0], names):
        tail = words.TAIL.search(sentence, tail.start() + 1)
    return _listed(sentence[: tail.start()] if tail else sentence, names, alone=True)


def _slot(names: tuple[str, ...], content: str, alone: bool) -> ParsedAnswer:
    """As `_listed`; where an answer is stated, sentences without a letter may follow."""
    content = words.DENIED.sub("", content)
    read = _listed(content, names, alone=alone)
    first = words.SENTENCE.match(content)
    if alone or read.answer is not None or first is None or _mentioned(content[first.end() :], names):
        return read
    return read if (bare := _bare(first[0], names)) == NOTHING else bare


def _mentioned(text: str, names: tuple[str, ...]) -> set[str]:
    """The sub-types whose letters a text has."""
    letters = re.findall(
        r"(?<![\w'])([A-Z])(?![\w'])(?!\s(?!appl|is\b|does|and\b|as\b|or\b|und\b|because|since|but)[a-z])", text
    )
    return {names[ord(letter) - ord("A")] for letter in letters if ord(letter) - ord("A") < len(names)}


def _listed(content: str, names: tuple[str, ...], *, alone: bool) -> ParsedAnswer:
    """The sub-types in a place that holds nothing else."""
    if known := _at_once(content, names, alone=alone):
        return known
    every, colon, listed = content.partition(":")
    content = listed if colon and words.ALL.fullmatch(every) else content
    pattern, called = _tokens(names)
    bare = _spelled(content.translate(words.DRESSED))
    titled = any(held[0].strip(" ()").casefold() in called for held in words.BECAUSE.finditer(bare))
    text = bare if titled else words.BECAUSE.sub("", bare)
    tokens: list[_Token] = []
    place = 0
    while place < len(text):
        token = pattern.match(text, place)
        if token is None:
            return NOTHING if alone else ParsedAnswer(None, "the answer has words that name no sub-type")
        if token["either"] or (tokens and "?" in token[0]):
            return ParsedAnswer(None, "a choice of sub-types is left open")
        if token["title"]:
            tokens.append(_Token("title", called[token["title"].casefold()], *token.span()))
        elif token["letter"]:
            tokens.append(_Token("letter", names[ord(token["letter"]) - ord("A")], *token.span()))
        place = token.end()
    for one, other in pairwise(tokens):
        beside = one.kind != other.kind and words.JOINED.fullmatch(text, one.end, other.start)
        if beside and (one.kind == "letter" or "(" in text[one.end : other.start]) and one.name != other.name:
            letters = {each.kind: chr(ord("A") + names.index(each.name)) for each in (one, other)}
            return ParsedAnswer(None, f"the letter {letters['letter']} stands beside the title of {letters['title']}")
    return ParsedAnswer(canonical_set(token.name for token in tokens)) if tokens else NOTHING


def _at_once(content: str, names: tuple[str, ...], *, alone: bool) -> ParsedAnswer | None:
    """The sub-types where a place names none or all of them, those that do not occur, or the same ones twice."""
    if words.NONE_ALONE.fullmatch(content):
        return ParsedAnswer(NONE)
    if words.APART.fullmatch(content):
        return ParsedAnswer(None, "two letters with a dash between may be a range")
    if words.ALL.fullmatch(content):
        return ParsedAnswer(canonical_set(names))
    if others := words.EXCEPT.match(content):
        read = _listed(content[others.end() :], names, alone=alone)
        return read if read.answer is None else ParsedAnswer(canonical_set({*names} - members(read.answer)))
    reason, so, stated = content.rpartition(" so ")
    read = _listed(stated, names, alone=alone) if so else NOTHING
    return read if read.answer and read == _listed(reason, names, alone=alone) else None


def _spelled(content: str) -> str:
    """The content without a lead, with small letters as capitals and letters in a row ("DG") apart."""
    lead = words.LEAD.match(content)
    content = words.RANGE.sub(_letters_of, content[lead.end() :] if lead else content)
    run = words.RUN.fullmatch(content)
    if run and list(run["letters"]) == sorted(set(run["letters"])):
        return " ".join(run["letters"])
    small = words.SMALL_LETTERS.fullmatch(content)
    return re.sub(r"\b[a-z]\b", lambda letter: letter[0].upper(), content) if small else content


def _letters_of(spread: re.Match[str]) -> str:
    """The letters of a range such as "A-D"; what runs backwards is none."""
    return " ".join(chr(code) for code in range(ord(spread["first"]), ord(spread["last"]) + 1)) or spread[0]


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


def _mark(answer: str, trial: Trial) -> Marks:
    return Marks(None) if trial.gold is None else Marks(answer == trial.gold, overlap(answer, trial.gold))


SET = Reader(
    name="sub-types",
    version="5",
    parse=lambda text, expects: read_set(text, tuple(expects["names"])),
    mark=_mark,
    complete=list_complete,
    scores=dict.fromkeys(("set_precision", "set_recall", "set_f1"), (0.0, 1.0)),
    schema=object_of(
        {"sub_types": {"type": "array", "items": {"type": "string", "enum": [*ascii_uppercase[: len(SUB_TYPES)]]}}}
    ),
)
"""Reads sub-types by letter or title, as a sorted list with commas."""
