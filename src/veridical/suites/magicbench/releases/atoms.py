"""Constraints of released clips: sentences, or sentences with a machine form, held against each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import cast

from veridical.records import Json
from veridical.suites.magicbench.releases.cells import ATOM, CONTRADICTORY, NO_ATOMS, UnusableError, number_of, text_of
from veridical.suites.magicbench.stimuli import RELEASE, Atom

KINDS = (RELEASE, "start", "holder", "secret", "cover", "reveal", "props")
"""The kinds of atoms; those of a release that state no kind are called like it."""
_PLACED = ("start", "holder", "cover", "reveal")
_TEXTS, _TIMES = ("thing", "place", "agent", "origin", "target"), ("start", "end")
_MOST = 100
_SHOWN = 80
_MARK = re.compile(r"^\s*(?:[-*•]|\(?\d{1,3}[.):])\s+")
_WORD = re.compile(r"\w+")
_NEGATIONS = {"not", "no", "never", "cannot"}
_ARTICLES = {"a", "an", "the"}


def atoms_of(value: Json, place: str) -> list[Atom]:
    """The atoms of a text, one for each of its lines, or of a list of texts and objects with a `text`.

    Raises `UnusableError` where there are none, where one is no sentence or of an unknown kind, and where two
    contradict each other.

    >>> [atom["text"] for atom in atoms_of("1. The coin is palmed.\\n2. The left hand is empty.", "item 1")]
    ['The coin is palmed.', 'The left hand is empty.']
    """
    if isinstance(value, str):
        parts: Sequence[Json] = [_MARK.sub("", line) for line in text_of(value, "principle", place).splitlines()]
    else:
        parts = value if isinstance(value, list) else [] if value is None else [value]
    made = [_atom(part, place) for part in parts if part not in (None, "") and str(part).strip()]
    if not made:
        raise UnusableError(NO_ATOMS, f"{place}: there is no constraint")
    if len(made) > _MOST:
        raise UnusableError(ATOM, f"{place}: {len(made):,} constraints: at most {_MOST} are read")
    pair = contradiction(made)
    if pair is not None:
        first, second = (made[each]["text"][:_SHOWN] for each in pair)
        numbers = f"{pair[0] + 1} and {pair[1] + 1}"
        raise UnusableError(CONTRADICTORY, f"{place}: constraints {numbers} contradict each other: {first} / {second}")
    return made


def contradiction(atoms: Sequence[Atom]) -> tuple[int, int] | None:
    """The places of the first two atoms that cannot both hold, `None` where no two are seen to.

    Two contradict each other if one is the other with a negation, or if their machine forms have one thing in two
    places at one time. Other contradictions of sentences are not seen.

    >>> made = atoms_of(["The coin is gone.", "A table."], "item 1")
    >>> contradiction(made), contradiction([*made, {**made[0], "text": "The coin is not gone."}])
    (None, (0, 2))
    """
    pairs = combinations(range(len(atoms)), 2)
    return next(((one, two) for one, two in pairs if _opposed(atoms[one], atoms[two])), None)


def _opposed(one: Atom, two: Atom) -> bool:
    (words, negated), (others, denied) = _bare(one["text"]), _bare(two["text"])
    return (words == others and negated != denied) or _elsewhere(one, two)


def _bare(text: str) -> tuple[Counter[str], bool]:
    """The words of a sentence but for articles and negations, and whether it is negated."""
    words = _WORD.findall(text.casefold().replace("n't", " not").replace("n’t", " not"))
    held = Counter(word for word in words if word not in _NEGATIONS | _ARTICLES)
    return held, sum(word in _NEGATIONS for word in words) % 2 == 1


def _elsewhere(one: Atom, two: Atom) -> bool:
    """Whether two machine forms have one thing in two places at one time."""
    if one["kind"] not in _PLACED or two["kind"] not in _PLACED or not one["thing"] or one["thing"] != two["thing"]:
        return False
    if not one["place"] or not two["place"] or one["place"] == two["place"]:
        return False
    times = one["start"], one["end"], two["start"], two["end"]
    if any(time is None for time in times):
        return False
    start, end, other_start, other_end = cast("tuple[float, float, float, float]", times)
    return max(start, other_start) < min(end, other_end)


def _atom(part: Json, place: str) -> Atom:
    row = part if isinstance(part, dict) else {"text": part}
    text, kind = text_of(row.get("text"), "a constraint", place), row.get("kind") or RELEASE
    if not text:
        raise UnusableError(ATOM, f"{place}: a constraint without a text")
    if kind not in KINDS:
        raise UnusableError(ATOM, f"{place}: kind {str(kind)[:_SHOWN]!r} of a constraint: one of {', '.join(KINDS)}")
    words = {name: text_of(row.get(name), name, place) or None for name in _TEXTS}
    times = {name: None if row.get(name) is None else number_of(row[name]) for name in _TIMES}
    wrong = any(row.get(name) is not None and times[name] is None for name in _TIMES)
    start, end = times["start"], times["end"]
    if wrong or (start is not None and end is not None and end < start):
        raise UnusableError(ATOM, f"{place}: constraint '{text[:_SHOWN]}': start and end are seconds, in this order")
    return cast("Atom", {"text": " ".join(text.split()), "kind": kind, **words, **times})
