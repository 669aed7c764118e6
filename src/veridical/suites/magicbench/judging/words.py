"""The words by which a rule reads explanations: verbs of moving and staying, what only seems so, props, magic."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def _any(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b")


_STORED: Mapping[str, Any] = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
PLAIN = (
    (re.compile(r"[\u2018\u2019]"), "'"),
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(left|right)-(?=hand|palm)"), r"\1 "),
    (re.compile(r"\b(?:l|lh)\.? hand\b|\blh\b"), "left hand"),
    (re.compile(r"\b(?:r|rh)\.? hand\b|\brh\b"), "right hand"),
    (re.compile(r"\bas (?:if|though)\b"), "seemingly"),
    (re.compile(r"\b(?:presented|shown|displayed|treated) as\b"), "seemingly"),
    (re.compile(r"\bwhere (?:it|the \w+) (?:was|is|had been|began|started)\b"), "there"),
    (re.compile(r"\bin (?:fact|reality|truth)\b|\bin actuality\b"), "actually"),
    (re.compile(r"\b(?:instead of|rather than)\b"), "not"),
    (
        re.compile(
            r"\b(?:under|beneath|below|underneath) ([a-c])\b(?=[.,;]|$| (?:while|when|as|by|during|in|and|with)\b)"
        ),
        r"under cup \1",
    ),
    (re.compile(r"\bnot only\b|\bno doubt\b"), "also"),
    (re.compile(r"\bother hand, (?:the |his |her )?(left|right)\b(?: (?:hand|one))?"), r"\1 hand"),
    (re.compile(r"(?:^|(?<=[.;!?] ))(left|right) hand: ?"), r"in the \1 hand "),
    (
        re.compile(r"\b(?:slid(?:es?|ing)?|slip(?:s|ped|ping)?|goes|moves) behind (?:(?:the|his|her|its) )?fingers\b"),
        "hides behind the fingers",
    ),
)
"""Replacements before an explanation is taken apart."""

SENTENCE = re.compile(r"(?<=[.!?])\s+|[;\n]+")
CLAUSE = re.compile(
    r",|:(?!\d)|[()\u2014]|\s[-\u2013]\s|\b(?=(?:but|while|whereas|although|though|however|because|since|then|so|which"
    r"|where|when|before|after|and|as|actually)\b)"
)

CONTRAST = _any(_STORED["contrast"])
NEGATED = _any(_STORED["negated"])
MAYBE = _any(_STORED["maybe"])
SEEMS = _any(_STORED["seems"])
PRETENDS = _any(_STORED["pretends"])
STAYS = _any(_STORED["stays"])
MOVES = _any(_STORED["moves"])
TAKES = _any(_STORED["takes"])
HOLDS = _any(_STORED["holds"])
WITHIN = _any(_STORED["within"])
FROM = _any(_STORED["from"])
LEAVES = _any(_STORED["leaves"])
BY = _any(_STORED["by"])
EARLY = _any(_STORED["early"])
LATE = _any(_STORED["late"])
DOUBT = _any(_STORED["doubt"])
KIND = _any(_STORED["kind"])
VAGUE = _any(_STORED["vague"])
SUPPORT = _any(_STORED["support"])
NORMAL = _any(_STORED["normal"])
MAGIC = _any(_STORED["magic"])
GONE = _any(_STORED["gone"])
PROPS: Mapping[str, re.Pattern[str]] = {name: _any(words) for name, words in _STORED["props"].items()}
"""Words for props that explanations invent, by prop."""
ALIKE = (frozenset({"thread", "wires"}),)
"""Props of which the same would be seen: where one is present, the other is as good."""

CONCEDES = re.compile(r"\s*(?:although|though|while|whereas)\b")
POSTURE = re.compile(
    r"\b(?:stay|remain|keep|kept|held)\w* (?:itself |it )?(?:closed?|open|empty|raised|up|still|flat|relaxed|curled"
    r"|visible|in view|in sight|in place|motionless|clenched)\b"
)
"""A hand that stays as it is, which says nothing of a thing."""
EMPTY = re.compile(
    r"\bempty\b|\bnothing (?:is |lies )?(?:in|inside|under|left in)\b"
    r"|\b(?:on|around|over) (?:nothing|(?:thin |empty )?air)\b"
)
TIME = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)(?:\s?(?:s|sec|secs|seconds?)?\s?(?:-|\u2013|to|until)\s?(\d+(?:\.\d+)?))?"
    r"\s?(?:s|sec|secs|seconds?)\b"
)
