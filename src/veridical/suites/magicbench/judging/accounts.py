"""An explanation as the rule judge reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from veridical.answers.json_block import objects
from veridical.records import Json
from veridical.suites.magicbench.judging import words
from veridical.suites.magicbench.judging.statements import PlaceStatement, plain_words, statements, times_in

_LONGEST = 10_000
"""How many characters of a text are read."""


@dataclass(frozen=True)
class Account:
    """An explanation as the rule reads it: its text without what it says only seems so, its statements, its times."""

    text: str
    made: tuple[PlaceStatement, ...]
    times: tuple[float, ...]
    steps: int
    trick: bool

    @property
    def has_doubt(self) -> bool:
        """Whether anything is doubted."""
        return bool(words.DOUBT.search(self.text))

    def times_with(self, pattern: re.Pattern[str]) -> list[float]:
        """The times in sentences that have such words, in seconds."""
        own = (each for each in words.SENTENCE.split(self.text) if pattern.search(each))
        return [time for sentence in own for time in times_in(sentence)]

    def has(self, pattern: re.Pattern[str]) -> bool:
        """Whether words occur and are neither denied nor only seem so, in one clause at least."""
        return any(_asserted(clause, match) for clause in _clauses(self.text) for match in pattern.finditer(clause))


_TAKEN_BACK = re.compile(
    r"\b(?:wait|no|but no|hm+)\b[^.!?;]{0,60}\b(?:can(?:no|')?t be|does(?: not|n't) fit|is (?:wrong|not right))\b"
    r"[^.!?;]{0,60}[.!?;]|\b(?:frames|clip|pictures) rules? (?:this|that|it) out\b[.!?;]?",
    re.IGNORECASE,
)
"""After these words stands what counts."""
_ONCE_THOUGHT = re.compile(
    r"[^.!?;\n]{0,200}\b(?:i (?:first )?(?:thought|believed|assumed)|in (?:the|its) (?:common|usual|classic) version)\b"
    r"[^.!?;\n]{0,300}[.!?;]",
    re.IGNORECASE,
)


def _line(text: Json) -> str:
    """A text in plain form, from the last words on that take back what stands before, without first impressions."""
    kept = str(text)[:_LONGEST]
    for turned in list(_TAKEN_BACK.finditer(kept))[-1:]:
        kept = kept[turned.end() :]
    return plain_words(_ONCE_THOUGHT.sub(" ", kept))


def account_of(reply: str, thing: str, places: Sequence[str]) -> Account | None:
    """The explanation in a reply, or `None`: the last JSON object with steps and a principle."""
    return _account_of(reply, thing, tuple(places))


@lru_cache(maxsize=1024)
def _account_of(reply: str, thing: str, places: tuple[str, ...]) -> Account | None:
    for whole, *_ in reversed(objects(reply).whole):
        try:
            value = json.loads(whole)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("steps"), list) and isinstance(value.get("principle"), str):
            return _account(value, thing, places)
    return None


def _listed(value: Mapping[str, Json], name: str) -> list[Json]:
    listed = value.get(name)
    return listed if isinstance(listed, list) else []


def _account(value: Mapping[str, Json], thing: str, places: Sequence[str]) -> Account:
    steps = [_line(each) for each in value["steps"]]
    seen = [
        (_line(each.get("what", "")), each.get("time"))
        for name in ("inventory", "anomalies")
        for each in _listed(value, name)
        if isinstance(each, dict)
    ]
    facts = [_line(each) for each in _listed(value, "facts")]
    texts = [*steps, *facts, _line(value["principle"])]
    made = [each for text in texts for each in statements(text, thing, places)]
    for text, time in seen:
        at = (float(time),) if isinstance(time, (int, float)) else ()
        made += [each.at(at) for each in statements(text, thing, places)]
    times = [time for text in texts for time in times_in(text)]
    times += [float(time) for _, time in seen if isinstance(time, (int, float))]
    text = ". ".join([*texts, *(text for text, _ in seen)])
    trick = str(value.get("trick", "")).strip().lower() in ("yes", "true")
    return Account(text, tuple(made), tuple(times), len(steps), trick)


def _clauses(text: str) -> list[str]:
    return [
        clause for sentence in words.SENTENCE.split(text) for clause in words.CLAUSE.split(sentence) if clause.strip()
    ]


def _asserted(clause: str, match: re.Match[str]) -> bool:
    before = clause[: match.start()]
    rest = clause[match.end() :]
    denied = words.NEGATED.search(before) or re.match(
        r"\W*(?:(?:is|are|was|can be) )?(?:not|ruled out|excluded|absent)", rest
    )
    return not denied and not words.SEEMS.search(before)
