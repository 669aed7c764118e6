"""Constraints of released clips: sentences, or sentences with a machine form, held against each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import cast

from veridical.records import Json
from veridical.suite.releases import UnusableItemError, number_of, text_of
from veridical.suites.magicbench.stimuli import RELEASE, Atom

KINDS = (RELEASE, "start", "holder", "secret", "cover", "reveal", "props")
"""The kinds of atoms; those of a release that state no kind are called like it."""
_PLACED = ("start", "holder", "cover", "reveal")
_ATOM, _MOST, _SHOWN = "a constraint that is none", 100, 80
_MARK = re.compile(r"^\s*(?:[-*•]|\(?\d{1,3}[.):])\s+")
_NEGATIONS = {"not", "no", "never", "cannot"}


def atoms_of(value: Json) -> list[Atom]:
    """The atoms of a text, one for each of its lines, or of a list of texts and objects with a `text`.

    Raises `UnusableItemError` where there are none, where one is no sentence or of an unknown kind, and where two
    contradict each other.

    >>> [atom["text"] for atom in atoms_of("1. The coin is palmed.\\n2. The left hand is empty.")]
    ['The coin is palmed.', 'The left hand is empty.']
    """
    if isinstance(value, str):
        parts: Sequence[Json] = [_MARK.sub("", line) for line in text_of(value, "principle").splitlines()]
    else:
        parts = value if isinstance(value, list) else [] if value is None else [value]
    made = [_atom(part) for part in parts if part not in (None, "") and str(part).strip()]
    if not made:
        raise UnusableItemError("no constraint", "there is no constraint")
    if len(made) > _MOST:
        raise UnusableItemError(_ATOM, f"{len(made):,} constraints: at most {_MOST} are read")
    pair = contradiction(made)
    if pair is not None:
        first, second = (made[each]["text"][:_SHOWN] for each in pair)
        detail = f"constraints {pair[0] + 1} and {pair[1] + 1} contradict each other: {first} / {second}"
        raise UnusableItemError("constraints that contradict each other", detail)
    return made


def contradiction(atoms: Sequence[Atom]) -> tuple[int, int] | None:
    """The places of the first two atoms that cannot both hold, `None` where no two are seen to.

    Two contradict each other if one is the other with a negation, or if their machine forms have one thing in two
    places at one time. Other contradictions of sentences are not seen.

    >>> made = atoms_of(["The coin is gone.", "A table."])
    >>> contradiction(made), contradiction([*made, {**made[0], "text": "The coin is not gone."}])
    (None, (0, 2))
    """
    for (first, one), (second, two) in combinations(enumerate(atoms), 2):
        (words, negated), (others, denied) = _bare(one["text"]), _bare(two["text"])
        if (words == others and negated != denied) or _elsewhere(one, two):
            return first, second
    return None


def words_of(text: str) -> list[str]:
    """The words of a sentence, in small letters, but for articles.

    >>> words_of("The left hand isn't empty.")
    ['left', 'hand', 'isn', 't', 'empty']
    """
    return [word for word in re.findall(r"\w+", text.casefold()) if word not in {"a", "an", "the"}]


def _bare(text: str) -> tuple[Counter[str], bool]:
    """The words of a sentence but for articles and negations, and whether it is negated."""
    words = words_of(text.casefold().replace("n't", " not").replace("n’t", " not"))
    held = Counter(word for word in words if word not in _NEGATIONS)
    return held, sum(word in _NEGATIONS for word in words) % 2 == 1


def _elsewhere(one: Atom, two: Atom) -> bool:
    """Whether two machine forms have one thing in two places at one time."""
    if any(each["kind"] not in _PLACED or not each["thing"] or not each["place"] for each in (one, two)):
        return False
    if one["thing"] != two["thing"] or one["place"] == two["place"]:
        return False
    if one["start"] is None or one["end"] is None or two["start"] is None or two["end"] is None:
        return False
    return max(one["start"], two["start"]) < min(one["end"], two["end"])


def _atom(part: Json) -> Atom:
    row = part if isinstance(part, dict) else {"text": part}
    text, kind = text_of(row.get("text"), "a constraint"), row.get("kind") or RELEASE
    if not text:
        raise UnusableItemError(_ATOM, "a constraint without a text")
    if kind not in KINDS:
        raise UnusableItemError(_ATOM, f"kind {str(kind)[:_SHOWN]!r} of a constraint: one of {', '.join(KINDS)}")
    words = {name: text_of(row.get(name), name) or None for name in ("thing", "place", "agent", "origin", "target")}
    start, end = times = number_of(row.get("start")), number_of(row.get("end"))
    wrong = any(row.get(name) is not None and time is None for name, time in zip(("start", "end"), times, strict=True))
    if wrong or (start is not None and end is not None and end < start):
        raise UnusableItemError(_ATOM, f"constraint '{text[:_SHOWN]}': start and end are seconds, in this order")
    return cast("Atom", {"text": " ".join(text.split()), "kind": kind, **words, "start": start, "end": end})
