"""What a continuation says of one mistake, sentence by sentence: what is right, the mistake again, or its denial."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from veridical.judges.typed_values import asserted_values, is_denied, is_open
from veridical.suites.magic.facts import Fact
from veridical.suites.magic.healing.cues import calls_mistake
from veridical.suites.magic.language.statements import REPORTED
from veridical.suites.magic.stimuli import StepClaim

_PIECE = re.compile(
    r"(?:[;:](?!\d)|\.\.\.|\?)\s|\s[-\u2013\u2014]{1,2}\s|,?\s(?:but|although|though|while|whereas|because|since|so)\s"
    r"|,\s(?=not\s|and (?:I|that|it)\s)|\s(?=(?:is|was) (?:in fact|actually|really|in reality)\s|turns out to be\s)"
)
_SHOULD = re.compile(
    r"\b(?:I |it )?(?:should|ought to|has to|must)(?: have)? (?:be|been|read|said|say|written|called it)\b"
)
_LABEL = re.compile(r"\A\W{0,4}(?:wrong|mistake|error|before|old|earlier|instead of)\b[^:]{0,20}\Z", re.IGNORECASE)
_OFF = re.compile(r"\b(?:was|is|were) (?:wrong|incorrect|not right|a (?:mistake|slip))\b", re.IGNORECASE)
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
_QUOTED = re.compile(r"[\"\u201c\u201d\u00ab][^\"\u201c\u201d\u00bb]{3,300}[\"\u201c\u201d\u00bb]")
_CONTRARY = re.compile(r"\A(?:contrary to|unlike) what I \w{2,9}(?: \w{2,9})?, ", re.IGNORECASE)
_LONGEST = 600
"""How many signs of a clause are looked at."""
_ANSWER = re.compile(r"\A\W{0,6}(?:final )?answer\b\W{0,6}", re.IGNORECASE)


@dataclass
class Outcome:
    """The places of the sentences that state what is right and what is not, that deny or take back the mistake.

    `open`: words of what is right stand where nothing is stated plainly: in a question, a hedge, or beside others.
    """

    sentences: Sequence[str]
    right: list[int] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)
    denied: list[int] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    open: bool = False


def outcome(fact: Fact, mistake: StepClaim, sentences: Sequence[str]) -> Outcome:
    """What the sentences of a continuation say of a mistake, in the place of which `fact` is so."""
    heard = Outcome(sentences)
    topic: str | None = fact.one
    for place, sentence in enumerate(sentences):
        labeled = False
        for piece in _pieces(sentence):
            things = [each for each in fact.things(piece) if each != "it"]
            if topic not in (fact.one, None) and not things:
                continue
            _take(heard, place, piece, fact, mistake, reported=labeled or REPORTED.search(piece) is not None)
            labeled = _LABEL.match(piece) is not None
            topic = things[0] if things else topic
        for aside in (*_STRUCK.finditer(sentence), *_QUOTED.finditer(_plain(sentence))):
            _take(heard, place, aside[0], fact, mistake, reported=True)
    return heard


def _wrong(fact: Fact, mistake: StepClaim) -> str:
    if mistake["kind"] == "place":
        return mistake["thing"] if mistake["true"] == "none" else mistake["value"]
    return mistake["value"].removesuffix(" of") if fact.other else mistake["value"]


def _plain(sentence: str) -> str:
    """A sentence without what is struck out, and a JSON object without quotation marks."""
    text = _STRUCK.sub(" ", sentence)
    return text.replace('"', "") if text.lstrip().startswith("{") else text


def _pieces(sentence: str) -> Iterator[str]:
    """The clauses of a sentence without quotations; what should have been said is said."""
    text = _SHOULD.sub("it is", _CONTRARY.sub("", _QUOTED.sub(" ", _plain(sentence))))
    at = 0
    for cut in [*_PIECE.finditer(text), None]:
        end = cut.start() + (cut[0][:1] == "?") if cut else len(text)
        if text[at:end].strip():
            yield text[at:end].strip()[:_LONGEST]
        at = cut.end() if cut else end


def _take(heard: Outcome, place: int, piece: str, fact: Fact, mistake: StepClaim, *, reported: bool) -> None:
    """Takes in what a piece of a sentence says of the fact; a question states nothing."""
    values, wrong = fact.values(piece), _wrong(fact, mistake)
    if not values or piece.rstrip('"').endswith("?"):
        return
    denied = {each.value for each in values if is_denied(piece, each.start)}
    if wrong in denied:
        heard.denied.append(place)
    if reported:
        heard.taken += [place] if wrong in {each.value for each in values} - denied else []
        heard.open = heard.open or any(each.value == fact.value for each in values)
        return
    stated = asserted_values(fact.values, piece)
    stated = stated[:1] if fact.kind == "place" else stated
    if is_open(piece) or len(set(stated)) > 1:
        heard.open = heard.open or fact.value in {each.value for each in values}
    elif not stated:
        return
    elif _ANSWER.match(heard.sentences[place]):
        heard.wrong += [place] if stated[0] == wrong and heard.right else []
        heard.right += [place] if stated[0] == fact.value and (heard.denied or heard.taken) else []
    elif stated[0] == fact.value:
        heard.right.append(place)
    elif calls_mistake(piece) or _OFF.search(piece):
        heard.taken.append(place)
    elif stated[0] == wrong:
        heard.wrong.append(place)
