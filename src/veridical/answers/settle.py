"""Which of the answers that a reply states counts: one rule for all readers.

1. Thinking and explanation do not count, nor does an answer that is only quoted, or left open ("if", "it may be that").
   Each place that states an answer has a rank: a tag, a box or "final answer" over another marker ("Answer:", "the
   answer is"), over bold alone on the last line, over a sentence or a line of its own.
2. Of two answers that differ, the later counts if its rank is higher, or if it takes the earlier back: words of
   correction ("wait", "correction", "on second thought") stand between them, or it is itself set against the earlier
   one ("actually", "or rather"). A weaker sentence after a marked answer changes nothing without such words.
3. Otherwise the two contradict each other, and nothing is read until a place of higher rank or a correction settles it.
   A place that holds no answer (an echoed template) contradicts none that follows.
   A first impression ("at first sight C", "C seems right, but it is not") contradicts no marked answer after it.
4. An answer after which words of correction follow, or that is called wrong later, is taken back: nothing is read
   unless a new one follows.
5. A reply that states no answer in such a place is read as a whole by rules of its reader; after words of
   correction, from these on.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from veridical.answers.explanation import as_explained
from veridical.answers.impression import first_impressions, tempting
from veridical.answers.markers import INSTEAD, PAUSE
from veridical.answers.places import FINAL, LAST, STATED
from veridical.answers.prepare import Prepared, prepare
from veridical.answers.reader import Read

NOTHING = Read(None, None)
"""What a reading of one place gives where that place is not about the answer at all."""

_TAKEN = Read(None, "the answer is taken back, and none follows")
_HEDGE = re.compile(
    r"\W{0,5}(?:it |that |this )?(?:depends\b|(?:is |be )?(?:unclear|uncertain|ambiguous|unknown)\b"
    r"|(?:i )?(?:can ?not|can't) (?:be )?(?:tell|say|determine)|hard to (?:say|tell)|either\b|undecided)",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"(?:\b(?:not|cannot|never|neither|nor|nicht|kein|keine|statt|pas|sino|ikke|inte|niet|nie|не|non|değil"
    r"|au lieu de|en lugar de|rather than|instead of"
    r"|other than|as opposed to|any(?:where|thing) but)|n't|不是|而非|而不是|并非)"
    r"\s{0,2}(?:(?:a|an|the|from|be|really|exactly|option|region|between|just|is|are|equal to|usual|expected) ){0,2}"
    r"(?:(?:in|on|at|under|inside|behind|within)(?: (?:the|my|his|her|its|their|your))? )?"
    r"[\"'(\[]{0,2}$",
    re.IGNORECASE,
)
_TENTATIVE = re.compile(
    r"\b(?:initial|first|guess|tentative|provisional|preliminary|quick|intuitive|immediate|naive|usual|option)\b", re.I
)
_ASKED = re.compile(r"[^.!?\n]{1,30}\?(?! [\w\"'(*-]{1,20}\s{0,3}\Z)")
_TURNED = re.compile(r"\b(?:but|however|yet|although|though|aber|mais|pero|until)\b", re.IGNORECASE)
_PLANNING = re.compile(
    r"\W{0,5}(?:let me|let's|first|looking|starting|to (?:answer|count|determine|find)|we (?:need|must|have) to"
    r"|i(?:'ll| will| need to| have to)|if|when|step)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """An answer that a place gives (or the reason why it gives none), with the rank of the place and its position.

    `instead`: the place is set against what was said before. `denies`: the answer that the place calls wrong.
    `announced`: the place gives the answer in so many words, so that another one after it needs a correction.
    """

    read: Read
    rank: int
    start: int
    end: int
    instead: bool = False
    denies: str | None = None
    announced: bool = False


Slot = Callable[[str, bool], Read]
"""Reads the content of one place; the flag asks for nothing but the answer there. `NOTHING` where there is none."""


def read_by_rule(
    text: str,
    slot: Slot,
    whole: Callable[[str], Read],
    wanted: str,
    more: Callable[[str], Iterable[Claim]] = lambda _: (),
) -> Read:
    """The answer that counts by the rule on top of this module, or the reason why there is none.

    `slot` reads a place, `more` finds further places in the plain text, `whole` reads a reply that has no such place.
    """
    reply = prepare(text)
    claims = _superseded([*_claims(reply, slot, wanted), *more(reply.plain)], reply.plain)
    if any(claim.denies is None for claim in claims):
        read = settle((_placed(claim, reply.plain) for claim in claims), reply.cues)
        if read == _TAKEN and not any(claim.denies for claim in claims):
            read = _after_correction(reply, whole)
        return as_explained(text, slot, read)
    answer, reason = whole(reply.plain[reply.cues[-1] :] if reply.cues else reply.plain)
    if answer is not None or reason is not None:
        return Read(answer, reason)
    return Read(None, f"no {wanted} is stated" if reply.plain.strip() else "no text outside the reasoning")


def _superseded(claims: list[Claim], plain: str) -> list[Claim]:
    """The claims without those of first impressions, which a marked answer after them settles.

    What is only called tempting or usual counts nowhere beside an answer that is not.
    """
    marked = max((claim.start for claim in claims if claim.rank >= STATED and claim.read.answer is not None), default=0)
    settled = _outside(claims, list(first_impressions(plain[:marked])))
    own = _outside(settled, list(tempting(plain)))
    return own if any(claim.read.answer is not None for claim in own) else settled


def _outside(claims: list[Claim], spans: list[tuple[int, int]]) -> list[Claim]:
    return [claim for claim in claims if not any(start <= claim.start < end for start, end in spans)]


def _after_correction(reply: Prepared, whole: Callable[[str], Read]) -> Read:
    """What a reply says after words that take its answer back, unless these only announce another look."""
    at = reply.cues[-1]
    read = _TAKEN if PAUSE.search(reply.plain, max(0, at - 30), at) else whole(reply.plain[at:])
    return _TAKEN if read.answer is None else read


def read_tags(text: str, slot: Slot, wanted: str) -> Read:
    """The answer that counts among those in answer tags, by the same rule, or the reason why there is none."""
    reply = prepare(text)
    tags = tuple(place for place in reply.statements if place.in_tag)
    claims = list(_claims(replace(reply, statements=tags), slot, wanted))
    if claims:
        read = as_explained(text, slot, settle((_placed(claim, reply.plain) for claim in claims), reply.cues))
        announced = [
            claim
            for claim in _claims(reply, slot, wanted)
            if (claim.announced and claim.start < claims[0].start)
            or (claim.rank == FINAL and claim.start > claims[-1].end and claim.read.answer is not None)
        ]
        if read.answer is None or not announced:
            return read
        other = settle((_placed(claim, reply.plain) for claim in [*announced, *claims]), reply.cues)
        return other if other.answer is None else read
    return Read(None, "no answer tag" if reply.plain.strip() else "no text outside the reasoning")


def _claims(reply: Prepared, slot: Slot, wanted: str) -> Iterable[Claim]:
    for place in reply.statements:
        read = slot(place.content, place.rank <= LAST)
        if read == NOTHING and place.rank > LAST and _HEDGE.match(place.content):
            read = Read(None, "the answer is left open")
        if read.answer is not None and place.rank >= STATED and _ASKED.match(place.content):
            read = Read(None, "the answer is left open")
        if read == NOTHING and place.rank >= FINAL:
            read = Read(None, f"the stated answer is not {wanted}")
        if read != NOTHING and (read.answer is not None or place.rank >= STATED):
            before = reply.plain[max(0, place.start - 40) : place.start]
            announced = place.rank == STATED and not (_TENTATIVE.search(before) or _TURNED.search(place.content))
            yield Claim(read, place.rank, place.start, place.end, announced=announced)


def _placed(claim: Claim, plain: str) -> Claim:
    """A claim that knows whether words such as "actually" set it against what was said before."""
    before = re.split(r"[.!?;\n]", plain[max(0, claim.start - 60) : claim.start])[-1]
    opening = plain[claim.start : claim.start + 30].lstrip(" ,-").lower()
    opening = re.sub(r"^(?:but|and|oh|well|hm+|no)[, ]{1,3}", "", opening)
    against = INSTEAD.search(before) is not None or INSTEAD.match(opening) is not None
    return replace(claim, instead=True) if against and not claim.instead else claim


def settle(claims: Iterable[Claim], cues: tuple[int, ...]) -> Read:
    """The claim that counts, by rules 2 to 4; `cues` are the positions of words of correction, ascending."""

    def corrected(start: int, end: float) -> bool:
        index = bisect_left(cues, start)
        return index < len(cues) and cues[index] <= end

    ordered = sorted(claims, key=lambda claim: (claim.start, claim.rank))
    ordered = [claim for claim in ordered if claim.denies is None] if ordered[0].denies else ordered
    current, clash = ordered[0], False
    for claim in ordered[1:]:
        if claim.denies is not None:
            if claim.denies == current.read.answer and claim.start >= current.end:
                current = replace(current, read=Read(None, "the answer is taken back, and none follows"), rank=0)
            continue
        stronger, withdrawn = claim.rank > current.rank, claim.instead or corrected(current.end, claim.start)
        if claim.read.answer is not None and claim.read.answer == current.read.answer:
            clash = clash and not stronger and not withdrawn
            current = _both(current, claim)
        elif stronger or withdrawn or (current.read.answer is None and claim.rank == current.rank and not clash):
            current, clash = claim, not withdrawn and _gainsays(claim, current)
        elif claim.rank == current.rank or claim.rank >= STATED:
            clash = True
    if clash:
        return Read(None, "the stated answers contradict each other")
    if corrected(current.end, float("inf")):
        return _TAKEN
    return current.read


def _both(one: Claim, other: Claim) -> Claim:
    """Two claims of one answer as one."""
    announced = one.announced or other.announced
    return replace(one, rank=max(one.rank, other.rank), end=max(one.end, other.end), announced=announced)


def _gainsays(claim: Claim, announced: Claim) -> bool:
    """Whether a final answer differs from one that was announced, so that it needs words of correction."""
    pair = {claim.read.answer, announced.read.answer}
    return announced.announced and claim.rank == FINAL and len(pair - {None}) == 2


def denied(text: str, start: int) -> bool:
    """Whether what stands at `start` is denied by the words just before it ("not 5", "instead of 4").

    >>> denied("4 legs, not 5", 12), denied("not 4 but 5", 10)
    (True, False)
    """
    return _DENIAL.search(text[max(0, start - 40) : start]) is not None


def is_short_statement(text: str) -> bool:
    """Whether a text is a short, finished statement: 40 words at most, no question, not the beginning of a plan."""
    text = text.strip()
    if not text or len(text) > 400 or len(text.split()) > 40 or text.endswith(("?", ":", ",", "...", "…")):
        return False
    finished = text[-1] in ".!。！)]}\"'" or len(text.split()) <= 12
    return finished and not _PLANNING.match(text)
